package eval

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// simple reads a simple command. A command with several readings is read once
// for each.
func (r *reader) simple(s *syntax.Stmt, c *syntax.CallExpr, sc *scope) {
	before, outer, braced := *sc, r.forking, r.braced
	mark, spawns := len(r.line.Commands), len(r.line.Spawns)
	r.forking, r.braced = nil, 0
	r.once(s, c, sc)
	if slices.ContainsFunc(r.line.Commands[mark].Redirects, command.Redirect.MayFail) {
		sc.join(r, &before)
	}
	f := r.forking
	r.forking = outer
	if r.braced != 0 && f == nil {
		r.kept(bracesKept, s, c, &before)
		if r.braced == shell.BraceList|shell.BraceRange && r.shells&shell.InMksh != 0 {
			r.kept(rangesKept, s, c, &before)
		}
		r.twice = append(r.twice, mark)
	} else if r.braced != 0 {
		r.differ(shell.OtherBraces, r.line.Commands[mark].Span)
	}
	r.braced = braced
	if f == nil {
		return
	}
	r.again(f, mark, spawns, &before, sc, func(sub *scope) { r.simple(s, c, sub) })
}

// again reads the command that mark began once for each value of an expansion in
// it, from the scope before it; sc becomes the scope behind it.
func (r *reader) again(f *wordFork, mark, spawns int, before, sc *scope, read func(*scope)) {
	if !r.mayFork(f, mark) {
		return
	}
	r.line.Commands, r.line.Spawns = r.line.Commands[:mark], r.line.Spawns[:spawns]
	for i, v := range f.values {
		sub, at := *before, len(r.line.Commands)
		r.pins = append(r.pins, pin{f.site, v})
		read(&sub)
		r.pins = r.pins[:len(r.pins)-1]
		r.line.Commands[at].Variant = true
		if i == 0 {
			*sc = sub
		} else {
			sc.join(r, &sub)
		}
	}
}

// kept reads a simple command again as a shell does that keeps some braces. What
// the command does to the line is as it was read first.
func (r *reader) kept(which braceForm, s *syntax.Stmt, c *syntax.CallExpr, before *scope) {
	bracing, last, tail, sc := r.bracing, r.last, r.tail, *before
	r.bracing = which
	at := len(r.line.Commands)
	r.once(s, c, &sc)
	r.line.Commands[at].Variant = true
	r.bracing, r.last, r.tail = bracing, last, tail
}

// once reads one reading of a simple command.
func (r *reader) once(s *syntax.Stmt, c *syntax.CallExpr, sc *scope) {
	to := s.End()
	if n := len(s.Redirs); s.Semicolon.IsValid() {
		to = s.Semicolon
	} else if n > 0 && s.Redirs[n-1].Hdoc != nil {
		to = s.Redirs[n-1].Word.End()
	}
	from := s.Pos()
	if s.Negated && c != nil {
		from = c.Pos()
	}
	i := r.begin(from, to, sc)
	substs := len(r.substs)
	if c != nil {
		r.line.Commands[i].Words = r.room(len(c.Args))
		bracing := r.bracing
		if r.bracing == bracesOnce {
			r.bracing = bracesTwice
		}
		program := true
		for _, w := range c.Args {
			lit, ok := w.Parts[0].(*syntax.Lit)
			r.program = program && !(ok && lit.Value[0] == '-')
			r.word(w, sc, i)
			program = program && r.runsNext(w)
		}
		r.program = false
		r.bracing = bracing
		r.builtinDiffers(c, i)
		r.assigns(c, sc, i)
	}
	if len(s.Redirs) == 0 {
		r.finish(i, sc, sc, r.substs[substs:])
	} else {
		own, n := r.copyOf(sc), r.inUse
		r.redirects(s.Redirs, i, own)
		r.finish(i, own, sc, r.substs[substs:])
		r.release(n - 1)
	}
	r.substs = r.substs[:substs]
}

// builtinDiffers notes a command of the shell that differs, where a word is not written
// out, so that the syntax does not tell.
func (r *reader) builtinDiffers(s *syntax.CallExpr, i int) {
	c := &r.line.Commands[i]
	if !slices.ContainsFunc(s.Args[:min(len(s.Args), 2)], func(w *syntax.Word) bool { return shell.WordText(w) == "" }) {
		return
	}
	word := func(k int) string { v, _ := c.Words[k].Literal(); return v }
	if shell.BuiltinDiffers(len(c.Words), word) {
		r.differ(shell.OtherBuiltins, c.Span)
	}
}

