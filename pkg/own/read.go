package own

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// self is the name of the program whose state it is. What it does with its own
// files its sub-commands tell.
const self = "policyctl"

// Reads reports whether command i of a line may read the state, or hand it to
// another program: by a word, a redirection or a text of another language that
// names it, or because it reads all below a directory above it. It asks rather
// than misses: what names a path of the state without reading it counts too,
// but for what only prints or searches for the name.
func (s *State) Reads(line *eval.Line, i int, home string) (shell.Span, bool) {
	if s == nil || len(s.named) == 0 {
		return shell.Span{}, false
	}
	c := &line.Commands[i]
	for k := range c.Redirects {
		r := &c.Redirects[k]
		if r.Reads() && s.isAt(line, c, c.Dir, &r.Target) || (r.Reads() || r.Writes()) && ofAnyProcess(line, c.Dir, &r.Target) {
			return r.Target.Span, true
		}
	}
	for k := range c.Assigns {
		if a := &c.Assigns[k]; s.isAt(line, c, c.Dir, &shell.Word{Set: a.Value}) {
			return a.Span, true
		}
	}
	if len(c.Words) == 0 || c.Function {
		return shell.Span{}, false
	}
	if slices.ContainsFunc(c.Dir.Values, s.Holds) && !c.Keyword {
		return c.Span, true
	}
	if c.Does("recalls") {
		return c.Span, true
	}
	if c.Name != self {
		near := slices.ContainsFunc(c.Dir.Values, s.isNear)
		for k := range c.Words[1:] {
			if w := &c.Words[k+1]; !isProse(c, k+1) && ((near || mayLead(w)) && s.inWord(line, c, k+1, home) || inProcess(line, c, k+1)) {
				return w.Span, true
			}
		}
	}
	if s.inTexts(c, home) || s.readsBelow(line, i, home) {
		return c.Span, true
	}
	return shell.Span{}, false
}

// isNear reports whether a name alone may lead from a directory to the state.
func (s *State) isNear(dir string) bool {
	dir = strings.TrimSuffix(dir, "/") + "/"
	for _, p := range s.named {
		if len(p) > len(dir) && strings.EqualFold(p[:len(dir)], dir) {
			return true
		}
	}
	return len(dir) == 1
}

// mayLead reports whether a word may lead out of the directory of its command.
func mayLead(w *shell.Word) bool {
	if w.Open || len(w.Values) == 0 {
		return true
	}
	for _, v := range w.Values {
		if strings.IndexByte(v, '/') >= 0 || strings.Contains(v, "..") {
			return true
		}
	}
	return false
}

// onlyPrints reports whether a command only prints its words, or compares them.
func onlyPrints(c *command.Command) bool {
	return c.Keyword || program.OfKind(c.Name, "prints") || program.OfKind(c.Name, "compares")
}

// isProse reports whether a word of a command is text that nobody opens as a
// file: what a printer prints, and what a known program takes for itself, if it
// is a sentence.
func isProse(c *command.Command, at int) bool {
	if onlyPrints(c) {
		return true
	}
	if c.Args.Program == nil {
		return false
	}
	queries := program.OfKind(c.Name, "queries")
	sentence := slices.ContainsFunc(c.Words[at].Values, func(v string) bool { return strings.ContainsAny(v, " \n") })
	for _, o := range c.Args.Operands {
		if o.At == at {
			return o.Role == program.RoleData && (sentence && !queries || program.OfKind(c.Name, "searches") && c.Args.Operands[0].At == at)
		}
	}
	for k := range c.Args.Options {
		if o := &c.Args.Options[k]; o.HasArg && o.Arg.Span == c.Words[at].Span && o.Spec != nil {
			return o.Spec.Role == program.RoleData && sentence && !queries
		}
	}
	return false
}

// inWord reports whether a word, or a part of it that programs read as a path,
// names the state.
func (s *State) inWord(line *eval.Line, c *command.Command, at int, home string) bool {
	w, dir := &c.Words[at], c.DirAt(at)
	atPath := func(text string) bool {
		return s.isAt(line, c, dir, &shell.Word{Set: shell.Set{Values: []string{text}}})
	}
	if s.isAt(line, c, dir, w) {
		return true
	}
	for _, v := range w.Values {
		if strings.ContainsAny(v, " \n'\"(,?") && s.mentions(v, home) {
			return true
		}
		for rest := v; ; {
			cut := strings.IndexAny(rest, "=:@,")
			if cut < 0 {
				break
			}
			head := rest[:cut]
			rest = strings.TrimPrefix(strings.TrimPrefix(rest[cut+1:], "//localhost"), "//")
			if head != "" && atPath(head) || rest != "" && atPath(rest) {
				return true
			}
		}
		if len(v) > 2 && v[0] == '-' && v[1] != '-' && atPath(v[2:]) {
			return true
		}
	}
	return w.Open && w.Prefix != "" && atPath(strings.TrimSuffix(w.Prefix, "/"))
}

// isAt reports whether a word is a path of the state, by the links of the line
// too, or a pattern that may match one.
func (s *State) isAt(line *eval.Line, c *command.Command, dir shell.Set, w *shell.Word) bool {
	for _, p := range line.FollowAll(shell.Paths(dir, w.Set), c) {
		if p = ownRoot(p); s.Holds(p) || w.Glob && s.mayHold(p) {
			return true
		}
	}
	return false
}

// ownRoot takes away what leads from a process to the root.
func ownRoot(p string) string {
	if rest, ok := strings.CutPrefix(p, "/proc/"); ok {
		if _, rest, ok = strings.Cut(rest, "/root/"); ok {
			return "/" + rest
		}
	}
	return p
}

// inTexts reports whether text that a program evaluates names the state.
func (s *State) inTexts(c *command.Command, home string) bool {
	for _, set := range [2]*shell.Set{c.Script, c.Input} {
		if set == nil || set == c.Input && c.Args.Program != nil && c.Args.Program.Input == program.RoleData && !program.OfKind(c.Name, "queries") {
			continue
		}
		if slices.ContainsFunc(set.Values, func(v string) bool { return s.mentions(v, home) || set == c.Script && spellsProcess(v) }) {
			return true
		}
	}
	return false
}
