package hardline

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/script"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/support/sed"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// A caller is a command with a program in another language that it evaluates.
type caller struct {
	s       *hazard.Scene
	c       *command.Command
	program *script.Program
	// isInput says that the program is the input, so that it reads no other.
	isInput bool
	// isRough says that the program is read only roughly.
	isRough bool
}

// inCalls returns a matcher for commands with code of which a call matches.
func inCalls(match func(in *caller, call *script.Call) bool) matcher {
	return func(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
		if !local(s, c) {
			return shell.Span{}, false
		}
		for _, code := range c.Code() {
			if code.Program == nil {
				continue
			}
			if in := (&caller{s: s, c: c, program: code.Program, isInput: code.Input}); in.any(match) {
				return code.Span, true
			}
		}
		return shell.Span{}, false
	}
}

// any reports whether a call of the program matches.
func (in *caller) any(match func(*caller, *script.Call) bool) (found bool) {
	in.c.Calls(in.program, in.s.Home, func(at *command.Command, call *script.Call) bool {
		where := in
		if at != in.c {
			where = &caller{in.s, at, in.program, in.isInput, in.isRough}
		}
		found = !call.Open && match(where, call)
		return !found
	})
	return found
}

// codeDeletes matches code that deletes a place or runs what the floor denies.
func codeDeletes(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if !isSed(c) {
		return inCalls(destroys)(s, c)
	}
	for _, code := range c.Code() {
		if local(s, c) && sedRunsCatastrophe(s, c, code.Text) {
			return code.Span, true
		}
	}
	return shell.Span{}, false
}

// inAnyCode returns a matcher for commands with code, read or read only roughly, of which
// a call matches.
func inAnyCode(match func(in *caller, call *script.Call) bool) matcher {
	return func(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
		if span, ok := inCalls(match)(s, c); ok {
			return span, true
		}
		return inRoughCode(match)(s, c)
	}
}

// inRoughCode returns a matcher for programs with code, in a language that is read only
// roughly, of which a call matches.
func inRoughCode(match func(in *caller, call *script.Call) bool) matcher {
	return func(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
		return escaped(s, c, func(e *command.Escape) bool { return inEscape(s, c, e, match) })
	}
}

// inEscape reports whether an escape is code, in a language that is read only roughly,
// of which a call matches.
func inEscape(s *hazard.Scene, c *command.Command, e *command.Escape, match func(in *caller, call *script.Call) bool) bool {
	return e.Kind == command.Rough && (&caller{s: s, c: c, program: e.Code(), isRough: true}).any(match)
}

func destroys(in *caller, call *script.Call) bool {
	switch call.Act {
	case script.Deletes, script.Moves:
		return slices.ContainsFunc(call.Values, in.isPlace)
	case script.Alters:
		return slices.ContainsFunc(call.Values, func(v script.Value) bool { return in.spoils(call, v) })
	case script.Writes: // each file of a place, or its mode
		if shuts(call) && slices.ContainsFunc(call.Values, in.isPlace) {
			return true
		}
		return slices.ContainsFunc(call.Values, func(v script.Value) bool { return v.Each && in.isPlace(v) })
	case script.Runs:
		at := in.with(call)
		return at.runs(call) || at.feeds(call)
	}
	return false
}

// spoils reports whether a recursive change of modes or owners makes the machine
// unusable, as that by chmod -R would. It is usual to own one's home.
func (in *caller) spoils(call *script.Call, v script.Value) bool {
	if !strings.HasPrefix(call.Name, "ch") || !strings.HasPrefix(call.Name, "cho") && !strings.HasPrefix(call.Name, "chg") {
		return in.isPlace(v)
	}
	return slices.ContainsFunc(v.Texts, func(path string) bool {
		at := placeOf(in.s, shell.Clean(path), false)
		return script.IsKnown(path) && (at == root || at == system)
	}) || slices.ContainsFunc(v.Items, func(item script.Value) bool { return in.spoils(call, item) })
}

// shuts reports whether a call takes every right away.
func shuts(call *script.Call) bool {
	return strings.HasPrefix(call.Name, "chmod") && slices.ContainsFunc(call.Values, func(v script.Value) bool {
		return slices.ContainsFunc(v.Texts, func(mode string) bool { return strings.Trim(mode, "0o") == "" && strings.HasPrefix(mode, "0") })
	})
}

// with returns the caller with the variables that a call sets for what it runs.
func (in *caller) with(call *script.Call) *caller {
	if len(call.Env)+len(in.program.Env) == 0 {
		return in
	}
	to, c := *in, *in.c
	c.Assigns = slices.Clip(c.Assigns)
	for _, list := range [...][]script.Variable{in.program.Env, call.Env} {
		for _, v := range list {
			c.Assigns = append(c.Assigns, command.Assign{Name: v.Name, Value: shell.Set{Values: v.Value.Texts, Open: true}})
		}
	}
	to.c = &c
	return &to
}

// feeds reports whether a call runs a program that the floor denies for what it is
// given to read.
func (in *caller) feeds(call *script.Call) bool {
	words, _ := reading(call.Values, 0)
	if call.Input == nil || len(words) == 0 {
		return false
	}
	line := strings.Join(words, " ") + " <<'" + script.Unknown + "'\n"
	return slices.ContainsFunc(call.Input.Texts, func(text string) bool {
		return in.denies([]string{line + text + "\n" + script.Unknown + "\n"}, in.runsLine)
	})
}

