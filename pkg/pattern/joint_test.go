package pattern_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// jointRules ask about programs, each on terms of its own.
const jointRules = `
- {id: pa, when: {shell.program: pa}, decision: require_human, approver: {plugin: ann}, timeout: 5m}
- {id: pb, when: {shell.program: pb}, decision: require_human, approver: {plugin: bob}, timeout: 1m, on_timeout: allow}
- {id: pc, when: {shell.program: pc}, decision: require_human, approver: {plugin: cid}, timeout: 2s, on_timeout: allow}
- {id: pd, when: {shell.program: pd}, decision: require_human, timeout: 30s}
- {id: pe, when: {shell.program: pe}, decision: require_human, timeout: 2s, on_timeout: allow}
- {id: pq, when: {shell.program: pq}, decision: require_human, approver: {any: 2, of: [ann, bob, cid]}}
- {id: pr, when: {shell.program: pr}, decision: require_human, approver: {any: 3, of: [dan, eve, fay]}, timeout: 3m}
- {id: ps, when: {shell.program: ps1}, decision: require_human, approver: {any: 1, of: [ann, zed]}, timeout: 4m}
- {id: pl, when: {shell.program: pl}, decision: require_llm, approver: {plugin: guard}, model: m, prompt: q, cache_ttl: 10m, fail_closed: false}
- {id: pm, when: {shell.program: pm}, decision: require_llm, approver: {plugin: guard}, model: m, prompt: q, cache_ttl: 1m}
- {id: pn, when: {shell.program: pn}, decision: require_llm, approver: {plugin: other}, prompt: r}
- {id: po, when: {shell.program: po}, decision: require_llm}
`

// jointEngine has these rules in one layer, others in one above and one below, and
// permissions that ask.
func jointEngine(t *testing.T) *policy.Engine {
	return loaded(t,
		layerFile(config.Managed, "- {id: org, when: {shell.argv: {contains: --org}}, decision: require_human, approver: {plugin: org}, timeout: 10m}\n", config.Everything),
		config.File{Layer: config.User, Name: config.User, Admit: config.Everything, Data: []byte(`version: 1
permissions:
- {match: "shell qa *", action: ask}
- {match: "shell qe *", action: ask, every_time: true}
rules:` + jointRules)},
		layerFile(config.Project, "- {id: own, when: {shell.argv: {contains: --own}}, decision: require_human, timeout: 1s, on_timeout: allow}\n", config.Everything),
	)
}

var jointPrograms = []string{
	"pa x", "pb x", "pc x", "pd x", "pe x", "pq x", "pr x", "ps1 x", "pl x", "pm x", "pn x", "po x", "qa x", "qe x", "make",
	"pc --org", "pe --own", "pl --org", "make --org",
}

// termsOf returns the terms on which a line asks.
func termsOf(t *testing.T, e *policy.Engine, line string) *policy.AskTerms {
	t.Helper()
	v := decided(t, e, nil, shellCall(line))
	if v.Ask == nil {
		t.Fatalf("%s: %s", line, brief(v))
	}
	return v.Ask
}

// same reports whether terms say the same but for the rules that they are of.
func same(a, b *policy.AskTerms) bool {
	x, y := *a, *b
	x.Rule, x.Rules, y.Rule, y.Rules = "", nil, "", nil
	return fmt.Sprint(x) == fmt.Sprint(y)
}

// The terms of a line are the join of those of its commands, whatever holds them
// together and in whatever order.
func TestJointOfLine(t *testing.T) {
	e := jointEngine(t)
	shapes := []string{"%s && %s", "%s; %s", "%s | %s", "%s; x=$(%s)", "if %s; then %s; fi", "%s || (%s)", "%s & %s", `sh -c "%s"; env A=1 %s`, "! %s; %s", "for f in 1 2; do %s; done; %s"}
	tried := 0
	for i, a := range jointPrograms {
		for k, b := range jointPrograms {
			line := fmt.Sprintf(shapes[(i+k)%len(shapes)], a, b)
			want, got := termsOf(t, e, a).Join(termsOf(t, e, b)), termsOf(t, e, line)
			if !same(got, want) {
				t.Errorf("%s: %+v, want %+v", line, *got, *want)
			}
			tried++
		}
		c := jointPrograms[(i*7+3)%len(jointPrograms)]
		d := jointPrograms[(i*5+1)%len(jointPrograms)]
		want := termsOf(t, e, a).Join(termsOf(t, e, c)).Join(termsOf(t, e, d))
		for _, line := range []string{a + "; " + c + "; " + d, d + " | " + c + " && " + a, c + "\n" + d + "\n" + a} {
			if got := termsOf(t, e, line); !same(got, want) {
				t.Errorf("%s: %+v, want %+v", line, *got, *want)
			}
		}
	}
	if tried < 300 {
		t.Errorf("%d pairs", tried)
	}
}

