package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/auth/authtest"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A browser is at a page of a service, in which somebody is logged in.
type browser struct {
	*caller
	origin, secret string
}

// newBrowser logs somebody in by a code, at an address that has a name.
func newBrowser(c *caller) *browser {
	s, err := c.Logins.Exchange(authtest.Code(c.Logins))
	if err != nil {
		c.t.Fatal(err)
	}
	return &browser{c, strings.Replace(c.URL, "127.0.0.1", "localhost", 1), s.Secret}
}

func newPasskeyCaller(t *testing.T, above policy.Threshold) *caller {
	s := servertest.New(t, servertest.Options{PasskeyAbove: above})
	s.URL = strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	return newCaller(t, s)
}

// post sends a body as the page does, and fails unless the answer has the status.
func (b *browser) post(want int, path string, body any) servertest.Answer {
	b.t.Helper()
	a := b.try(path, body)
	if a.Status != want {
		b.t.Fatalf("%s %v: %d, want %d: %s", path, body, a.Status, want, a.Text)
	}
	return a
}

// try sends a body as the page does.
func (b *browser) try(path string, body any) servertest.Answer {
	b.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		b.t.Fatal(err)
	}
	r, err := http.NewRequest(http.MethodPost, b.origin+path, strings.NewReader(string(text)))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", b.origin)
	if b.secret != "" {
		r.Header.Set("Authorization", "Bearer "+b.secret)
	}
	a := servertest.Send(b.t, http.DefaultTransport, r)
	b.check(http.MethodPost, path, string(text), a)
	return a
}

// refused is post with the code of a refusal.
func (b *browser) refused(status int, code, path string, body any) {
	b.t.Helper()
	if a := b.post(status, path, body); a.Code() != code || a.At("hint") == "" {
		b.t.Errorf("%s: %s, want %s", path, a.Text, code)
	}
}

type fields map[string]any

func with(f fields, key string, value any) fields {
	out := fields{key: value}
	for k, v := range f {
		out[k] = v
	}
	return out
}

// register registers a passkey, which another one confirms if there is any.
func (b *browser) register(person string, confirm *authtest.Authenticator) *authtest.Authenticator {
	b.t.Helper()
	draft := fields{"person": person, "label": person + "'s phone"}
	options := b.post(200, "/v1/passkeys/options", draft)
	a := authtest.New(b.origin, "localhost")
	body := with(draft, "credential", a.Make(options.JSON["create"]))
	if confirm != nil {
		body["confirmation"] = confirm.Sign(options.JSON["confirm"])
	}
	b.post(201, "/v1/passkeys", body)
	return a
}

func (c *caller) ask(agent, command string) string {
	c.t.Helper()
	a := c.Do(c.t, agent, "POST", "/v1/requests", `{"call":{"tool":"shell","input":{"command":"`+command+`"},"session":"of people"}}`)
	return text(a, "id")
}