// assigns reads the assignments of a simple command. Those in front of a special
// built-in stay: in zsh never, in bash where it follows POSIX.
func (r *reader) assigns(c *syntax.CallExpr, sc *scope, i int) {
	stays := false
	if words := r.line.Commands[i].Words; len(words) > 0 {
		name, _ := words[0].Literal()
		stays = program.OfKind(name, "special") // POSIX 2.14
	}
	before := *sc
	for _, a := range c.Assigns {
		r.assign(a, sc, i, len(c.Args) == 0 || stays)
	}
	if stays && len(c.Assigns) > 0 {
		sc.join(r, &before)
	}
}

// runsNext reports whether a word is the name of a wrapper, behind which the
// name of a program may stand.
func (r *reader) runsNext(w *syntax.Word) bool {
	name := w.Lit()
	if name == "" {
		return false
	}
	p := r.find(name).Row
	return p != nil && !p.Opaque && strings.HasSuffix(p.Operands, "payload")
}

// assign reads NAME=VALUE and binds the name if bind is set.
func (r *reader) assign(a *syntax.Assign, sc *scope, cmd int, bind bool) {
	name := a.Name.Value
	b := binding{name: name}
	var added binding
	if a.Index != nil {
		r.arithm(a.Index, sc, cmd)
	}
	switch {
	case a.Array != nil:
		b.array = true
		for _, e := range a.Array.Elems {
			if e.Index != nil {
				r.arithm(e.Index, sc, cmd)
				b.set.Open = true
			}
			if e.Value != nil {
				b.elems = append(b.elems, r.elements(e.Value, sc, cmd, &b.set.Open)...)
			}
			b.keys = r.keyed(b, e.Index)
		}
		added = b
		if old := sc.lookup(name); a.Append && old != nil && old.array {
			r.spends((len(old.elems) + len(b.elems)) * setBytes)
			b = old.extended(b)
		} else if a.Append {
			b.elems, b.set = nil, shell.Set{Open: true}
		}
	case a.Value != nil:
		if r.line.Commands[cmd].In(command.InLoop) && doubles(a) {
			r.doubt(cmd, "makes a variable twice as long in each round")
		}
		b.set = r.assigned(a.Value, sc, cmd)
		b.set.Number = b.set.Number || shell.AllNumbers(b.set)
	default:
		b.set = known(r, "")
	}
	if a.Append && !b.array {
		b.set = r.appended(name, b.set, sc)
	}
	if a.Index != nil {
		key, _ := indexText(a.Index)
		added = binding{keys: []string{key}, elems: []shell.Set{b.set}}
		b = r.indexed(a, b.set, sc.lookup(name))
	}
	value := b.set
	if b.array {
		value = shell.Set{Open: true}
	}
	target := sc.target(name)
	set := r.assignment(target, value, r.text.span(a.Pos(), a.End()))
	set.Name = name
	c := &r.line.Commands[cmd]
	c.Assigns = append(c.Assigns, set)
	if bind {
		sc.bind(r, b)
		r.defineAll(target, &added, sc)
	}
	r.counts(cmd, target, value)
	r.evaluated(cmd, target, b.set, set.Span, sc)
	for _, e := range added.elems {
		r.evaluated(cmd, target, e, set.Span, sc)
	}
}

// extended returns an array with the elements of another behind its own.
func (b *binding) extended(more binding) binding {
	out := binding{name: more.name, array: true}
	out.set.Open = b.set.Open || more.set.Open
	for _, a := range b.either {
		one := a.extended(more)
		out.either = append(out.either, &one)
	}
	if len(b.either) == 0 {
		out.elems = slices.Concat(b.elems, more.elems)
		out.keys = more.keys
	}
	return out
}

// indexed returns an array after NAME[n]=VALUE, where n is the next index; old
// is what the array was, nil for one that is new.
func (r *reader) indexed(a *syntax.Assign, v shell.Set, old *binding) binding {
	b := binding{name: a.Name.Value, array: true}
	b.set.Open = true // zsh counts from 1
	if old != nil && len(old.either) > 0 {
		for _, e := range old.either {
			one := r.indexed(a, v, e)
			b.either = append(b.either, &one)
		}
		return b
	}
	if old != nil {
		b.elems, b.keys = old.elems, old.keys
	}
	w, ok := a.Index.(*syntax.Word)
	n := -1
	if ok {
		n, ok = shell.SmallInt(w.Lit())
	}
	key, known := indexText(a.Index)
	if !known || a.Append || len(b.elems) >= shell.MaxValues {
		return binding{name: b.name, set: b.set, array: true}
	}
	if !ok || n != len(b.elems) || b.keys != nil {
		b.keys = append(b.numbered(), key)
	}
	b.elems = append(append([]shell.Set(nil), b.elems...), v)
	return b
}

