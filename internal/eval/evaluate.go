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

// lateTraps reads the texts of traps again, under what the line has bound in
// the end.
func (r *reader) lateTraps(sc *scope) { r.endTraps(0, sc) }

// endTraps reads the texts of the traps from an index on again, as a shell that
// has set them does when it ends.
func (r *reader) endTraps(from int, sc *scope) {
	if n := min(len(r.traps), 16); from >= n {
		return
	}
	for _, t := range r.traps[from:min(len(r.traps), 16)] {
		w := r.line.Commands[t.command].Words[t.word]
		inner := *sc
		r.evaluate(t.command, w, &inner)
	}
}