// An approval above the risk takes the passkey of a person, and the decision names them.
// No token, no command line and no route of another family can do without.
func TestPasskeyDecides(t *testing.T) {
	c := newPasskeyCaller(t, "medium")
	agent, boss := c.Token(t, "agent", "submit"), c.Token(t, "boss", "approve,read")
	ann := newBrowser(c)
	key := ann.register("ann", nil)

	high, low := c.ask(agent, "rm -rf build"), c.ask(agent, "make build")
	path := "/v1/requests/" + high + "/decision"
	answer := fields{"decision": "approved_once", "scope": "once", "reason": "go on"}
	if a := c.do(403, boss, "POST", path, `{"decision":"approved_once"}`); a.Code() != "passkey-required" || !strings.Contains(text(a, "hint"), "the desk") {
		t.Errorf("a token: %s", a.Text)
	}
	if _, err := c.Client(t, boss).Decide(t.Context(), high, approval.Answer{Word: approval.ApprovedOnce}); err == nil || !strings.Contains(err.Error(), "desk") {
		t.Errorf("the client says %v", err)
	}
	ann.refused(403, "passkey-required", path, answer)
	c.do(409, boss, "POST", path+"/options", `{"decision":"approved_once"}`)
	options := ann.post(200, path+"/options", answer)
	proof := key.Sign(options.JSON)
	if a := c.do(403, boss, "POST", path, fmt.Sprintf(`{"decision":"approved_once","scope":"once","reason":"go on","passkey":%s}`, proof)); a.Code() != "passkey-required" {
		t.Errorf("a token with a proof: %s", a.Text)
	}
	a := ann.post(200, path, with(answer, "passkey", proof))
	if text(a, "decision.decided_by") != "passkey:ann" || text(a, "state") != "APPROVED" {
		t.Errorf("the request is %s", a.Text)
	}
	log := c.do(200, boss, "GET", "/v1/audit?limit=1000", "").Text
	if !strings.Contains(log, `"decided_by":"passkey:ann"`) || !strings.Contains(log, `"kind":"passkey"`) {
		t.Errorf("the log lacks the person: %s", log)
	}
	// What is of less risk takes none, and no denial does.
	c.do(200, boss, "POST", "/v1/requests/"+low+"/decision", `{"decision":"approved_once"}`)
	c.do(200, boss, "POST", "/v1/requests/"+c.ask(agent, "rm -rf dist")+"/decision", `{"decision":"rejected"}`)
	// One that is given though none is asked for names the person too.
	low = c.ask(agent, "make more")
	path = "/v1/requests/" + low + "/decision"
	options = ann.post(200, path+"/options", answer)
	if a := ann.post(200, path, with(answer, "passkey", key.Sign(options.JSON))); text(a, "decision.decided_by") != "passkey:ann" {
		t.Errorf("the request is %s", a.Text)
	}
}

// passkeys uses the routes of passkeys and of push.
func (c *caller) passkeys(boss string) {
	agent := c.Token(c.t, "agent", "submit")
	b := newBrowser(c)
	key := b.register("ann", nil)
	id := c.ask(agent, "make with a passkey")
	path, answer := "/v1/requests/"+id+"/decision", fields{"decision": "approved_once"}
	options := b.post(200, path+"/options", answer)
	b.post(200, path, with(answer, "passkey", key.Sign(options.JSON)))
	out := &browser{c, b.origin, ""}
	options = out.post(200, "/v1/login/passkey/options", fields{})
	out.post(200, "/v1/login/passkey", fields{"passkey": key.Sign(options.JSON)})
	list := c.do(200, boss, "GET", "/v1/passkeys", "")
	removal := "/v1/passkeys/" + list.JSON["passkeys"].([]any)[0].(map[string]any)["id"].(string) + "/removal"
	options = b.post(200, removal+"/options", fields{})
	b.post(200, removal, fields{"passkey": key.Sign(options.JSON)})

	made := c.do(201, b.secret, "POST", "/v1/push", `{"label":"phone","endpoint":"https://push.example.com/1","keys":`+browserKeys+`}`)
	c.do(200, boss, "GET", "/v1/push", "")
	c.do(200, b.secret, "DELETE", "/v1/push/"+text(made, "id"), "")
}

// browserKeys are those of RFC 8291, appendix A.
const browserKeys = `{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}`

