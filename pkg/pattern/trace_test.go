package pattern

import (
	"fmt"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

func ruleOf(t testing.TB, id string, priority int, verb Verb, when string) *Rule {
	t.Helper()
	return &Rule{ID: id, Priority: priority, When: compile(t, when), Decision: Decision{Verb: verb}}
}

func TestExplain(t *testing.T) {
	scoped := ruleOf(t, "scoped", 9, Deny, `{"verb": "rm"}`)
	scoped.Scope = Scope{Plugin: "github", Integration: "prod"}
	narrow := ruleOf(t, "narrow", 0, Deny, `{"verb": "rm"}`)
	narrow.Scope.Plugin = "github"
	off := ruleOf(t, "off", 7, Deny, `{"verb": "rm"}`)
	off.Disabled = true
	open := ruleOf(t, "open", 5, Deny, `{"x.y": "1"}`)
	hidden := ruleOf(t, "hidden", 6, Allow, `{"x.y": "1"}`)
	allow := ruleOf(t, "allow", 3, Allow, `{"verb": "rm"}`)
	deny := ruleOf(t, "deny", 3, Deny, `{"verb": "rm"}`)
	other := ruleOf(t, "other", 4, Deny, `{"verb": "ls"}`)
	r := &record.Record{Verb: "rm", Unknown: []string{"x.y"}}
	for _, tc := range []struct {
		rules []*Rule
		want  string
	}{
		{[]*Rule{deny, allow, other}, "allow decides; deny lost: the rule allow comes before it: its id sorts first"},
		{[]*Rule{deny, narrow}, "deny decides; narrow lost: the rule deny comes before it: its priority is higher"},
		{[]*Rule{scoped, allow}, `scoped lost: it is for the integration "prod", and the call is of none; allow decides`},
		{[]*Rule{off, allow}, "off lost: it is disabled; allow decides"},
		{[]*Rule{open, allow}, "open (unknown) decides; allow lost: the rule open is as strict or stricter: ask"},
		{[]*Rule{open, deny}, "open (unknown) lost: the rule deny is as strict or stricter: deny; deny decides"},
		{[]*Rule{hidden, allow}, "hidden (unknown) lost: it cannot be evaluated, and what allows must be certain; allow decides"},
		{[]*Rule{hidden}, "hidden (unknown) lost: it cannot be evaluated, and what allows must be certain"},
		{[]*Rule{other}, ""},
	} {
		var parts []string
		for _, tried := range NewSet(tc.rules).Explain(r, Scope{Plugin: "github"}, nil) {
			text := tried.Rule.ID
			if tried.Result == Unknown {
				text += " (unknown)"
			}
			if tried.Lost == "" {
				parts = append(parts, text+" decides")
				continue
			}
			parts = append(parts, text+" lost: "+tried.Lost)
		}
		if got := strings.Join(parts, "; "); got != tc.want {
			t.Errorf(" got %s\nwant %s", got, tc.want)
		}
	}
}

// TestExplainAgrees shows that the rule that decides is the one that
// explanations name.
func TestExplainAgrees(t *testing.T) {
	w := newWorld(t)
	for range 3_000 {
		rules := make([]*Rule, 1+w.IntN(6))
		for i := range rules {
			rules[i] = ruleOf(t, fmt.Sprint(i), w.IntN(3), Verb(w.IntN(4)), w.condition(1))
			rules[i].Scope.Plugin = draw(w, []string{"", "", "a", "b"})
			rules[i].Disabled = w.IntN(5) == 0
		}
		s := NewSet(rules)
		_, r, _ := w.record()
		scope := Scope{Plugin: "a"}
		m := s.Decide(r, scope, &Input{Now: noon})
		var decides *Rule
		for _, tried := range s.Explain(r, scope, &Input{Now: noon}) {
			if tried.Lost == "" {
				decides = tried.Rule
			}
		}
		if decides != m.Rule {
			t.Fatalf("%v decides, and the explanation names %v", m.Rule, decides)
		}
		if m.Rule == nil && m.Decision != policy.Deny {
			t.Fatalf("nothing decides %s", m.Decision)
		}
	}
}
