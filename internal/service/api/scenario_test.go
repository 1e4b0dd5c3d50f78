package api_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/api"
	"github.com/policyctl/policyctl/internal/service/auth/authtest"
	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/channeltest"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/service/telemetry"
)

const push = `{"id":"c1","tool":"shell","input":{"command":"git push"},"session":"s1","dir":"/src","agent":"claude"}`

// Every route but the stream is used as it is meant, and every answer is as
// the document says.
func TestScenario(t *testing.T) {
	counts, err := telemetry.New(t.Context(), telemetry.Options{Log: slog.DiscardHandler})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(counts.Close)
	c := newCaller(t, servertest.New(t, servertest.Options{Telemetry: counts, Home: "/home/dev", Channels: []channel.Channel{{Name: "phone", Type: "memory", Driver: &channeltest.Driver{}}}}))
	agent, boss := c.Token(t, "agent", "submit"), c.Token(t, "boss", "approve,read,admin")
	t.Run("service", func(t *testing.T) { c.with(t).service(boss) })
	t.Run("passkeys", func(t *testing.T) { c.with(t).passkeys(boss) })
	t.Run("approved", func(t *testing.T) { c.with(t).approved(agent, boss) })
	t.Run("taken back", func(t *testing.T) { c.with(t).takenBack(agent, boss) })
	t.Run("others", func(t *testing.T) { c.with(t).others(agent, boss) })
	t.Run("grants", func(t *testing.T) { c.with(t).grants(agent, boss) })
	t.Run("rules", func(t *testing.T) { c.with(t).rules(agent, boss) })
	t.Run("tokens", func(t *testing.T) { c.with(t).tokens(boss) })
	t.Run("logins", func(t *testing.T) { c.with(t).logins(boss) })
	t.Run("audit", func(t *testing.T) { c.with(t).audit(boss) })
	c.do(200, c.Token(t, "m1", "record"), "POST", "/v1/decisions", `{"source":"a","entries":[]}`)
	for _, r := range new(api.API).Family().Routes {
		if route := r.Method + " " + r.Path; !c.reached[route] && r.Path != "/v1/events" {
			t.Errorf("%s: nothing uses it", route)
		}
	}
}

func (c *caller) with(t *testing.T) *caller {
	c.t = t
	return c
}

func (c *caller) service(boss string) {
	c.do(200, "", "GET", "/health", "")
	c.do(200, "", "GET", "/health/live", "")
	c.do(200, "", "GET", "/health/ready", "")
	c.do(200, boss, "GET", "/metrics", "")
	c.do(200, "", "GET", "/login", "")
	code := authtest.Code(c.Logins)
	login := c.do(200, "", "POST", "/v1/login", `{"code":"`+code+`"}`)
	if cookie := login.Header.Get("Set-Cookie"); !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Strict") {
		c.t.Errorf("the cookie %q", cookie)
	}
	if a := c.do(401, "", "POST", "/v1/login", `{"code":"`+code+`"}`); a.Code() != "bad-code" {
		c.t.Errorf("the same code again: %s", a.Text)
	}
	secret := text(login, "token")
	who := c.do(200, secret, "GET", "/v1/whoami", "")
	if text(who, "identity") != text(login, "identity") || fmt.Sprint(who.JSON["scopes"]) != "[approve read admin]" {
		c.t.Errorf("logged in as %s, and %s", login.Text, who.Text)
	}
	c.do(200, secret, "GET", "/v1/openapi.json", "")
	c.do(200, secret, "POST", "/v1/logout", "")
	if a := c.do(401, secret, "GET", "/v1/whoami", ""); a.Code() != "bad-credentials" {
		c.t.Errorf("after the end of the login: %s", a.Text)
	}
	if a := c.do(409, c.Token(c.t, "x", "submit"), "POST", "/v1/logout", "{}"); a.Code() != "no-login" {
		c.t.Errorf("a token logs out: %s", a.Text)
	}
}

// text returns a text in an answer, at a path such as decision.reason.
func text(a interface{ At(string) any }, path string) string {
	s, _ := a.At(path).(string)
	return s
}

