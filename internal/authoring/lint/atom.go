package lint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// An atom is one test at one path. The same test in two rules is one atom.
type atom struct {
	pattern.Traits
	id   int
	path record.Path
	at   string // the path, the same for all its spellings
	test *pattern.Test
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
	op   pattern.ExpressionOp
	kids []form
	atom *atom
}

// An atomTable numbers the atoms of all rules.
type atomTable map[string]*atom

// form returns the form of a condition.
func (t atomTable) form(c *pattern.Condition) form {
	e := c.Expression()
	return t.of(&e)
}

func (t atomTable) of(e *pattern.Expression) form {
	out := form{op: e.Op}
	for i := range e.Kids {
		out.kids = append(out.kids, t.of(&e.Kids[i]))
	}
	if e.Op != pattern.Leaf {
		return out
	}
	for i := range e.Tests {
		out.kids = append(out.kids, form{op: pattern.Leaf, atom: t.atom(e.Path, &e.Tests[i])})
	}
	if len(out.kids) == 1 {
		return out.kids[0]
	}
	out.op = pattern.All
	return out
}

func text(s string) document.Node { return document.Node{Kind: document.Text, Text: s} }

func boolean(b bool) document.Node {
	return document.Node{Kind: document.Bool, Text: strconv.FormatBool(b)}
}

// A testKey is what [prover.test] makes a form of.
type testKey struct {
	path, operator string
	kind           document.Kind
	text           string
}

// test returns the form of one test of a value, which must be one of the
// dialect.
func (p *prover) test(path, operator string, argument document.Node) *form {
	key := testKey{path, operator, argument.Kind, argument.Text}
	if p.tests[key] == nil {
		p.tests[key] = p.atoms.test(path, operator, argument)
	}
	return p.tests[key]
}

func (t atomTable) test(path, operator string, argument document.Node) *form {
	key := func(name string) []document.Node { return []document.Node{text(name)} }
	c, problems := pattern.CompileWhen(document.Node{Kind: document.Map, Keys: key(path), Items: []document.Node{
		{Kind: document.Map, Keys: key(operator), Items: []document.Node{argument}},
	}})
	if len(problems) > 0 {
		panic(fmt.Sprint("no test: ", problems))
	}
	out := t.form(&c)
	return &out
}

func (t atomTable) atom(path record.Path, test *pattern.Test) *atom {
	at := position(path)
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

// position returns a path as the keys of subjects are.
func position(p record.Path) string {
	return strings.Join(append([]string{p.Facet(), p.Field()}, p.Deeper()...), "\x00")
}

// identity returns a text that is the same for tests that test the same.
func identity(t *pattern.Test) string {
	return fmt.Sprintf("%s %#v %#v %q %v", t.Operator, t.Value, t.Values, t.Text, t.Hours)
}
