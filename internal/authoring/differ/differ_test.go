package differ_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/authoring/differ"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A side of a comparison.
type loaded struct {
	engine *policy.Engine
	differ.Policy
}

func load(t *testing.T, text string) loaded {
	t.Helper()
	l, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "p", Data: []byte("version: 1\n" + text), Admit: config.Everything})
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	e, err := policy.New(l.Settings, policy.Options{Sources: l.Sources(), Revision: l.Revision})
	if err != nil {
		t.Fatal(err)
	}
	p := loaded{e, differ.Policy{Settings: l.Settings}}
	for _, layer := range l.Rules {
		p.Rules = append(p.Rules, layer.Rules...)
	}
	return p
}

func diff(old, new loaded, tables bool) *differ.Report {
	d := differ.New(context.Background(), old.engine, new.engine)
	if tables {
		d.Tables()
	}
	d.Policy(&old.Policy)
	d.Policy(&new.Policy)
	d.Pairs(old.Rules, new.Rules)
	d.Mix()
	return d.Report()
}

// TestChanges shows that each way to change a policy is found.
func TestChanges(t *testing.T) {
	seed.Slow(t)
	rows := []struct{ want, old, new string }{
		{"same", "", ""},
		{"same", "rules: [{id: a, when: {http.method: PUT}, decision: deny}]", "rules: [{id: a, label: x, when: {http.method: {equals: PUT}}, decision: deny}]"},
		{"looser", "rules: [{id: a, when: {http.method: {in: [PUT, POST, DELETE]}}, decision: deny}]", "rules: [{id: a, when: {http.method: {in: [PUT, DELETE]}}, decision: deny}]"},
		{"looser", "rules: [{id: a, when: {http.method: [PUT, POST]}, decision: deny}]", "rules: [{id: a, when: {http.method: PUT}, decision: deny}]"},
		{"stricter", "rules: [{id: a, when: {http.url: {glob: 'https://a/*'}}, decision: allow}]", "rules: [{id: a, when: {http.url: {glob: 'https://a/b*'}}, decision: allow}]"},
		{"looser", "rules: [{id: a, when: {http.url: {startsWith: x}}, decision: deny}]", "rules: [{id: a, when: {http.url: {startsWith: xy}}, decision: deny}]"},
		{"looser", "rules: [{id: a, when: {http.method: PUT}, decision: deny}]", "rules: [{id: a, when: {http.method: PUT}, decision: deny, scope: {plugin: p}}]"},
		{"stricter", "rules: [{id: a, when: {http.method: PUT}, decision: deny, scope: {plugin: p}}]", "rules: [{id: a, when: {http.method: PUT}, decision: deny}]"},
		{"looser", "rules: [{id: a, when: {http.method: PUT}, decision: deny}]", "rules: [{id: a, enabled: false, when: {http.method: PUT}, decision: deny}]"},
		{"looser", "rules: [{id: a, priority: 2, when: {http.method: PUT}, decision: deny}, {id: b, priority: 1, when: {http.host: h}, decision: allow}]",
			"rules: [{id: a, when: {http.method: PUT}, decision: deny}, {id: b, priority: 1, when: {http.host: h}, decision: allow}]"},
		{"looser", "rules: [{id: a, when: {http.method: {in: [PUT, POST]}}, decision: deny}]", "rules: [{id: b, when: {http.method: PUT}, decision: deny}]"},
		{"looser", "rules: [{id: a, when: {not: {any: [{http.method: [PUT, POST]}]}}, decision: deny}]", "rules: [{id: b, when: {not: {http.method: {in: [PUT, POST, GET]}}}, decision: deny}]"},
		{"moved", "rules: [{id: a, when: {http.method: PUT}, decision: deny}]", "rules: [{id: b, when: {http.method: PUT}, decision: deny}]"},
		{"moved", "rules: [{id: a, when: {http.method: PUT}, decision: require_human, timeout: 5m}]", "rules: [{id: a, when: {http.method: PUT}, decision: require_human, timeout: 6m}]"},
		{"moved", "rules: [{id: a, when: {http.method: PUT}, decision: require_human}]", "rules: [{id: a, when: {http.method: PUT}, decision: require_llm, model: m}]"},
		{"stricter", "", "permissions: [{match: shell make publish *, action: deny}]"},
		{"looser", "permissions: [{match: read *.pem, action: deny}]", ""},
		{"stricter", "", "agents: {codex: {permissions: [{match: fetch https://x/*, action: deny}]}}"},
		{"looser", "", "approvals: {mode: skip}"},
		{"looser", "", "security: {confirm_policy: dangerous_only}"},
		{"stricter", "", "approvals: {auto_allow_readonly: false}"},
		{"looser", "", "security: {command_allowlist: [make docs]}"},
		{"stricter", "", "security: {tool_policy: {tools: {read: deny}}}"},
		{"stricter", "", "rules_default: deny_writes"},
	}
	for _, r := range rows {
		report := diff(load(t, r.old), load(t, r.new), true)
		got := ""
		for name, n := range map[string]int{"looser": report.Looser, "stricter": report.Stricter, "moved": report.Moved} {
			if n > 0 && (got == "" || got == "moved") {
				got = name
			}
		}
		if report.Same() {
			got = "same"
		}
		if got != r.want {
			t.Errorf("%s → %s: %s, want %s: %+v", r.old, r.new, got, r.want, report)
		}
	}
}