func (c *caller) approved(agent, boss string) {
	body := `{"key":"k1","call":` + push + `,"timeout":"2m"}`
	r := c.do(201, agent, "POST", "/v1/requests", body)
	id := text(r, "id")
	if r.Header.Get("Location") != "/v1/requests/"+id || text(r, "state") != "PENDING" {
		c.t.Errorf("submitted: %v %s", r.Header, r.Text)
	}
	if a := c.do(200, agent, "POST", "/v1/requests", body); text(a, "id") != id {
		c.t.Errorf("the same submission is another request: %s", a.Text)
	}
	if a := c.do(409, agent, "POST", "/v1/requests", strings.Replace(body, "push", "pull", 1)); a.Code() != "mismatch" {
		c.t.Errorf("the key of another call: %s", a.Text)
	}
	c.do(200, boss, "GET", "/v1/requests?state=PENDING&state=APPROVED&session=s1&submitter=token:agent&kind=call&limit=5", "")
	c.do(409, agent, "POST", "/v1/requests/"+id+"/result", `{"outcome":"EXECUTED"}`)
	path := "/v1/requests/" + id
	c.do(200, boss, "POST", path+"/decision", `{"decision":"approved_once","reason":"go on"}`)
	c.do(200, boss, "POST", path+"/decision", `{"decision":"approved_once","reason":"go on"}`)
	if a := c.do(409, boss, "POST", path+"/decision", `{"decision":"rejected"}`); a.Code() != "decided" ||
		text(a, "request.decision.decision") != "approved_once" || text(a, "request.receipt.receipt") != "" {
		c.t.Errorf("another decision: %s", a.Text)
	}
	if a := c.do(409, agent, "POST", path+"/cancel", ""); a.Code() != "decided" || text(a, "request.id") != id {
		c.t.Errorf("cancelled too late: %s", a.Text)
	}
	receipt := text(c.do(200, agent, "GET", path, ""), "receipt.receipt")
	c.do(200, agent, "GET", "/v1/keys", "")
	c.do(200, boss, "POST", "/v1/receipts/verify", `{"receipt":"`+receipt+`"}`)
	c.do(200, agent, "POST", "/v1/receipts/verify", `{"receipt":"`+receipt+`","call":`+push+`}`)
	other := strings.Replace(push, "git push", "git push -f", 1)
	if a := c.do(422, agent, "POST", "/v1/receipts/verify", `{"receipt":"`+receipt+`","call":`+other+`}`); a.Code() != "receipt" {
		c.t.Errorf("a receipt for another call: %s", a.Text)
	}
	if a := c.do(409, agent, "POST", path+"/result", `{"outcome":"EXECUTED"}`); a.Code() != "receipt-not-consumed" {
		c.t.Errorf("a result without a receipt: %s", a.Text)
	}
	c.do(200, agent, "POST", "/v1/receipts/consume", `{"receipt":"`+receipt+`"}`)
	c.do(409, agent, "POST", "/v1/receipts/consume", `{"receipt":"`+receipt+`"}`)
	done := c.do(200, agent, "POST", path+"/result", `{"outcome":"FAILED","exit_code":1,"detail":"no remote"}`)
	if text(done, "state") != "FAILED" {
		c.t.Errorf("the result: %s", done.Text)
	}
	if a := c.do(409, agent, "POST", path+"/result", `{"outcome":"EXECUTED"}`); a.Code() != "reported" {
		c.t.Errorf("another result: %s", a.Text)
	}
}

