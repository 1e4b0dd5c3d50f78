package eval

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// declaration reads a declaration once for each reading that it has.
func (r *reader) declaration(c *syntax.DeclClause, sc *scope) {
	before, outer := *sc, r.forking
	mark, spawns := len(r.line.Commands), len(r.line.Spawns)
	r.forking = nil
	r.declare(c, sc)
	f := r.forking
	if r.forking = outer; f != nil {
		r.again(f, mark, spawns, &before, sc, func(sub *scope) { r.declaration(c, sub) })
	}
}

// declare reads export, declare, local, readonly, typeset and nameref.
func (r *reader) declare(c *syntax.DeclClause, sc *scope) {
	i := r.begin(c.Pos(), c.End(), sc)
	r.builtin(i, c.Variant.Value)
	for _, a := range c.Args {
		switch {
		case a.Name == nil && a.Value != nil:
			r.word(a.Value, sc, i)
			r.quotedAssign(i, len(r.line.Commands[i].Words)-1, sc)
		case a.Naked:
			r.addWord(i, shell.Word{Set: known(r, a.Name.Value), Span: r.text.span(a.Pos(), a.End())})
			r.quotedAssign(i, len(r.line.Commands[i].Words)-1, sc)
		default:
			r.assign(a, sc, i, true)
		}
	}
	if sc.place&command.InFunction != 0 && c.Variant.Value != "export" && c.Variant.Value != "readonly" {
		for _, a := range r.line.Commands[i].Assigns {
			r.locals = append(r.locals, a.Name)
		}
	}
	if c.Variant.Value == "nameref" {
		r.refer(i, sc)
	}
	fixes := c.Variant.Value == "readonly"
	for _, w := range r.line.Commands[i].Words[1:] {
		if c.Variant.Value == "export" && w.Has("-f") {
			r.exportFunctions(i, sc)
		}
		fixes = fixes || strings.HasPrefix(w.Text(), "-") && strings.Contains(w.Text(), "r")
		r.flagged(i, w.Set, sc)
	}
	if fixes {
		r.fix(i, sc)
	}
	r.subscripts(i, sc)
}

// declarationWords binds what a declaration assigns that is a command like others,
// as \export and command declare are.
func (r *reader) declarationWords(i int, sc *scope) {
	c := &r.line.Commands[i]
	if c.Flags("i") || c.Binds() == "integers" {
		r.integer(i)
	}
	if c.Flags("n") && c.Binds() != "values" || c.Binds() == "references" {
		r.unknownName(i, refersUnknown, sc)
	}
	for k := 1; k < len(r.line.Commands[i].Words); k++ {
		r.quotedAssign(i, k, sc)
	}
}

// fix notes that the variables of a declaration are read-only.
func (r *reader) fix(i int, sc *scope) {
	c := &r.line.Commands[i]
	for _, a := range c.Assigns {
		sc.fix(r, a.Name)
	}
	for _, w := range c.Words[1:] {
		for _, v := range w.Values {
			sc.fix(r, v)
		}
	}
}

// quotedAssign binds what word k of a declaration assigns: "x=1".
func (r *reader) quotedAssign(i, k int, sc *scope) {
	w := r.line.Commands[i].Words[k]
	if w.Glob || strings.HasPrefix(w.Beginning(), "-") || strings.HasPrefix(w.Beginning(), "+") {
		return
	}
	known, _, ok := strings.Cut(w.Prefix, "=")
	c := &r.line.Commands[i]
	lists := c.Flags("pfF")
	if w.Open && !(ok && syntax.ValidName(command.OfElement(known))) && !lists {
		r.unknownName(i, setsUnknown, sc)
	}
	texts := w.Values
	if len(texts) == 0 && ok {
		texts = []string{w.Prefix}
	}
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok && !lists {
			r.declared(i, name, w.Span, sc)
		}
		if name = strings.TrimSuffix(name, "+"); !ok || !syntax.ValidName(command.OfElement(name)) {
			continue
		}
		v := shell.Set{Values: []string{value}, Open: w.Open || len(texts) > 1}
		if len(w.Values) == 0 {
			v.Values = nil
		}
		n := len(r.line.Commands[i].Assigns)
		r.sets(i, name, v, w.Span, sc)
		if c := &r.line.Commands[i]; c.Keyword && len(c.Assigns) == n {
			c.Assigns = append(c.Assigns, r.assignment(name, v, w.Span))
		}
	}
}

// declared binds a variable that is declared without a value. One of a function's
// own is empty, but in dash is what the caller has; any other stays what it is, so
// that one of which nothing is known may be empty.
func (r *reader) declared(i int, name string, at shell.Span, sc *scope) {
	c := &r.line.Commands[i]
	own := sc.place&command.InFunction != 0 && c.Binds() != "values" && c.Binds() != "constants" && !c.Flags("g")
	if own {
		r.emptied(i, name, at, sc)
	}
	b := sc.lookup(name)
	if !syntax.ValidName(name) || shell.Numeric(name) || name == "IFS" || program.TiedVariable(name) || c.Flags("n") {
		return
	}
	switch x := (expansion{r: r, sc: sc, cmd: i}); {
	case own:
		set := shell.Set{Values: []string{""}, Open: true}
		if b != nil && !b.array {
			set = shell.Union(set, b.set)
		}
		sc.set(r, name, set)
		r.locals = append(r.locals, name)
	case b == nil && len(x.unassigned(name).set.Values) == 0:
		sc.set(r, name, shell.Set{Values: []string{""}, Open: true})
	}
}

