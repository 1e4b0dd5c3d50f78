package eval

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// evaluate reads text that command i has a shell evaluate, once for each
// value. What the text binds stays in sc.
func (r *reader) evaluate(i int, w shell.Word, sc *scope) {
	if w.Glob { // names of files, of which none is known
		w.Values, w.Open = nil, true
	}
	if w.Open || len(w.Values) == 0 {
		r.line.Commands[i].Opaque = "it evaluates unknown text"
	}
	before := *sc
	if len(w.Values) == 0 && strings.TrimSpace(strings.ReplaceAll(w.Partial, shell.UnknownText, "")) != "" {
		opaque := r.line.Commands[i].Opaque
		sub := before
		r.evaluateText(i, w.Partial, w.Span, &sub)
		r.line.Commands[i].Opaque = opaque
	}
	for n, v := range w.Values {
		sub := before
		r.evaluateText(i, v, w.Span, &sub)
		if n == 0 {
			*sc = sub
		} else {
			sc.join(r, &sub)
		}
	}
	if w.Open {
		sc.doubt(r)
	}
}

func (r *reader) evaluateText(i int, src string, span shell.Span, sc *scope) {
	src = strings.ReplaceAll(src, "\x00", "") // as a shell reads it
	if strings.TrimSpace(src) == "" {
		return
	}
	if r.depth >= maxPayloads {
		r.line.Commands[i].Opaque = "evaluated text is nested too deeply"
		return
	}
	if p := shell.Refuse(src, ""); p != nil {
		r.line.Commands[i].Opaque = "it evaluates text that cannot be read: " + p.Why
		r.unread(i, p.Why, span)
		return
	}
	outer, source, parent, place, pins, feeding, set := r.text, sc.source, sc.parent, sc.place, r.pins, r.feeding, r.shells
	r.text, r.shells = r.within(src, span), r.evaluators(i)
	defer func() { r.text, r.shells = outer, set }()
	if r.line.Commands[i].How("speaks") == "fish" {
		if same := shell.FromFish(src); shell.Refuse(same, "") == nil {
			if _, problem := r.parse(same); problem == nil {
				src, r.text = same, text{src: same, within: &span}
			}
		}
	}
	list, problem := r.parse(src)
	parsed, inZsh := problem == nil, r.line.Commands[i].How("speaks") == "zsh"
	if !parsed {
		r.line.Commands[i].Opaque = "it evaluates text that does not parse"
		if inZsh {
			list, parsed = shell.ParseZsh(src)
		}
	}
	if !parsed {
		r.unread(i, "it evaluates text that cannot be read: "+problem.Why, span)
	}
	var forms *reading
	if inZsh && (!parsed || shell.OnlyInZsh(src)) { // forms of its own, such as ${=x}, which may only look like them
		forms = parseForms(src, span)
	}
	if !parsed && forms == nil {
		return
	}
	r.pins, r.feeding = nil, 0
	r.depth++
	sc.parent, sc.source = i, r.line.Commands[i].Source
	if r.fromInput {
		sc.source = -1 // the input is the text
	}
	fromInput := r.fromInput
	r.fromInput = false
	sc.place = (sc.place | command.InPayload) &^ (command.Piped | command.Piping)
	traps := len(r.traps)
	if forms == nil {
		r.stmts(list, sc)
	} else {
		r.bothWays(list, forms, sc)
	}
	r.endTraps(traps, sc)
	r.depth--
	r.fromInput = fromInput
	r.pins, r.feeding = pins, feeding
	sc.parent, sc.source, sc.place = parent, source, place
}

// unread notes a text that a shell which can be read evaluates on this machine, and that
// cannot be read itself. That of an alias is only a part of one.
func (r *reader) unread(i int, why string, span shell.Span) {
	c := &r.line.Commands[i]
	if r.line.Unread == nil && c.Context == program.Local && !c.Function && (c.Is(program.InShell) || shell.ShellsOf(c.Name) != 0) {
		r.line.Unread = &shell.Problem{Code: "syntax", Why: why, Span: span}
	}
}

// A reading is one of those that a text may have, with the text that it reads.
type reading struct {
	text text
	list []*syntax.Stmt
}