// takenBack uses what an approver can undo.
func (c *caller) takenBack(agent, boss string) {
	path := "/v1/requests/" + text(c.do(201, agent, "POST", "/v1/requests", `{"call":`+push+`}`), "id")
	if a := c.do(409, boss, "POST", path+"/revoke", ""); a.Code() != "not-approved" || text(a, "request.state") != "PENDING" {
		c.t.Errorf("a pending request is taken back: %s", a.Text)
	}
	ends := text(c.do(200, agent, "GET", path, ""), "expires")
	if a := c.do(200, boss, "POST", path+"/extend", `{"for":"5m"}`); text(a, "expires") <= ends {
		c.t.Errorf("more time: %s, it ended at %s", a.Text, ends)
	}
	c.do(400, boss, "POST", path+"/extend", `{"for":"soon"}`)
	c.do(200, boss, "POST", path+"/extend", `{"for":"24h"}`)
	if a := c.do(409, boss, "POST", path+"/extend", `{"for":"5m"}`); a.Code() != "no-time" {
		c.t.Errorf("more than a day: %s", a.Text)
	}
	c.do(403, agent, "POST", path+"/extend", `{"for":"5m"}`)
	c.do(200, boss, "POST", path+"/decision", `{"decision":"approved_once"}`)
	if a := c.do(409, boss, "POST", path+"/extend", `{"for":"5m"}`); a.Code() != "decided" {
		c.t.Errorf("more time for what is decided: %s", a.Text)
	}
	receipt := text(c.do(200, agent, "GET", path, ""), "receipt.receipt")
	c.do(403, agent, "POST", path+"/revoke", "{}")
	for range 2 {
		a := c.do(200, boss, "POST", path+"/revoke", `{"reason":"the wrong branch"}`)
		if text(a, "state") != "REVOKED" || text(a, "revocation.revoked_by") != "token:boss" || text(a, "reason_code") != "rejected" {
			c.t.Errorf("taken back: %s", a.Text)
		}
	}
	for _, route := range []string{"consume", "verify"} {
		a := c.do(409, agent, "POST", "/v1/receipts/"+route, `{"receipt":"`+receipt+`"}`)
		if a.Code() != "receipt-revoked" || !strings.Contains(a.Text, "taken back by token:boss: the wrong branch") {
			c.t.Errorf("%s: %s", route, a.Text)
		}
	}
	session := strings.Replace(push, "s1", "a wild/session", 1)
	path = "/v1/requests/" + text(c.do(201, agent, "POST", "/v1/requests", `{"call":`+session+`}`), "id")
	if a := c.do(200, boss, "POST", "/v1/session-denials", `{"session":"a wild/session","reason":"enough"}`); fmt.Sprint(a.At("denied")) != "1" {
		c.t.Errorf("a session is denied: %s", a.Text)
	}
	if a := c.do(200, agent, "GET", path, ""); text(a, "state") != "DENIED" || text(a, "decision.reason") != "all requests of this session are denied: enough" {
		c.t.Errorf("what was pending: %s", a.Text)
	}
	if a := c.do(200, agent, "POST", "/v1/requests", `{"call":`+session+`}`); text(a, "state") != "DENIED" || text(a, "decision.decided_by") != "token:boss" {
		c.t.Errorf("what comes: %s", a.Text)
	}
	if a := c.do(200, boss, "GET", "/v1/session-denials", ""); !strings.Contains(a.Text, `"session":"a wild/session"`) {
		c.t.Errorf("the list: %s", a.Text)
	}
	c.do(403, agent, "DELETE", "/v1/session-denials?session=a+wild/session", "")
	c.do(200, boss, "DELETE", "/v1/session-denials?session=a+wild/session", "")
	c.do(404, boss, "DELETE", "/v1/session-denials?session=a+wild/session", "")
	c.do(400, boss, "POST", "/v1/session-denials", `{"session":"s","until":"2001-01-01T00:00:00Z"}`)
	c.do(201, agent, "POST", "/v1/requests", `{"call":`+session+`}`)
}

