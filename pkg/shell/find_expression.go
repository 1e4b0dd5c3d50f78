package shell

import "strings"

// A findExpression is the expression of a find that is being read. Of each
// part of it two questions are answered while reading, with "yes" in doubt:
// may it be true of most files, and may it be false of most?
type findExpression struct {
	c *Command
	// option and operand are the indexes of the next ones in c.Args.
	option, operand int
	picks           func(*Option) bool
	// found reports whether most files reach an action that picks chooses.
	found bool
	// acts reports whether the expression has an action, without which find
	// prints.
	acts  bool
	depth int
}

// A share is what is known of a part of an expression.
type share struct{ mayHold, mayFail bool }

// findReaches reports whether most of what lies below the roots of a find
// reaches an action that picks chooses, by the rules of find(1): what follows
// a test is looked at where it holds, what follows -o where it fails. A find
// without an action prints.
func (c *Command) findReaches(picks func(*Option) bool) bool {
	e := findExpression{c: c, picks: picks}
	whole := share{mayHold: true}
	for e.more() {
		whole = e.list(true)
		if e.sign() == ")" { // one too many: find refuses the line
			e.operand++
		}
	}
	if !e.acts && whole.mayHold && picks(&Option{Spec: implicitPrint}) {
		e.found = true
	}
	return e.found
}

var implicitPrint = &Spec{Names: []string{"print"}}

// maxFindDepth bounds how deep parentheses are followed.
const maxFindDepth = 1000

// next returns the index of the word that comes next, and whether it is an
// option.
func (e *findExpression) next() (at int, option, ok bool) {
	a := &e.c.Args
	for e.operand < len(a.Operands) && findSign(&e.c.Words[a.Operands[e.operand].At]) == "" {
		e.operand++ // a root
	}
	switch {
	case e.option < len(a.Options) && (e.operand >= len(a.Operands) || a.Options[e.option].At < a.Operands[e.operand].At):
		return a.Options[e.option].At, true, true
	case e.operand < len(a.Operands):
		return a.Operands[e.operand].At, false, true
	}
	return 0, false, false
}

func (e *findExpression) more() bool {
	_, _, ok := e.next()
	return ok
}

// sign returns the sign or the operator that comes next, "" for a test, an
// action or the end.
func (e *findExpression) sign() string {
	at, option, ok := e.next()
	if !ok {
		return ""
	}
	if !option {
		return findSign(&e.c.Words[at])
	}
	switch o := &e.c.Args.Options[e.option]; {
	case o.Spec == nil:
	case o.Is("not"):
		return "!"
	case o.Is("o") || o.Is("or"):
		return "o"
	case o.Is("a") || o.Is("and"):
		return "a"
	}
	return ""
}

func (e *findExpression) skip() {
	if _, option, _ := e.next(); option {
		e.option++
		return
	}
	e.operand++
}

// list reads alternatives with commas between; reached reports whether most
// files get here. The last one counts.
func (e *findExpression) list(reached bool) share {
	s := e.alternatives(reached)
	for e.sign() == "," {
		e.skip()
		s = e.alternatives(reached)
	}
	return s
}

func (e *findExpression) alternatives(reached bool) share {
	s := e.sequence(reached)
	for e.sign() == "o" {
		e.skip()
		next := e.sequence(reached && s.mayFail)
		s = share{s.mayHold || s.mayFail && next.mayHold, s.mayFail && next.mayFail}
	}
	return s
}

func (e *findExpression) sequence(reached bool) share {
	s := share{mayHold: true}
	for e.more() {
		switch e.sign() {
		case "o", ")", ",":
			return s
		case "a":
			e.skip()
			continue
		}
		next := e.part(reached && s.mayHold)
		s = share{s.mayHold && next.mayHold, s.mayFail || s.mayHold && next.mayFail}
	}
	return s
}

// part reads one test or action, or an expression in parentheses.
func (e *findExpression) part(reached bool) share {
	negated := false
	for e.sign() == "!" {
		e.skip()
		negated = !negated
	}
	s := e.positive(reached)
	if negated {
		s = share{s.mayFail, s.mayHold}
	}
	return s
}

func (e *findExpression) positive(reached bool) share {
	_, option, ok := e.next()
	if ok && option {
		o := &e.c.Args.Options[e.option]
		e.option++
		return e.primary(o, reached)
	}
	if e.sign() != "(" || e.depth >= maxFindDepth {
		if ok {
			e.operand++
		}
		return share{true, true}
	}
	e.skip()
	e.depth++
	s := e.list(reached)
	e.depth--
	if e.sign() == ")" {
		e.skip()
	}
	return s
}

// primary judges a test or an action.
func (e *findExpression) primary(o *Option, reached bool) share {
	if o.Spec == nil {
		return share{true, true}
	}
	if o.Spec.Role == RoleArgv || o.Is("delete") || printsFound(o) || strings.HasPrefix(o.Name, "fprint") || o.Is("fls") {
		e.acts = true
		e.found = e.found || reached && e.picks(o)
	}
	switch o.Spec.Names[0] {
	case "print", "print0", "printf", "ls", "fprint", "fprint0", "fprintf", "fls", "true", "prune",
		"maxdepth", "mindepth", "depth", "d", "daystart", "mount", "xdev", "follow", "noleaf", "warn", "nowarn", "regextype",
		"H", "L", "P", "O", "D", "files0-from":
		return share{mayHold: true}
	case "false":
		return share{mayFail: true}
	case "quit":
		return share{} // nothing is looked at behind it
	}
	if o.Spec.Role == RoleArgv && filters(e.c, o) || e.c.narrows(o) {
		return share{mayFail: true}
	}
	return share{true, true}
}
