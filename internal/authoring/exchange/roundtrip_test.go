package exchange

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// TestRoundTrip carries random rules there and back: a rule that the service
// can evaluate comes back as it was, and another one disabled.
func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(seed.New(t), 1))
	disabled, total := 0, 0
	for round := range 120 {
		var rules []*pattern.Rule
		for i := range 5 {
			rules = append(rules, randomRule(r, fmt.Sprintf("%d-%d%s", round, i, pick(r, "", " x", "ü", "\u200b", "'\"\\"))))
		}
		out := Export(rules)
		for _, f := range []Format{Rows, API} {
			data, err := out.JSON(f, time.Unix(0, 0))
			if err != nil {
				t.Fatal(err)
			}
			back, err := Import("f", data)
			if err != nil {
				t.Fatalf("%v in\n%s", err, data)
			}
			off := disabledBy(out)
			for i := range rules {
				want := *rules[i]
				total++
				if off[want.ID] {
					want.Disabled = true
					disabled++
				}
				if a, b := describe(t, &want), describe(t, back.Rules[i]); a != b {
					t.Fatalf("%s:\n%s\nbecomes\n%s", f, a, b)
				}
			}
		}
		if again := throughYAML(t, rules); again != "" {
			t.Fatal(again)
		}
	}
	if disabled == 0 || disabled*2 > total {
		t.Errorf("%d of %d rules are disabled: the test shows too little", disabled, total)
	}
}

// throughYAML says which rule differs when its YAML is loaded.
func throughYAML(t *testing.T, rules []*pattern.Rule) string {
	data, err := (&Result{Rules: rules}).YAML("head")
	if err != nil {
		return err.Error()
	}
	for i, back := range load(t, string(data)) {
		if a, b := describe(t, rules[i]), describe(t, back); a != b {
			return fmt.Sprintf("%s\nbecomes\n%s\nby\n%s", a, b, data)
		}
	}
	return ""
}

func disabledBy(r *Result) map[string]bool {
	off := make(map[string]bool)
	for _, n := range r.Notes {
		off[n.Rule] = off[n.Rule] || n.Kind == Disabled
	}
	return off
}

// describe returns all that a rule says, but not where.
func describe(t *testing.T, r *pattern.Rule) string {
	t.Helper()
	when, err := r.Source.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%q %q %+v %d %t %+v %q %s", r.ID, r.Label, r.Scope, r.Priority, r.Disabled, r.Decision, r.Reason, when)
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func randomRule(r *rand.Rand, id string) *pattern.Rule {
	rule := &pattern.Rule{
		ID: id, Label: pick(r, "", "deny: all #1", "yes", "a\u2028b", "名"), Priority: r.IntN(400) - 100, Disabled: r.IntN(4) == 0,
		Scope:  pattern.Scope{Plugin: pick(r, "", "github", "null"), Integration: pick(r, "", "int-prod")},
		Reason: pick(r, "", "it's \"no\"", "{x}", "- y"), Source: randomCondition(r, 3),
	}
	d := &rule.Decision
	switch d.Verb = pick(r, pattern.Deny, pattern.Allow, pattern.RequireHuman, pattern.RequireLLM); d.Verb {
	case pattern.RequireHuman:
		d.Approver, d.Timeout = pick(r, "", "slack"), time.Duration(r.IntN(1e7))*time.Millisecond
		d.OnTimeout = pick(r, policy.Deny, policy.Allow)
	case pattern.RequireLLM:
		d.Profile, d.Model, d.Prompt = pick(r, "", "default"), pick(r, "", "m"), pick(r, "", "a\n  b: c\n", "true")
		d.CacheTTL, d.FailOpen = time.Duration(r.IntN(1e4))*time.Second, r.IntN(2) == 0
	}
	return rule
}

func randomCondition(r *rand.Rand, depth int) document.Node {
	n := document.Node{Kind: document.Map}
	for _, key := range shuffled(r, "http.method", "http.url", "slack.channel", "tags", "any", "all", "not")[:1+r.IntN(2)] {
		n.Keys = append(n.Keys, textNode(key))
		switch {
		case key == "not" && depth > 0:
			n.Items = append(n.Items, randomCondition(r, depth-1))
		case (key == "any" || key == "all") && depth > 0:
			n.Items = append(n.Items, document.Node{Kind: document.List, Items: []document.Node{randomCondition(r, depth-1), randomCondition(r, depth-1)}})
		case key == "any" || key == "all" || key == "not":
			n.Keys[len(n.Keys)-1].Text = "x." + key
			n.Items = append(n.Items, randomTest(r))
		default:
			n.Items = append(n.Items, randomTest(r))
		}
	}
	return n
}

func shuffled(r *rand.Rand, list ...string) []string {
	out := slices.Clone(list)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// randomTest is a literal or an operator, now and then one that only policyctl
// has.
func randomTest(r *rand.Rand) document.Node {
	text := textNode(pick(r, "DELETE", "", "null", "1", "a b", "x: y", "\\d+'", "ü\u200b", "*.example.com"))
	texts := document.Node{Kind: document.List, Items: []document.Node{text, textNode("GET")}}
	number := document.Node{Kind: document.Number, Text: pick(r, "0", "-1", "2.5", "12345678901234567890", "1e3")}
	switch r.IntN(12) {
	case 0, 1:
		return text
	case 2:
		return texts
	case 3:
		return number
	case 4:
		return document.Node{Kind: document.Bool, Text: pick(r, "true", "false")}
	case 5:
		return mapping("in", texts)
	case 6:
		return mapping("pattern", textNode(pick(r, "^a.b$", "(?i)x", `\s+`, "[[:alpha:]]")))
	case 7:
		return exists(pick(r, "true", "false"))
	case 8:
		if r.IntN(3) > 0 {
			return mapping("equals", number)
		}
		return mapping("startsWith", textNode("x"))
	}
	return mapping(pick(r, "equals", "contains", "notContains", "glob"), text)
}
