package ruledb

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestDecode(t *testing.T) {
	for _, row := range []struct{ want, body string }{
		// The shapes: columns, the API, a condition as an object, a decision as one.
		{`{"id":"","label":"a","source":"{\"verb\":\"push\"}","decision":"deny","priority":5}`, `{"label":"a","priority":5,"enabled":1,"source":"{\"verb\":\"push\"}","decision":"deny"}`},
		{`{"id":"x","scope_plugin_id":"p","scope_profile_id":"f","scope_integration_id":"i"}`, `{"id":"x","scopePluginId":"p","scopeProfileId":"f","scope_integration_id":"i","when":{"verb":"push"},"decision":"deny","priority":0}`},
		{`{"timeout_ms":90000,"on_timeout":"allow","approver_plugin_id":"slack"}`, `{"priority":0,"when":{"verb":"push"},"decision":"require_human","timeoutMs":90000,"onTimeout":"allow","approverPluginId":"slack"}`},
		{`{"on_timeout":"deny","timeout_ms":null}`, `{"priority":0,"when":{"verb":"push"},"decision":{"kind":"require_human"}}`},
		{`{"llm_fail_closed":1,"llm_prompt":"ok?"}`, `{"priority":0,"when":{"verb":"push"},"decision":"require_llm","llmPrompt":"ok?"}`},
		{`{"llm_fail_closed":0}`, `{"priority":0,"when":{"verb":"push"},"decision":"require_llm","failClosed":false}`},
		{`{"enabled":1,"dialect":"pattern","compiled":null,"created_by":null}`, `{"when":{"verb":"push"},"decision":"deny","created_by":"eve","created_at":"2020-01-01T00:00:00Z","compiled":null}`},
		{`{"id":"in-there"}`, `{"when":{"verb":"push"},"decision":{"kind":"deny","id":"in-there"}}`},
		{`{"id":"","reason":null}`, `{"id":"","when":{"verb":"push"},"decision":"deny","reason":null}`},
		// What is off keeps what nobody understands.
		{`{"enabled":0,"source":"{\"verb\":","dialect":"pattern"}`, `{"enabled":false,"source":"{\"verb\":","decision":"allow"}`},
		{`{"enabled":0,"source":"{\"verb\":{\"like\":1}}"}`, `{"enabled":0,"when":{"verb": {"like": 1}},"decision":"deny"}`},
		{`{"enabled":0,"dialect":"cel","source":"a > b"}`, `{"enabled":false,"dialect":"cel","source":"a > b","decision":"deny"}`},
	} {
		d, err := Decode([]byte(row.body))
		if err != nil {
			t.Errorf("%s: %v", row.body, err)
			continue
		}
		text, _ := json.Marshal(d.Row)
		var got, want map[string]any
		must(t, json.Unmarshal(text, &got))
		must(t, json.Unmarshal([]byte(row.want), &want))
		for key, v := range want {
			if got[key] != v {
				t.Errorf("%s: %s is %v, want %v", row.body, key, got[key], v)
			}
		}
		if !d.Row.CreatedAt.IsZero() || d.Row.CreatedBy != nil {
			t.Errorf("%s: it says itself who wrote it and when", row.body)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestRefused(t *testing.T) {
	for _, row := range []struct{ want, body string }{
		{"must be one JSON object", ``},
		{`approver_profile_id of the rule r: approvers have no profile "ops"`, `{"id":"r","when":{"verb":"x"},"decision":"require_human","approverPluginId":"slack","approverProfileId":"ops"}`},
		{"must be one JSON object", `[]`},
		{"must be one JSON object", `[{"when":{"verb":"push"},"decision":"deny"}]`},
		{"must be one JSON object", "id,decision\na,deny\n"},
		{"not several", `{"rules":[{"when":{"verb":"push"},"decision":"deny"}]}`},
		{"not several", `{"when":{"verb":"push"},"decision":"deny"}{"id":"b","when":{"verb":"push"},"decision":"deny"}`},
		{"twice", `{"decision":"deny","decision":"allow","when":{"verb":"push"}}`},
		{"once more", `{"decision":"deny","scopePluginId":"a","scope_plugin_id":"b","when":{"verb":"push"}}`},
		{"rule:1:2: unknown key \"decison\"", `{"decison":"deny","when":{"verb":"push"}}`},
		{"unknown key \"Decision\"", `{"Decision":"deny","when":{"verb":"push"}}`},
		{"no decision", `{"when":{"verb":"push"}}`},
		{"unknown decision", `{"when":{"verb":"push"},"decision":"permit"}`},
		{"no condition", `{"decision":"deny"}`},
		{"priority", `{"when":{"verb":"push"},"decision":"deny","priority":1.5}`},
		{"priority", `{"when":{"verb":"push"},"decision":"deny","priority":"5"}`},
		{"enabled", `{"when":{"verb":"push"},"decision":"deny","enabled":"false"}`},
		{"enabled", `{"when":{"verb":"push"},"decision":"deny","enabled":2}`},
		{"compiled is reserved", `{"when":{"verb":"push"},"decision":"deny","compiled":"x"}`},
		{"UTF-8", "{\"label\":\"\xff\",\"when\":{\"verb\":\"push\"},\"decision\":\"deny\"}"},
		{"nests deeper", `{"when":` + strings.Repeat(`{"not":`, 80) + `{"verb":"x"}` + strings.Repeat("}", 80) + `,"decision":"deny"}`},
		// What would be left out.
		{"on_timeout has no effect beside allow", `{"when":{"verb":"push"},"decision":"allow","onTimeout":"allow"}`},
		{"label is written on one line", `{"label":"a\nb","when":{"verb":"push"},"decision":"deny"}`},
		{"timeout of 0 ms", `{"when":{"verb":"push"},"decision":"require_human","timeoutMs":0}`},
		// What nobody understands, or one side otherwise than the other.
		{"enabled false", `{"when":{"verb":{"like":"p"}},"decision":"deny"}`},
		{"dialect is cel", `{"dialect":"cel","when":{"verb":"x"},"decision":"deny"}`},
		{"not JSON: invalid character 'a' at start of value: correct it, or", `{"dialect":"cel","source":"a > b","decision":"deny"}`},
		{"JSON ends too early", `{"source":"{\"verb\":","decision":"deny"}`},
		{"shell.line", `{"when":{"shell.line":"x"},"decision":"allow"}`},
		{`\s is every blank`, `{"when":{"shell.command":{"pattern":"rm\\s+-r"}},"decision":"deny"}`},
		{"timeout_ms", `{"when":{"verb":"push"},"decision":"require_human","timeoutMs":-1}`},
	} {
		d, err := Decode([]byte(row.body))
		var wrong *Invalid
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), row.want) || d.Row.Decision != "" {
			t.Errorf("%s: %v, want %q", row.body, err, row.want)
		}
	}
}

// What only policyctl has is told and counts, and so is a line break in an
// allow; a rule that allows without an answer says so.
func TestNotes(t *testing.T) {
	for _, row := range []struct{ want, body string }{
		{"", `{"priority":1,"when":{"shell.program":"make"},"decision":"allow"}`},
		{"", `{"priority":1,"when":{"shell.command":{"pattern":"(?i)drop"}},"decision":"deny"}`},
		{"it has no priority: it has 0 here", `{"when":{"shell.program":"make"},"decision":"allow"}`},
		{"startsWith is an operator of policyctl", `{"priority":1,"when":{"shell.command":{"startsWith":"make "}},"decision":"allow"}`},
		{"a wildcard also matches a line break", `{"priority":1,"when":{"http.url":{"glob":"https://wiki.example/*"}},"decision":"allow"}`},
		{"a carriage return", `{"priority":1,"when":{"http.url":{"pattern":"^https://wiki.example/.*$"}},"decision":"allow"}`},
		{"", `{"priority":1,"when":{"http.url":{"glob":"https://wiki.example/*"}},"decision":"deny"}`},
		{"matches everything", `{"priority":1,"source":"{}","decision":"deny"}`},
		{"if nobody answers in time, it allows", `{"priority":1,"when":{"verb":"push"},"decision":"require_human","onTimeout":"allow"}`},
		{"where the reviewer fails, it allows", `{"priority":1,"when":{"verb":"push"},"decision":"require_llm","failClosed":false}`},
		{"what silence means: it denies here", `{"priority":1,"when":{"verb":"push"},"decision":"require_human"}`},
		{"it allows nothing", `{"priority":1,"enabled":false,"source":"{","decision":"allow"}`},
	} {
		r := open(t, &memory{})
		d, err := Decode([]byte(row.body))
		must(t, err)
		w, err := r.Put(t.Context(), "token:ops", d)
		must(t, err)
		id, created, notes := w.ID, w.Created, w.Notes
		got := strings.Join(notes, "\n")
		if !strings.Contains(got, row.want) || (got == "") != (row.want == "") || !created {
			t.Errorf("%s: %q, want %q", row.body, got, row.want)
		}
		if len(id) != 36 || strings.Count(id, "-") != 4 {
			t.Errorf("%s: the id %q is no UUID", row.body, id)
		}
		if n := len(notes); n > 1 && !strings.Contains(row.body, "allow") {
			t.Errorf("%s: %q", row.body, notes)
		}
	}
}

// A row that was read can be stored again, and says the same.
func TestRoundTrip(t *testing.T) {
	for _, body := range []string{
		denyMake, allowMake, askMake,
		`{"id":"r","label":"a \"b\"","scopePluginId":"p","priority":-3,"enabled":false,"when":{"any":[{"verb":"x"},{"not":{"tags":{"contains":"y"}}}]},"decision":"require_llm","llmModel":"m","llmPrompt":"a\nb","llmCacheTtlS":60,"failClosed":true,"approverPluginId":"llm","approverProfileId":"default"}`,
		`{"id":"r","when":{"verb":"x"},"decision":"require_human","timeoutMs":1500,"onTimeout":"allow","reason":"because"}`,
		`{"id":"r","when":{"verb":"x"},"decision":"require_human","approverPluginId":"alice,bob","approverAny":2}`,
		`{"id":"r","enabled":false,"source":"not JSON","decision":"deny"}`,
	} {
		m := &memory{}
		r := open(t, m)
		id := put(t, r, body)
		first, ok, err := r.Get(t.Context(), id)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		text, err := json.Marshal(first)
		must(t, err)
		before := r.Revision()
		again := put(t, r, string(text))
		second, _, _ := r.Get(t.Context(), again)
		if first.says() != second.says() || again != id || r.Revision() != before {
			t.Errorf("%s\nbecomes\n%s", first.says(), second.says())
		}
	}
}

// The text of a rule names the people, and is read back as the same row.
func TestQuorumText(t *testing.T) {
	r := open(t, &memory{})
	row, _, err := r.Get(t.Context(), put(t, r, `{"id":"r","when":{"verb":"x"},"decision":"require_human","approver_plugin_id":"alice, bob","approver_any":2}`))
	if err != nil || *row.ApproverPluginID != "alice,bob" || *row.ApproverAny != 2 {
		t.Fatalf("%+v, %v", row, err)
	}
	text := row.Text()
	if want := "\"approver\": {\n    \"any\": 2,\n    \"of\": [\n      \"alice\",\n      \"bob\"\n    ]\n  }"; !strings.Contains(text, want) {
		t.Error(text)
	}
	rule, problems := parseText(text)
	if len(problems) > 0 || rule.Decision.Quorum != 2 || rule.Decision.Approver != "alice,bob" {
		t.Errorf("%+v, %v", rule, problems)
	}
}

// Who made a rule and when stays; who changed it does not count.
func TestStamps(t *testing.T) {
	r := open(t, &memory{})
	put(t, r, denyMake)
	before := r.Revision()
	r.now = func() time.Time { return clock().Add(time.Hour) }
	d, err := Decode([]byte(denyMake))
	must(t, err)
	if w, err := r.Put(t.Context(), "token:eve", d); err != nil || w.Created {
		t.Error(w, err)
	}
	if r.Revision() != before {
		t.Error("the same rule, another revision")
	}
	row, _, _ := r.Get(t.Context(), "no-make")
	made := clock().Truncate(time.Microsecond)
	if *row.CreatedBy != "token:ops" || !row.CreatedAt.Equal(made) || !row.UpdatedAt.Equal(made.Add(time.Hour)) {
		t.Errorf("%s %s %s", *row.CreatedBy, row.CreatedAt, row.UpdatedAt)
	}
	if _, ok, err := r.Get(t.Context(), "nothing"); ok || err != nil {
		t.Error(ok, err)
	}
}

// Put checks rows that no Decode has seen.
func TestPutChecks(t *testing.T) {
	r := open(t, &memory{})
	for _, row := range []Row{
		{}, {ID: "a/b", Enabled: 1, Source: `{"verb":"x"}`, Decision: "deny"}, {ID: "..", Enabled: 1, Source: `{"verb":"x"}`, Decision: "deny"},
		{Enabled: 1, Source: `{"verb":"x"}`, Decision: "maybe"}, {Enabled: 1, Source: `{`, Decision: "deny"},
		{Enabled: 3, Source: `{"verb":"x"}`, Decision: "deny"},
	} {
		var wrong *Invalid
		if w, err := r.Put(t.Context(), "token:ops", Draft{Row: row}); !errors.As(err, &wrong) || w != nil {
			t.Errorf("%+v: %v %v", row, w, err)
		}
	}
	if _, err := r.Put(t.Context(), "", Draft{Row: Row{Enabled: 1, Source: `{"verb":"x"}`, Decision: "deny"}}); err == nil {
		t.Error("nobody stored a rule")
	}
	if rows, _ := r.List(t.Context()); len(rows) != 0 {
		t.Error(rows)
	}
}