func (c *caller) others(agent, boss string) {
	submit := func(session string) string {
		call := strings.Replace(strings.Replace(push, "s1", session, 1), `"id":"c1",`, "", 1)
		return text(c.do(201, agent, "POST", "/v1/requests", `{"call":`+call+`}`), "id")
	}
	rejected := submit("s2")
	c.do(200, boss, "POST", "/v1/requests/"+rejected+"/decision", `{"decision":"rejected","reason":"not now"}`)
	c.do(200, agent, "POST", "/v1/requests/"+submit("s2")+"/cancel", "{}")
	submit("s3")
	submit("s3")
	c.do(200, agent, "POST", "/v1/sessions/s3/turn", "")
	if a := c.do(200, agent, "POST", "/v1/sessions/s3/end", ""); a.At("cancelled") != 2.0 {
		c.t.Errorf("the end of a session: %s", a.Text)
	}
	late := submit("s4")
	c.Skip(time.Hour)
	if a := c.do(409, boss, "POST", "/v1/requests/"+late+"/decision", `{"decision":"approved_once"}`); text(a, "request.state") != "TIMED_OUT" {
		c.t.Errorf("a late decision: %s", a.Text)
	}
	c.do(200, agent, "POST", "/v1/requests", `{"call":{"command":"ls","dir":"/src"}}`)
	c.do(400, agent, "POST", "/v1/requests", `{"call":{"command":"ls"},"timeout":"soon"}`)
	c.do(200, agent, "POST", "/v1/decide", push)
	for _, row := range []struct{ want, call string }{
		{"deny", `{"tool":"shell","dir":"/src","input":{"command":"rm -rf *","workdir":"/"}}`},
		{"deny", `{"tool":"shell","project_dir":"/","input":{"command":"rm -rf *"}}`},
		{"deny", `{"tool":"mcp__x__exec","input":{"command":"rm -rf /"}}`},
		{"ask", `{"tool":"shell","dir":"/src","input":{"command":"ls","workdir":7}}`},
		{"allow", `{"tool":"shell","dir":"/src","input":{"command":"ls","workdir":"sub"}}`},
	} {
		if a := c.do(200, agent, "POST", "/v1/decide", row.call); text(a, "decision") != row.want {
			c.t.Errorf("%s: %s, want %s", row.call, a.Text, row.want)
		}
	}
	if a := c.do(201, agent, "POST", "/v1/requests", `{"call":{"tool":"shell","dir":"/src","input":{"command":"make","workdir":"sub"}}}`); text(a, "dir") != "/src/sub" {
		c.t.Errorf("people are shown another directory than that of the command: %s", a.Text)
	}
	c.do(400, agent, "POST", "/v1/decide", `{"command":"ls \ud800"}`)
	c.do(200, agent, "POST", "/v1/data/policyctl/decision", `{"input":{"command":"ls","dir":"/src","id":"7"}}`)
	c.do(200, agent, "GET", "/v1/approvers", "")
	c.do(200, boss, "GET", "/v1/channels", "")
	c.do(201, boss, "POST", "/v1/channels/phone/test", `{"timeout":"1m"}`)
	c.do(200, agent, "GET", "/v1/action-schemas", "")
}

const rule = `{"id":"no-push","label":"no push","priority":5,"enabled":true,"decision":"deny","reason":"not from here","source":{"primary":"shell"}}`

