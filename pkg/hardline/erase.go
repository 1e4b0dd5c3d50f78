package hardline

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// erasesPlace matches programs that remove a place without being rm: those that say so by
// their words, and runners of one that removes trees. Their operands are read by their
// words: none of them has operands but paths.
func erasesPlace(s *hazard.Scene, c *command.Command, want place) (shell.Span, bool) {
	paths := pathsErased(c)
	if len(paths) == 0 || !local(s, c) || hasWord(c, "--help", "--version", "--dry-run", "--glob=false") {
		return shell.Span{}, false
	}
	for i := range paths {
		path := paths[i].Set
		path.Glob = true
		if worst(s, c, path) == want {
			return c.Span, true
		}
	}
	return shell.Span{}, false
}

// pathsErased returns the operands behind those that are no paths.
func pathsErased(c *command.Command) []shell.Word {
	paths := operands(c.Words[1:])
	for skip, kind := range [...]string{"deletes0", "deletes1", "deletes2"} {
		if c.Does(kind) {
			return paths[min(skip, len(paths)):]
		}
	}
	if c.Is(program.IsRunner) && (hasVersion(c, "rimraf") || hasVersion(c, "del-cli")) {
		skip := 2
		if c.Row().Runner == "." {
			skip = 1
		}
		return paths[min(skip, len(paths)):]
	}
	return nil
}

// hasVersion reports whether a word, or the argument of an option, is a name, or that name
// with a version.
func hasVersion(c *command.Command, name string) bool {
	is := func(v string) bool {
		bare, _, _ := strings.Cut(v, "@")
		return v == name || bare == name
	}
	return anyWord(c.Words[1:], is) || slices.ContainsFunc(c.Args.Options, func(o command.Option) bool {
		return slices.ContainsFunc(o.Arg.Values, is)
	})
}

// compresses matches a program that puts a compressed file in the place of
// every file that it finds in a place.
func compresses(s *hazard.Scene, c *command.Command, want place) (shell.Span, bool) {
	if !c.Args.Has("r", "recursive") || c.Args.Has("k", "c", "l", "t") || c.Does("keeps") {
		return shell.Span{}, false
	}
	return effect(s, c, func(at *command.Command, e command.Effect) bool {
		return e.Kind == command.Writes && worst(s, at, e.Target) == want
	})
}

// operands returns the words that do not begin with a dash.
func operands(words []shell.Word) []shell.Word {
	out := make([]shell.Word, 0, len(words))
	for i := range words {
		if v, ok := words[i].Literal(); !ok || !strings.HasPrefix(v, "-") {
			out = append(out, words[i])
		}
	}
	return out
}

// archivesAway matches archivers that remove what they have packed.
func archivesAway(s *hazard.Scene, c *command.Command, want place) (shell.Span, bool) {
	if o := c.Args.Option("T"); o != nil && o.Arg.Has("-") && c.Source >= 0 && findsPlace(s, c.Source) {
		return c.Span, want == root
	}
	return effect(s, c, func(at *command.Command, e command.Effect) bool {
		return (e.Kind == command.Reads || e.Kind == command.Moves) && worst(s, at, e.Target) == want
	})
}

// deletesUser matches the removal of the user who runs it with the home.
func deletesUser(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	withHome := anyWord(c.Words[1:], func(v string) bool {
		short := strings.HasPrefix(v, "-") && !strings.HasPrefix(v, "--") && strings.Contains(v, "r") && c.How("deletes-users") == "short"
		return short || v == "--remove" || v == "--remove-home" || v == "--remove-all-files" || v == "-deleteUser"
	})
	return c.Span, withHome && local(s, c) && ownUser(s, c)
}
