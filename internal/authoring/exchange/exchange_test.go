package exchange

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// TestImport shows each shape of a rule, and what becomes of it.
func TestImport(t *testing.T) {
	const human = `  - id: a
    priority: 50
    when:
      any:
        - llm.model: {glob: "claude-opus-*"}
        - llm.model: {glob: "gpt-4*"}
    decision: require_human
    approver: {plugin: dashboard-approval, profile: default}
    timeout: 5m
`
	rows := []struct{ want, notes, in string }{
		{"  - id: a\n    priority: 100\n    when:\n      http.method: DELETE\n    decision: deny\n    reason: never\n", "",
			`{"id":"a","priority":100,"enabled":true,"source":"{\"http.method\":\"DELETE\"}","decision":"deny","reason":"never"}`},
		{"  - id: a\n    scope: {plugin: github, integration: int-prod}\n    priority: 1\n    enabled: false\n    when:\n      http.method: DELETE\n    decision: allow\n", "",
			`{"rules":[{"id":"a","label":null,"scope_plugin_id":"github","scope_profile_id":null,"scope_integration_id":"int-prod","priority":1,"enabled":0,"dialect":"pattern","source":"{\"http.method\":\"DELETE\"}","compiled":null,"decision":"allow","created_at":"2026-01-01","updated_at":"2026-01-01"}]}`},
		{human, "",
			`[{"id":"a","priority":50,"source":"{\"any\":[{\"llm.model\":{\"glob\":\"claude-opus-*\"}},{\"llm.model\":{\"glob\":\"gpt-4*\"}}]}","decision":"require_human","approverPluginId":"dashboard-approval","approverProfileId":"default","timeoutMs":300000,"onTimeout":"deny"}]`},
		{human, "",
			`{"id":"a","priority":50,"enabled":true,"dialect":"pattern","when":{"any":[{"llm.model":{"glob":"claude-opus-*"}},{"llm.model":{"glob":"gpt-4*"}}]},"decision":{"kind":"require_human","approverPluginId":"dashboard-approval","approverProfileId":"default","timeoutMs":300000,"onTimeout":"deny"}}`},
		{human, "",
			"id,priority,enabled,source,decision,approver_plugin_id,approver_profile_id,timeout_ms,on_timeout,reason\n" +
				`a,50,1,"{""any"":[{""llm.model"":{""glob"":""claude-opus-*""}},{""llm.model"":{""glob"":""gpt-4*""}}]}",require_human,dashboard-approval,default,300000,deny,` + "\n"},
		{"  - id: a\n    priority: 1\n    when:\n      type: http.request\n    decision: require_llm\n    model: m\n    prompt: \"is it\\nsafe?\"\n    cache_ttl: 1m30s\n    fail_closed: false\n", "",
			`{"id":"a","priority":1,"when":{"type":"http.request"},"decision":{"kind":"require_llm","model":"m","prompt":"is it\nsafe?","cacheTtlSeconds":90,"failClosed":false}}`},
		{"  - id: deny-prod\n    label: \"Deny prod!\"\n    priority: 1\n    when:\n      type: {exists: true}\n    decision: deny\n",
			"deny-prod: lost: it has no id: it is named after its label|deny-prod: lost: its condition {}, which matches everything, is spelt out",
			`{"label":"Deny prod!","priority":1,"source":"{}","decision":"deny"}`},
		{"  # Disabled, because its condition cannot be said here: pattern: (?= (look-ahead) is not supported: regular expressions are those of RE2.\n  # It was {\"http.url\":{\"pattern\":\"a(?=b)\"}}\n  # Write a condition in place of the one below before you enable the rule.\n  - id: a\n    priority: 1\n    enabled: false\n    when:\n      type: {exists: true}\n    decision: deny\n",
			"a: disabled: pattern: (?= (look-ahead) is not supported: regular expressions are those of RE2; until a person rewrites it, it denies nothing",
			`{"id":"a","priority":1,"source":"{\"http.url\":{\"pattern\":\"a(?=b)\"}}","decision":"deny"}`},
		{"  # Disabled, because its condition cannot be said here: its dialect is rego, and only pattern is known.\n  # It was {\"type\":\"x\"}\n  # Write a condition in place of the one below before you enable the rule.\n  - id: a\n    priority: 1\n    enabled: false\n    when:\n      type: {exists: false}\n    decision: allow\n",
			"a: disabled: its dialect is rego, and only pattern is known; until a person rewrites it, it allows nothing",
			`{"id":"a","priority":1,"dialect":"rego","source":{"type":"x"},"decision":"allow"}`},
		{"  - id: a\n    when:\n      type: x\n    decision: require_llm\n    model: m\n",
			"a: changed: it has no priority: it has 0 here|a: changed: it does not say what a reviewer that fails means: it denies here|a: lost: timeout_ms has no effect beside require_llm and is left out",
			`{"id":"a","source":{"type":"x"},"decision":"require_llm","llm_model":"m","llm_fail_closed":null,"timeout_ms":5}`},
		{"  - id: a\n    priority: 1\n    when:\n      type: x\n    decision: require_human\n    on_timeout: allow\n",
			"a: changed: its timeout of 0 ms is the policy's own here",
			`{"id":"a","priority":1,"source":{"type":"x"},"decision":"require_human","timeout_ms":0,"on_timeout":"allow"}`},
	}
	for _, r := range rows {
		got, err := Import("f", []byte(r.in))
		if err != nil {
			t.Errorf("%s: %v", r.in, err)
			continue
		}
		text, err := got.YAML()
		if err != nil {
			t.Errorf("%s: %v", r.in, err)
		}
		body, _ := strings.CutPrefix(string(text), "version: 1\n\nrules:\n")
		if body != r.want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", r.in, body, r.want)
		}
		if notes := notesOf(got.Notes); notes != r.notes {
			t.Errorf("%s:\ngot  %s\nwant %s", r.in, notes, r.notes)
		}
	}
}

