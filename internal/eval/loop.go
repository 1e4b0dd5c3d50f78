package eval

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

func (r *reader) while(c *syntax.WhileClause, sc *scope) {
	from, before := len(r.line.Commands), r.pace
	fed := from > 0 && r.line.Commands[from-1].In(command.InSubst) && r.line.Commands[from-1].PrintsMany() && sc.stdin != nil
	body, inside := r.loop(c.Cond, c.Do, sc)
	forever := r.forever(c, from)
	if r.pace.spawns(before) && (forever || countsFar(c.Cond)) || r.pace.spawns(inside) && r.readsMany(from, body, fed) {
		r.spawn(c.Pos(), c.End(), sc)
	}
	if !escapes(c.Cond, true) && !escapes(c.Do, true) && (forever || r.spins(c, sc) || readsAnew(c, sc) || runsAway(c)) {
		r.unending(from)
	}
}

func (r *reader) forClause(c *syntax.ForClause, sc *scope) {
	after, many, before := func() {}, false, r.pace
	switch l := c.Loop.(type) {
	case *syntax.CStyleLoop:
		i := r.begin(c.Pos(), c.DoPos, sc)
		r.builtin(i, "((")
		r.arithm(l.Init, sc, i)
		r.arithm(l.Cond, sc, i)
		r.arithm(l.Post, sc, i)
		endless := l.Cond == nil || always(l.Cond)
		many = endless || comparesFar(l.Cond)
		if endless && !escapes(c.Do, true) {
			defer r.unending(i)
		}
	case *syntax.WordIter:
		i := r.begin(c.Pos(), c.DoPos, sc)
		r.builtin(i, "for")
		var v shell.Set
		if !l.InPos.IsValid() {
			v.Open = true
			if b := sc.lookup("@"); b != nil {
				v = shell.Union(v, b.whole())
			}
		}
		finds := r.finds
		for _, w := range l.Items {
			n := len(r.line.Commands[i].Words)
			r.item(w, sc, i)
			for k := n; k < len(r.line.Commands[i].Words); k++ {
				word := r.line.Commands[i].Words[k]
				if word.Splits {
					word.Prefix = "" // only the first of its fields begins so
				}
				if k == 1 && n == 1 {
					v = word.Set
				} else {
					v = shell.Union(v, word.Set)
				}
			}
		}
		many = slices.ContainsFunc(l.Items, countsInBraces) || r.line.printsMany(i+1)
		if c.Select {
			v.Open = true
		}
		if c.Select || !r.surely(i) {
			after = r.unlooped(l.Name.Value, sc)
		}
		if !syntax.ValidName(l.Name.Value) {
			r.line.Commands[i].Opaque = "the variable that the loop sets is unknown"
		}
		if b := sc.lookup(l.Name.Value); b != nil && b.ref != "" {
			r.unknownName(i, refersUnknown, sc) // the loop has it refer to each of its words
		}
		r.sets(i, l.Name.Value, v, r.line.Commands[i].Span, sc)
		if r.finds > finds {
			sc.found = &l.Name.Value
		}
	}
	r.loop(nil, c.Do, sc)
	after()
	if many && r.pace.spawns(before) {
		r.spawn(c.Pos(), c.End(), sc)
	}
}

// surely reports whether the loop at command i runs at least once: one of its
// words is there whatever it expands to.
func (r *reader) surely(i int) bool {
	return slices.ContainsFunc(r.line.Commands[i].Words[1:], func(w shell.Word) bool { return !w.Many && !w.Splits })
}

// unlooped returns what is to be done behind a loop that may not run at all: its
// variable may then still be what it was.
func (r *reader) unlooped(name string, sc *scope) func() {
	before := shell.Set{Open: true}
	if b := sc.lookup(name); b != nil {
		before = shell.Union(b.set, b.whole())
		before.Open = before.Open || b.array
	}
	return func() {
		var now shell.Set
		if b := sc.lookup(name); b != nil {
			now = b.set
		}
		sc.set(r, name, shell.Union(now, before))
	}
}

