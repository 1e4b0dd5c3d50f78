package eval

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

// A value is what an expansion yields: one set, or the list of an array.
type value struct {
	set    shell.Set
	list   []shell.Set
	keys   []string
	isList bool
	unset  bool // known not to be set
	joined bool // quoted, the list is one word, as of "$*"
	// either are the lists that it may be, where it is one of several.
	either []value
}

// whole returns what an element under an index may be that is unknown.
func (v *value) whole() shell.Set {
	out := shell.Set{Open: true}
	if !v.isList {
		out.Values = v.set.Values
	}
	for _, e := range v.list {
		out = shell.Union(out, e)
	}
	return out
}

// at returns the element under a key.
func (v *value) at(index syntax.ArithmExpr) value {
	out := shell.Set{Open: true}
	if key, ok := indexText(index); ok {
		for i := range min(len(v.keys), len(v.list)) {
			if v.keys[i] == key {
				out.Values = v.list[i].Values // the last one counts
			}
		}
	}
	return value{set: out}
}

// among returns the elements under one of several keys.
func (v *value) among(keys shell.Set) value {
	out := shell.Set{Open: true}
	for i := range min(len(v.keys), len(v.list)) {
		if keys.Has(v.keys[i]) {
			out.Values = append(out.Values, v.list[i].Values...)
		}
	}
	return value{set: out}
}

// each changes every list of several.
func (v value) each(change func(value) value) value {
	out := value{set: v.set, isList: true, joined: v.joined}
	for _, one := range v.either {
		out.either = append(out.either, change(one))
	}
	return out
}

// zeroIndex is the index of an array that is named without one.
var zeroIndex = &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: "0"}}}

// value returns the list of an array.
func (b *binding) value() value {
	v := value{set: b.set, list: b.elems, keys: b.keys, isList: true}
	for _, a := range b.either {
		v.either = append(v.either, a.value())
	}
	return v
}

// A site is an expansion in a word, or one element of the list that it yields.
type site struct {
	node syntax.Node
	part int // 0 for the expansion itself, -1 for the list, n for its nth element
}

// A wordFork is an expansion whose values become different numbers of words, so
// that the command has one reading for each of them.
type wordFork struct {
	site
	values []value
}

// A pin is the value of an expansion in the current reading of its command.
type pin struct {
	site
	value value
}

// eachValue returns the readings of a set: its values, and what else it may be.
func eachValue(s shell.Set) []value {
	out := make([]value, 0, len(s.Values)+1)
	for _, v := range s.Values[:min(len(s.Values), command.MaxVariants)] {
		out = append(out, value{set: shell.Set{Values: []string{v}}})
	}
	if s.Open || len(s.Values) > command.MaxVariants {
		out = append(out, value{set: shell.Set{Open: true}})
	}
	return out
}

// indexText returns an index as it is written, without quotes.
func indexText(index syntax.ArithmExpr) (string, bool) {
	w, ok := index.(*syntax.Word)
	if !ok {
		return "", false
	}
	return constant(w)
}
