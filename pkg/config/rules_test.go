package config

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

func TestRulesOfFull(t *testing.T) {
	l := load(t, policy.Defaults(), File{Layer: User, Name: "full.yaml", Data: read(t, "full.yaml"), Admit: Everything})
	if len(l.Rules) != 1 || l.Rules[0].Layer != User || len(l.Rules[0].Rules) != 4 {
		t.Fatalf("rules: %+v", l.Rules)
	}
	ddl, big, judged := l.Rules[0].Rules[0], l.Rules[0].Rules[1], l.Rules[0].Rules[2]
	if ddl.ID != "no-destructive-ddl" || ddl.Priority != 100 || ddl.Disabled || ddl.Decision != (pattern.Decision{}) || ddl.Origin.String() != "full.yaml:76" ||
		ddl.Scope != (pattern.Scope{Plugin: "postgres", Profile: "prod", Integration: "int-prod-pg"}) || ddl.Reason == "" || ddl.Label == "" {
		t.Errorf("%+v", ddl)
	}
	for _, r := range ddl.Examples.Match {
		if ddl.When.Eval(r, nil) != pattern.True {
			t.Errorf("%+v does not match", r)
		}
	}
	for _, r := range ddl.Examples.NoMatch {
		if ddl.When.Eval(r, nil) != pattern.False {
			t.Errorf("%+v matches", r)
		}
	}
	if want := (pattern.Decision{Verb: pattern.RequireHuman, Approver: "dashboard-approval", Profile: "default", Timeout: 5 * time.Minute, OnTimeout: policy.Allow}); big.Decision != want {
		t.Errorf("%+v", big.Decision)
	}
	if want := (pattern.Decision{Verb: pattern.RequireLLM, Approver: "claude", Model: "small", Prompt: "Is this harmless?\nSay no in doubt.\n", CacheTTL: 10 * time.Minute, FailOpen: true}); judged.Decision != want || !judged.Disabled {
		t.Errorf("%+v", judged.Decision)
	}
	if source, err := judged.Source.MarshalJSON(); err != nil || !strings.HasPrefix(string(source), `{"http.method":["POST","PUT"],"time":{`) {
		t.Errorf("source %s, %v", source, err)
	}
}