// parseForms parses a text of zsh with the forms that only zsh has, nil where it does not
// parse.
func parseForms(src string, span shell.Span) *reading {
	forms := shell.FromZsh(src)
	list, ok := shell.ParseZsh(forms)
	if !ok {
		return nil
	}
	return &reading{text{src: forms, within: &span}, list}
}

// bothWays reads the statements of a text of zsh as they are, and in another reading.
func (r *reader) bothWays(list []*syntax.Stmt, forms *reading, sc *scope) {
	other := *sc
	r.stmts(list, sc)
	r.text = forms.text
	r.stmts(forms.list, &other)
	sc.join(r, &other)
}

// evaluators returns the shells that may run what command i evaluates.
func (r *reader) evaluators(i int) shell.Shells {
	c := &r.line.Commands[i]
	if c.Name == "" || c.Of("special") || c.Is(program.InShell) {
		return r.shells
	}
	if set := shell.ShellsOf(c.Name); set != 0 {
		return set
	}
	return shell.EveryShell
}

// within returns text as it stands at a span of the line: byte for byte if it
// does, else with the span as the place of all of it.
func (r *reader) within(src string, span shell.Span) text {
	if span.From >= 0 && span.To <= len(r.line.Source) && span.From <= span.To {
		raw := r.line.Source[span.From:span.To]
		if raw == src {
			return text{src: src, base: span.From}
		}
		if n := strings.Index(raw, src); n >= 0 && n <= 2 && len(raw)-len(src) <= 4 {
			return text{src: src, base: span.From + n}
		}
	}
	return text{src: src, within: &span}
}

// joined evaluates words of command i, joined by blanks.
func (r *reader) joined(i int, run *command.Run, sub, sc *scope) {
	c := &r.line.Commands[i]
	p, words := c.Row(), run.Words
	switch {
	case run.Perhaps:
		if !r.wrap(i) {
			return
		}
		defer func() { r.wrapped-- }()
	case p.Input == program.RoleEnv && words[0].Has(":::"):
		for _, w := range words[1:] {
			inner := *sub
			r.evaluate(i, w, &inner)
		}
		return
	case p.Input == program.RoleEnv:
		quotes := !c.Args.Has("I") && command.IsOne(words)
		for _, read := range r.parallel(i, words) {
			if quotes {
				r.quoted(i, read[:len(words)], read[len(words):], sub)
				continue
			}
			inner := *sub
			inner.funcs = nil
			r.evaluate(i, command.Join(read), &inner)
		}
		return
	case p.InShell:
		place := *sub
		r.evaluate(i, command.Join(words), &place)
		place.place, place.parent, place.source, place.stdin, place.context = sc.place, sc.parent, sc.source, sc.stdin, sc.context
		*sc = place
		return
	}
	inner := *sub
	inner.funcs = nil
	r.evaluate(i, command.Join(words), &inner)
}

// parallel returns the words that parallel joins.
func (r *reader) parallel(i int, words []shell.Word) [][]shell.Word {
	if out, ok := command.Parallel(words); ok {
		return [][]shell.Word{out}
	}
	return r.appendInput(i, words)
}

// quoted reads the command that parallel makes of its own words and of its
// input, which it quotes for the shell: no text of the input is code by itself.
func (r *reader) quoted(i int, own, input []shell.Word, sub *scope) {
	if !r.wrap(i) {
		return
	}
	defer func() { r.wrapped-- }()
	words := make([]shell.Word, 0, len(own)+len(input))
	for _, w := range own {
		if strings.Contains(w.Values[0], "{") { // {}, {.}, {1} and their like
			w.Set = shell.Set{Open: true}
		}
		words = append(words, w)
	}
	inner := *sub
	inner.funcs = nil
	r.finish(r.child(i, append(words, input...), sub), &inner, &inner, nil)
}