// isPlace reports whether a value names a root, a directory of the system or a
// home, or what a find hands on of one.
func (in *caller) isPlace(v script.Value) bool {
	return slices.ContainsFunc(v.Texts, func(path string) bool {
		switch {
		case path == script.Argument, path == script.Input, path == script.Field(0):
			return in.isGivenPlace()
		case path == "" || !script.IsKnown(path):
			return false
		}
		return literalPlaceOf(in.s, in.c, path)
	}) || slices.ContainsFunc(v.Items, in.isPlace)
}

// isGivenPlace reports whether a find hands a program all of a place.
func (in *caller) isGivenPlace() bool {
	if find := in.s.Line.Sweeper(in.c); find != nil && searchesPlace(in.s, find) {
		return true
	}
	return in.c.Source >= 0 && findsPlace(in.s, in.c.Source)
}

func literalPlaceOf(s *hazard.Scene, c *command.Command, path string) bool {
	if path == "" {
		return false
	}
	path = atHome(s, path)
	set := shell.Set{Values: []string{path}, Glob: strings.ContainsAny(path, "*?[")}
	return worst(s, c, set) != elsewhere
}

// runs reports whether a call runs what the floor denies.
func (in *caller) runs(call *script.Call) bool {
	list := call.Values
	for len(list) > 0 && !slices.ContainsFunc(list[0].Texts, script.IsKnown) && !slices.ContainsFunc(list[0].Texts, isGiven) {
		list = list[1:] // os.P_WAIT, or a program that is unknown
	}
	readings := 0
	for _, v := range list {
		readings = max(readings, len(v.Texts))
	}
	lines := false
	for n := range readings {
		switch words, patterns := reading(list, n); {
		case patterns: // once for each path
			if in.denies([]string{strings.Join(words, " ")}, in.runsLine) {
				return true
			}
		case len(words) > 1 && isCommandName(words[0]):
			if in.denies(words, in.runsWords) {
				return true
			}
		default:
			lines = true
		}
	}
	if !lines {
		return false
	}
	for _, v := range list {
		for _, text := range v.Texts {
			if in.denies([]string{text}, in.runsLine) {
				return true
			}
		}
	}
	return false
}

// reading returns the words of a command where each is its nth text, or its last;
// patterns says that one is a pattern for paths.
func reading(list []script.Value, n int) (words []string, patterns bool) {
	for _, v := range list {
		if len(v.Texts) > 0 {
			words, patterns = append(words, v.Texts[min(n, len(v.Texts)-1)]), patterns || v.Each
		}
	}
	return words, patterns
}

func (in *caller) runsLine(words []string) bool { return catastrophic(in.s, in.c, words[0]) }

func (in *caller) runsWords(words []string) bool {
	again := shell.Base(words[0]) == shell.Base(words[1]) // execlp("rm", "rm", …)
	return catastrophicArgv(in.s, in.c, words) || again && catastrophicArgv(in.s, in.c, words[1:])
}

func isCommandName(w string) bool {
	return w != "" && !strings.ContainsAny(w, " \n\t{}()<>=;")
}

// codeWritesDevice matches code that writes to a device.
func codeWritesDevice(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	return codeChanges(s, c, func(in *caller, path string) bool {
		set := shell.Set{Values: []string{atHome(in.s, path)}}
		return mayBeDevice(in.s, in.c, set) || slices.Contains(hostPaths(in.s, in.c, set), sysrq)
	})
}

// codeChanges matches code that writes, deletes or moves a path for which a test
// holds.
func codeChanges(s *hazard.Scene, c *command.Command, test func(in *caller, path string) bool) (shell.Span, bool) {
	if !isSed(c) {
		changes := func(in *caller, call *script.Call) bool {
			return call.Act.Changes() && slices.ContainsFunc(call.Values, func(v script.Value) bool {
				return slices.ContainsFunc(v.Texts, func(path string) bool { return test(in, path) })
			})
		}
		return inAnyCode(changes)(s, c)
	}
	in := &caller{s: s, c: c}
	for _, code := range c.Code() {
		if local(s, c) && slices.ContainsFunc(sed.Written(code.Text), func(path string) bool { return test(in, path) }) {
			return code.Span, true
		}
	}
	return shell.Span{}, false
}

// atHome returns a path with the home directory that a tilde stands for.
func atHome(s *hazard.Scene, path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") {
		return s.Home + path[1:]
	}
	return path
}

// codeTouches matches code that changes a protected path.
func codeTouches(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	return codeChanges(s, c, func(in *caller, path string) bool {
		return slices.ContainsFunc(hostPaths(in.s, in.c, shell.Set{Values: []string{atHome(in.s, path)}}), func(p string) bool {
			return covers(s, p, false) || slices.ContainsFunc(s.Protect, func(protected string) bool { return mayName(p, protected, s.Home) })
		})
	})
}

// mayName reports whether a path that begins with what is not known may be one that
// is protected, or be below it.
func mayName(path, protected, home string) bool {
	short, below := strings.CutPrefix(protected, home+"/")
	if !below {
		return false
	}
	for _, before := range []string{"}/", script.Unknown + "/"} {
		if _, rest, ok := strings.Cut(path, before+short); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}