// The terms that people read, with the rules that ask.
func TestJointTerms(t *testing.T) {
	e := jointEngine(t)
	for _, row := range []struct{ want, rules, line string }{
		{"cid 2s allow", "", "pc x"},
		{"cid 2s allow", "", "cd web && pc x | wc -l"},
		{"ann, and cid 2s deny", "pa pc", "pc x && pa x"},
		{"ann, and cid 2s deny", "pa pc", "pa x && pc x"},
		{"ann, and bob 1m0s deny", "pa pb", "pa x; pb x"},
		{"bob, and cid 2s deny", "pb pc", "pb x; pc x"}, // in so short a time silence says nothing of the other
		{"cid 2s allow", "pc pe", "pe x; pc x"},
		{"2 of ann,bob,cid 5m0s deny", "pa-", "pq x"},
		{"2 of ann, bob, cid, and ann 5m0s deny", "pa pq", "pq x; pa x"},
		{"3 of dan, eve, fay, and 2 of ann, bob, cid 3m0s deny", "pq pr", "pq x; pr x"},
		{"ann 4m0s deny", "pa ps", "ps1 x; pa x"},
		{"guard 5m0s deny model", "", "pl x"},
		{"guard 5m0s deny model", "pl pm", "pl x; pm x"},
		{" 5m0s deny", "pl pn", "pl x; pn x"},
		{" 5m0s deny", "pl po", "pl x; po x"},
		{"ann 5m0s deny", "pa pl", "pl x; pa x"},
		{" 5m0s deny", "confirm pl", "pl x; make"},
		{"cid 2s deny", "confirm pc", "pc x; make"},
		{"cid 2s deny", "pc shell qa *", "pc x; qa x"},
		{"cid 2s deny every", "pc shell qe *", "pc x; qe x"},
		{"cid, and org 2s deny", "org pc", "pc --org"},
		{" 1s deny", "own pe", "pe --own"},
		{"cid, and org 1s deny", "org own pc", "pc --own --org"},
	} {
		a := termsOf(t, e, row.line)
		got := fmt.Sprintf("%s %s %s", a.Who(), a.Timeout, a.OnTimeout)
		if a.Reviewer {
			got += " model"
		}
		if a.EveryTime {
			got += " every"
		}
		if row.rules == "pa-" {
			row.want, row.rules = strings.ReplaceAll(row.want, ",", ", "), ""
		}
		if got != row.want || strings.Join(a.Rules, " ") != row.rules {
			t.Errorf("%s: %q by %q, want %q by %q", row.line, got, a.Rules, row.want, row.rules)
		}
	}
}

// A rule that may match hides no rule that does: both ask, natively and as OPA says it.
func TestUncertainHidesNothing(t *testing.T) {
	e := loaded(t, config.File{Layer: config.User, Name: "p", Admit: config.Everything, Data: []byte(`version: 1
rules:
- {id: maybe, priority: 2, when: {shell.argv: {contains: --deploy}}, decision: require_human, timeout: 2s, on_timeout: allow}
- {id: denies, priority: 1, when: {shell.argv: {contains: --force}}, decision: deny}
- {id: sure, when: {shell.program: pa}, decision: require_human, approver: {plugin: ann}, timeout: 5m}
`)})
	v := decided(t, e, nil, shellCall("pa $X"))
	if v.Ask == nil || v.Ask.Who() != "ann" || v.Ask.Timeout != 2*time.Second || v.Ask.OnTimeout != policy.Deny || !v.Ask.EveryTime || !slices.Equal(v.Ask.Rules, []string{"denies", "maybe", "sure"}) {
		t.Errorf("%s %+v", brief(v), v.Ask)
	}
	if v := decided(t, e, &policy.Session{Yolo: true}, shellCall("pa $X")); v.Decision != policy.Deny {
		t.Errorf("under yolo %s", brief(v))
	}
}

// Of several records of one command each says all that asks.
func TestRecordsHideNothing(t *testing.T) {
	e := loaded(t, config.File{Layer: config.User, Name: "p", Admit: config.Everything, Data: []byte(`version: 1
rules:
- {id: maybe, priority: 2, when: {http.path: /a}, decision: require_human, approver: {plugin: bob}}
- {id: host, priority: 1, when: {http.host: h.example}, decision: require_human, approver: {plugin: ann}}
- {id: other, priority: 1, when: {http.host: i.example}, decision: require_human, approver: {plugin: dan}}
- {id: curl, when: {shell.program: curl}, decision: require_human, approver: {plugin: cid}}
`)})
	v := decided(t, e, nil, shellCall("curl https://h.example/$X https://i.example/$X"))
	if v.Ask == nil || v.Ask.Who() != "ann, and bob, and cid, and dan" || !slices.Equal(v.Ask.Rules, []string{"curl", "host", "maybe", "other"}) {
		t.Errorf("%s %+v", brief(v), v.Ask)
	}
}

// A call that asks about more than it did is not wider in anything.
func TestSecondAskWidensNothing(t *testing.T) {
	e := jointEngine(t)
	for _, a := range jointPrograms {
		for _, b := range jointPrograms {
			one, both := termsOf(t, e, a), termsOf(t, e, a+"; "+b)
			if !both.Covers(one) || both.Timeout > one.Timeout || both.OnTimeout == policy.Allow && (one.OnTimeout != policy.Allow || both.Timeout != one.Timeout) ||
				one.EveryTime && !both.EveryTime || one.FailClosed && !both.FailClosed || both.Reviewer && !one.Reviewer {
				t.Errorf("%s asks on %+v, and with %s on %+v", a, *one, b, *both)
			}
		}
	}
}