// A proof is for one approval, in one way, by one login and one person, and once.
func TestPasskeyBound(t *testing.T) {
	c := newPasskeyCaller(t, policy.AllRequests)
	agent := c.Token(t, "agent", "submit")
	ann := newBrowser(c)
	key := ann.register("ann", nil)
	bobs := ann.register("bob", key)
	answer := fields{"decision": "approved_once", "scope": "once", "reason": ""}
	for name, row := range map[string]struct {
		asked, sent fields
		by          *authtest.Authenticator
		spoil       func(id string, b *browser) (otherID string, other *browser)
	}{
		"another request":  {answer, answer, key, func(_ string, b *browser) (string, *browser) { return c.ask(agent, "make other"), b }},
		"another decision": {answer, fields{"decision": "approved_remember", "scope": "session"}, key, nil},
		"another scope":    {fields{"decision": "approved_remember", "scope": "session"}, fields{"decision": "approved_remember", "scope": "anywhere"}, key, nil},
		"another life":     {fields{"decision": "approved_remember", "scope": "session", "for": "1h"}, fields{"decision": "approved_remember", "scope": "session", "for": "2h"}, key, nil},
		"another reason":   {answer, fields{"decision": "approved_once", "scope": "once", "reason": "x"}, key, nil},
		"another login":    {answer, answer, key, func(id string, _ *browser) (string, *browser) { return id, newBrowser(c) }},
		"another policy": {answer, answer, key, func(id string, b *browser) (string, *browser) {
			c.do(201, c.Token(t, "admin", "admin"), "PUT", "/v1/rules/x", `{"priority":1,"enabled":1,"source":"{\"shell.program\":\"zz\"}","decision":"deny","reason":"no"}`)
			return id, b
		}},
		"too late": {answer, answer, key, func(id string, b *browser) (string, *browser) { c.Skip(auth.ProofLife); return id, b }},
	} {
		id, b := c.ask(agent, "make "+strings.ReplaceAll(name, " ", "-")), newBrowser(c)
		options := b.post(200, "/v1/requests/"+id+"/decision/options", row.asked)
		other, sender := id, b
		if row.spoil != nil {
			other, sender = row.spoil(id, b)
		}
		proof := row.by.Sign(options.JSON)
		sender.refused(403, "bad-passkey", "/v1/requests/"+other+"/decision", with(row.sent, "passkey", proof))
		for _, one := range []string{id, other} {
			if r, err := c.Backend.Service.Get(t.Context(), one); err != nil || r.State != approval.Pending {
				t.Errorf("%s: %v, %v", name, r, err)
			}
		}
	}

	// Who logged in by a passkey decides by one of theirs alone.
	login := &browser{c, c.URL, ""}
	options := login.post(200, "/v1/login/passkey/options", fields{})
	in := login.post(200, "/v1/login/passkey", fields{"passkey": key.Sign(options.JSON)})
	if text(in, "identity") != "passkey:ann" {
		t.Fatal(in.Text)
	}
	login.secret = text(in, "token")
	id := c.ask(agent, "make last")
	path := "/v1/requests/" + id + "/decision"
	options = login.post(200, path+"/options", answer)
	login.refused(403, "bad-passkey", path, with(answer, "passkey", bobs.Sign(options.JSON)))
	proof := key.Sign(options.JSON)
	login.post(200, path, with(answer, "passkey", proof))
	// Once: another request that asks the same cannot have it.
	login.refused(403, "bad-passkey", "/v1/requests/"+c.ask(agent, "make last")+"/decision", with(answer, "passkey", proof))
	login.refused(403, "bad-passkey", "/v1/requests/"+c.ask(agent, "make other last")+"/decision", with(answer, "passkey", "nonsense"))
	login.refused(409, "no-approval", path+"/options", answer)
	login.refused(409, "no-approval", "/v1/requests/"+c.ask(agent, "make denied")+"/decision/options", fields{"decision": "rejected"})
	if n := strings.Count(c.do(200, c.Token(t, "reader", "read"), "GET", "/v1/audit?limit=1000", "").Text, `"code":"bad-passkey"`); n != 11 {
		t.Errorf("%d refusals are on record", n)
	}
}

