package eval

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// follow reads something that command i runs. sub is the scope in which it starts, sc that
// in which the command stands.
func (r *reader) follow(i int, run *command.Run, sub, sc *scope, substs []procText) {
	switch run.Form {
	case command.Text:
		r.followText(i, run, sub)
	case command.Joined:
		r.joined(i, run, sub, sc)
	case command.File:
		if run.Option != nil {
			r.optionFile(i, run.Words[0], sub)
		} else {
			r.file(i, run.At, sub, sc, substs)
		}
	case command.Config:
		r.configured(i, *run.Option, sub)
	case command.Unclear:
		r.line.Commands[i].Opaque = run.Why
	default:
		if !r.wrap(i) {
			return
		}
		switch run.Form {
		case command.Starts:
			r.starts(i, run, sub, sc, substs)
		case command.Fills:
			r.fills(i, run.Words, sub, substs)
		case command.FindRuns:
			r.runOnFound(i, run, sub)
		case command.Line:
			r.lineOf(i, run.Words, sub)
		}
		r.wrapped--
	}
}

// followText evaluates a text that an operand or an option is. What it binds stays in sub.
func (r *reader) followText(i int, run *command.Run, sub *scope) {
	if run.Option == nil && run.At >= 0 {
		c := &r.line.Commands[i]
		if run.Late {
			r.traps = append(r.traps, trap{i, run.At})
		}
		if c.Row().Input == program.RoleText {
			r.bindArguments(i, run.At, sub)
		}
	}
	r.evaluate(i, run.Words[0], sub)
}

// starts reads a command that stands among the words of another.
func (r *reader) starts(i int, run *command.Run, sub, sc *scope, substs []procText) {
	k := r.child(i, run.Words, sub)
	c := &r.line.Commands[k]
	if c.Variant = run.Perhaps; run.Perhaps {
		r.apartFrom(k, sub, nil)
		return
	}
	c.Assigns = r.line.Commands[i].HandsOn()
	if r.line.Commands[i].Row().InShell {
		funcs := sc.funcs // command, builtin and exec run no function
		sc.funcs = funcs.hashed()
		sub.funcs = sc.funcs
		before := sc.funcs
		r.finish(k, sub, sc, substs)
		sc.funcs = funcs.after(sc.funcs, before)
		return
	}
	r.apartFrom(k, sub, substs)
}

// apartFrom reads command k in a copy of a scope without its functions.
func (r *reader) apartFrom(k int, sub *scope, substs []procText) {
	inner := *sub
	inner.funcs = nil
	r.finish(k, &inner, &inner, substs)
}

// fills reads a command to which another adds what it reads, once for each text that this
// may be.
func (r *reader) fills(i int, words []shell.Word, sub *scope, substs []procText) {
	readings := r.appendInput(i, words)
	r.feeding++
	defer func() { r.feeding-- }()
	for n := range readings {
		k := r.child(i, readings[n], sub)
		r.line.Commands[k].Assigns, r.line.Commands[k].Variant = r.line.Commands[i].Assigns, len(readings) > 1
		r.apartFrom(k, sub, substs)
	}
}

// runOnFound reads the command that find or fd runs on what it finds.
func (r *reader) runOnFound(i int, run *command.Run, sub *scope) {
	swept := r.sweeps(i, run.At)
	child := r.child(i, r.line.Commands[i].OnFound(run.Words, !swept), sub)
	r.line.Commands[child].Place &^= command.Swept // of a find around this one
	if swept {
		r.line.Commands[child].Place |= command.Swept
	}
	r.apartFrom(child, sub, nil)
}

// sweeps reports whether the find with index i hands most of what it finds to
// the command that begins with word at. The expression is read once.
func (r *reader) sweeps(i, at int) bool {
	if !r.line.Commands[i].Finds() {
		return false
	}
	if r.swept == nil {
		r.swept = make(map[int]map[int]bool)
	}
	if r.swept[i] == nil {
		words := make(map[int]bool)
		r.line.Commands[i].ReachedByMost(func(o *command.Option) { words[o.At] = true })
		r.swept[i] = words
	}
	return r.swept[i][at]
}

// optionFile reads the text of a file that an option makes a shell run.
func (r *reader) optionFile(i int, name shell.Word, sub *scope) {
	text, ok := r.fileText(i, name)
	if !ok {
		text, ok = r.disk.text(&r.line.Commands[i], name.Set)
		text.Open = false // as with a file that is not looked into
	}
	if ok {
		inner := *sub
		r.evaluate(i, shell.Word{Set: text, Span: name.Span}, &inner)
	}
}

// lineOf reads words that a command runs: as text for a shell where the first of them
// holds blanks.
func (r *reader) lineOf(i int, words []shell.Word, sub *scope) {
	if len(words) > 1 && words[0].Has("--") {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	if strings.HasPrefix(words[0].Text(), "-") { // the arguments of a shell
		words = append([]shell.Word{{Set: known(r, "sh"), Span: words[0].Span}}, words...)
	}
	if strings.ContainsAny(words[0].Text(), " \t\n") {
		inner := *sub
		inner.funcs = nil
		r.evaluate(i, command.Join(words), &inner)
		return
	}
	r.apartFrom(r.child(i, slices.Clone(words), sub), sub, nil)
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
	r.apartFrom(r.child(i, append(words, input...), sub), sub, nil)
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

// bindWords binds the words of command i from an index on as positional parameters,
// and reports whether there are any.
func (r *reader) bindWords(i, from int, sc *scope) (given bool) {
	words := r.line.Commands[i].Words[from:]
	if len(words) > 0 || !r.line.Commands[i].Args.Program.InShell {
		sc.bind(r, arrayOf("@", words))
	}
	return len(words) > 0
}

// bindArguments binds what follows the text of sh -c, word at: $0 and the positional
// parameters.
func (r *reader) bindArguments(i, at int, sub *scope) {
	c := &r.line.Commands[i]
	args := binding{name: "@", array: true}
	named := false
	for _, o := range c.Args.Operands {
		w := c.Words[o.At]
		switch {
		case o.At <= at:
			continue
		case !named:
			named = true
			sub.set(r, "0", w.Set)
			continue
		}
		args.elems = append(args.elems, w.Set)
		args.set.Open = args.set.Open || w.Many
	}
	sub.bind(r, args)
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
