package hardline

import (
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

// An eraser is a program that deletes what it is given, other than rm.
type eraser struct {
	names string
	// need is a word without which it does not delete, "" if there is none.
	need string
	// skip is the number of operands before the paths.
	skip int
}

// erasers are read by their words: none of them has operands but paths.
var erasers = sync.OnceValue(func() []eraser {
	return []eraser{
		{names: "tmpwatch tmpreaper", skip: 1},
		{names: "gio", need: "trash", skip: 1},
		{names: "gio", need: "remove", skip: 1},
		{names: "7z 7za 7zr 7zz", need: "-sdel", skip: 2},
		{names: runnersAtOnce(), need: "rimraf", skip: 1},
		{names: runnersAtOnce(), need: "del-cli", skip: 1},
		{names: runnersByVerb(), need: "rimraf", skip: 2},
		{names: runnersByVerb(), need: "del-cli", skip: 2},
		{names: "rclone", need: "purge", skip: 1},
		{names: "rclone", need: "delete", skip: 1},
		{names: "bleachbit", need: "-s", skip: 0},
		{names: "bleachbit", need: "--shred", skip: 0},
		{names: "rar", need: "m", skip: 2},
		{names: "rar", need: "-df", skip: 2},
	}
})

// erasesPlace matches programs that remove a place without being rm.
func erasesPlace(s *hazard.Scene, c *shell.Command, want place) (shell.Span, bool) {
	if !local(s, c) || hasWord(c, "--help", "--version", "--dry-run", "--glob=false") || strings.HasPrefix(c.Name, "tmp") && hasWord(c, "-t", "--test") || c.Name == "rclone" && hasWord(c, "-n") {
		return shell.Span{}, false
	}
	for _, e := range erasers() {
		if !program.HasWord(e.names, c.Name) || e.need != "" && !hasVersion(c, e.need) {
			continue
		}
		paths := operands(c.Words[1:])
		for i := e.skip; i < len(paths); i++ {
			if worst(s, c, paths[i].Set) == want {
				return c.Span, true
			}
		}
	}
	return shell.Span{}, false
}

// hasVersion reports whether a word is a name, or that name with a version.
func hasVersion(c *shell.Command, name string) bool {
	return anyWord(c.Words[1:], func(v string) bool {
		bare, _, _ := strings.Cut(v, "@")
		return v == name || bare == name
	})
}

// compresses matches a program that puts a compressed file in the place of
// every file that it finds in a place.
func compresses(s *hazard.Scene, c *shell.Command, want place) (shell.Span, bool) {
	if !c.Args.Has("r", "recursive") || c.Args.Has("k", "c", "l", "t") || c.Name == "zstd" && !hasWord(c, "--rm") {
		return shell.Span{}, false
	}
	return effect(s, c, func(at *shell.Command, e shell.Effect) bool {
		return e.Kind == shell.Writes && worst(s, at, e.Target) == want
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
func archivesAway(s *hazard.Scene, c *shell.Command, want place) (shell.Span, bool) {
	switch c.Name {
	case "zip":
		if !c.Args.Has("m", "move") {
			return shell.Span{}, false
		}
	case "rsync":
		if !c.Args.Has("remove-source-files", "remove-sent-files") || c.Args.Has("n", "dry-run") {
			return shell.Span{}, false
		}
	default:
		if !c.Args.Has("remove-files") {
			return shell.Span{}, false
		}
	}
	if o := c.Args.Option("T"); o != nil && o.Arg.Has("-") && c.Source >= 0 && findsPlace(s, c.Source) {
		return c.Span, want == root
	}
	return effect(s, c, func(at *shell.Command, e shell.Effect) bool {
		return (e.Kind == shell.Reads || e.Kind == shell.Moves) && worst(s, at, e.Target) == want
	})
}

// deletesUser matches the removal of the user who runs it with the home.
func deletesUser(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	withHome := anyWord(c.Words[1:], func(v string) bool {
		short := strings.HasPrefix(v, "-") && !strings.HasPrefix(v, "--") && strings.Contains(v, "r") && c.Name == "userdel"
		return short || v == "--remove" || v == "--remove-home" || v == "--remove-all-files" || v == "-deleteUser"
	})
	return c.Span, withHome && local(s, c) && ownUser(s, c)
}
