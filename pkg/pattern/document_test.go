package pattern

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// TestWorkedExamples are the three examples of the document from which the
// dialect comes: rules, calls with their scope, and what is decided.
func TestWorkedExamples(t *testing.T) {
	ddl := ruleOf(t, "ddl", 100, Deny, `{"sql.verb":{"in":["DROP","TRUNCATE","DELETE"]}}`)
	ddl.Scope.Integration = "int-prod-pg"
	wiki := ruleOf(t, "wiki", 200, Allow, `{"http.method":"GET","http.url":{"glob":"https://wiki.internal.example/*"}}`)
	models := ruleOf(t, "models", 50, RequireHuman, `{"any":[{"llm.model":{"glob":"claude-opus-*"}},{"llm.model":{"glob":"gpt-4*"}}]}`)
	models.Scope.Plugin = "anthropic"
	set := NewSet([]*Rule{models, ddl, wiki})
	prod, anthropic := Scope{Plugin: "postgres", Integration: "int-prod-pg"}, Scope{Plugin: "anthropic", Profile: "dev"}
	for _, tc := range []struct {
		want     string
		decision policy.Decision
		scope    Scope
		facets   string
	}{
		{"ddl", policy.Deny, prod, `{"sql": {"verb": "DROP"}}`},
		{"ddl", policy.Deny, prod, `{"sql": {"verb": "DELETE", "tables": ["users"]}}`},
		{"", 0, prod, `{"sql": {"verb": "SELECT"}}`},
		{"", 0, prod, `{"sql": {"verb": "drop"}}`}, // equality knows no case
		{"", 0, Scope{Integration: "int-dev-pg"}, `{"sql": {"verb": "DROP"}}`},
		{"", 0, Scope{}, `{"sql": {"verb": "DROP"}}`},
		{"wiki", policy.Allow, prod, `{"http": {"method": "GET", "url": "https://wiki.internal.example/a/b?c"}}`},
		{"", 0, prod, `{"http": {"method": "POST", "url": "https://wiki.internal.example/a"}}`},
		{"", 0, prod, `{"http": {"method": "GET", "url": "https://wiki.internal.example.evil/a"}}`},
		{"", 0, prod, `{"http": {"method": "GET", "url": "http://x/?https://wiki.internal.example/"}}`},
		{"models", policy.Ask, anthropic, `{"llm": {"model": "claude-opus-4"}}`},
		{"models", policy.Ask, anthropic, `{"llm": {"model": "gpt-4o-mini"}}`},
		{"", 0, anthropic, `{"llm": {"model": "claude-haiku"}}`},
		{"", 0, anthropic, `{"llm": {"model": "not-gpt-4"}}`},
		{"", 0, prod, `{"llm": {"model": "gpt-4o"}}`},
	} {
		r, err := decoded(t, `{"facets": `+tc.facets+`}`)
		if err != nil {
			t.Fatal(err)
		}
		m := set.Decide(r, tc.scope, nil)
		got := ""
		if m.Rule != nil {
			got = m.Rule.ID
		}
		if got != tc.want || m.Decision != tc.decision || !m.Certain {
			t.Errorf("%s in %+v: %q %s", tc.facets, tc.scope, got, m.Decision)
		}
	}
}

// TestOrder shows which of two rules that match comes first.
func TestOrder(t *testing.T) {
	rule := func(id string, priority int, s Scope) *Rule {
		r := ruleOf(t, id, priority, Deny, `{"verb": "x"}`)
		r.Scope = s
		return r
	}
	plugin, profile, integration := Scope{Plugin: "p"}, Scope{Profile: "f"}, Scope{Integration: "i"}
	both := Scope{Plugin: "p", Profile: "f"}
	for _, tc := range []struct {
		first, second *Rule
	}{
		{rule("b", 2, Scope{}), rule("a", 1, integration)},
		{rule("b", 1, integration), rule("a", 1, both)},
		{rule("b", 1, both), rule("a", 1, profile)},
		{rule("b", 1, profile), rule("a", 1, plugin)},
		{rule("b", 1, plugin), rule("a", 1, Scope{})},
		{rule("a", 1, plugin), rule("b", 1, plugin)},
		{rule("b", 0, plugin), rule("a", -1, plugin)},
	} {
		call := Scope{Plugin: "p", Profile: "f", Integration: "i"}
		m := NewSet([]*Rule{tc.second, tc.first}).Decide(&record.Record{Verb: "x"}, call, nil)
		if m.Rule != tc.first {
			t.Errorf("%+v comes before %+v", m.Rule, tc.first)
		}
	}
}

