package pattern

import (
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/record"
)

// addCaps adds an operator for the length of a test: a text that is the
// argument in capitals.
func addCaps(t *testing.T) {
	table := operatorTable
	t.Cleanup(func() { operatorTable = table })
	capitals := func(o *operator) string { return strings.ToUpper(o.text) }
	operatorTable = append(slices.Clone(table), operatorRow{
		name: "caps", aliases: "shouts",
		parse:  (*compiler).shortText,
		text:   func(o *operator, text string) bool { return text == capitals(o) },
		plan:   func(o *operator, path string) plan { return equalPlan(path, capitals(o)) },
		traits: func(o *operator, t *Traits) { t.Language = `\A` + escaped(capitals(o)) + `\z` },
	})
}

// An operator is one row: nothing else of the package has to know it.
func TestOperatorIsOneRow(t *testing.T) {
	addCaps(t)
	t.Run("parse", func(t *testing.T) {
		if !slices.Contains(Operators(), "caps") {
			t.Errorf("the operators are %v", Operators())
		}
		for text, want := range map[string]string{
			`{"verb": {"caps": 1}}`:       "caps takes a text, not the number 1",
			`{"verb": {"shouts": "get"}}`: "caps",
		} {
			_, problems := CompileWhen(node(t, text))
			if len(problems) != 1 || problems[0].Text != want && problems[0].Hint != want {
				t.Errorf("%s: %v, want %q", text, problems, want)
			}
		}
	})
	rules := []*Rule{
		ruleOf(t, "a", 0, Deny, `{"verb": {"caps": "get"}}`),
		ruleOf(t, "b", 0, Deny, `{"verb": {"caps": "put"}}`),
		ruleOf(t, "c", 0, Allow, `{"not": {"verb": {"caps": "get"}}}`),
	}
	t.Run("evaluate and index", func(t *testing.T) {
		s := NewSet(rules[:2])
		for verb, want := range map[string]*Rule{"GET": rules[0], "PUT": rules[1], "get": nil, "": nil} {
			r := &record.Record{Verb: verb}
			if got := s.Decide(r, Scope{}, &Input{}).Rule; got != want {
				t.Errorf("%q: %v decides, want %v", verb, got, want)
			}
			asked := candidatesOf(t, s, r, Scope{}, &Input{})
			if (want == nil) != (asked == 0) || asked > 1 {
				t.Errorf("%q: %d rules are asked", verb, asked)
			}
		}
		if got := rules[2].When.Eval(&record.Record{Verb: "get"}, &Input{}); got != True {
			t.Errorf("the opposite is %s", got)
		}
	})
	t.Run("export", func(t *testing.T) {
		e := rules[0].When.Expression()
		if len(e.Tests) != 1 || e.Tests[0].Operator != "caps" || e.Tests[0].Text != "get" {
			t.Errorf("Expression = %+v", e)
		}
	})
	t.Run("traits", func(t *testing.T) {
		test := &rules[0].When.Expression().Tests[0]
		if got := test.Traits().Language; got != `\AGET\z` || test.String() != `caps: "get"` {
			t.Errorf("%s accepts %s", test, got)
		}
	})
}

// A row that lacks a part would show at the first rule that has the operator.
func TestOperatorRowsAreWhole(t *testing.T) {
	for i, row := range operatorTable {
		kind := operatorKind(i)
		if (row.name == "") != (kind == listed) || (row.parse == nil) != (kind == listed) {
			t.Errorf("%d %q: a bare list alone has no name and is parsed apart", i, row.name)
		}
		if row.instant == nil && row.text == nil {
			t.Errorf("%s: no text is evaluated", row.name)
		}
		if row.traits == nil && kind != exists {
			t.Errorf("%s: nothing says which values it accepts", row.name)
		}
	}
}

// The flags of a pattern are no id of a dangerous pattern.
func TestFlagsOnDangerous(t *testing.T) {
	compile(t, `{"shell.dangerous": {"pattern": "rm", "flags": "i"}}`)
}

// What is offered for a type can hold of one of its values.
func TestFitting(t *testing.T) {
	for _, row := range []struct {
		want string
		of   record.FieldType
	}{
		{"equals in pattern contains notContains glob globPath exists startsWith endsWith gt gte lt lte cidr size semver", record.TextField},
		{"equals in exists gt gte lt lte", record.NumberField},
		{"equals in contains notContains exists size", record.TextsField},
		{"equals exists size", record.ObjectField},
		{"equals in pattern contains notContains glob globPath exists startsWith endsWith gt gte lt lte cidr size semver", record.AnyField},
	} {
		if got := strings.Join(Fitting(row.of), " "); got != row.want {
			t.Errorf("%s: %s, want %s", row.of, got, row.want)
		}
	}
}
