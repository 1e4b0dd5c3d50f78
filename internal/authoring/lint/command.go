package lint

import (
	"slices"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// wordless reports a rule that is to allow commands, and no other calls, and
// never does, because it tests none of their words.
func (l *linter) wordless(s *subject) {
	if s.Scope.Plugin != "" || !s.beside() || s.testsWords() || slices.ContainsFunc(s.facets, isForeign) {
		return
	}
	schemas := record.Schemas()
	for i := range schemas {
		isCommand := schemas[i].Type == "shell.exec"
		if _, a := l.prover.possible(l.matching(s, &schemas[i]), s.matches); isCommand == (a == no) {
			return
		}
	}
	alone := losing(&s.form, true)
	if _, a := l.prover.possible([]goal{{&alone, true}}, s.matches); a != no && s.AllowsCommands() {
		return
	}
	l.suspicious(s, Warning, nil, "never allows a shell command, because it tests none of its words",
		"add a condition on shell.program, shell.argv or shell.command")
}

// beside reports whether the rule tests a facet that a command has beside that
// of the shell.
func (s *subject) beside() bool {
	return s.testsOne(func(p record.Path) bool { return p.Needs()&record.BesideShell != 0 })
}

// testsWords reports whether the rule tests the words of a command.
func (s *subject) testsWords() bool {
	return s.testsOne(func(p record.Path) bool {
		return p.Facet() == "shell" && slices.Contains([]string{"program", "argv", "command"}, p.Field())
	})
}

func (s *subject) testsOne(is func(record.Path) bool) bool {
	found := false
	s.each(func(n demand) { found = found || is(n.path) })
	return found
}

// isForeign reports whether no call has a facet unless a plugin describes it.
func isForeign(facet string) bool {
	return !slices.ContainsFunc(record.Schemas(), func(s record.Schema) bool { return slices.Contains(s.Facets, facet) })
}

// matching returns that the rule matches a record of a kind, which has no
// other facets than those of the kind.
func (l *linter) matching(s *subject, kind *record.Schema) []goal {
	must := func(path, text string) goal {
		return goal{l.prover.test(path, equals, document.Node{Kind: document.Text, Text: text}), true}
	}
	goals := []goal{
		{&s.form, true},
		must("type", kind.Type),
		must("primary", kind.Primary),
	}
	s.each(func(n demand) {
		if f := n.path.Facet(); f != "" && f != "mcp" && !slices.Contains(kind.Facets, f) {
			goals = append(goals, goal{l.prover.test(n.path.String(), exists, boolean(false)), true})
		}
	})
	return goals
}

// losing returns a form that holds only where the other does whatever the
// facets are that a command has beside that of the shell.
func losing(f *form, want bool) form {
	if f.op != pattern.Leaf {
		out := form{op: f.op, kids: make([]form, len(f.kids))}
		for i := range f.kids {
			out.kids[i] = losing(&f.kids[i], want != (f.op == pattern.Not))
		}
		return out
	}
	switch {
	case f.atom.path.Needs()&record.BesideShell == 0:
		return *f
	case want:
		return form{op: pattern.Any} // holds never
	}
	return form{op: pattern.All}
}