// TestNothingIsMissed compares what is found with what all small records show,
// for random rules of which one differs.
func TestNothingIsMissed(t *testing.T) {
	r := rand.New(rand.NewPCG(seed.New(t), 2))
	missed, differ := 0, 0
	for range 300 {
		n := 1 + r.IntN(4)
		var a, b []string
		for i := range n {
			a = append(a, randomRule(r, i))
		}
		b = append(b, a...)
		b[r.IntN(n)] = randomRule(r, n)
		old, new := load(t, "rules:\n"+strings.Join(a, "")), load(t, "rules:\n"+strings.Join(b, ""))
		call := firstDifference(old.engine, new.engine)
		if call == "" {
			continue
		}
		differ++
		if report := diff(old, new, false); report.Looser+report.Stricter == 0 {
			missed++
			t.Logf("%s\n%s→\n%s", call, strings.Join(a, ""), strings.Join(b, ""))
		}
	}
	if differ < 50 || missed > 0 {
		t.Errorf("%d of %d differences are missed", missed, differ)
	}
}

func randomRule(r *rand.Rand, id int) string {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	test := func() string {
		return pick("http.method: PUT", "http.method: {in: [PUT, GET]}", "http.host: {startsWith: a}", "http.host: {glob: '*b'}",
			"http.host: {exists: false}", "http.method: {notContains: u}", "http.host: ab", "not: {http.method: GET}")
	}
	when := test()
	if other := test(); r.IntN(2) == 0 && other[:6] != when[:6] {
		when += ", " + other
	}
	return fmt.Sprintf("  - {id: r%d, priority: %d, scope: {%s}, when: {%s}, decision: %s}\n",
		id, r.IntN(3), pick("", "", "plugin: p"), when, pick("deny", "allow", "require_human"))
}

// firstDifference returns a record with different decisions.
func firstDifference(old, new *policy.Engine) string {
	for _, method := range []any{nil, "PUT", "GET", "POST"} {
		for _, host := range []any{nil, "a", "b", "ab", "x"} {
			for _, plugin := range []string{"", "p"} {
				fields := map[string]any{}
				if method != nil {
					fields["method"] = method
				}
				if host != nil {
					fields["host"] = host
				}
				c := &policy.Call{Tool: "record", Record: map[string]any{"facets": map[string]any{"http": fields}}, Scope: policy.Scope{Plugin: plugin}}
				a, _ := old.Decide(context.Background(), nil, c)
				b, _ := new.Decide(context.Background(), nil, c)
				if a.Decision != b.Decision {
					return fmt.Sprint(fields, plugin, a.Decision, b.Decision)
				}
			}
		}
	}
	return ""
}