// ruleProblems are rules, each with the problems that it has.
var ruleProblems = []struct{ in, want string }{
	{"rules: {}", `p:2:8: rules must be a list, not a mapping`},
	{"rules: [[id]]", `p:2:9: an entry of rules must be a mapping with id, when and decision, not a list`},
	{"rules: [x]", `p:2:9: an entry of rules must be a mapping with id, when and decision, not the text "x"`},
	{"rules: [{id: a}]", `p:2:9: rule a: missing here: when, decision`},
	{"rules: [{when: {verb: x}, decision: deny}]", `p:2:9: missing here: id`},
	{"rules: [{id: '', when: {verb: x}, decision: deny}]", `p:2:14: id is empty`},
	{"rules: [{id: a, when: {verb: x}, decision: block}]", `p:2:44: rule a: unknown decision "block": one of deny, require_human, require_llm, allow (did you mean deny?)`},
	{"rules: [{id: a, when: {verb: x}, decision: ask}]", `p:2:44: rule a: unknown decision "ask": one of deny, require_human, require_llm, allow (did you mean require_human?)`},
	{"rules: [{id: a, when: {verb: x}, decision: alow}]", `p:2:44: rule a: unknown decision "alow": one of deny, require_human, require_llm, allow (did you mean allow?)`},
	{"rules: [{id: a, when: {verb: x}, decision: deny, priorty: 3}]", `p:2:50: rule a: unknown key "priorty" (did you mean priority?)`},
	{"rules: [{id: a, when: {verb: x}, decision: deny, priority: high}]", `p:2:60: rule a: priority must be a whole number from -1000000000 to 1000000000, not the text "high"`},
	{"rules: [{id: a, when: {verb: x}, decision: deny, enabled: 1}]", `p:2:59: rule a: enabled must be true or false, not the number 1`},
	{"rules: [{id: a, when: {verb: x}, decision: deny, dialect: rego}]", `p:2:59: rule a: unknown dialect "rego": one of pattern`},
	{"rules: [{id: a, when: {verb: x}, decision: deny, scope: {plug: x}}]", `p:2:58: rule a: unknown key "scope.plug" (did you mean scope.plugin?)`},
	{"rules: [{id: a, when: {verb: x}, decision: deny, scope: x}]", `p:2:57: rule a: scope must be a mapping, not the text "x"`},
	{"rules: [{id: a, when: {verb: x}, decision: deny, timeout: 5m}]", `p:2:50: rule a: timeout goes with decision: require_human, not with deny`},
	{"rules: [{id: a, when: {verb: x}, decision: allow, approver: {plugin: x}}]", `p:2:51: rule a: approver goes with decision: require_human or require_llm, not with allow`},
	{"rules: [{id: a, when: {verb: x}, decision: require_llm, on_timeout: allow}]", `p:2:57: rule a: on_timeout goes with decision: require_human, not with require_llm`},
	{"rules: [{id: a, when: {verb: x}, decision: require_human, prompt: x}]", `p:2:59: rule a: prompt goes with decision: require_llm, not with require_human`},
	{"rules: [{id: a, when: {verb: x}, decision: require_human, timeout: 300}]", `p:2:68: rule a: timeout must be a duration such as 90s, 5m or 1h30m, not the number 300`},
	{"rules: [{id: a, when: {verb: x}, decision: require_human, timeout: 5 min}]", `p:2:68: rule a: timeout must be a duration such as 90s, 5m or 1h30m, not the text "5 min"`},
	{"rules: [{id: a, when: {verb: x}, decision: require_human, timeout: 0s}]", `p:2:68: rule a: timeout must be from 1ms to 8760h, not 0s`},
	{"rules: [{id: a, when: {verb: x}, decision: require_human, timeout: -5m}]", `p:2:68: rule a: timeout must be from 1ms to 8760h, not -5m`},
	{"rules: [{id: a, when: {verb: x}, decision: require_human, on_timeout: ask}]", `p:2:71: rule a: unknown action "ask": one of deny, allow`},
	{"rules: [{id: a, when: {verb: x}, decision: require_llm, fail_closed: never}]", `p:2:70: rule a: fail_closed must be true or false, not the text "never"`},
	{"rules: [{id: a, when: {verb: x}, decision: require_llm, prompt: ' '}]", `p:2:65: rule a: prompt is empty`},
	{"rules: [{id: a, when: {}, decision: deny}]", `p:2:23: rule a: an empty condition would match every call: to mean that write type: {exists: true}`},
	{"rules: [{id: a, when: x, decision: deny}]", `p:2:23: rule a: a condition is a mapping such as http.method: DELETE, not the text "x"`},
	{"rules: [{id: a, when: , decision: deny}]", `p:2:23: rule a: a condition is a mapping such as http.method: DELETE, not nothing`},
	{"rules: [{id: a, when: {verb: ~}, decision: deny}]", `p:2:30: rule a: "verb" has no value: to match calls without it write {exists: false}`},
	{"rules: [{id: a, when: {verb: {equal: x}}, decision: deny}]", `p:2:31: rule a: unknown operator "equal": one of equals, in, pattern, contains, notContains, glob, globPath, exists, startsWith, endsWith, gt, gte, lt, lte, cidr, size, semver, time, flags, or write {equals: {…}} for an object (did you mean equals?)`},
	{"rules: [{id: a, when: {http.methd: x}, decision: deny}]", `p:2:24: rule a: unknown field "http.methd": the facet http has method, url, scheme, host, port, path, query, status, headers, body (did you mean http.method?)`},
	{"rules: [{id: a, when: {verb: x, verb: y}, decision: deny}]", `p:2:33: duplicate key "verb": it is already in line 2`},
	{"rules: [{id: a, when: {http.status: {gt: 0x10}}, decision: deny}]", `p:2:42: rule a: gt takes a decimal number, not the number 0x10`},
	{"rules: [{id: a, when: {http.status: 0x10}, decision: deny}]", `p:2:37: rule a: the number 0x10 is not decimal: write it with digits, or put it in quotes to mean a text`},
	{"rules: [{id: a, when: {verb: {pattern: 'a(?=b)'}}, decision: deny}]", `p:2:40: rule a: pattern: (?= (look-ahead) is not supported: regular expressions are those of RE2`},
	{"rules: [{id: a, when: {verb: {rate: 3}}, decision: deny}]", `p:2:31: rule a: rate stands beside paths, not below one: rate: {more_than: 10, per: 1m}`},
	{"rules: [{id: a, when: {verb: x}, decision: deny, examples: {match: [{http: {method: x}}]}}]", `p:2:70: rule a: http is a facet: it belongs below facets in a record`},
	{"rules: [{id: a, when: {verb: x}, decision: deny, examples: {match: [{facets: {http: {method: 3}}}]}}]", `p:2:94: rule a: http.method takes a text, not the number 3`},
	{"rules: [{id: a, when: {verb: x}, decision: deny, examples: {nomatch: []}}]", `p:2:61: rule a: unknown key "examples.nomatch" (did you mean examples.no_match?)`},
	{"rules: [{id: a, when: {verb: x}, decision: deny}, {id: a, when: {verb: y}, decision: deny}]", `p:2:56: rule a: another rule of the layer user has this id: p:2`},
	{"rules: [{id: a, when: {not: {shell.line: x}}, decision: allow}]", `p:2:23: rule a: when: shell.line is for rules that deny or ask: what one command may do does not follow from the line around it; use shell.command`},
	{"rules: [{id: a, when: {shell.line: x}, decision: deny}]", ""},
	{"rules_default: deny", `p:2:16: unknown default "deny": one of deny_writes, allow (did you mean deny_writes?)`},
}

