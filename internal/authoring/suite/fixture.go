package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/document"
)

// Where a call is made that does not say it.
const (
	defaultDir  = "/home/dev/project"
	defaultHome = "/home/dev"
)

// Parse reads a fixture: strict YAML with the keys policy, dir, home and
// cases. The error is of type [config.Problems] and holds all that is wrong.
func Parse(name string, data []byte) (*Fixture, error) {
	root, err := config.Parse(name, data)
	if err != nil {
		return nil, err
	}
	p := parser{name: name, dir: defaultDir, home: defaultHome}
	f := &Fixture{Name: name}
	p.fixture(root, f)
	if len(p.problems) > 0 {
		return nil, p.problems
	}
	return f, nil
}

// ParseCases reads the cases that a rule carries: a list of cases as a fixture has them, which
// need no name, and may say with match whether the rule is to match in place of a decision.
// The error is that of [Parse].
func ParseCases(name string, data []byte) ([]Case, error) {
	root, err := config.Parse(name, data)
	if err != nil {
		return nil, err
	}
	p := parser{name: name, dir: defaultDir, home: defaultHome, carried: true}
	if root.Kind != document.List {
		p.fail(root, "", "cases must be a list, not %s", root.Describe())
	}
	var out []Case
	for _, item := range root.Items {
		out = append(out, p.oneCase(item))
	}
	if len(p.problems) > 0 {
		return nil, p.problems
	}
	return out, nil
}

// A parser collects the problems of one fixture.
type parser struct {
	name      string
	dir, home string
	problems  config.Problems
	// carried says that a rule carries the cases.
	carried bool
}

func (p *parser) fail(n document.Node, hint, format string, args ...any) {
	p.problems = append(p.problems, config.Problem{
		File: p.name, Line: n.Line, Column: n.Column, Text: fmt.Sprintf(format, args...), Hint: hint,
	})
}

// fixtureKeys and caseKeys are the keys of a fixture and of a case; callKeys
// those that say what the call is.
var (
	fixtureKeys = []string{"policy", "dir", "home", "cases"}
	caseKeys    = []string{"name", "command", "call", "record", "scope", "decision", "stage", "rule", "reason"}
	callKeys    = []string{"command", "call", "record"}
	// carriedKeys are those of a case that a rule carries.
	carriedKeys = append(slices.Clone(caseKeys), "match")
)

// mapping returns the entries of a mapping, which has only these keys.
func (p *parser) mapping(n document.Node, what string, keys []string) map[string]document.Node {
	if n.Kind != document.Map {
		p.fail(n, "", "%s must be a mapping with the keys %s", what, strings.Join(keys, ", "))
		return nil
	}
	out := make(map[string]document.Node)
	for i, key := range n.Keys {
		if !slices.Contains(keys, key.Text) {
			p.fail(key, spelling.Nearest(key.Text, keys), "unknown key %q of %s: one of %s", key.Text, what, strings.Join(keys, ", "))
			continue
		}
		out[key.Text] = n.Items[i]
	}
	return out
}

func (p *parser) fixture(root document.Node, f *Fixture) {
	m := p.mapping(root, "a fixture", fixtureKeys)
	if m == nil {
		return
	}
	p.absolute(m, "dir", &p.dir)
	p.absolute(m, "home", &p.home)
	if n, ok := m["policy"]; ok {
		f.Policies = p.texts(n, "policy")
	}
	cases, ok := m["cases"]
	switch {
	case !ok:
		p.fail(root, "", "the fixture has no cases: list them below cases")
	case cases.Kind != document.List || len(cases.Items) == 0:
		p.fail(cases, "", "cases must be a list of cases, of one at least")
	}
	names := make(map[string]int)
	for _, item := range cases.Items {
		c := p.oneCase(item)
		if line, twice := names[c.Name]; twice && c.Name != "" {
			p.fail(item, "", "the case %q is already in line %d: give each case its own name", c.Name, line)
		}
		names[c.Name] = item.Line
		f.Cases = append(f.Cases, c)
	}
}

func (p *parser) absolute(m map[string]document.Node, key string, into *string) {
	n, ok := m[key]
	if !ok {
		return
	}
	if text := p.text(n, key); strings.HasPrefix(text, "/") {
		*into = text
	} else if text != "" {
		p.fail(n, "", "%s must be an absolute path, not %q", key, text)
	}
}

func (p *parser) text(n document.Node, key string) string {
	if n.Kind != document.Text || strings.TrimSpace(n.Text) == "" {
		p.fail(n, "", "%s must be a text that is not empty: put it in quotes", key)
		return ""
	}
	return n.Text
}

// texts reads one text, or a list of them.
func (p *parser) texts(n document.Node, key string) (all []string) {
	if n.Kind != document.List {
		return []string{p.text(n, key)}
	}
	for _, item := range n.Items {
		all = append(all, p.text(item, key))
	}
	return all
}