// item expands a word of the head of a loop, with braces and without, and with
// each of the values of what it splits.
func (r *reader) item(w *syntax.Word, sc *scope, cmd int) {
	bracing, braced, forking, n := r.bracing, r.braced, r.forking, len(r.line.Commands[cmd].Words)
	r.bracing, r.braced, r.forking = bracesTwice, 0, nil
	r.word(w, sc, cmd)
	if r.braced != 0 {
		r.bracing = bracesKept
		n := len(r.line.Commands[cmd].Words)
		r.word(w, sc, cmd)
		for _, kept := range r.line.Commands[cmd].Words[n:] {
			r.keptBraces = append(r.keptBraces, kept.Values...)
		}
	}
	f := r.forking
	r.bracing, r.braced, r.forking = bracing, braced, forking
	if f != nil {
		r.items(w, f, sc, cmd, n)
	}
}

// items expands a word of the head of a loop again with each value of what it
// splits, in place of the words from the given one on.
func (r *reader) items(w *syntax.Word, f *wordFork, sc *scope, cmd, from int) {
	c := &r.line.Commands[cmd]
	if !r.mayFork(f, cmd) {
		for k := range c.Words[from:] {
			c.Words[from+k].Open = true
		}
		return
	}
	c.Words = c.Words[:from]
	none := false
	for _, v := range f.values {
		before := len(r.line.Commands[cmd].Words)
		r.pins = append(r.pins, pin{f.site, v})
		r.item(w, sc, cmd)
		r.pins = r.pins[:len(r.pins)-1]
		none = none || len(r.line.Commands[cmd].Words) == before
	}
	for k := range r.line.Commands[cmd].Words[from:] {
		word := &r.line.Commands[cmd].Words[from+k]
		word.Many = word.Many || none // the loop may not run at all
	}
}

// loop reads the body of a loop once, in a scope in which whatever the body
// binds may already be bound. It returns the index of the body's first command,
// and the pace before it.
func (r *reader) loop(cond, body []*syntax.Stmt, sc *scope) (at int, before pace) {
	if r.inLoop++; r.inLoop > 24 {
		r.stop("too-deep", "loops nest too deeply", shell.Span{From: 0, To: len(r.line.Source)})
	}
	defer func() { r.inLoop-- }()
	r.prebind(cond, sc)
	r.prebind(body, sc)
	sub := *sc
	sub.place |= command.InLoop
	outer := r.breaks
	r.breaks = nil
	r.stmts(cond, &sub)
	at, before = len(r.line.Commands), r.pace
	r.stmts(body, &sub)
	sub.place, sub.found = sc.place, nil
	sc.join(r, &sub)
	r.left(r.breaks, sc)
	r.breaks = append(outer, r.breaks...) // break 2
	return at, before
}

// leaveBody keeps what is known where a loop or a function is left.
func (r *reader) leaveBody(how string, sc *scope) {
	list := &r.breaks
	if how == "return" {
		list = &r.returns
	}
	if len(*list) < maxLeaves {
		*list = append(*list, *sc)
	}
	if len(*list) == maxLeaves {
		(*list)[maxLeaves-1].doubt(r)
	}
}

// maxLeaves is the most places at which a body is left that are told apart.
const maxLeaves = 16

// left joins what is known at the places where a body was left.
func (r *reader) left(places []scope, sc *scope) {
	for i := range places {
		sc.join(r, &places[i])
	}
}