func notesOf(notes []Note) string {
	var all []string
	for _, n := range notes {
		all = append(all, fmt.Sprintf("%s: %s: %s", n.Rule, n.Kind, n.Text))
	}
	return strings.Join(all, "|")
}

// TestImportNotes shows what of a condition is told, and that nothing is
// silent.
func TestImportNotes(t *testing.T) {
	rows := []struct{ want, decision, when string }{
		{"", "deny", `{"http.method":"DELETE"}`},
		{"", "deny", `{"http.method":["GET","HEAD"],"http.url":{"contains":"/repos/"}}`},
		{"", "deny", `{"http.url":{"glob":"https://a/*"}}`},
		{"", "deny", `{"http.url":{"pattern":"^https://a\\.example/.*$"}}`},
		{"changed", "allow", `{"http.url":{"glob":"https://a/*"}}`},
		{"", "allow", `{"http.url":{"glob":"https://a/"}}`},
		{"changed", "allow", `{"http.url":{"pattern":"^https://a\\.example/.*$"}}`},
		{"", "allow", `{"http.url":{"pattern":"^https://a\\.example/[^.]$"}}`},
		{"", "deny", `{"http.url":{"pattern":"(?i)delete"}}`},
		{"changed", "deny", `{"http.url":{"pattern":"a\\sb"}}`},
		{"", "deny", `{"http.url":{"pattern":"a\\\\sb"}}`},
		{"changed", "deny", `{"http.url":{"pattern":"a[\\s]b"}}`},
		{"changed", "deny", `{"http.url":{"pattern":"[[:alpha:]]"}}`},
		{"changed", "deny", `{"http.url":{"pattern":"\\Ax\\z"}}`},
		{"changed", "deny", `{"not":{"any":[{"http.url":{"pattern":"\\Ax"}}]}}`},
		{"changed", "deny", `{"x.tokens":{"equals":9007199254740993}}`},
		{"disabled", "deny", `{"http.url":{"pattern":"[^]"}}`},
		{"disabled", "deny", `{"http.url":{"pattern":"(a)\\1"}}`},
		{"disabled", "deny", `{"http.url":{"pattern":"("}}`},
		{"disabled", "deny", `{"http.url":{"pattern":7}}`},
		{"disabled", "deny", `{"http.method":{"equal":"DELETE"}}`},
		{"disabled", "deny", `{"http.methd":"DELETE"}`},
		{"disabled", "deny", `{"all":[]}`},
		{"disabled", "deny", `{"any":[{"http.method":"GET"},{}]}`},
		{"disabled", "deny", `{"http.method":{"in":"GET"}}`},
		{"disabled", "deny", `{"http.method":"DELETE"`},
		{"disabled", "deny", `{"http.method":"GET","http.method":"DELETE"}`},
		{"disabled", "deny", `["http.method"]`},
		{"disabled", "deny", ``},
	}
	for _, r := range rows {
		in := fmt.Sprintf(`{"id":"a","priority":1,"decision":%q,"source":%s}`, r.decision, strictjson.AppendString(nil, r.when))
		got, err := Import("f", []byte(in))
		if err != nil {
			t.Errorf("%s: %v", r.when, err)
			continue
		}
		kinds := ""
		for _, n := range got.Notes {
			kinds = string(n.Kind)
		}
		if kinds != r.want {
			t.Errorf("%s %s: %q, want %q: %v", r.decision, r.when, kinds, r.want, got.Notes)
		}
		if len(got.Rules) != 1 || got.Rules[0].Disabled != (r.want == "disabled") {
			t.Errorf("%s: the rule is not kept as it should be", r.when)
		}
		if (got.Strict() != nil) != (r.want != "") {
			t.Errorf("%s: Strict says %v", r.when, got.Strict())
		}
	}
}