// A login by a passkey that is none, is old, or is another's gets nothing.
func TestPasskeyLogin(t *testing.T) {
	c := newPasskeyCaller(t, "")
	key := newBrowser(c).register("ann", nil)
	out := &browser{c, c.URL, ""}
	options := out.post(200, "/v1/login/passkey/options", fields{})
	stranger := authtest.New(c.URL, "localhost")
	out.refused(401, "bad-passkey", "/v1/login/passkey", fields{"passkey": stranger.Sign(options.JSON)})
	key.Unverified = true
	out.refused(401, "bad-passkey", "/v1/login/passkey", fields{"passkey": key.Sign(options.JSON)})
	key.Unverified = false
	proof := key.Sign(options.JSON)
	a := out.post(200, "/v1/login/passkey", fields{"passkey": proof})
	if c := a.Header.Get("Set-Cookie"); !strings.Contains(c, "policyctl_session=polc_") || !strings.Contains(c, "HttpOnly") || !strings.Contains(c, "SameSite=Strict") {
		t.Errorf("the cookie is %q", c)
	}
	c.do(200, text(a, "token"), "GET", "/v1/tokens", "")
	out.refused(401, "bad-passkey", "/v1/login/passkey", fields{"passkey": proof})
	key.Count = 0
	options = out.post(200, "/v1/login/passkey/options", fields{})
	out.refused(401, "bad-passkey", "/v1/login/passkey", fields{"passkey": key.Sign(options.JSON)})
	log := c.do(200, c.Token(t, "reader", "read"), "GET", "/v1/audit?limit=1000", "").Text
	if !strings.Contains(log, "there may be a copy of it") || !strings.Contains(log, `"actor":"passkey:ann"`) {
		t.Errorf("the log says %s", log)
	}
	away := &browser{c, "http://localhost:1", ""}
	r, err := http.NewRequest("POST", c.URL+"/v1/login/passkey/options", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", away.origin)
	if a := servertest.Send(t, http.DefaultTransport, r); a.Status != 403 {
		t.Errorf("another page: %d %s", a.Status, a.Text)
	}
	c.do(409, "", "POST", "/v1/login/passkey/options", "{}")
}

// Once there is a passkey, whoever comes by the secret of a login neither adds one nor
// removes one: one that is registered has to confirm it.
func TestPasskeyConfirms(t *testing.T) {
	c := newPasskeyCaller(t, "low")
	ann := newBrowser(c)
	for _, draft := range []fields{{"person": "", "label": "x"}, {"person": "a b", "label": "x"}, {"person": "ann", "label": ""}, {"person": "ann", "label": "a\u202eb"}} {
		ann.refused(400, "invalid", "/v1/passkeys/options", draft)
	}
	boss := c.Token(t, "boss", "approve,read")
	c.do(409, boss, "POST", "/v1/passkeys/options", `{"person":"boss","label":"x"}`)
	key := ann.register("ann", nil)

	thief := newBrowser(c)
	draft := fields{"person": "thief", "label": "software"}
	options := thief.post(200, "/v1/passkeys/options", draft)
	own := authtest.New(c.URL, "localhost")
	credential := own.Make(options.JSON["create"])
	thief.refused(403, "bad-passkey", "/v1/passkeys", with(draft, "credential", credential))
	thief.refused(403, "bad-passkey", "/v1/passkeys", with(with(draft, "credential", credential), "confirmation", own.Sign(options.JSON["confirm"])))
	// What ann confirms is another name.
	other := thief.post(200, "/v1/passkeys/options", fields{"person": "ann", "label": "tablet"})
	thief.refused(403, "bad-passkey", "/v1/passkeys", with(with(draft, "credential", credential), "confirmation", key.Sign(other.JSON["confirm"])))

	list := c.do(200, boss, "GET", "/v1/passkeys", "")
	id := list.JSON["passkeys"].([]any)[0].(map[string]any)["id"].(string)
	removal := "/v1/passkeys/" + id + "/removal"
	if strings.Contains(list.Text, "public") || strings.Contains(list.Text, "credential") {
		t.Errorf("the list has %s", list.Text)
	}
	thief.refused(403, "bad-passkey", removal, fields{"passkey": own.Sign(options.JSON["confirm"])})
	thief.refused(404, "not-found", "/v1/passkeys/none/removal", fields{"passkey": own.Sign(options.JSON["confirm"])})

	second := ann.register("ann", key)
	in := &browser{c, c.URL, ""}
	login := in.post(200, "/v1/login/passkey/options", fields{})
	in.secret = text(in.post(200, "/v1/login/passkey", fields{"passkey": second.Sign(login.JSON)}), "token")
	// Who logged in by one is one person, and becomes no second one.
	for _, path := range []string{"/v1/passkeys/options", "/v1/passkeys"} {
		in.refused(403, "another-person", path, fields{"person": "ben", "label": "x"})
	}
	in.post(200, "/v1/passkeys/options", fields{"person": "Ann", "label": "x"})
	options = ann.post(200, removal+"/options", fields{})
	if a := ann.post(200, removal, fields{"passkey": second.Sign(options.JSON)}); fmt.Sprint(a.At("logins_ended")) != "1" {
		t.Errorf("removed: %s", a.Text)
	}
	c.do(401, in.secret, "GET", "/v1/whoami", "")
	ann.refused(404, "not-found", removal+"/options", fields{})
	if keys, err := c.Data.Passkeys(t.Context()); err != nil || len(keys) != 1 || keys[0].ID == id {
		t.Errorf("%+v, %v", keys, err)
	}
}

// Push tells who has said so at a browser, and no address that a guard keeps.
func TestSubscriptions(t *testing.T) {
	c := newCaller(t, start(t))
	boss, reader := c.Token(t, "boss", "approve"), c.Token(t, "reader", "read")
	const keys = `"keys":` + browserKeys
	for _, row := range [][2]string{
		{`{"label":"phone","endpoint":"http://push.example.com/1",` + keys + `}`, "https"},
		{`{"label":"phone","endpoint":"https://127.0.0.1/1",` + keys + `}`, "not an address of the internet"},
		{`{"label":"phone","endpoint":"https://[::ffff:10.0.0.1]/1",` + keys + `}`, "not an address of the internet"},
		{`{"label":"phone","endpoint":"https://169.254.169.254/1",` + keys + `}`, "not an address of the internet"},
		{`{"label":"phone","endpoint":"https://a@push.example.com/1",` + keys + `}`, "plain https"},
		{`{"label":"phone","endpoint":"/1",` + keys + `}`, "endpoint"},
		{`{"label":"","endpoint":"https://push.example.com/1",` + keys + `}`, "label"},
		{`{"label":"phone","endpoint":"https://push.example.com/1","keys":{"p256dh":"BCVx","auth":"BTBZMqHH6r4Tts7J_aSIgg"}}`, "P-256"},
		{`{"label":"phone","endpoint":"https://push.example.com/1","keys":{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZ"}}`, "auth"},
	} {
		if a := c.do(400, boss, "POST", "/v1/push", row[0]); !strings.Contains(a.Text, row[1]) {
			t.Errorf("%s: %s", row[0], a.Text)
		}
	}
	made := c.do(201, boss, "POST", "/v1/push", `{"label":"<phone>","endpoint":"https://push.example.com/secret",`+keys+`}`)
	again := c.do(201, boss, "POST", "/v1/push", `{"label":"phone","endpoint":"https://push.example.com/secret",`+keys+`}`)
	list := c.do(200, reader, "GET", "/v1/push", "")
	if all := list.JSON["subscriptions"].([]any); len(all) != 1 || strings.Contains(list.Text, "secret") || text(list, "key") == "" || all[0].(map[string]any)["person"] != "token:boss" {
		t.Errorf("the list is %s", list.Text)
	}
	c.do(404, boss, "DELETE", "/v1/push/"+text(made, "id"), "")
	c.do(200, boss, "DELETE", "/v1/push/"+text(again, "id"), "")
	if all := c.do(200, reader, "GET", "/v1/push", "").JSON["subscriptions"].([]any); len(all) != 0 {
		t.Errorf("%v are left", all)
	}
}
