package compat

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/auth/authtest"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/approval"
)

// scopes is who may use what: the scopes of which one is enough, "-" for no
// token at all.
const scopes = `
POST /requests                         submit
GET  /requests                         submit approve read admin
GET  /requests/{id}                    submit approve read admin
POST /requests/{id}/decision           approve
POST /api/requests                     submit
GET  /api/requests                     submit approve read admin
GET  /api/requests/{id}                submit approve read admin
POST /api/requests/{id}/decision       approve
POST /s/{token}/requests               path
GET  /s/{token}/requests               path
GET  /s/{token}/requests/{id}          path
GET  /s/{token}/health                 path
POST /s/{token}/api/requests           path
GET  /s/{token}/api/requests           path
GET  /s/{token}/api/requests/{id}      path
GET  /api/approvals                    submit approve read admin
GET  /api/approvals/{id}               submit approve read admin
POST /api/approvals/{id}/approve       approve
POST /api/approvals/{id}/deny          approve
GET  /api/rules                        read admin
POST /api/rules                        admin
POST /api/rules/preview                read admin
GET  /api/rules/{id}                   read admin
DELETE /api/rules/{id}                 admin
GET  /api/action-schemas               submit approve read admin
POST /api/action-schemas               admin
GET  /api/profiles                     read admin
GET  /api/integrations                 read admin
GET  /api/approvers                    submit approve read admin
ANY  /api/approvers/{plugin}/{path...} -
GET  /api/pending-actions              approve read admin
GET  /api/pending-actions/stream       approve read admin
POST /api/pending-actions/{id}/decision approve
`

// routes returns those of all families.
func routes() (all []route.Route) {
	for _, f := range new(Handler).Families() {
		all = append(all, f.Routes...)
	}
	return all
}

// Every route is for those that the table says, and for nobody without a token.
func TestScopes(t *testing.T) {
	r := newRig(t, nil)
	tokens := map[string]string{}
	for _, scope := range []string{"submit", "approve", "read", "admin"} {
		tokens[scope] = r.Token(t, scope, scope)
	}
	rows := map[string][]string{}
	for line := range strings.Lines(strings.TrimSpace(scopes)) {
		f := strings.Fields(line)
		rows[f[0]+" "+f[1]] = f[2:]
	}
	for _, route := range routes() {
		method := route.Method
		if method == "" {
			method = "ANY"
		}
		may, listed := rows[method+" "+route.Path]
		delete(rows, method+" "+route.Path)
		if !listed {
			t.Errorf("%s %s is not in the table", method, route.Path)
			continue
		}
		if route.Open || strings.Contains(route.Path, "{token}") || strings.HasSuffix(route.Path, "/stream") {
			continue // tests of their own
		}
		path := strings.NewReplacer("{id}", "none").Replace(route.Path)
		body := ""
		if method == "POST" {
			body = "{}"
		}
		if a := r.Do(t, "", method, path, body); a.Status != 401 || a.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s %s without a token: %d %s", method, path, a.Status, a.Text)
		}
		for scope, token := range tokens {
			a := r.Do(t, token, method, path, body)
			if got := a.Status != 403; got != slices.Contains(may, scope) || a.Status == 401 {
				t.Errorf("%s %s with %s: %d %s", method, path, scope, a.Status, a.Text)
			}
		}
	}
	for row := range rows {
		t.Errorf("%s is in the table and not a route", row)
	}
	for scope, token := range tokens {
		q, _ := http.NewRequest("GET", r.URL+"/api/pending-actions/stream?last_event_id=x", nil)
		q.Header.Set("Authorization", "Bearer "+token)
		a := servertest.Send(t, http.DefaultTransport, q)
		if want := map[bool]int{true: 403, false: 400}[scope == "submit"]; a.Status != want {
			t.Errorf("stream with %s: %d %s", scope, a.Status, a.Text)
		}
	}
}