// TestImportErrors shows what is wrong with a file as a whole.
func TestImportErrors(t *testing.T) {
	rows := []struct{ want, in string }{
		{"f: is empty: name rules as JSON or CSV", " \n"},
		{"f: is not UTF-8 text: name rules as JSON or CSV", "\xff"},
		{"f:1:2: the JSON ends too early", "["},
		{"f:1:9: the key \"id\" appears twice: keep one", `{"id":1,"id":2}`},
		{`f:1:2: a rule must be an object`, `[7]`},
		{`f:1:2: unknown key "desision" of a rule (did you mean decision?)`, `{"desision":"deny"}`},
		{`f:1:2: unknown key "scope_plugin" of a rule (did you mean scope_plugin_id?)`, `{"scope_plugin":"x"}`},
		{`f:1:13: priority must be a whole number`, `{"priority":"1"}`},
		{`f:1:13: priority must be a whole number`, `{"priority":1.5}`},
		{`f:1:12: enabled must be true or false`, `{"enabled":2}`},
		{`f:1:1: the rule a has no decision: one of allow, deny, require_llm, require_human`, `{"id":"a","priority":1,"source":"{}"}`},
		{`f:1:1: unknown decision "denny" of the rule a: one of allow, deny, require_llm, require_human (did you mean deny?)`, `{"id":"a","priority":1,"decision":"denny"}`},
		{`f:1:46: the id "a" appears twice, first at f:1:2: remove one of the rules`,
			`[{"id":"a","priority":1,"decision":"deny"}  ,{"id":"a","priority":2,"decision":"deny"}]`},
		{`f:1:4: unknown column "lable" of approval_rules (did you mean label?)`, "id,lable\n"},
		{`f:2:1: the row has 1 fields and the header 2: print them with sqlite3 -header -csv`, "id,label\na\n"},
		{`f:1:1: on_timeout of the rule a is "maybe": one of allow, deny`, `{"id":"a","priority":1,"decision":"require_human","source":"{}","on_timeout":"maybe"}`},
	}
	for _, r := range rows {
		_, err := Import("f", []byte(r.in))
		got := fmt.Sprint(err)
		got, _, _ = strings.Cut(got, "\n")
		if got != r.want {
			t.Errorf("%s:\ngot  %s\nwant %s", r.in, got, r.want)
		}
	}
}