// keyed returns the keys of an array whose last elements were added under an
// index, nil where they are just counted.
func (r *reader) keyed(b binding, index syntax.ArithmExpr) []string {
	key, ok := indexText(index)
	if index == nil && b.keys == nil || !ok && index != nil || len(b.elems) > shell.MaxValues {
		return nil
	}
	b.elems = b.elems[:max(0, len(b.elems)-1)]
	return append(b.numbered(), key)
}

// numbered returns the keys of an array, also where they are just counted.
func (b *binding) numbered() []string {
	out := slices.Clone(b.keys)
	for n := len(out); n < len(b.elems); n++ {
		out = append(out, strconv.Itoa(n))
	}
	return out
}

// assigned expands the value of an assignment.
func (r *reader) assigned(w *syntax.Word, sc *scope, cmd int) shell.Set {
	if len(w.Parts) == 1 && !strings.Contains(w.Lit(), ":~") {
		return r.single(w, sc, cmd).Set
	}
	x := expansion{r: r, sc: sc, cmd: cmd, span: r.text.span(w.Pos(), w.End()), assigned: true}
	x.word(w)
	if len(x.done) != 1 {
		return known(r, "")
	}
	return x.done[0].Set
}

// elements expands an element of an array, which may become several.
func (r *reader) elements(w *syntax.Word, sc *scope, cmd int, open *bool) []shell.Set {
	x := expansion{r: r, sc: sc, cmd: cmd, span: r.text.span(w.Pos(), w.End()), split: true}
	x.word(w)
	var out []shell.Set
	for _, word := range x.done {
		*open = *open || word.Many
		out = append(out, word.Set)
	}
	return out
}

// appended returns the value of a variable after NAME+=VALUE.
func (r *reader) appended(name string, v shell.Set, sc *scope) shell.Set {
	b := sc.lookup(name)
	if b == nil || b.array {
		if text, ok := v.Literal(); ok {
			return shell.Set{Open: true, Partial: shell.UnknownText + text}
		}
		return shell.Set{Open: true}
	}
	x := expansion{r: r, sc: sc}
	x.add(b.set)
	x.add(v)
	x.flush()
	return x.done[0].Set
}

func (r *reader) redirects(list []*syntax.Redirect, cmd int, sc *scope) {
	if len(list) > shell.MaxFields {
		r.stop("too-many", "a command has too many redirections", r.line.Commands[cmd].Span)
	}
	for _, rd := range list {
		out := command.Redirect{Op: rd.Op.String(), Span: r.text.span(rd.Pos(), rd.End())}
		if rd.N != nil {
			out.Fd = rd.N.Value
		}
		if name, ok := strings.CutPrefix(out.Fd, "{"); ok {
			r.notes(cmd, strings.TrimSuffix(name, "}"), shell.Set{Open: true, Number: true}, out.Span, sc)
		}
		switch {
		case rd.Hdoc != nil:
			out.Target = r.heredoc(rd, sc, cmd)
			out.Span.To = r.text.span(rd.Word.Pos(), rd.Word.End()).To
		case rd.Op == syntax.Hdoc || rd.Op == syntax.DashHdoc:
			out.Target = shell.Word{Set: known(r, ""), Span: r.text.span(rd.Word.Pos(), rd.Word.End())} // without a line
		case rd.Word != nil:
			if rd.Op == syntax.WordHdoc {
				out.Target = r.single(rd.Word, sc, cmd)
			} else {
				out.Target = r.target(rd.Word, sc, cmd)
			}
		default:
			out.Target = shell.Word{Set: known(r, "")}
		}
		if out.FeedsInput() {
			r.input(cmd, &out, sc)
		} else {
			r.noteDescriptor(cmd, &out)
		}
		c := &r.line.Commands[cmd]
		c.Redirects = append(c.Redirects, out)
	}
}

