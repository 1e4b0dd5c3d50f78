package eval

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

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

// defineAll notes what the elements of an array make names run: ([NAME]=TEXT), or
// (NAME TEXT).
func (r *reader) defineAll(array string, b *binding, sc *scope) {
	for n := range min(len(b.keys), len(b.elems)) {
		r.defines(array, b.keys[n], b.elems[n], sc)
	}
	for n := 0; len(b.keys) == 0 && n+1 < len(b.elems); n += 2 {
		if name, ok := b.elems[n].Literal(); ok {
			r.defines(array, name, b.elems[n+1], sc)
		}
	}
}