func (c *caller) rules(agent, boss string) {
	before := text(c.do(200, agent, "POST", "/v1/decide", push), "revision")
	for range 100 { // calls are kept behind the answer
		if a := c.do(200, boss, "POST", "/v1/rules/preview", `{"draft":`+rule+`,"lookback":50,"samples":3}`); a.At("matched") != 0.0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if a := c.do(200, boss, "POST", "/v1/rules/preview", `{"draft":`+rule+`,"samples":1}`); a.At("matched") == 0.0 || len(a.At("samples").([]any)) != 1 {
		c.t.Errorf("the preview: %s", a.Text)
	}
	c.do(201, boss, "POST", "/v1/rules", rule)
	v := c.do(200, agent, "POST", "/v1/decide", push)
	if text(v, "decision") != "deny" || text(v, "rule") != "no-push" || text(v, "revision") == before {
		c.t.Errorf("the rule does not count, or under the same revision: %s", v.Text)
	}
	c.do(200, boss, "PUT", "/v1/rules/no-push", strings.Replace(rule, "deny", "require_human", 1))
	if a := c.do(200, boss, "GET", "/v1/rules/no-push", ""); text(a, "decision") == "deny" {
		c.t.Errorf("the rule was not replaced: %s", a.Text)
	}
	c.do(201, boss, "PUT", "/v1/rules/second", strings.Replace(rule, `"id":"no-push",`, "", 1))
	for _, bad := range []string{`{}`, `[]`, `{"decision":"deny"}`, `{"rules":[]}`, strings.Replace(rule, "deny", "maybe", 1),
		strings.Replace(rule, "label", "lable", 1), strings.Replace(rule, "no-push", "../x", 1)} {
		c.do(400, boss, "POST", "/v1/rules", bad)
	}
	c.do(400, boss, "PUT", "/v1/rules/third", rule)
	c.do(200, boss, "GET", "/v1/rules", "")
	c.do(200, boss, "DELETE", "/v1/rules/no-push", "")
	c.do(404, boss, "DELETE", "/v1/rules/no-push", "")
	c.do(404, boss, "GET", "/v1/rules/no-push", "")
	if a := c.do(200, boss, "GET", "/v1/rules/deleted?limit=1", ""); !strings.Contains(a.Text, `"deleted_by":"token:boss"`) {
		c.t.Errorf("the deleted rules: %s", a.Text)
	}
	c.ruleChanges(boss)
}

// ruleChanges checks a rule, undoes changes, and exchanges rules.
func (c *caller) ruleChanges(boss string) {
	if a := c.do(200, boss, "POST", "/v1/rules/check", `{"text":"{\"id\":\"x\",\n \"when\":{\"shell.programm\":\"git\"},\"decision\":\"deny\"}"}`); !strings.Contains(a.Text, `"line":2,"column":10`) || !strings.Contains(a.Text, `"hint":"shell.program"`) {
		c.t.Errorf("the check: %s", a.Text)
	}
	a := c.do(200, boss, "POST", "/v1/rules/check", `{"text":"{\"id\":\"x\",\"when\":{\"shell.program\":\"git\"},\"priority\":5,\"decision\":\"allow\"}","of":"","cases":[{"command":"git push","match":false}]}`)
	if cases, _ := a.At("cases").([]any); len(cases) != 1 || !strings.Contains(a.Text, `"passed":false`) || !strings.Contains(a.Text, `"contradicts"`) {
		c.t.Errorf("the check: %s", a.Text)
	}
	a = c.do(200, boss, "GET", "/v1/rules/changes?rule=no-push&limit=1", "")
	deleted := a.At("changes").([]any)[0].(map[string]any)
	undo := fmt.Sprintf("/v1/rules/changes/%v/undo", deleted["id"])
	if a := c.do(201, boss, "POST", undo, ""); text(a, "id") != "no-push" {
		c.t.Errorf("undone: %s", a.Text)
	}
	c.do(200, boss, "POST", undo, "{}") // it is as it was
	c.do(404, boss, "POST", "/v1/rules/changes/99999/undo", "")
	c.do(404, boss, "POST", "/v1/rules/changes/x/undo", "")
	c.do(400, boss, "GET", "/v1/rules/changes?before=0", "")
	exported := c.do(200, boss, "GET", "/v1/rules/export?format=csv", "").Text
	c.do(400, boss, "GET", "/v1/rules/export?format=xml", "")
	body, _ := json.Marshal(map[string]string{"text": exported})
	if a := c.do(200, boss, "POST", "/v1/rules/import", string(body)); !strings.Contains(a.Text, `"same":["no-push","second"]`) {
		c.t.Errorf("the import: %s", a.Text)
	}
	c.do(412, boss, "POST", "/v1/rules/import", `{"text":"[]","revision":"old"}`)
	c.do(400, boss, "POST", "/v1/rules/import", `{"text":"nonsense"}`)
}

// A change that is based on another rule than the one that stands is refused.
func TestStaleRule(t *testing.T) {
	s := start(t)
	boss := s.Token(t, "boss", "admin")
	send := func(method, path, header, value, body string) servertest.Answer {
		q, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Authorization", "Bearer "+boss)
		if header != "" {
			q.Header.Set(header, value)
		}
		return servertest.Send(t, http.DefaultTransport, q)
	}
	const draft = `{"priority":1,"source":"{\"verb\":\"x\"}","decision":"deny"}`
	made := send("PUT", "/v1/rules/a", "If-None-Match", "*", draft)
	tag := made.Header.Get("ETag")
	if got := send("GET", "/v1/rules/a", "", "", "").Header.Get("ETag"); made.Status != 201 || got != tag || len(tag) != 66 {
		t.Fatal(made.Status, tag, got)
	}
	other := send("PUT", "/v1/rules/a", "If-Match", tag, strings.Replace(draft, "deny", "allow", 1)).Header.Get("ETag")
	for _, row := range []struct {
		status              int
		method, path        string
		header, value, body string
	}{
		{412, "PUT", "/v1/rules/a", "If-Match", tag, draft},
		{412, "PUT", "/v1/rules/a", "If-None-Match", "*", draft},
		{412, "PUT", "/v1/rules/b", "If-Match", tag, draft},
		{412, "DELETE", "/v1/rules/a", "If-Match", tag, ""},
		{412, "POST", "/v1/rules/changes/1/undo", "If-Match", tag, ""},
		{400, "PUT", "/v1/rules/a", "If-Match", "*", draft},
		{400, "PUT", "/v1/rules/a", "If-Match", strings.Trim(other, `"`), draft},
		{200, "PUT", "/v1/rules/a", "If-Match", other, draft},
		{200, "DELETE", "/v1/rules/a", "If-Match", tag, ""},
		{412, "DELETE", "/v1/rules/a", "If-Match", tag, ""},
	} {
		a := send(row.method, row.path, row.header, row.value, row.body)
		if a.Status != row.status || a.Status == 412 && (a.Code() != "stale" || !strings.Contains(a.Text, "since you opened it")) {
			t.Errorf("%s %s %s: %d %s, want %d", row.method, row.path, row.value, a.Status, a.Text, row.status)
		}
	}
}

func (c *caller) tokens(boss string) {
	made := c.do(201, boss, "POST", "/v1/tokens", `{"name":"ci","scopes":["submit","read"],"expires":"2999-01-01T00:00:00Z"}`)
	c.do(201, boss, "POST", "/v1/tokens", `{"name":"ci","scopes":["submit"]}`) // the same identity
	secret := text(made, "token")
	if a := c.do(200, secret, "GET", "/v1/whoami", ""); text(a, "identity") != "token:ci" {
		c.t.Errorf("the new token: %s", a.Text)
	}
	if a := c.do(200, boss, "GET", "/v1/tokens", ""); strings.Contains(a.Text, secret) || !strings.Contains(a.Text, text(made, "id")) {
		c.t.Errorf("the tokens: %s", a.Text)
	}
	for _, bad := range []string{`{"name":"a b","scopes":["submit"]}`, `{"name":"a","scopes":[]}`, `{"name":"a"}`, `{"name":"a","scopes":["root"]}`,
		`{"name":"a","scopes":["submit"],"expires":"2001-01-01T00:00:00Z"}`, `{"name":"a","scopes":["submit"],"expires":"tomorrow"}`} {
		c.do(400, boss, "POST", "/v1/tokens", bad)
	}
	c.do(200, boss, "DELETE", "/v1/tokens/"+text(made, "id"), "")
	c.do(404, boss, "DELETE", "/v1/tokens/"+text(made, "id"), "")
	c.do(401, secret, "GET", "/v1/whoami", "")
}

// A grant allows the next call until it is revoked, and again when it is restored,
// with its own end.
func (c *caller) grants(agent, boss string) {
	build := func(script string) string {
		return `{"call":{"tool":"shell","input":{"command":"cargo build --` + script + `"},"session":"g","dir":"/home/dev/app","home":"/home/dev"}}`
	}
	id := text(c.do(201, agent, "POST", "/v1/requests", build("lint")), "id")
	c.do(200, boss, "POST", "/v1/requests/"+id+"/decision", `{"decision":"approved_remember","scope":"here","for":"8h"}`)
	list := c.do(200, boss, "GET", "/v1/grants", "")
	one := list.At("grants").([]any)[0].(map[string]any)
	if one["request"] != id || one["by"] != "token:boss" || one["last_used"] != nil || !strings.HasPrefix(fmt.Sprint(one["text"]), "cargo build in /home/dev/app, until ") {
		c.t.Errorf("the grant: %v", one)
	}
	if a := c.do(200, agent, "POST", "/v1/requests", build("test")); text(a, "state") != "APPROVED" {
		c.t.Errorf("what is granted: %s", a.Text)
	}
	if used := c.do(200, boss, "GET", "/v1/grants", "").At("grants").([]any)[0].(map[string]any)["last_used"]; used == nil {
		c.t.Error("nobody knows that it was used")
	}
	path := "/v1/grants/" + fmt.Sprint(one["id"])
	if a := c.do(200, boss, "DELETE", path, ""); text(a, "revoked_by") != "token:boss" {
		c.t.Errorf("revoked: %s", a.Text)
	}
	c.do(404, boss, "DELETE", path, "")
	if a := c.do(201, agent, "POST", "/v1/requests", build("types")); text(a, "state") != "PENDING" {
		c.t.Errorf("what was granted: %s", a.Text)
	}
	if a := c.do(200, boss, "GET", "/v1/grants", ""); len(a.At("grants").([]any)) != 0 || len(a.At("revoked").([]any)) != 1 {
		c.t.Errorf("the grants: %s", a.Text)
	}
	if a := c.do(200, boss, "POST", path+"/restore", ""); text(a, "until") != one["until"] || text(a, "created") != one["created"] {
		c.t.Errorf("restored: %s", a.Text)
	}
	c.do(404, boss, "POST", path+"/restore", "")
	if a := c.do(200, agent, "POST", "/v1/requests", build("fmt")); text(a, "state") != "APPROVED" {
		c.t.Errorf("what is granted again: %s", a.Text)
	}
	c.do(200, boss, "DELETE", path, "")
	c.Skip(9 * time.Hour)
	if a := c.do(409, boss, "POST", path+"/restore", ""); a.Code() != "ended" {
		c.t.Errorf("restored late: %s", a.Text)
	}
	c.Skip(16 * time.Hour)
	c.do(404, boss, "POST", path+"/restore", "")
	if a := c.do(200, boss, "GET", "/v1/audit?kind=grant&request="+id, ""); strings.Count(a.Text, `"change":"revoked"`) != 2 || strings.Count(a.Text, `"change":"restored"`) != 1 {
		c.t.Errorf("on record: %s", a.Text)
	}
}

// A login ends others, one or all.
func (c *caller) logins(boss string) {
	enter := func() string {
		return text(c.do(200, "", "POST", "/v1/login", `{"code":"`+authtest.Code(c.Logins)+`"}`), "token")
	}
	one, two, three := enter(), enter(), enter()
	list := c.do(200, one, "GET", "/v1/logins", "").At("logins").([]any)
	if first, last := list[0].(map[string]any), list[2].(map[string]any); len(list) != 3 || first["current"] != false || last["current"] != true {
		c.t.Fatalf("the logins: %v", list)
	}
	c.do(200, one, "DELETE", "/v1/logins/"+fmt.Sprint(list[0].(map[string]any)["id"]), "")
	c.do(401, three, "GET", "/v1/whoami", "")
	c.do(404, one, "DELETE", "/v1/logins/"+fmt.Sprint(list[0].(map[string]any)["id"]), "")
	if a := c.do(200, one, "DELETE", "/v1/logins", ""); len(a.At("ended").([]any)) != 1 {
		c.t.Errorf("ended: %s", a.Text)
	}
	c.do(401, two, "GET", "/v1/whoami", "")
	c.do(200, one, "GET", "/v1/whoami", "")
	c.do(200, boss, "DELETE", "/v1/logins", "")
	c.do(401, one, "GET", "/v1/whoami", "")
}

func (c *caller) audit(boss string) {
	if a := c.do(200, boss, "GET", "/v1/audit/verified", ""); a.At("ok") != false || a.At("verified_at") != nil {
		c.t.Errorf("not verified yet: %s", a.Text)
	}
	c.do(200, boss, "GET", "/v1/audit/verify", "")
	if a := c.do(200, boss, "GET", "/v1/audit/verified", ""); a.At("ok") != true || text(a, "verified_by") != "token:boss" || a.At("records").(float64) < 10 {
		c.t.Errorf("verified: %s", a.Text)
	}
	for path, want := range map[string]int{
		"/v1/requests/export?q=types": 1, "/v1/requests/export?format=csv&q=types&from=2020-01-01": 2, "/v1/requests/export?state=DENIED&agent=nobody": 0,
		"/v1/audit/export?kind=login&format=jsonl": 9, "/v1/audit/export?kind=nothing": 0, "/v1/audit/export?q=types&kind=request": 1, "/v1/audit/export?to=2020-01-01": 0,
	} {
		if a := c.do(200, boss, "GET", path, ""); strings.Count(a.Text, "\n") != want || !strings.HasPrefix(a.Header.Get("Content-Disposition"), "attachment; filename=") {
			c.t.Errorf("%s: %d lines, want %d: %s", path, strings.Count(a.Text, "\n"), want, a.Header.Get("Content-Disposition"))
		}
	}
	for _, bad := range []string{"/v1/requests?from=monday", "/v1/requests?q=%26%26", "/v1/requests?decision=perhaps", "/v1/audit?to=2026-13-01", "/v1/audit/export?q=%2A", "/v1/requests/export?format=xml"} {
		if a := c.do(400, boss, "GET", bad, ""); a.Header.Get("Content-Disposition") != "" {
			c.t.Errorf("%s: %v", bad, a.Header)
		}
	}
	page := c.do(200, boss, "GET", "/v1/audit?after=1&limit=2", "")
	if fmt.Sprint(page.At("next")) != "3" {
		c.t.Errorf("a page: %s", page.Text)
	}
	whole := c.do(200, boss, "GET", "/v1/audit?limit=1000", "")
	lines := strings.Split(strings.TrimSpace(c.do(200, boss, "GET", "/v1/audit/export", "").Text), "\n")
	records := whole.At("records").([]any) // and what the service has recorded since is exported too
	if last := records[len(records)-1].(map[string]any); len(records) < 20 || len(lines) < len(records) || !strings.Contains(lines[len(records)-1], last["hash"].(string)) {
		c.t.Errorf("%d records, %d lines", len(records), len(lines))
	}
	for _, kind := range []string{"request", "decision", "receipt", "consumption", "execution", "cancellation", "expiry", "revocation", "session", "rule", "token", "login", "key", "passkey", "refusal"} {
		if !strings.Contains(whole.Text, `"kind":"`+kind+`"`) {
			c.t.Errorf("no record of the kind %s", kind)
		}
	}
	if strings.Contains(whole.Text, "pol_") || strings.Contains(whole.Text, "pols_") || strings.Contains(whole.Text, "polo_") {
		c.t.Error("the log holds a credential")
	}
	c.do(200, boss, "GET", "/v1/audit/export?format=csv", "")
	c.do(400, boss, "GET", "/v1/audit/export?format=xml", "")
	verified := c.do(200, boss, "GET", "/v1/audit/verify", "")
	signed := c.do(200, boss, "GET", "/v1/audit/checkpoint", "")
	lines = strings.Split(strings.TrimSpace(c.do(200, boss, "GET", "/v1/audit/export", "").Text), "\n")
	for _, head := range []struct {
		seq  any
		hash string
	}{{verified.At("records"), text(verified, "head")}, {signed.At("seq"), text(signed, "hash")}} { // the service may record between the two
		var at map[string]any
		if err := json.Unmarshal([]byte(lines[int(head.seq.(float64))-1]), &at); err != nil || at["hash"] != head.hash {
			c.t.Errorf("record %v is %v and not %s: %v", head.seq, at["hash"], head.hash, err)
		}
	}
	if verified.At("ok") != true {
		c.t.Errorf("verified %s", verified.Text)
	}
}

// What the routes do not know in a query is refused, and said.
func TestQuery(t *testing.T) {
	s := start(t)
	all := s.Token(t, "all", "submit,approve,read,admin")
	for _, row := range []struct {
		want       int
		path, says string
	}{
		{200, "/v1/requests?limit=1", ""},
		{200, "/v1/requests?state=PENDING&state=DENIED", ""},
		{400, "/v1/requests?states=PENDING", "did you mean state?"},
		{400, "/v1/requests?Limit=1", "did you mean limit?"},
		{400, "/v1/requests?limit=0", "from 1 to 1000"},
		{400, "/v1/requests?limit=1001", "from 1 to 1000"},
		{400, "/v1/requests?limit=9223372036854775808", "from 1 to 1000"},
		{400, "/v1/requests?limit=", "from 1 to 1000"},
		{400, "/v1/requests?limit=1&limit=2", "more than once"},
		{400, "/v1/requests?state=pending", "is not one of"},
		{400, "/v1/requests?a;b", "not well-formed"},
		{400, "/v1/requests?%zz", "not well-formed"},
		{400, "/v1/requests/req_x?wait=61s", "0s to 60s"},
		{400, "/v1/requests/req_x?wait=-1s", "0s to 60s"},
		{400, "/v1/requests/req_x?wait=30", "0s to 60s"},
		{400, "/v1/audit?after=-1", "from 0"},
		{400, "/v1/audit?x-http-method-override=DELETE", "unknown"},
		{400, "/v1/whoami?verbose=1", "there are none here"},
		{400, "/health?x=1", "there are none here"},
		{400, "/v1/events?last_event_id=x", "id of the last event"},
	} {
		a := s.Do(t, all, http.MethodGet, row.path, "")
		if a.Status != row.want || !strings.Contains(a.Text, row.says) {
			t.Errorf("%s: %d %s, want %d %s", row.path, a.Status, a.Text, row.want, row.says)
		}
	}
}

// Pages hold every request once, the newest first.
func TestPages(t *testing.T) {
	c := newCaller(t, start(t))
	agent := c.Token(t, "agent", "submit")
	var want, got []string
	for range 5 {
		want = append([]string{text(c.do(201, agent, "POST", "/v1/requests", `{"call":`+push+`}`), "id")}, want...)
	}
	for path := "/v1/requests?limit=2"; path != ""; {
		page := c.do(200, agent, "GET", path, "")
		for _, r := range page.At("requests").([]any) {
			got = append(got, r.(map[string]any)["id"].(string))
		}
		path = ""
		if next := text(page, "next"); next != "" {
			path = "/v1/requests?limit=2&before=" + next
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