// file reads an operand that names a file to run: the text of a process
// substitution, or of the standard input, is known.
func (r *reader) file(i, at int, sub, sc *scope, substs []procText) {
	c := &r.line.Commands[i]
	p := c.Row()
	if p.Input != program.RoleText && !p.InShell {
		return
	}
	w := c.Words[at]
	text, ok := r.fileText(i, w)
	for _, s := range substs {
		if s.span == w.Span && isSubst(&w) {
			text, ok = s.out, true
		}
	}
	if !ok {
		text, ok = r.disk.text(&r.line.Commands[i], w.Set)
		text.Open = !w.Known() // a file that is known is as one that is not looked into
	}
	if !ok {
		text, ok = r.disk.anyText(&r.line.Commands[i], w.Set)
	}
	switch {
	case ok && p.InShell:
		place := *sub
		own := sub.lookup("@")
		given := r.bindWords(i, at+1, &place)
		if r.evaluate(i, shell.Word{Set: text, Span: w.Span}, &place); given { // they are those of the file alone
			if place.set(r, "@", shell.Set{Open: true}); own != nil {
				place.bind(r, *own)
			}
		}
		sc.vars, sc.names, sc.funcs, sc.dir, sc.unsure = place.vars, place.names, place.funcs, place.dir, place.unsure
	case ok:
		inner := *sub
		inner.funcs = nil
		r.bindWords(i, at+1, &inner)
		r.noteRestart(i, w.Set, text)
		r.evaluate(i, shell.Word{Set: text, Span: w.Span}, &inner)
	case !w.Known():
		c.Opaque = "the file it runs is unknown"
	}
	if p.InShell && !ok && !r.activates(i, at, sc) {
		sc.doubt(r)
	}
}

// activates reports whether command i reads the file of a virtual environment, word at
// and its last one, and notes what that sets.
func (r *reader) activates(i, at int, sc *scope) bool {
	c := &r.line.Commands[i]
	file, ok := c.Words[at].Literal()
	dir, known := c.Dir.Literal()
	if r.env.Activates == nil || !ok || !known || at != len(c.Words)-1 || !strings.Contains(file, "/") || strings.HasPrefix(file, "~") || !r.env.Activates(shell.Abs(dir, file)) {
		return false
	}
	c.Activates = true
	for _, name := range [...]string{"PATH", "VIRTUAL_ENV", "VIRTUAL_ENV_PROMPT", "PS1", "_OLD_VIRTUAL_PATH", "_OLD_VIRTUAL_PS1", "PYTHONHOME", "_OLD_VIRTUAL_PYTHONHOME"} {
		sc.set(r, name, shell.Set{Open: true})
	}
	return true
}

// bindWords binds the words of command i from an index on as positional parameters,
// and reports whether there are any.
func (r *reader) bindWords(i, from int, sc *scope) (given bool) {
	words := r.line.Commands[i].Words[from:]
	if len(words) > 0 || !r.line.Commands[i].Args.Program.InShell {
		sc.bind(r, arrayOf("@", words))
	}
	return len(words) > 0
}

// fileText returns the text of a file that is a process substitution or the
// standard input.
func (r *reader) fileText(i int, w shell.Word) (text shell.Set, ok bool) {
	for _, s := range r.substs {
		if s.span == w.Span && isSubst(&w) {
			text, ok = s.out, true
		}
	}
	if v, lit := w.Literal(); lit && (v == "-" || shell.IsInput(v)) {
		return r.inputText(i), true
	}
	return text, ok
}

// inputPayload reads the standard input of a shell that has nothing else to
// run.
func (r *reader) inputPayload(i int, p *program.Program, sub *scope) {
	c := &r.line.Commands[i]
	if c.Args.Has("help", "version") || c.Does("unfed") || p.Input != program.RoleText && !c.StartsShell() {
		return
	}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleExec || o.Role == program.RoleText {
			return
		}
	}
	text := r.inputText(i)
	if len(text.Values) == 0 && text.Open && text.Partial == "" {
		if p.Context == program.Remote {
			return // a session of one's own
		}
		c.Opaque = "it evaluates its input, which is unknown"
		return
	}
	inner := *sub
	inner.funcs = nil
	if p.Input == program.RoleText {
		args := binding{name: "@", array: true}
		for _, o := range c.Args.Operands {
			args.elems = append(args.elems, c.Words[o.At].Set)
			args.set.Open = args.set.Open || c.Words[o.At].Many
		}
		inner.bind(r, args)
	}
	r.fromInput = true
	r.evaluate(i, shell.Word{Set: text, Span: r.inputSpan(i)}, &inner)
	r.fromInput = false
}

