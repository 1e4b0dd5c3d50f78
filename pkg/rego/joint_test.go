package rego_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/rego"
)

// What a bundle asks and what the person's own policy asks counts together, for one
// command and for several.
func TestJointOfBundle(t *testing.T) {
	a := admission(t, module(`
ask contains {"id": "quick", "reason": "r", "approver": "cid", "timeout": "2s", "on_timeout": "allow", "command": i} if {
	some i, c in input.commands
	c.program == "pc"
}

ask contains {"id": "two", "reason": "r", "approver": "ann, bob", "quorum": 2, "timeout": "1h", "command": i} if {
	some i, c in input.commands
	c.program == "pq"
}

ask contains {"id": "whole", "reason": "r", "timeout": "2s", "on_timeout": "allow"} if {
	some c in input.commands
	c.program == "pw"
}
`))
	list, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "p", Admit: config.Everything, Data: []byte(`version: 1
permissions: {"shell qe *": ask}
rules:
- {id: slow, when: {shell.argv: {contains: --slow}}, decision: require_human, approver: {plugin: dan}, timeout: 5m}
- {id: model, when: {shell.program: pl}, decision: require_llm, approver: {plugin: guard}}
`)})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ want, rules, command string }{
		{"cid 2s allow", "", "pc x"},
		{"cid, and dan 2s deny", "quick slow", "pc --slow"},
		{"2 of ann, bob, and dan 5m0s deny", "slow two", "pq --slow"},
		{"2 of ann, bob, and cid 2s deny", "quick two", "pc x; pq x"},
		{"2 of ann, bob, and cid, and dan 2s deny", "quick slow two", "pq x; pc --slow"},
		{"cid 2s deny", "model quick", "pl x; pc x"},
		{"cid 2s deny", "quick shell qe *", "qe x && pc x"},
		{"cid 2s deny", "confirm quick", "make; pc x"},
		{" 2s allow", "", "pw x"},
		{" 2s allow", "", "make; pw x"}, // it asks about the whole line
		{"cid 2s allow", "quick whole", "pw x; pc x"},
		{"dan 2s deny", "slow whole", "pw x; make --slow"},
	} {
		for order := range 2 {
			sources := append(list.Sources(), a)
			if order == 1 {
				sources = append([]policy.Source{a}, list.Sources()...)
			}
			e, err := policy.New(list.Settings, policy.Options{Sources: sources})
			if err != nil {
				t.Fatal(err)
			}
			v, err := e.Decide(t.Context(), nil, shellCall(row.command))
			if err != nil || v.Ask == nil {
				t.Fatalf("%s: %+v, %v", row.command, v, err)
			}
			if got := fmt.Sprintf("%s %s %s", v.Ask.Who(), v.Ask.Timeout, v.Ask.OnTimeout); got != row.want || strings.Join(v.Ask.Rules, " ") != row.rules {
				t.Errorf("%s: %s by %q, want %s by %s", row.command, got, v.Ask.Rules, row.want, row.rules)
			}
		}
	}
}

// Rules that OPA evaluates ask on the same terms as natively, where something is unknown
// too.
func TestJointAgrees(t *testing.T) {
	text := config.File{Layer: config.User, Name: "p", Admit: config.Everything, Data: []byte(`version: 1
rules:
- {id: maybe, priority: 3, when: {shell.argv: {contains: --deploy}}, decision: require_human, approver: {plugin: bob}, timeout: 2s, on_timeout: allow}
- {id: denies, priority: 2, when: {shell.argv: {contains: --force}}, decision: deny}
- {id: allows, priority: 1, when: {shell.argv: {contains: --dry}}, decision: allow}
- {id: sure, when: {shell.program: pa}, decision: require_human, approver: {plugin: ann}, timeout: 5m}
- {id: model, when: {shell.program: pl}, decision: require_llm, approver: {plugin: guard}}
- {id: vote, when: {shell.program: pq}, decision: require_human, approver: {any: 2, of: [ann, bob, cid]}}
`)}
	list, err := config.Load(policy.Defaults(), text)
	if err != nil {
		t.Fatal(err)
	}
	native, err := policy.New(list.Settings, policy.Options{Sources: list.Sources()})
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := list.SourcesBy(func(set *pattern.Set) (policy.Source, error) {
		m, err := rego.Compile(set)
		if err != nil {
			return nil, err
		}
		rules, err := m.Rules(time.Minute)
		return pattern.NewSourceBy(set, rules), err
	})
	if err != nil {
		t.Fatal(err)
	}
	opa, err := policy.New(list.Settings, policy.Options{Sources: compiled})
	if err != nil {
		t.Fatal(err)
	}
	words := []string{"pa", "pl", "pq", "make", "pa $X", "pl $X", "pq $X", "make $X", "pa --deploy", "pq --force", "pl --dry", "$X --deploy"}
	joint := 0
	for _, a := range words {
		for _, b := range words {
			c := shellCall(a + "; " + b)
			want, err := native.Decide(t.Context(), nil, c)
			if err != nil {
				t.Fatal(err)
			}
			got, err := opa.Decide(t.Context(), nil, c)
			if err != nil || got.Decision != want.Decision || got.Rule != want.Rule || fmt.Sprint(got.Ask) != fmt.Sprint(want.Ask) {
				t.Errorf("%s; %s: %s %s %+v, natively %s %s %+v (%v)", a, b, got.Decision, got.Rule, got.Ask, want.Decision, want.Rule, want.Ask, err)
			}
			if want.Ask != nil && len(want.Ask.Rules) > 1 {
				joint++
			}
		}
	}
	if joint < 80 {
		t.Errorf("only %d lines of several asks", joint)
	}
}