// prebind opens every variable that the statements bind, with the literal
// values that they give it, and the directory where they change it.
func (r *reader) prebind(list []*syntax.Stmt, sc *scope) {
	for _, s := range list {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Assign:
				if n.Name != nil {
					r.prebindOne(n, sc)
				}
			case *syntax.WordIter:
				sc.set(r, n.Name.Value, shell.Set{Open: true})
			case *syntax.CallExpr:
				if len(n.Args) > 0 {
					name := shell.WordText(n.Args[0])
					sc.dir.Open = sc.dir.Open || program.OfKind(name, "moves")
					switch program.KindOf(name, "sets") {
					case "words", "lines", "options", "nothing", "format":
						for _, w := range n.Args[1:] {
							if syntax.ValidName(w.Lit()) {
								sc.set(r, w.Lit(), shell.Set{Open: true})
							}
						}
					}
					if program.OfKind(name, "evaluates") && !r.prebindText(n.Args[1:], sc) {
						sc.doubt(r)
					}
				}
			}
			return true
		})
	}
}

// prebindText does so for a text that eval is given, if all of it is known.
func (r *reader) prebindText(words []*syntax.Word, sc *scope) bool {
	texts, ok := constants(words)
	src := strings.Join(texts, " ")
	if !ok || r.depth >= maxPayloads || shell.Refuse(src, "") != nil {
		return false
	}
	list, problem := r.parse(src)
	if problem != nil {
		return false
	}
	r.depth++
	r.prebind(list, sc)
	r.depth--
	return true
}

func (r *reader) prebindOne(n *syntax.Assign, sc *scope) {
	cur := shell.Set{Open: true}
	number := true
	if b := sc.lookup(n.Name.Value); b != nil {
		cur.Values, number = b.set.Values, b.set.Number
	}
	if n.Value == nil {
		number = false
	} else if lit := n.Value.Lit(); lit != "" {
		cur = shell.Union(cur, known(r, lit))
		number = number && shell.IsNumber(lit)
	} else if !onlyArithm(n.Value) {
		number = false
	}
	cur.Open, cur.Number = true, number
	sc.set(r, n.Name.Value, cur)
}

func onlyArithm(w *syntax.Word) bool {
	if len(w.Parts) != 1 {
		return false
	}
	_, ok := w.Parts[0].(*syntax.ArithmExp)
	return ok
}

// spawns reports whether what was read since a pace starts processes in the background,
// and never waits, sleeps or leaves.
func (p *pace) spawns(since pace) bool {
	return p.starts > since.starts && p.stops == since.stops
}

// countsFar reports whether the condition of a loop holds until a number is as large as
// [command.ManyProcesses].
func countsFar(cond []*syntax.Stmt) bool {
	switch c := cond[len(cond)-1].Cmd.(type) {
	case *syntax.ArithmCmd:
		return comparesFar(c.X)
	case *syntax.CallExpr:
		return testsFar(c.Args)
	case *syntax.TestClause:
		b, ok := c.X.(*syntax.BinaryTest)
		if !ok || b.Op != syntax.TsLss && b.Op != syntax.TsLeq && b.Op != syntax.TsNeq {
			return false
		}
		w, ok := b.Y.(*syntax.Word)
		return ok && command.IsMany(w.Lit())
	}
	return false
}

// countsInBraces reports whether a word of the head of a loop is a sequence in braces of so
// many words.
func countsInBraces(w *syntax.Word) bool {
	split, _ := shell.SplitBraces(w)
	return slices.ContainsFunc(split.Parts, func(p syntax.WordPart) bool {
		b, ok := p.(*syntax.BraceExp)
		return ok && b.Sequence && sequenceCount(b) >= command.ManyProcesses
	})
}

// readsMany reports whether a loop reads line after line of what prints many: in a
// pipeline, or, as fed says, behind a redirection. The commands of its condition are
// those between two indexes.
func (r *reader) readsMany(from, to int, fed bool) bool {
	for i := from; i < to; i++ {
		w := &r.line.Commands[i]
		if w.How("sets") != "words" {
			continue
		}
		return fed || w.Source >= 0 && (r.line.Commands[w.Source].PrintsMany() || r.line.Commands[w.Source].Relays() && r.line.FedMany(&r.line.Commands[w.Source]))
	}
	return false
}