// TestLimitations are what the document says that its dialect cannot express,
// as conditions that hold here, or with the reason why they are refused.
func TestLimitations(t *testing.T) {
	r, err := decoded(t, `{"facets": {"llm": {"model": "m"}, "cost": {"usd": 0.12, "text": "0.12"},
		"http": {"url": "https://API.example/Repos/1", "headers": {"a": "1", "n": 2}}, "file": {"path": "/src/a/b.go"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ limit, condition, refused string }{
		{"numbers", `{"cost.usd": {"gt": 0.10}}`, ""},
		{"numbers in texts", `{"cost.text": {"gte": 0.12, "lt": 1}}`, ""},
		{"weekends", `{"not": {"time": {"days": ["sat", "sun"]}}}`, ""},
		{"business hours", `{"time": {"days": ["mon", "tue", "wed", "thu", "fri"], "from": "09:00", "to": "17:00", "tz": "Europe/Berlin"}}`, ""},
		{"rates", `{"rate": {"more_than": 10, "per": "1m"}}`, "rate counts the calls that meet the rest of the condition, which is missing here"},
		{"rates of a path", `{"http.url": {"rate": 10}}`, "rate stands beside paths, not below one: rate: {more_than: 10, per: 1m}"},
		{"flags", `{"http.url": {"pattern": "^https://api\\.example/repos/", "flags": "i"}}`, ""},
		{"flags within", `{"http.url": {"pattern": "(?i)^https://api\\.example/repos/"}}`, ""},
		{"** in globs", `{"file.path": {"globPath": "/src/**/*.go"}}`, ""},
		{"objects", `{"http.headers": {"equals": {"n": 2, "a": "1"}}}`, ""},
		{"misspelt operators", `{"http.url": {"contians": "x"}}`,
			"unknown operator \"contians\": one of equals, in, pattern, contains, notContains, glob, globPath, exists, startsWith, endsWith, gt, gte, lt, lte, cidr, size, semver, time, flags, or write {equals: {…}} for an object"},
		{"arguments of a wrong type", `{"http.url": {"glob": ["a"]}}`, "glob takes a text, not a list"},
		{"expressions that are none", `{"http.url": {"pattern": "("}}`, "pattern: not a regular expression: missing closing ): ("},
		{"look-around", `{"http.url": {"pattern": "^(?!https)"}}`, "pattern: (?! (look-ahead) is not supported: regular expressions are those of RE2"},
	} {
		c, problems := CompileWhen(node(t, tc.condition))
		switch {
		case tc.refused == "" && len(problems) == 0:
			if got := c.Eval(r, &Input{Now: noon}); got != True {
				t.Errorf("%s: %s is %s", tc.limit, tc.condition, got)
			}
		case len(problems) != 1 || problems[0].Text != tc.refused:
			t.Errorf("%s: %s: %v", tc.limit, tc.condition, problems)
		}
	}
}

// TestOperatorsOnOtherTypes shows that operators on texts do not hold of
// anything else, and that none of these hides a rule without a word: a field
// of another type is a finding of the linter.
func TestOperatorsOnOtherTypes(t *testing.T) {
	r, err := decoded(t, `{"facets": {"x": {"n": 1, "l": ["abc"], "o": {"a": 1}, "b": true, "z": null}}}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"n", "l", "o", "b", "z"} {
		for _, op := range []string{`"pattern": ""`, `"glob": "*"`, `"contains": ""`, `"startsWith": ""`, `"globPath": "**"`} {
			c := compile(t, `{"x.`+field+`": {`+op+`}}`)
			if got := c.Eval(r, nil); got != False {
				t.Errorf("%s of %s is %s", op, field, got)
			}
		}
	}
}

// TestBounds shows that a condition that is too deep or too large is refused.
func TestBounds(t *testing.T) {
	deep, wide := node(t, `{"verb": "x"}`), document.Node{Kind: document.List}
	for range maxDepth {
		deep = document.Node{Kind: document.Map, Keys: []document.Node{{Kind: document.Text, Text: "not"}}, Items: []document.Node{deep}}
	}
	if _, problems := CompileWhen(deep); len(problems) != 1 || problems[0].Text != "all, any and not are nested more than 16 levels deep" {
		t.Errorf("deep: %v", problems)
	}
	if _, problems := CompileWhen(deep.Items[0]); len(problems) != 0 {
		t.Errorf("less deep: %v", problems)
	}
	for range maxConditions + 5 {
		wide.Items = append(wide.Items, node(t, `{"verb": "x"}`))
	}
	_, problems := CompileWhen(document.Node{Kind: document.Map, Keys: []document.Node{{Kind: document.Text, Text: "any"}}, Items: []document.Node{wide}})
	if len(problems) != 1 || problems[0].Text != "a rule has at most 10000 conditions: split it" {
		t.Errorf("wide: %v", problems)
	}
}
