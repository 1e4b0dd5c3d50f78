package hardline

import (
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// An eraser is a program that deletes what it is given, other than rm.
type eraser struct {
	// need is a word without which it does not delete, "" if there is none.
	need string
	// skip is the number of operands before the paths.
	skip int
}

// erasers are those of each name. They are read by their words: none of them has
// operands but paths.
var erasers = sync.OnceValue(func() map[string][]eraser {
	out := map[string][]eraser{}
	for _, e := range [...]struct {
		names string
		eraser
	}{
		{"tmpwatch tmpreaper", eraser{skip: 1}},
		{"gio", eraser{need: "trash", skip: 1}},
		{"gio", eraser{need: "remove", skip: 1}},
		{"7z", eraser{need: "-sdel", skip: 2}},
		{runnersAtOnce(), eraser{need: "rimraf", skip: 1}},
		{runnersAtOnce(), eraser{need: "del-cli", skip: 1}},
		{runnersByVerb(), eraser{need: "rimraf", skip: 2}},
		{runnersByVerb(), eraser{need: "del-cli", skip: 2}},
		{"rclone", eraser{need: "purge", skip: 1}},
		{"rclone", eraser{need: "delete", skip: 1}},
		{"bleachbit", eraser{need: "-s"}},
		{"bleachbit", eraser{need: "--shred"}},
		{"rar", eraser{need: "m", skip: 2}},
		{"rar", eraser{need: "-df", skip: 2}},
	} {
		for name := range strings.FieldsSeq(e.names) {
			out[name] = append(out[name], e.eraser)
		}
	}
	return out
})

// erasesPlace matches programs that remove a place without being rm.
func erasesPlace(s *hazard.Scene, c *command.Command, want place) (shell.Span, bool) {
	for _, e := range erasers()[c.Name] {
		if e.need != "" && !hasVersion(c, e.need) {
			continue
		}
		if !local(s, c) || hasWord(c, "--help", "--version", "--dry-run", "--glob=false") || strings.HasPrefix(c.Name, "tmp") && hasWord(c, "-t", "--test") || c.Name == "rclone" && hasWord(c, "-n") {
			break
		}
		paths := operands(c.Words[1:])
		for i := e.skip; i < len(paths); i++ {
			path := paths[i].Set
			path.Glob = true
			if worst(s, c, path) == want {
				return c.Span, true
			}
		}
	}
	return shell.Span{}, false
}

// hasVersion reports whether a word is a name, or that name with a version.
func hasVersion(c *command.Command, name string) bool {
	return anyWord(c.Words[1:], func(v string) bool {
		bare, _, _ := strings.Cut(v, "@")
		return v == name || bare == name
	})
}

// compresses matches a program that puts a compressed file in the place of
// every file that it finds in a place.
func compresses(s *hazard.Scene, c *command.Command, want place) (shell.Span, bool) {
	if !c.Args.Has("r", "recursive") || c.Args.Has("k", "c", "l", "t") || c.Name == "zstd" && !hasWord(c, "--rm") {
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
	return effect(s, c, func(at *command.Command, e command.Effect) bool {
		return (e.Kind == command.Reads || e.Kind == command.Moves) && worst(s, at, e.Target) == want
	})
}

// deletesUser matches the removal of the user who runs it with the home.
func deletesUser(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	withHome := anyWord(c.Words[1:], func(v string) bool {
		short := strings.HasPrefix(v, "-") && !strings.HasPrefix(v, "--") && strings.Contains(v, "r") && c.Name == "userdel"
		return short || v == "--remove" || v == "--remove-home" || v == "--remove-all-files" || v == "-deleteUser"
	})
	return c.Span, withHome && local(s, c) && ownUser(s, c)
}
