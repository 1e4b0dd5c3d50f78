package rego

import (
	"slices"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// plain returns the lines of a condition where all is known.
func (e *emitter) plain(x *pattern.Expression) []term {
	var out []term
	switch x.Op {
	case pattern.All:
		for i := range x.Kids {
			out = append(out, e.plain(&x.Kids[i])...)
		}
	case pattern.Leaf:
		for i := range x.Tests {
			out = append(out, e.row(&x.Tests[i]).direct(e, x.Path, &x.Tests[i])...)
		}
	case pattern.Any:
		out = []term{e.some(x.Kids)}
	case pattern.Not:
		out = []term{e.none(x.Kids)}
	}
	return out
}

// some returns what is true where one of several conditions is met; a single
// line stands for itself.
func (e *emitter) some(kids []pattern.Expression) term {
	bodies := e.bodies(kids)
	if len(bodies) == 1 && len(bodies[0]) == 1 {
		return bodies[0][0]
	}
	return e.part(bodies)
}

// none returns what is true where none of several conditions is met. Behind not
// stands a name alone: of a call with a value that is undefined, OPA takes the
// value out of the not.
func (e *emitter) none(kids []pattern.Expression) term {
	return code("not ", e.part(e.bodies(kids)))
}

func (e *emitter) bodies(kids []pattern.Expression) [][]term {
	out := make([][]term, len(kids))
	for i := range kids {
		out[i] = e.plain(&kids[i])
	}
	return out
}

// part writes a document with several bodies, and returns its name.
func (e *emitter) part(bodies [][]term) term {
	return term{text: e.once("any_%d", bodies, e.body)}
}

// equals compares the value at a path. A field of the record itself that is
// missing is empty.
func (e *emitter) equals(path record.Path, want any) []term {
	if kind, _ := path.Type(); len(path.Keys()) > 1 || kind == record.TextField && !mayStand(path, want) {
		return []term{code(e.ref(path), " == ", e.value(want))}
	}
	return []term{code(e.document("value", path)+" == ", e.value(want))}
}

func mayStand(path record.Path, want any) bool {
	text, ok := want.(string)
	return ok && standing(path, text)
}

// member returns the test whether a value is one of several; of a field that is
// no text, function decides.
func (e *emitter) member(path record.Path, function string, wanted []any) term {
	kind, _ := path.Type()
	value := e.ref(path)
	for _, want := range wanted {
		if mayStand(path, want) {
			value = term{text: e.document("value", path)}
		}
	}
	if kind == record.TextField {
		list := slices.CompactFunc(slices.Clone(wanted), func(a, b any) bool { text, ok := a.(string); return ok && b == text })
		if len(list) == 1 {
			return code(value, " == ", e.value(list[0]))
		}
		return code(value, " in ", e.collection(wanted))
	}
	if len(path.Keys()) == 1 {
		value = term{text: e.document("value", path)}
	}
	e.needs[function] = true
	return code(function+"(", value, ", ", e.list(wanted), ")")
}

// collection returns values as a set, or as a list where they are not all texts,
// which numbers of several spellings must be.
func (e *emitter) collection(values []any) term {
	for _, v := range values {
		if _, ok := v.(string); !ok {
			return e.list(values)
		}
	}
	var once []any // of a set OPA keeps one of those that are the same
	for _, v := range values {
		if !slices.Contains(once, v) {
			once = append(once, v)
		}
	}
	list := e.list(once)
	list.text = "{" + list.text[1:len(list.text)-1] + "}"
	return list
}

// holds returns the test whether a text or a list contains a value.
func (e *emitter) holds(path record.Path, t *pattern.Test) term {
	kind, _ := path.Type()
	_, isText := t.Value.(string)
	switch {
	case kind == record.TextField && isText:
		return code("contains("+e.document("lower", path)+", ", e.text(t.Text), ")")
	case kind == record.TextsField && isText:
		return code(e.value(t.Value), " in ", e.ref(path))
	}
	e.needs["contained"] = true
	value := e.ref(path)
	if len(path.Keys()) == 1 {
		value = term{text: e.document("value", path)}
	}
	var folded any
	if isText {
		folded = t.Text
	}
	return code("contained(", value, ", ", e.value(t.Value), ", ", e.value(folded), ")")
}

// exists returns the test whether there is a value other than null.
func (e *emitter) exists(path record.Path, want bool) term {
	if len(path.Keys()) == 1 {
		return code(e.document("value", path) + map[bool]string{true: " != null", false: " == null"}[want])
	}
	if want {
		return code(e.ref(path), " != null")
	}
	return code("object.get(input.record, ", e.keys(path), ", null) == null")
}

// inside returns the test whether an address lies in one of several networks.
func (e *emitter) inside(path record.Path, networks []any) term {
	address := e.document("address", path)
	if len(networks) == 1 {
		return code("net.cidr_contains(", e.value(networks[0]), ", "+address+")")
	}
	e.needs["inside_one"] = true
	return code("inside_one("+address+", ", e.value(networks), ")")
}

// recorded returns a call of a function of the library on the value at a path.
func (e *emitter) recorded(function string, path record.Path, values []any) term {
	value := e.ref(path)
	if len(path.Keys()) == 1 {
		value = term{text: e.document("value", path)}
	}
	e.needs[function] = true
	return code(function+"(", value, ", ", e.list(values), ")")
}

// keys returns the keys from the record to a path as a list.
func (e *emitter) keys(path record.Path) term {
	var list []any
	for _, key := range path.Keys() {
		list = append(list, key)
	}
	return e.list(list)
}