// A token in the path submits, and serves to nothing else.
func TestPathToken(t *testing.T) {
	seed.Slow(t)
	r := newRig(t, nil)
	strong := r.Token(t, "strong", "submit,approve")
	stock{r.url()}.start(body("clr_1", "x", nil))
	r.pending("clr_1")
	call := r.propose("s", "make a")
	approveOnce := `{"decision":"approved_once"}`
	for _, row := range []struct {
		status             int
		method, path, body string
	}{
		{200, "GET", "/s/" + r.agent + "/requests/clr_1", ""},
		{200, "GET", "/s/" + r.agent + "/health", ""},
		{401, "GET", "/s/pol_x/health", ""},
		{404, "GET", "/s/" + r.agent + "/health/x", ""},
		{405, "POST", "/s/" + r.agent + "/requests/clr_1", approveOnce},
		{404, "POST", "/s/" + r.agent + "/requests/clr_1/decision", approveOnce},
		{404, "POST", "/s/" + r.agent + "/api/requests/clr_1/decision", approveOnce},
		{404, "POST", "/s/" + r.boss + "/requests/clr_1/decision", approveOnce},
		{404, "POST", "/s/" + r.boss + "/api/approvals/clr_1/approve", ""},
		{404, "GET", "/s/" + r.agent + "/api/approvals", ""},
		{404, "GET", "/s/" + r.agent + "/v1/requests", ""},
		{404, "GET", "/s/" + r.agent + "/v1/whoami", ""},
		{404, "GET", "/s/" + r.agent + "/requests/../../../v1/whoami", ""},
		{404, "GET", "/s/" + r.agent + "/requests/" + call, ""},
		{400, "GET", "/s/" + r.agent + "/requests/..%2f..%2fv1%2fwhoami", ""},
		{403, "GET", "/s/" + strong + "/requests", ""},
		{403, "POST", "/s/" + strong + "/requests", body("clr_2", "x", nil)},
		{403, "GET", "/s/" + r.boss + "/requests", ""},
		{401, "GET", "/s/pol_x/requests", ""},
		{401, "GET", "/s/" + r.agent[:len(r.agent)-1] + "/requests", ""},
		{401, "GET", "/s/%20/requests", ""},
		{401, "GET", "/s/" + strings.Replace(r.agent, "pol_", "pols_", 1) + "/requests", ""},
		{404, "GET", "/s/requests", ""},
		{404, "GET", "/s//requests", ""},
	} {
		a := r.Do(t, "", row.method, row.path, row.body)
		if a.Status != row.status || strings.Contains(a.Text, r.agent) {
			t.Errorf("%s %s: %d, want %d: %s", row.method, row.path, a.Status, row.status, a.Text)
		}
	}
	for _, token := range []string{r.agent, r.boss} {
		if a := r.do(401, token, "GET", "/s/"+r.agent+"/requests", ""); !strings.Contains(a.Text, "more than one") {
			t.Errorf("%s", a.Text)
		}
	}
	session, err := r.Logins.Exchange(authtest.Code(r.Logins))
	if err != nil {
		t.Fatal(err)
	}
	r.do(401, "", "GET", "/s/"+session.Secret+"/requests", "")
	tokens, err := r.Data.Tokens(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range tokens {
		if _, err := r.Data.RevokeToken(t.Context(), token.ID, r.Now()); err != nil {
			t.Fatal(err)
		}
	}
	r.do(401, "", "GET", "/s/"+r.agent+"/requests", "")
}

// A token in a query is refused, and counts as lost.
func TestTokenInQuery(t *testing.T) {
	r := newRig(t, nil)
	for _, path := range []string{"/requests?token=", "/api/approvals?access_token=", "/api/rules?", "/api/pending-actions/stream?last_event_id="} {
		r.do(401, "", "GET", path+r.boss, "")
	}
}

// deciding are the routes that decide, with what they are told.
var deciding = []struct{ path, body string }{
	{"/requests/ID/decision", `{"decision":"approved_once"}`},
	{"/api/requests/ID/decision", `{"decision":"approved_once"}`},
	{"/api/approvals/ID/approve", ``},
	{"/api/approvals/ID/approve", `{}`},
	{"/api/approvals/ID/deny", `{}`},
	{"/api/pending-actions/ID/decision", `{"decision":"allow"}`},
	{"/api/pending-actions/ID/decision", `{"decision":"allow","reviewer":"token:agent"}`},
}

// Who submits decides nothing: neither with a token that may both, nor with
// another token of the same name.
func TestSelfDecision(t *testing.T) {
	seed.Slow(t)
	r := newRig(t, nil)
	stock{r.url()}.start(body("clr_1", "x", nil))
	id := r.pending("clr_1")
	for _, token := range []string{r.Token(t, "agent", "submit,approve,read"), r.Token(t, "Agent", "approve")} {
		for _, d := range deciding {
			a := r.do(403, token, "POST", strings.Replace(d.path, "ID", id, 1), d.body)
			if !strings.Contains(a.Text, "who submits a request cannot decide it") {
				t.Errorf("%s: %s", d.path, a.Text)
			}
		}
	}
	r.pending("clr_1")
	log, err := r.Data.Audit(t.Context(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	refusals := 0
	for _, e := range log {
		if e.Kind == "refusal" && e.Actor == "token:agent" && e.RequestID == id {
			refusals++
		}
	}
	if want := 2 * len(deciding); refusals != want {
		t.Errorf("the audit log has %d refusals, want %d", refusals, want)
	}
}

// A page of another site decides nothing with what a browser sends.
func TestForgery(t *testing.T) {
	r := newRig(t, nil)
	id := r.propose("s", "make a")
	session, err := r.Logins.Exchange(authtest.Code(r.Logins))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name   string
		header map[string]string
	}{
		{"a form of another site", map[string]string{"Content-Type": "text/plain", "Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}},
		{"another port", map[string]string{"Content-Type": "application/json", "Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:1"}},
		{"an old browser", map[string]string{"Content-Type": "application/json", "Origin": "https://evil.example"}},
		{"no origin", map[string]string{"Content-Type": "application/json"}}, // the cookie only reads
		{"its own page", map[string]string{"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}},
	} {
		for _, d := range deciding {
			q, err := http.NewRequest("POST", r.URL+strings.Replace(d.path, "ID", id, 1), strings.NewReader(d.body))
			if err != nil {
				t.Fatal(err)
			}
			q.AddCookie(&http.Cookie{Name: "policyctl_session", Value: session.Cookie})
			for name, value := range row.header {
				q.Header.Set(name, value)
			}
			if a := servertest.Send(t, http.DefaultTransport, q); a.Status != 403 {
				t.Errorf("%s: %s: %d %s", row.name, d.path, a.Status, a.Text)
			}
		}
	}
	q, _ := http.NewRequest("POST", r.URL+"/api/approvals/"+id+"/approve", nil)
	q.Host = "evil.example"
	q.Header.Set("Authorization", "Bearer "+r.boss)
	if a := servertest.Send(t, http.DefaultTransport, q); a.Status != 421 {
		t.Errorf("another host: %d %s", a.Status, a.Text)
	}
	r.pending(id)
}

// The peer of the socket submits and reads; it decides nothing.
func TestPeer(t *testing.T) {
	r := newRig(t, nil)
	id := r.propose("s", "make a")
	c, err := approval.NewClient("unix:"+r.Socket, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Do(t.Context(), "GET", "/api/approvals", nil, nil); err != nil {
		t.Error(err)
	}
	for _, d := range deciding {
		err := c.Do(t.Context(), "POST", strings.Replace(d.path, "ID", id, 1), map[string]string{"decision": "allow"}, nil)
		if err == nil || !strings.Contains(err.Error(), "403") {
			t.Errorf("%s: %v", d.path, err)
		}
	}
	r.pending(id)
}

// Ids in paths name nothing but requests and rules.
func TestTraversal(t *testing.T) {
	r := newRig(t, nil)
	admin := r.Token(t, "admin", "admin,approve,submit")
	for _, id := range []string{"..%2f..%2fv1%2ftokens", "%2e%2e", "a%00b", "a%0ab", "a%20b", "%ff", "a..b", strings.Repeat("a", 129)} {
		for _, path := range []string{"GET /requests/", "GET /api/requests/", "GET /api/approvals/", "GET /api/rules/", "DELETE /api/rules/"} {
			method, prefix, _ := strings.Cut(path, " ")
			if a := r.Do(t, admin, method, prefix+id, ""); a.Status != 400 && a.Status != 404 {
				t.Errorf("%s%s: %d %s", path, id, a.Status, a.Text)
			}
		}
		for _, d := range deciding {
			if a := r.Do(t, admin, "POST", strings.Replace(d.path, "ID", id, 1), d.body); a.Status != 400 && a.Status != 404 {
				t.Errorf("%s %s: %d %s", d.path, id, a.Status, a.Text)
			}
		}
	}
}