// TestExportNotes shows which rules the service cannot evaluate.
func TestExportNotes(t *testing.T) {
	rows := []struct{ want, rule string }{
		{"", "{id: a, when: {http.method: DELETE}, decision: deny}"},
		{"", "{id: a, when: {http.url: {pattern: '^x[.]y'}}, decision: allow}"},
		{"a: disabled: http.url: startsWith is an operator of policyctl, which at the service never matches",
			"{id: a, when: {http.url: {startsWith: x}}, decision: allow}"},
		{"a: disabled: http.url has 2 keys in one condition, of which the service reads one",
			"{id: a, when: {http.url: {contains: x, notContains: y}}, decision: deny}"},
		{"a: disabled: the path http.headers.\"x.y\" quotes a key, which only policyctl reads",
			`{id: a, when: {'http.headers."x.y"': z}, decision: deny}`},
		{"a: changed: http.url: in a regular expression \\s is every blank of Unicode at the service; here it is five blanks of ASCII",
			`{id: a, when: {http.url: {pattern: '\s'}}, decision: deny}`},
		{"a: changed: it has no timeout, and the service no default: a request there ends at once",
			"{id: a, when: {http.method: DELETE}, decision: require_human}"},
		{"a: changed: timeout 1.0005s becomes 1s: the service counts whole units",
			"{id: a, when: {http.method: DELETE}, decision: require_human, timeout: 1000500us}"},
		{"a: lost: its examples have no place at the service",
			"{id: a, when: {http.method: DELETE}, decision: deny, examples: {match: [{type: http.request, facets: {http: {method: DELETE}}}]}}"},
	}
	for _, r := range rows {
		rules := load(t, "version: 1\nrules:\n  - "+r.rule+"\n")
		if got := notesOf(Export(rules).Notes); got != r.want {
			t.Errorf("%s:\ngot  %s\nwant %s", r.rule, got, r.want)
		}
	}
}

func load(t *testing.T, text string) (rules []*pattern.Rule) {
	t.Helper()
	l, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "policy.yaml", Data: []byte(text), Admit: config.Everything})
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	for _, layer := range l.Rules {
		rules = append(rules, layer.Rules...)
	}
	return rules
}

