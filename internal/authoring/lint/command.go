package pattern

import "slices"

// wordless reports a rule that is to allow commands, and no other calls, and
// never does, because it tests none of their words.
func (l *linter) wordless(s *subject) {
	if s.Scope.Plugin != "" || needsOf(&s.When)&secondary == 0 || testsWords(&s.When) || slices.ContainsFunc(s.facets, isForeign) {
		return
	}
	for i := range schemas {
		isCommand := schemas[i].Type == "shell.exec"
		if _, a := l.prover.possible(l.matching(s, &schemas[i]), s.matches); isCommand == (a == no) {
			return
		}
	}
	alone := losing(&s.form, true)
	if _, a := l.prover.possible([]goal{{&alone, true}}, s.matches); a != no && !neverOfCommand(s.Rule) {
		return
	}
	l.suspicious(s, Warning, nil, "never allows a shell command, because it tests none of its words",
		"add a condition on shell.program, shell.argv or shell.command")
}

func testsWords(c *Condition) bool {
	return looksAt(c, "shell", "program") || looksAt(c, "shell", "argv") || looksAt(c, "shell", "command")
}

// isForeign reports whether no call has a facet unless a plugin describes it.
func isForeign(facet string) bool {
	return !slices.ContainsFunc(schemas, func(s Schema) bool { return slices.Contains(s.Facets, facet) })
}

// matching returns that the rule matches a record of a kind, which has no
// other facets than those of the kind.
func (l *linter) matching(s *subject, kind *Schema) []goal {
	must := func(path, text string) goal {
		return goal{l.prover.atoms.test(path, equals, Node{Kind: TextNode, Text: text}), true}
	}
	goals := []goal{
		{&s.form, true},
		must("type", kind.Type),
		must("primary", kind.Primary),
	}
	s.each(func(n demand) {
		if f := n.path.Facet(); f != "" && f != "mcp" && !slices.Contains(kind.Facets, f) {
			goals = append(goals, goal{l.prover.atoms.test(n.path.String(), exists, truth(false)), true})
		}
	})
	return goals
}

// losing returns a form that holds only where the other does whatever the
// facets are that a command has beside that of the shell.
func losing(f *form, want bool) form {
	if f.op != Leaf {
		out := form{op: f.op, kids: make([]form, len(f.kids))}
		for i := range f.kids {
			out.kids[i] = losing(&f.kids[i], want != (f.op == Not))
		}
		return out
	}
	switch {
	case needsOfPath(f.atom.path)&secondary == 0:
		return *f
	case want:
		return form{op: Any} // holds never
	}
	return form{op: All}
}
