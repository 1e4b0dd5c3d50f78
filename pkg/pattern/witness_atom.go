package pattern

import (
	"fmt"
	"strings"
)

// An atom is one operator at one path. The same test in two rules is one atom.
type atom struct {
	id   int
	path *Path
	at   string // the path, the same for all its spellings
	op   *operator
	lang *language // of the texts it accepts; nil where letters do not matter
}

// A demand is an atom that must hold, or must not.
type demand struct {
	*atom
	want bool
}

// clear reports whether the search knows all about the operator: what is not
// clear can be met, or not, by values that the search does not try.
func (a *atom) clear() bool {
	clear := a.op.row().clear
	return clear == nil || clear(a)
}

// A form is a condition over atoms.
type form struct {
	op   combinator
	kids []form
	atom *atom
}

// An atomTable numbers the atoms of all rules.
type atomTable map[string]*atom

func (t atomTable) form(c *Condition) form {
	if c.op != test {
		out := form{op: c.op, kids: make([]form, len(c.kids))}
		for i := range c.kids {
			out.kids[i] = t.form(&c.kids[i])
		}
		return out
	}
	out := form{op: all, kids: make([]form, len(c.leaf.tests))}
	for i := range c.leaf.tests {
		out.kids[i] = form{op: test, atom: t.atom(&c.leaf.path, &c.leaf.tests[i])}
	}
	if len(out.kids) == 1 {
		return out.kids[0]
	}
	return out
}

func (t atomTable) atom(path *Path, o *operator) *atom {
	at := strings.Join(append([]string{path.Facet(), path.Field()}, path.Deeper()...), "\x00")
	key := at + "\x01" + o.key()
	if known, ok := t[key]; ok {
		return known
	}
	a := &atom{id: len(t), path: path, at: at, op: o, lang: languageOf(o)}
	t[key] = a
	return a
}

// key returns a text that is the same for operators that test the same.
func (o *operator) key() string {
	text := o.text
	if o.re != nil {
		text = o.re.String() // with its flags
	}
	return fmt.Sprintf("%d %#v %#v %q %q %t %#v %v %#v",
		o.kind, o.value, o.values, text, o.folded, o.want, o.number, o.prefixes, o.hours)
}

// literals returns the values in the arguments of an operator as values of a
// record, a list as one value.
func (o *operator) literals() []any {
	if arguments := o.row().arguments; arguments != nil {
		return plain(arguments(o)).([]any)
	}
	return nil
}

func oneArgument(o *operator) []any  { return []any{o.value} }
func allArguments(o *operator) []any { return o.values }