// TestQuorum shows that rows of policyctl carry how many must approve, and that a
// service which knows no such thing is not silently given it.
func TestQuorum(t *testing.T) {
	rules := load(t, "version: 1\nrules:\n  - {id: a, when: {http.method: DELETE}, decision: require_human, timeout: 1m, approver: {any: 2, of: [alice, bob]}}\n")
	for _, f := range []Format{Rows, API} {
		text, err := (&Result{Rules: rules}).JSON(f, time.Unix(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		back, err := Import("f", text)
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if d := back.Rules[0].Decision; d.Quorum != 2 || d.Approver != "alice,bob" {
			t.Errorf("%s: %+v", text, d)
		}
	}
	if again := throughYAML(t, rules); again != "" {
		t.Error(again)
	}
	out := Export(rules)
	if got := notesOf(out.Notes); got != "a: changed: 2 of its approvers must agree here, and one is enough at the service" {
		t.Error(got)
	}
	if text, err := out.JSON(Rows, time.Unix(0, 0)); err != nil || strings.Contains(string(text), "approver_any") || rules[0].Decision.Quorum != 2 {
		t.Errorf("%s, %v", text, err)
	}
	const row = `{"id":"r","when":{"verb":"x"},"priority":0,"decision":"require_human","on_timeout":"deny","approver_plugin_id":`
	for body, want := range map[string]string{
		row + `"a,b","approver_any":0}`:                                      "approver_any of the rule r: 0 people cannot approve",
		row + `"a,b","approver_any":3}`:                                      "3 must approve, and 2 are named",
		row + `"a,A","approver_any":2}`:                                      "stands there twice",
		row + `"a,\u0430","approver_any":2}`:                                 `the name "\u0430" of a person`,
		row + `"a,b","approver_any":2,"approver_profile_id":"p"}`:            "approver_profile_id does not go with it",
		row + `"a","approver_profile_id":"ops"}`:                             `approver_profile_id of the rule r: approvers have no profile "ops"`,
		strings.Replace(row, "deny", "allow", 1) + `"a,b","approver_any":2}`: "on_timeout allow lets silence approve",
	} {
		if _, err := Import("rule", []byte(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
	r, err := Import("rule", []byte(`{"id":"r","when":{"verb":"x"},"priority":0,"decision":"deny","approver_any":2}`))
	if err != nil || notesOf(r.Notes) != "r: lost: approver_any has no effect beside deny and is left out" {
		t.Errorf("%v, %v", r, err)
	}
}

// TestRows shows the shape of the rows.
func TestRows(t *testing.T) {
	rules := load(t, "version: 1\nrules:\n  - {id: a, scope: {plugin: p}, priority: 7, when: {http.method: <b>}, decision: require_llm, model: m}\n")
	got, err := Export(rules).JSON(Rows, time.Unix(0, 0))
	const want = `[
  {
    "id": "a",
    "label": null,
    "scope_plugin_id": "p",
    "scope_profile_id": null,
    "scope_integration_id": null,
    "priority": 7,
    "enabled": 1,
    "dialect": "pattern",
    "source": "{\"http.method\":\"<b>\"}",
    "compiled": null,
    "decision": "require_llm",
    "reason": null,
    "approver_plugin_id": null,
    "approver_profile_id": null,
    "llm_prompt": null,
    "llm_model": "m",
    "llm_cache_ttl_s": 0,
    "llm_fail_closed": 1,
    "timeout_ms": null,
    "on_timeout": null,
    "created_by": null,
    "created_at": "1970-01-01T00:00:00Z",
    "updated_at": "1970-01-01T00:00:00Z"
  }
]
`
	if err != nil || string(got) != want {
		t.Errorf("%v\ngot\n%s\nwant\n%s", err, got, want)
	}
}

// FuzzImport looks for rules that are lost on the way, or that make no policy.
func FuzzImport(f *testing.F) {
	for _, seed := range []string{
		`{"id":"a","priority":1,"source":"{\"http.method\":\"DELETE\"}","decision":"deny"}`,
		`[{"label":"é\n","priority":-0,"enabled":0,"when":{"not":{"x.y":[null,1e400]}},"decision":{"kind":"require_human","timeoutMs":1}}]`,
		`{"id":"a","decision":"allow","source":"{\"http.url\":{\"pattern\":\"(?=\"}}"}` + "\n" + `{"id":"b","decision":"allow","source":{}}`,
		"id,decision,source\n\"\u200b\",deny,\"{\"\"type\"\":\"\"\\u0000\"\"}\"\n",
		`{"id":"a","decision":"require_llm","llm_prompt":"\r\u0000","llm_cache_ttl_s":99999999999}`,
		`{"id":" a ","decision":"deny","source":"{\"a.\\\"b.c\\\"\":{\"in\":[[1]]}}"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Import("f", []byte(text))
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Error("an error without a text")
			}
			return
		}
		data, err := got.YAML("from\u2028x\ny")
		if err != nil {
			t.Fatal(err)
		}
		if err := Loads(data); err != nil && len(data) < 4<<20 {
			t.Errorf("%v in\n%s", err, data)
		}
	})
}