// inputSpan returns the place of the text that command i reads.
func (r *reader) inputSpan(i int) shell.Span {
	c := &r.line.Commands[i]
	for k := range c.Redirects {
		if c.Redirects[k].Inline() || c.Redirects[k].Reads() {
			return c.Redirects[k].Target.Span
		}
	}
	if c.Source >= 0 {
		return r.line.Commands[c.Source].Span
	}
	return c.Span
}

// callAll reads every function that a name may mean. more is true if it may
// also mean a program.
func (r *reader) callAll(i int, f *function, own, sc *scope) (more bool) {
	before := *sc
	for n := 0; f != nil; f = f.next {
		if f.name != r.line.Commands[i].Path {
			continue
		}
		after := before
		r.call(i, f, own, &after)
		if n++; n == 1 {
			*sc = after
		} else {
			sc.join(r, &after)
		}
		if !f.maybe && !before.undefined {
			return false
		}
		if n == 8 {
			break
		}
	}
	return true
}

// forkSpawn notes the call of a function that starts itself without end. In a
// body that is only defined, others that it starts may yet be defined anew.
func (r *reader) forkSpawn(f *function, at shell.Span, sc *scope) {
	noted := len(r.calls) > 0 && len(r.line.Spawns) > 0
	if noted || sc.context != program.Local {
		return
	}
	if !f.startsItself() && (sc.place&command.Defined != 0 || !sc.forks(f)) {
		return
	}
	r.line.Spawns = append(r.line.Spawns, Spawn{"a function restarts itself endlessly", at})
}

// call reads the body of a function, or the text of an alias, that command i
// calls.
func (r *reader) call(i int, f *function, own, sc *scope) {
	c := &r.line.Commands[i]
	for _, name := range r.calls {
		if name == f.name {
			return // its body is being read
		}
	}
	r.forkSpawn(f, c.Span, sc)
	if len(r.calls) > 16 {
		c.Opaque = "functions call each other too deeply"
		return
	}
	sub := *own
	sub.parent = i
	sub.place |= command.InFunction
	r.calls = append(r.calls, f.name)
	defer func() { r.calls = r.calls[:len(r.calls)-1] }()
	if text, ok := f.body.(string); ok {
		for _, w := range c.Words[1:] {
			v, lit := w.Literal()
			if !lit {
				c.Opaque = "an argument of an alias is unknown"
			}
			q, err := syntax.Quote(v, syntax.LangBash)
			if err != nil {
				return
			}
			text += " " + q
		}
		r.evaluateText(i, text, c.Span, &sub)
	} else {
		args := binding{name: "@", array: true}
		for _, w := range c.Words[1:] {
			args.elems = append(args.elems, w.Set)
			args.set.Open = args.set.Open || w.Many
		}
		sub.bind(r, args)
		outer, pins, locals, returns := r.text, r.pins, len(r.locals), r.returns
		for _, a := range c.Assigns {
			sub.set(r, a.Name, a.Value)
			r.locals = append(r.locals, a.Name)
		}
		r.text, r.pins, r.returns = f.text, nil, nil
		r.stmt(f.body.(*syntax.Stmt), &sub)
		r.left(r.returns, &sub)
		r.text, r.pins, r.returns = outer, pins, returns
		sub.refs = false // a name of its own is no reference any more
		for _, name := range r.locals[locals:] {
			if b := own.lookup(name); b != nil {
				sub.bind(r, binding{name: name, set: b.set, elems: b.elems, keys: b.keys, either: b.either, array: b.array})
			} else {
				sub.set(r, name, shell.Set{Open: true})
			}
		}
		r.locals = r.locals[:locals]
		sub.refs = own.refs
		sub.set(r, "@", shell.Set{Open: true})
	}
	sub.place, sub.parent, sub.source, sub.stdin, sub.context = sc.place, sc.parent, sc.source, sc.stdin, sc.context
	*sc = sub
}