// target expands the file of a redirection, which must become one word.
func (r *reader) target(w *syntax.Word, sc *scope, cmd int) shell.Word {
	n := len(r.substs)
	x := expansion{r: r, sc: sc, cmd: cmd, span: r.text.span(w.Pos(), w.End()), split: true}
	x.word(w)
	if len(x.done) == 1 {
		x.done[0].Many = false
		x.done[0].Set = command.NamesBehind(x.done[0].Set, "", sc.dir)
		return x.done[0]
	}
	r.substs = r.substs[:n]
	return shell.Word{Set: shell.Set{Open: true}, Span: x.span, Quoted: true}
}

// input notes what a redirection of the standard input lets a command read.
func (r *reader) input(cmd int, rd *command.Redirect, sc *scope) {
	if r.shells&shell.InZsh != 0 && slices.ContainsFunc(r.line.Commands[cmd].Redirects, command.Redirect.FeedsInput) {
		defer func() { // zsh reads from all of them
			if text := sc.stdin; text != nil {
				sc.stdin = &shell.Set{Values: text.Values, Open: true}
			}
		}()
	}
	if text := r.redirected(cmd, rd); text != nil {
		sc.stdin = text
	}
}

// redirected returns the text that a redirection lets a command read, nil for
// one that only writes.
func (r *reader) redirected(cmd int, rd *command.Redirect) *shell.Set {
	switch {
	case rd.Op == "<<<":
		text := rd.Target.Set
		text.Values = append([]string(nil), text.Values...)
		for i := range text.Values {
			text.Values[i] += "\n"
		}
		return &text
	case rd.Inline():
		text := rd.Target.Set
		return &text
	case rd.Op == "<" || rd.Op == "<>" || rd.Op == "<&":
		for _, p := range r.substs {
			if p.span == rd.Target.Span && isSubst(&rd.Target) {
				return &p.out
			}
		}
		from := rd.Target.Set
		switch v, _ := from.Literal(); {
		case shell.IsNull(v):
			return &shell.Set{Values: []string{""}, Open: r.line.Commands[cmd].Source >= 0} // zsh reads the pipe, too
		case command.IsProcessFile(v):
			list := command.ProcessList()
			return &list
		}
		if rd.Op == "<&" {
			from = descriptorFile(rd.Target.Set)
		}
		if text, ok := r.disk.text(&r.line.Commands[cmd], from); ok && rd.Op != "<>" {
			return &text
		}
		return &shell.Set{Open: true}
	}
	return nil
}

// heredoc returns the text of a here-document as a word.
func (r *reader) heredoc(rd *syntax.Redirect, sc *scope, cmd int) shell.Word {
	span := r.text.span(rd.Hdoc.Pos(), rd.Hdoc.End())
	w := shell.Word{Span: span}
	quoted := rd.Word.Lit() == "" || strings.Contains(rd.Word.Lit(), "\\")
	if text, ok := onlyLiteral(rd.Hdoc.Parts); ok && (text == "" || quoted && rd.Op != syntax.DashHdoc) {
		w.Set = known(r, text)
	} else {
		x := expansion{r: r, sc: sc, cmd: cmd, span: span}
		lineStart := rd.Op == syntax.DashHdoc
		for _, p := range rd.Hdoc.Parts {
			lit, ok := p.(*syntax.Lit)
			if !ok {
				x.part(p)
				lineStart = false
				continue
			}
			text := lit.Value
			if rd.Op == syntax.DashHdoc {
				text = withoutTabs(text, lineStart)
				lineStart = strings.HasSuffix(text, "\n")
			}
			if !quoted {
				text = shell.UnescapeQuoted(text)
			}
			x.quotedText(text)
		}
		x.flush()
		if len(x.done) > 0 {
			w.Set, w.Secret = x.done[0].Set, x.done[0].Secret
		}
	}
	return w
}

// onlyLiteral returns the text of a word that is none or a literal.
func onlyLiteral(parts []syntax.WordPart) (text string, ok bool) {
	switch len(parts) {
	case 0:
		return "", true
	case 1:
		if lit, ok := parts[0].(*syntax.Lit); ok {
			return lit.Value, true
		}
	}
	return "", false
}

// withoutTabs removes the tabs at the start of lines, as <<- does.
func withoutTabs(s string, lineStart bool) string {
	if lineStart {
		s = strings.TrimLeft(s, "\t")
	}
	for strings.Contains(s, "\n\t") {
		s = strings.ReplaceAll(s, "\n\t", "\n")
	}
	return s
}