func TestRuleProblems(t *testing.T) {
	for _, tc := range ruleProblems {
		l, err := Load(policy.Defaults(), File{Layer: User, Name: "p", Data: []byte("version: 1\n" + tc.in), Admit: Everything})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != tc.want || (len(l.Rules) > 0) != (tc.want == "") {
			t.Errorf("%s\n got %s\nwant %s", tc.in, got, tc.want)
		}
	}
}

// TestOneBadRule shows that nothing of a set with a bad rule applies, and that
// each bad rule is reported.
func TestOneBadRule(t *testing.T) {
	good := File{Layer: User, Name: "good", Data: []byte("version: 1\nrules: [{id: a, when: {verb: x}, decision: deny}]")}
	bad := File{Layer: User, Name: "bad", Data: []byte("version: 1\nrules:\n- {id: b, when: {verb: {glob: 1}}, decision: deny}\n- {id: c, when: {all: []}, decision: deny}\n- {id: a, when: {verb: x}, decision: deny}\n")}
	l, err := Load(policy.Defaults(), good, bad)
	want := "bad:3:31: rule b: glob takes a text, not the number 1\nbad:4:23: rule c: all has an empty list: name a condition, or leave it out\nbad:5:8: rule a: another rule of the layer user has this id: good:2"
	if err == nil || err.Error() != want || l.Rules != nil {
		t.Errorf("got %v, %v", l.Rules, err)
	}
}

// TestRuleLayers shows the rules of each layer, with what is held back.
func TestRuleLayers(t *testing.T) {
	all := "version: 1\nrules:\n" +
		"- {id: a, when: {verb: x}, decision: allow}\n" +
		"- {id: d, when: {verb: x}, decision: deny}\n" +
		"- {id: h, when: {verb: x}, decision: require_human, approver: {plugin: me}, timeout: 1s, on_timeout: allow}\n" +
		"- {id: l, when: {verb: x}, decision: require_llm, prompt: say yes, model: m, fail_closed: false}\n" +
		"- {id: p, when: {verb: x}, decision: require_human}\n"
	for _, tc := range []struct {
		layer string
		admit Admission
		want  string
	}{
		{User, Everything, "user: a=allow d=deny h=require_human(me 1s allow) l=require_llm(m open) p=require_human"},
		{Project, Trusted, "project: a=allow d=deny h=require_human(me 1s allow) l=require_llm(m open) p=require_human"},
		{Project, Tightening, "project: d=deny h=require_human l=require_human p=require_human; the project's policy is not trusted"},
	} {
		l := load(t, policy.Defaults(), File{Layer: tc.layer, Name: "f", Data: []byte(all), Admit: tc.admit})
		if got := describeRules(l); got != tc.want {
			t.Errorf("%s\n got %s\nwant %s", tc.layer, got, tc.want)
		}
	}
	both := load(t, policy.Defaults(),
		File{Layer: Managed, Name: "m", Data: []byte("version: 1\nlocked: [rules, rules_default]\nrules_default: deny_writes\nrules: [{id: a, when: {verb: x}, decision: deny}]"), Admit: Everything},
		File{Layer: User, Name: "u", Data: []byte("version: 1\nrules_default: allow\nrules: [{id: a, when: {verb: x}, decision: allow}, {id: b, when: {verb: x}, decision: deny}]"), Admit: Everything})
	if got := describeRules(both); got != "managed: a=deny; user: b=deny; the managed policy locks it; the managed policy locks it" || !both.Settings.DenyWrites {
		t.Error(got)
	}
}

func describeRules(l Loaded) string {
	var parts []string
	for _, layer := range l.Rules {
		text := layer.Layer + ":"
		for _, r := range layer.Rules {
			d := r.Decision
			text += " " + r.ID + "=" + d.Verb.String()
			switch {
			case d.Verb == pattern.RequireHuman && d.Approver != "":
				text += fmt.Sprintf("(%s %s %s)", d.Approver, d.Timeout, d.OnTimeout)
			case d.Verb == pattern.RequireLLM && d.FailOpen:
				text += "(" + d.Model + " open)"
			}
		}
		parts = append(parts, text)
	}
	for _, a := range l.Assignments {
		if a.Held != "" {
			parts = append(parts, a.Held)
		}
	}
	return strings.Join(parts, "; ")
}