// exportFunctions lets the shells that the line starts inherit functions.
func (r *reader) exportFunctions(i int, sc *scope) {
	for _, w := range r.line.Commands[i].Words[1:] {
		for _, v := range w.Values {
			if f := sc.function(v); f != nil {
				out := *f
				out.next = sc.exports
				sc.exports = &out
			}
		}
	}
}

// flagged opens the variables of a declaration with an option that makes them
// more than their text: an integer or a reference. Folded case leaves most
// paths what they are.
func (r *reader) flagged(i int, flag shell.Set, sc *scope) {
	v, ok := flag.Literal()
	if ok && (len(v) < 2 || v == "--" || v[0] != '-' && v[0] != '+' || strings.Trim(v[1:], "xrgpfaA") == "") {
		return
	}
	if ok && v[0] == '-' && strings.Trim(v[1:], "rgn") == "" {
		r.refer(i, sc)
		return
	}
	if !ok || strings.Contains(v, "i") {
		r.integer(i)
	}
	folds := ok && strings.Trim(v[1:], "xrgplu") == ""
	for _, a := range r.line.Commands[i].Assigns {
		out := shell.Set{Open: true}
		if folds {
			out.Values = a.Value.Values
		}
		sc.set(r, a.Name, out)
	}
}

// integer notes that the variables of a declaration are integers.
func (r *reader) integer(i int) {
	c := &r.line.Commands[i]
	for _, a := range c.Assigns {
		r.integers = append(r.integers, a.Name)
	}
	for _, w := range c.Words[1:] {
		name, _, _ := strings.Cut(w.Beginning(), "=")
		r.integers = append(r.integers, name)
	}
}

// refer makes the variables of a declaration other names of those that their
// values name.
func (r *reader) refer(i int, sc *scope) {
	for _, w := range r.line.Commands[i].Words[1:] {
		if !strings.HasPrefix(w.Beginning(), "-") {
			r.unknownName(i, refersUnknown, sc)
		}
	}
	for _, a := range r.line.Commands[i].Assigns {
		b := binding{name: a.Name, set: shell.Set{Open: true}}
		if v, ok := a.Value.Literal(); ok && syntax.ValidName(v) && v != a.Name {
			b.ref = v
		} else {
			r.unknownName(i, refersUnknown, sc)
		}
		sc.bind(r, b)
	}
}

func (r *reader) test(c *syntax.TestClause, sc *scope) {
	i := r.begin(c.Pos(), c.End(), sc)
	r.builtin(i, "[[")
	r.testExpr(c.X, sc, i)
	r.subscripts(i, sc)
	r.addWord(i, shell.Word{Set: known(r, "]]"), Span: r.text.span(c.Right, c.End())})
}

func (r *reader) testExpr(x syntax.TestExpr, sc *scope, i int) {
	if x == nil {
		return
	}
	r.enter(x)
	defer r.leave()
	switch x := x.(type) {
	case *syntax.Word:
		r.addWord(i, r.single(x, sc, i))
	case *syntax.ParenTest:
		r.testExpr(x.X, sc, i)
	case *syntax.UnaryTest:
		r.operator(i, x.Op.String(), x.OpPos)
		r.testExpr(x.X, sc, i)
		if x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar {
			r.doubt(i, "looks at a variable by name, which may evaluate a subscript")
		}
	case *syntax.BinaryTest:
		r.testExpr(x.X, sc, i)
		r.operator(i, x.Op.String(), x.OpPos)
		r.testExpr(x.Y, sc, i)
		if x.Op >= syntax.TsEql && x.Op <= syntax.TsGtr {
			r.arithmWords(i)
		}
	}
}

// operator adds an operator of [[ as a word.
func (r *reader) operator(i int, op string, at syntax.Pos) {
	span := r.text.span(at, at)
	if r.text.within == nil {
		span.To = span.From + len(op)
	}
	r.addWord(i, shell.Word{Set: known(r, op), Span: span})
}

// arithmWords notes operands of -eq and its like whose text [[ would evaluate
// as arithmetic.
func (r *reader) arithmWords(i int) {
	c := &r.line.Commands[i]
	for _, w := range c.Words[max(1, len(c.Words)-3):] {
		if v, ok := w.Literal(); w.Number || shell.AllNumbers(w.Set) || ok && strings.HasPrefix(v, "-") {
			continue
		}
		r.doubt(i, "evaluates the text of a variable as arithmetic")
	}
}

// fix notes that a variable is read-only from now on.
func (s *scope) fix(r *reader, name string) {
	if b := s.lookup(name); b != nil {
		out := *b
		out.fixed = true
		s.bind(r, out)
	}
}

// emptied notes a PATH that is unset, or that a function has of its own: bash and
// zsh then take programs from the working directory.
func (r *reader) emptied(i int, name string, at shell.Span, sc *scope) {
	if name = command.OfElement(sc.target(name)); name == "PATH" || name == "path" {
		r.notes(i, name, known(r, ""), at, sc)
	}
}
