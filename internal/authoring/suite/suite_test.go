package suite

import (
	"bytes"
	"context"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// subject loads a policy that has the name policy.yaml.
func subject(t *testing.T, text string) *Subject {
	t.Helper()
	l, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "policy.yaml", Data: []byte(text), Admit: config.Everything})
	if err != nil {
		t.Fatal(err)
	}
	e, err := policy.New(l.Settings, policy.Options{Sources: l.Sources(), Revision: l.Revision})
	if err != nil {
		t.Fatal(err)
	}
	s := &Subject{Engine: e}
	for _, layer := range l.Rules {
		s.Rules = append(s.Rules, layer.Rules...)
	}
	return s
}

const rules = `version: 1
rules:
  - {id: no-push, when: {shell.program: git, verb: push}, decision: deny}
  - {id: big, priority: 1, when: {shell.program: deploy}, decision: require_human}
  - {id: small, when: {shell.program: deploy}, decision: deny}
  - {id: office, when: {shell.program: release, time: {days: [mon], from: "09:00", to: "17:00", tz: UTC}}, decision: allow}
  - {id: scoped, scope: {plugin: ci}, when: {http.method: PUT}, decision: deny}
`

// TestCases shows which expectations hold.
func TestCases(t *testing.T) {
	rows := []struct{ want, text string }{
		{"", "command: git push, decision: deny"},
		{"", "command: git push, decision: deny, stage: permission_deny, rule: no-push, reason: permission_rule"},
		{"the rule no-push matches", "command: git push, decision: ask"},
		{"the rule no-push matches", "command: git push, decision: deny, stage: rules"},
		{"the rule no-push matches", "command: git push, decision: deny, reason: hardline"},
		{"the rule no-push matches", "command: git push, decision: deny, rule: null"},
		{"the rule no-push matches; nopush does not match", "command: git push, decision: deny, rule: nopush"},
		{"", "command: ls, decision: allow, stage: readonly, rule: null, reason: none"},
		{"", "command: 'ls && git push', decision: deny, rule: no-push"},
		{"", "command: [git, push], decision: deny, rule: no-push"},
		{"the rule big matches; small lost: the rule big comes first", "command: deploy, decision: ask, rule: small"},
		{"", `call: {command: release, time: "2026-01-05T10:00:00Z"}, decision: allow, rule: office`},
		{"", `call: {command: release, time: "2026-01-04T10:00:00Z"}, decision: ask, rule: null`},
		{"", "command: release, decision: ask, rule: null"}, // the time is unknown
		{"", "record: {facets: {http: {method: PUT}}}, scope: {plugin: ci}, decision: deny, rule: scoped"},
		{"", "record: {facets: {http: {method: PUT}}}, scope: {plugin: web}, decision: ask"},
		{"", "record: {unknown: [http.method]}, scope: {plugin: ci}, decision: ask, rule: scoped"},
		{"", "command: cat .env, decision: ask"},
		{"the call could not be judged: dir \"x\" is not absolute", "call: {command: ls, dir: x}, decision: deny"},
	}
	s := subject(t, rules)
	for _, r := range rows {
		f, err := Parse("x_test.yaml", []byte("cases:\n  - {name: a, "+r.text+"}\n"))
		if err != nil {
			t.Errorf("%s: %v", r.text, err)
			continue
		}
		runner := NewRunner()
		runner.Run(context.Background(), f, s)
		c := runner.Report().Cases[0]
		got := c.Why
		if c.Passed {
			got = ""
		}
		if got != r.want {
			t.Errorf("%s: got %q, want %q", r.text, got, r.want)
		}
	}
}

// TestCoverage shows that a rule is reached once, whatever policies hold it.
func TestCoverage(t *testing.T) {
	runner := NewRunner()
	a, b := subject(t, rules), subject(t, rules)
	runner.Examples(a)
	runner.Examples(b)
	f, err := Parse("x_test.yaml", []byte("cases: [{name: a, command: git push, decision: deny}]"))
	if err != nil {
		t.Fatal(err)
	}
	runner.Run(context.Background(), f, b)
	c := runner.Report().Coverage
	if c.Rules != 5 || c.Reached != 1 || c.Percent() != 20 || len(c.Unreached) != 4 {
		t.Errorf("%+v", c)
	}
	if none := (&Coverage{}).Percent(); none != 100 {
		t.Errorf("no rules at all are %d %% reached", none)
	}
}

// TestJUnit shows that the XML is sound whatever a name holds.
func TestJUnit(t *testing.T) {
	f, err := Parse("x_test.yaml", []byte(`cases: [{name: "a\x00<b>&\u2028]]>", command: ls, decision: deny, rule: "\x1b"}]`))
	if err != nil {
		t.Fatal(err)
	}
	runner := NewRunner()
	runner.Run(context.Background(), f, subject(t, "version: 1"))
	var b bytes.Buffer
	if err := runner.Report().JUnit(&b); err != nil {
		t.Fatal(err)
	}
	var back junitSuites
	if err := xml.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	if back.Failures != 1 || back.Suites[0].Cases[0].Name != "a\ufffd<b>&\ufffd]]>" || strings.ContainsRune(b.String(), '\x1b') {
		t.Errorf("%s", b.String())
	}
}

// FuzzParse looks for fixtures that make a run fail.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"cases: [{name: a, command: ls, decision: allow}]",
		"policy: [x]\ncases:\n- {name: a, record: {facets: {http: {url: x}}}, scope: {plugin: p}, decision: ask, rule: null}",
		"cases: [{name: a, call: {tool: read, input: {file_path: 7}}, decision: deny, stage: none, reason: error}]",
		"cases: {}", "- a", "cases: [[]]", "cases: [{name: a, command: [1, [2]], decision: allow}]",
	} {
		f.Add(seed)
	}
	e, err := policy.New(policy.Defaults(), policy.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fixture, err := Parse("x_test.yaml", []byte(text))
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Error("an error without a text")
			}
			return
		}
		runner := NewRunner()
		runner.Run(context.Background(), fixture, &Subject{Engine: e})
		if got := len(runner.Report().Cases); got != len(fixture.Cases) || got == 0 {
			t.Errorf("%d results of %d cases", got, len(fixture.Cases))
		}
	})
}
