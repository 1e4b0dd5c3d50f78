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

// clear says that the search knows all about the operator: what is not clear
// can be met, or not, by values that the search does not try.
func (a *atom) clear() bool {
	switch a.op.kind {
	case cidr, within:
		return false
	case gt, gte, lt, lte:
		return a.op.number.digits == ""
	case matches:
		return a.lang != nil
	}
	return true
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
	at := strings.Join(append([]string{path.facet, path.field}, path.deeper...), "\x00")
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
	switch o.kind {
	case equals:
		return fmt.Sprintf("%d %#v", o.kind, o.value)
	case contains, notContains:
		if _, ok := o.value.(string); ok {
			return fmt.Sprintf("%d %q %q", o.kind, o.value, o.folded)
		}
		return fmt.Sprintf("%d %#v", o.kind, o.value)
	case in, listed:
		return fmt.Sprintf("%d %#v", o.kind, o.values)
	case matches:
		return fmt.Sprintf("%d %s", o.kind, o.re)
	case exists:
		return fmt.Sprintf("%d %t", o.kind, o.want)
	case gt, gte, lt, lte:
		return fmt.Sprintf("%d %#v", o.kind, o.number)
	case cidr:
		return fmt.Sprintf("%d %v", o.kind, o.prefixes)
	case within:
		return fmt.Sprintf("%d %#v", o.kind, o.hours)
	}
	return fmt.Sprintf("%d %q", o.kind, o.text)
}

// literals returns the values in the arguments of an operator as values of a
// record, a list as one value.
func (o *operator) literals() []any {
	switch o.kind {
	case equals, contains, notContains:
		return []any{plain(o.value)}
	case in, listed:
		out := make([]any, len(o.values))
		for i, v := range o.values {
			out[i] = plain(v)
		}
		return out
	case gt, gte, lt, lte:
		return []any{plain(o.number)}
	}
	return nil
}
