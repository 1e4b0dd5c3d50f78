package compat

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/ruledb"
)

const drops = `{"label":"no destructive SQL","scopeIntegrationId":"int-prod-pg","priority":100,"enabled":true,` +
	`"source":"{\"sql.verb\":{\"in\":[\"DROP\",\"TRUNCATE\"]}}","decision":"deny","reason":"no destructive DDL on prod"}`

// A rule is written, listed, replaced and deleted in the words of the
// dashboard.
func TestRules(t *testing.T) {
	r := newRig(t, nil)
	admin := r.Token(t, "admin", "admin")
	created := r.do(200, admin, "POST", "/api/rules", drops)
	id, _ := created.At("id").(string)
	if len(id) != 36 || len(created.JSON) != 1 {
		t.Fatalf("%s", created.Text)
	}
	row := r.do(200, r.boss, "GET", "/api/rules/"+id, "")
	for key, want := range map[string]any{
		"id": id, "label": "no destructive SQL", "scope_integration_id": "int-prod-pg", "scope_plugin_id": nil, "priority": 100.0,
		"enabled": 1.0, "dialect": "pattern", "decision": "deny", "reason": "no destructive DDL on prod", "created_by": "token:admin",
		"source": `{"sql.verb":{"in":["DROP","TRUNCATE"]}}`, "compiled": nil, "timeout_ms": nil,
	} {
		if got, has := row.JSON[key]; got != want || !has {
			t.Errorf("%s: %#v, want %#v", key, got, want)
		}
	}
	a := r.do(200, admin, "POST", "/api/rules", strings.Replace(drops, "{", `{"id":"`+id+`",`, 1))
	if a.At("id") != id {
		t.Errorf("%s", a.Text)
	}
	for _, one := range []string{"b 100", "a 100", "low 1", "high 900"} {
		var name string
		var priority int
		fmt.Sscan(one, &name, &priority)
		r.do(200, admin, "POST", "/api/rules", fmt.Sprintf(`{"id":%q,"priority":%d,"enabled":false,"source":"{}","decision":"deny"}`, name, priority))
	}
	if got, want := strings.Join(r.ruleIDs(), " "), strings.Join(order(id), " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for range 2 {
		if a := r.do(200, admin, "DELETE", "/api/rules/"+id, ""); a.Text != `{"ok":true}`+"\n" {
			t.Errorf("%s", a.Text)
		}
	}
	r.do(404, r.boss, "GET", "/api/rules/"+id, "")
}

// failClosed means something else to clients of the dashboard, and they are told what; who
// does not say it in their words, or for another decision, is not.
func TestFailClosedNote(t *testing.T) {
	r := newRig(t, nil)
	admin := r.Token(t, "admin", "admin")
	const note = "failClosed: true does not deny at once here: where the model fails, people are asked"
	for body, want := range map[string]bool{
		`"decision":"require_llm","failClosed":true`:          true,
		`"decision":"require_llm","failClosed":1`:             true,
		`"decision":{"kind":"require_llm","failClosed":true}`: true,
		`"decision":"require_llm","failClosed":false`:         false,
		`"decision":"require_llm","llm_fail_closed":1`:        false,
		`"decision":"require_llm"`:                            false,
		`"decision":{"kind":"require_llm"}`:                   false,
	} {
		a := r.do(200, admin, "POST", "/api/rules", `{"id":"r","priority":1,"source":"{\"verb\":\"x\"}","llmModel":"m","llmPrompt":"ok?",`+body+`}`)
		if got := strings.Contains(a.Text, note); got != want {
			t.Errorf("%s: %s", body, a.Text)
		}
	}
}

// order is how the rules of the test lie: by priority, then by id.
func order(id string) []string {
	if id < "a" {
		return []string{"high", id, "a", "b", "low"}
	}
	if id < "b" {
		return []string{"high", "a", id, "b", "low"}
	}
	return []string{"high", "a", "b", id, "low"}
}

func (r *rig) ruleIDs() (ids []string) {
	r.t.Helper()
	var list struct{ Rules []ruledb.Row }
	if err := json.Unmarshal([]byte(r.do(200, r.boss, "GET", "/api/rules", "").Text), &list); err != nil {
		r.t.Fatal(err)
	}
	for _, row := range list.Rules {
		ids = append(ids, row.ID)
	}
	return ids
}

// A rule counts from the very next call, and no longer once it is deleted.
func TestRulesCount(t *testing.T) {
	r := newRig(t, nil)
	admin := r.Token(t, "admin", "admin")
	decide := func() any {
		return r.do(200, r.agent, "POST", "/v1/decide", `{"tool":"shell","input":{"command":"make a"},"dir":"/src"}`).At("decision")
	}
	if got := decide(); got != "ask" {
		t.Errorf("before: %v", got)
	}
	r.do(200, admin, "POST", "/api/rules", `{"id":"no-make","priority":1,"enabled":true,"source":"{\"shell.program\":\"make\"}","decision":"deny"}`)
	if got := decide(); got != "deny" {
		t.Errorf("with the rule: %v", got)
	}
	r.do(200, admin, "DELETE", "/api/rules/no-make", "")
	if got := decide(); got != "ask" {
		t.Errorf("without it: %v", got)
	}
}

