package pattern

import (
	"slices"
	"strings"
	"testing"
)

// guardNames are the kinds of guards as rows write them.
var guardNames = [...]string{
	"is", "number", "true", "false", "null", "begins", "has", "text", "composite", "present", "plugin", "profile", "integration",
}

func TestGuards(t *testing.T) {
	rows := []struct{ want, when string }{
		{"x.a is GET", `{"x.a": "GET"}`},
		{"x.a number", `{"x.a": 1.0}`},
		{"x.a null", `{"x.a": null}`},
		{"x.a is GET, x.a is HEAD", `{"x.a": ["GET", "HEAD"]}`},
		{"x.a true, x.a is no", `{"x.a": {"in": [true, "no"]}}`},
		{"x.a is a", `{"x.a": {"equals": ["a", "b"]}}`},
		{"x.a composite", `{"x.a": {"equals": {"k": 1}}}`},
		{"x.a begins https://", `{"x.a": {"startsWith": "HTTPS://"}}`},
		{"x.a has .com", `{"x.a": {"endsWith": ".com"}}`},
		{"x.a has kelvin", `{"x.a": {"contains": "\u212aELVIN"}}`},
		{"x.a text", `{"x.a": {"contains": ""}}`},
		{"x.a begins git push ", `{"x.a": {"glob": "git push *"}}`},
		{"x.a has .example.com/", `{"x.a": {"glob": "*.example.com/*"}}`},
		{"x.a is git", `{"x.a": {"glob": "git"}}`},
		{"x.a has secrets/", `{"x.a": {"globPath": "**/secrets/*"}}`},
		{"x.a present", `{"x.a": {"exists": true}}`},
		{"x.a present", `{"x.a": {"gt": 4}}`},
		{"", `{"x.a": {"exists": false}}`},
		{"", `{"x.a": {"notContains": "b"}}`},
		{"", `{"not": {"x.a": "b"}}`},
		{"x.b is c", `{"not": {"x.a": "b"}, "x.b": "c"}`},
		{"x.a is b, x.b is c", `{"any": [{"x.a": "b"}, {"x.b": "c"}]}`},
		{"", `{"any": [{"x.a": "b"}, {"not": {"x.b": "c"}}]}`},
		{"x.a begins https://api", `{"x.a": {"pattern": "^https://api"}}`},
		{"x.a has https://api", `{"x.a": {"pattern": "(?m)^https://api"}}`},
		{"x.a has select", `{"x.a": {"pattern": "SELECT", "flags": "i"}}`},
		{"x.a has /delete", `{"x.a": {"pattern": "[0-9]+/delete$"}}`},
		{"x.a begins cat, x.a begins dog", `{"x.a": {"pattern": "^(cat|dog)s?$"}}`},
		{"x.a has cat, x.a has dog", `{"x.a": {"pattern": "(cat|dog){1,3}"}}`},
		{"x.a text", `{"x.a": {"pattern": "(cat|dog)*"}}`},
		{"x.a text", `{"x.a": {"pattern": "cat|[0-9]"}}`},
	}
	for _, row := range rows {
		when := compile(t, row.when)
		if got := guardsOf(Scope{}, &when); got != row.want {
			t.Errorf("%s\n got %s\nwant %s", row.when, got, row.want)
		}
	}
	when := compile(t, `{"x.a": {"exists": true}}`)
	if got := guardsOf(Scope{Profile: "p"}, &when); got != " profile p" {
		t.Errorf("scope: %s", got)
	}
}

// guardsOf prints the guards that the index chooses for a single rule.
func guardsOf(scope Scope, c *Condition) string {
	p, n := everyPlan(scope.plan(), planOf(c)), map[guard]int{}
	p.count(n)
	guards, _ := p.choose(n)
	var out []string
	for _, g := range guards {
		text := g.path + " " + guardNames[g.kind]
		if g.text != "" {
			text += " " + g.text
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func TestRarestGuardIsChosen(t *testing.T) {
	n := map[guard]int{}
	common, rare := compile(t, `{"x.a": "DELETE"}`), compile(t, `{"x.a": "DELETE", "x.b": {"contains": "secret"}}`)
	a, b := planOf(&common), planOf(&rare)
	a.count(n)
	b.count(n)
	if guards, _ := b.choose(n); !slices.Equal(guards, []guard{{kind: inside, path: "x.b", text: "secret"}}) {
		t.Errorf("%v", guards)
	}
}
