package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// A findExpression is the expression of a find that is being read. Of each
// part of it two questions are answered while reading, with "yes" in doubt:
// may it be true of most files, and may it be false of most?
type findExpression struct {
	c *Command
	// option and operand are the indexes of the next ones in c.Args.
	option, operand int
	// reached is called for each action that most files reach.
	reached func(*Option)
	// names are the patterns of names under which files reach an action that
	// few reach.
	names []shell.Set
	// acts reports whether the expression has an action, without which find
	// prints.
	acts  bool
	depth int
}

// A share is what is known of a part of an expression.
type share struct {
	mayHold, mayFail bool
	names            []shell.Set // patterns of which one fits where it holds
}

// findReaches reports whether most of what lies below the roots of a find
// reaches an action that picks chooses.
func (c *Command) findReaches(picks func(*Option) bool) bool {
	found := false
	c.ReachedByMost(func(o *Option) { found = found || picks(o) })
	return found
}

// ReachedByMost calls yield for each action of a find that most of what lies
// below its roots reaches, by the rules of find(1): what follows a test is
// looked at where it holds, what follows -o where it fails. A find without an
// action prints. The names are those by which files reach the other actions.
func (c *Command) ReachedByMost(yield func(*Option)) (names []shell.Set) {
	e := findExpression{c: c, reached: yield}
	whole := share{mayHold: true}
	for e.more() {
		whole = e.list(true, nil)
		if e.sign() == ")" { // one too many: find refuses the line
			e.operand++
		}
	}
	switch {
	case e.acts:
	case whole.mayHold:
		yield(&Option{Spec: implicitPrint})
	default:
		e.names = whole.names
	}
	return e.names
}

var implicitPrint = &program.Option{Names: []string{"print"}}

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
// files get here, names are those by which others do. The last one counts.
func (e *findExpression) list(reached bool, names []shell.Set) share {
	s := e.alternatives(reached, names)
	for e.sign() == "," {
		e.skip()
		s = e.alternatives(reached, names)
	}
	return s
}

func (e *findExpression) alternatives(reached bool, names []shell.Set) share {
	s := e.sequence(reached, names)
	for e.sign() == "o" {
		e.skip()
		next := e.sequence(reached && s.mayFail, names)
		s = share{s.mayHold || s.mayFail && next.mayHold, s.mayFail && next.mayFail, join(s.names, next.names)}
	}
	return s
}

func (e *findExpression) sequence(reached bool, names []shell.Set) share {
	s := share{mayHold: true}
	for e.more() {
		switch e.sign() {
		case "o", ")", ",":
			return s
		case "a":
			e.skip()
			continue
		}
		next := e.part(reached && s.mayHold, join(names, s.names))
		s = share{s.mayHold && next.mayHold, s.mayFail || s.mayHold && next.mayFail, join(s.names, next.names)}
	}
	return s
}

// join returns the names of two parts, as many as a set may have values.
func join(a, b []shell.Set) []shell.Set {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0, len(a) >= shell.MaxValues:
		return a
	}
	return append(a[:len(a):len(a)], b...)
}

// part reads one test or action, or an expression in parentheses.
func (e *findExpression) part(reached bool, names []shell.Set) share {
	negated := false
	for e.sign() == "!" {
		e.skip()
		negated = !negated
	}
	s := e.positive(reached, names)
	if negated {
		s = share{mayHold: s.mayFail, mayFail: s.mayHold}
	}
	return s
}

func (e *findExpression) positive(reached bool, names []shell.Set) share {
	_, option, ok := e.next()
	if ok && option {
		o := &e.c.Args.Options[e.option]
		e.option++
		return e.primary(o, reached, names)
	}
	if e.sign() != "(" || e.depth >= maxFindDepth {
		if ok {
			e.operand++
		}
		return share{mayHold: true, mayFail: true}
	}
	e.skip()
	e.depth++
	s := e.list(reached, names)
	e.depth--
	if e.sign() == ")" {
		e.skip()
	}
	return s
}

// primary judges a test or an action.
func (e *findExpression) primary(o *Option, reached bool, names []shell.Set) share {
	if o.Spec == nil {
		return share{mayHold: true, mayFail: true}
	}
	if o.Spec.Role == program.RoleArgv || o.Is("delete") || printsFound(o) || strings.HasPrefix(o.Name, "fprint") || o.Is("fls") {
		if e.acts = true; reached {
			e.reached(o)
		} else {
			e.names = join(e.names, names)
		}
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
	if o.Spec.Role == program.RoleArgv && filters(e.c, o) || e.c.narrows(o) {
		s := share{mayFail: true}
		if o.Is("name") || o.Is("iname") {
			s.names = []shell.Set{o.Arg.Set}
		}
		return s
	}
	return share{mayHold: true, mayFail: true}
}

func printsFound(o *Option) bool {
	switch o.Spec.Names[0] {
	case "print", "print0", "printf", "ls":
		return true
	}
	return false
}

// findSign returns the sign of an expression of find that a word is: ! ( ) or
// a comma; "" for others.
func findSign(w *shell.Word) string {
	for _, sign := range [...]string{"(", ")", "!", ","} {
		if w.Has(sign) {
			return sign
		}
	}
	return ""
}

// filters reports whether what find runs is a test of its own, of which the next
// action depends.
func filters(c *Command, o *Option) bool {
	if o.At >= len(c.Words) {
		return false
	}
	v, _ := c.Words[o.At].Literal()
	return program.OfKind(shell.Base(v), "tests")
}

// narrows reports whether a test of find leaves most files out.
func (c *Command) narrows(o *Option) bool {
	switch o.Spec.Names[0] {
	case "newer", "anewer", "cnewer", "samefile", "empty", "nouser", "nogroup", "false":
		return true
	case "name", "iname", "lname", "ilname":
		return !o.Arg.Has("") && !allNames(o.Arg.Set)
	case "path", "ipath", "wholename", "iwholename":
		return !c.allPaths(o.Arg.Set)
	case "regex", "iregex":
		return !All(o.Arg.Set, func(v string) bool {
			return strings.ContainsAny(v, ".[") && strings.Trim(withoutBrackets(v), "^$./*+()") == ""
		})
	case "type", "xtype":
		return !All(o.Arg.Set, func(v string) bool { return strings.ContainsAny(v, "fd") })
	case "user", "uid", "group", "gid":
		return !c.usualOwner(o.Arg.Set)
	case "size":
		return !All(o.Arg.Set, usualSize)
	case "mtime", "atime", "ctime":
		return !All(o.Arg.Set, func(v string) bool { return beyond(v, 0, 3650) })
	case "mmin", "amin", "cmin":
		return !All(o.Arg.Set, func(v string) bool { return beyond(v, 24*60, 3650*24*60) })
	case "newermt", "newerat", "newerct":
		return !All(o.Arg.Set, longAgo)
	case "links", "inum":
		return !All(o.Arg.Set, func(v string) bool { return beyond(v, 0, 1<<20) })
	case "perm":
		return !All(o.Arg.Set, usualMode)
	}
	return false
}
