package pattern

import (
	"fmt"
	"strings"
)

// An atom is one test at one path. The same test in two rules is one atom.
type atom struct {
	Traits
	id   int
	path Path
	at   string // the path, the same for all its spellings
	test *Test
	lang *language // of the texts it accepts; nil where letters do not matter
}

// A demand is an atom that must hold, or must not.
type demand struct {
	*atom
	want bool
}

// clear reports whether the search knows all about the test: what is not clear
// can be met, or not, by values that the search does not try.
func (a *atom) clear() bool { return !a.Unclear && (a.lang != nil || a.Language == "") }

// is reports whether the test is by one of some operators.
func (a *atom) is(operators ...string) bool { return slices.Contains(operators, a.test.Operator) }

// The operators that the linter knows by their names; a bare list has none.
const (
	equals   = "equals"
	listed   = ""
	matches  = "pattern"
	glob     = "glob"
	globPath = "globPath"
	exists   = "exists"
)

// A form is a condition over atoms.
type form struct {
	op   ExpressionOp
	kids []form
	atom *atom
}

// An atomTable numbers the atoms of all rules.
type atomTable map[string]*atom

// form returns the form of a condition.
func (t atomTable) form(c *Condition) form {
	e := c.Expression()
	return t.of(&e)
}

func (t atomTable) of(e *Expression) form {
	out := form{op: e.Op}
	for i := range e.Kids {
		out.kids = append(out.kids, t.of(&e.Kids[i]))
	}
	if e.Op != Leaf {
		return out
	}
	for i := range e.Tests {
		out.kids = append(out.kids, form{op: Leaf, atom: t.atom(e.Path, &e.Tests[i])})
	}
	if len(out.kids) == 1 {
		return out.kids[0]
	}
	out.op = All
	return out
}

// test returns the form of one test of a value, which must be one of the
// dialect.
func (t atomTable) test(path, operator string, argument Node) *form {
	key := func(text string) []Node { return []Node{{Kind: TextNode, Text: text}} }
	c, problems := CompileWhen(Node{Kind: MapNode, Keys: key(path), Items: []Node{
		{Kind: MapNode, Keys: key(operator), Items: []Node{argument}},
	}})
	if len(problems) > 0 {
		panic(fmt.Sprint("no test: ", problems))
	}
	out := t.form(&c)
	return &out
}

func (t atomTable) atom(path Path, test *Test) *atom {
	at := strings.Join(append([]string{path.Facet(), path.Field()}, path.Deeper()...), "\x00")
	key := at + "\x01" + identity(test)
	if known, ok := t[key]; ok {
		return known
	}
	a := &atom{Traits: test.Traits(), id: len(t), path: path, at: at, test: test}
	if a.Language != "" {
		a.lang = compileLanguage(a.Language)
	}
	t[key] = a
	return a
}

// identity returns a text that is the same for tests that test the same.
func identity(t *Test) string {
	return fmt.Sprintf("%s %#v %#v %q %v", t.Operator, t.Value, t.Values, t.Text, t.Hours)
}