func TestRuleErrors(t *testing.T) {
	r := newRig(t, nil)
	admin := r.Token(t, "admin", "admin")
	for _, row := range []struct {
		status                  int
		why, method, path, body string
	}{
		{400, "source", "POST", "/api/rules", `{"priority":1,"enabled":true,"source":"{","decision":"deny"}`},
		{400, "decision", "POST", "/api/rules", `{"priority":1,"enabled":true,"source":"{}","decision":"perhaps"}`},
		{400, "prioritaet", "POST", "/api/rules", `{"prioritaet":1,"enabled":true,"source":"{}","decision":"deny"}`},
		{400, "id", "POST", "/api/rules", `{"id":"../x","priority":1,"enabled":true,"source":"{}","decision":"deny"}`},
		{400, "must be one JSON object", "POST", "/api/rules", `[]`},
		{400, "appears twice", "POST", "/api/rules", `{"decision":"deny","decision":"allow"}`},
		{400, "not an id", "GET", "/api/rules/..%2f..%2fetc", ""},
		{400, "not an id", "DELETE", "/api/rules/a%00b", ""},
		{404, "no rule", "GET", "/api/rules/none", ""},
		{400, "draft: missing", "POST", "/api/rules/preview", `{}`},
		{400, "draft: missing", "POST", "/api/rules/preview", `{"lookbackLimit":5}`},
		{400, "lookbackLimit: 0", "POST", "/api/rules/preview", `{"draft":` + drops + `,"lookbackLimit":0}`},
		{400, "lookbackLimit: -1", "POST", "/api/rules/preview", `{"draft":` + drops + `,"lookbackLimit":-1}`},
		{400, "lookback", "POST", "/api/rules/preview", `{"draft":` + drops + `,"lookback":5}`},
		{400, "source", "POST", "/api/rules/preview", `{"draft":{"source":"{","decision":"deny"}}`},
	} {
		a := r.do(row.status, admin, row.method, row.path, row.body)
		if text, _ := a.At("error").(string); !strings.Contains(text, row.why) || a.At("detail") != nil {
			t.Errorf("%s %s: %s", row.path, row.body, a.Text)
		}
	}
	if got := r.ruleIDs(); len(got) != 0 {
		t.Errorf("stored: %v", got)
	}
}

// A preview looks at the calls in the rule's scope, at most at 500, and shows
// at most 20.
func TestPreview(t *testing.T) {
	r := newRig(t, nil)
	calls := 0
	decide := func(plugin string) {
		calls++
		r.do(200, r.agent, "POST", "/v1/decide", fmt.Sprintf(
			`{"tool":"shell","input":{"command":"make %d"},"dir":"/src","session":"s-%s","scope":{"plugin":%q}}`, calls, plugin, plugin))
	}
	for range 25 {
		decide("github")
		decide("jira")
	}
	matched := func(draft, more string) (int, int, string) {
		a := r.do(200, r.boss, "POST", "/api/rules/preview", `{"draft":`+draft+more+`}`)
		var m ruledb.Matches
		if err := json.Unmarshal([]byte(a.Text), &m); err != nil || len(a.JSON) != 2 {
			t.Fatalf("%v %s", err, a.Text)
		}
		if len(m.Samples) == 0 {
			return m.Matched, 0, ""
		}
		return m.Matched, len(m.Samples), m.Samples[0].SessionID
	}
	const draft = `{"source":"{\"shell.program\":\"make\"}","decision":"deny"`
	for range 300 { // what was decided is kept a moment later
		if n, _, _ := matched(draft+"}", ""); n == 50 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	for _, row := range []struct {
		matched, samples int
		draft, more      string
	}{
		{50, 20, draft + `}`, ``},
		{25, 20, draft + `,"scopePluginId":"github"}`, ``},
		{0, 0, draft + `,"scopePluginId":"none"}`, ``},
		{10, 10, draft + `}`, `,"lookbackLimit":10`},
		{50, 20, draft + `}`, `,"lookbackLimit":100000`},
		{5, 5, draft + `,"scopePluginId":"github"}`, `,"lookbackLimit":10`},
	} {
		n, samples, session := matched(row.draft, row.more)
		if n != row.matched || samples != row.samples || n > 0 && !strings.HasPrefix(session, "s-") {
			t.Errorf("%s %s: %d matched, %d shown, the first of %q", row.draft, row.more, n, samples, session)
		}
	}
}
