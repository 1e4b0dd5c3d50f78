package compat

import (
	"net/http"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/server"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// The commands of the source documents work as they are written, with a token:
// curl -d says that its body is a form.
func TestCurl(t *testing.T) {
	r := newRig(t, nil)
	admin := r.Token(t, "admin", "admin")
	for _, row := range []struct{ token, path, body, want string }{
		{r.boss, "/api/approvals/ID/deny", `{"reason": "Not permitted"}`, `"reason":"Not permitted"`},
		{r.boss, "/api/approvals/ID/deny", ``, `"status":"denied"`},
		{r.boss, "/api/approvals/ID/deny", `{}`, `"status":"denied"`},
		{r.boss, "/api/approvals/ID/approve", ``, `"status":"approved"`},
		{r.boss, "/api/pending-actions/ID/decision", `{"decision": "deny"}`, `"status":"denied"`},
		{admin, "/api/rules", `{"id":"i","priority":1,"enabled":true,"dialect":"pattern","source":"{\"http.url\":{\"pattern\":\"(?i)delete\"}}","decision":"deny","reason":"no"}`, `"id":"i"`},
	} {
		path := strings.Replace(row.path, "ID", r.propose("s", "make a"), 1)
		q, _ := http.NewRequest("POST", r.URL+path, strings.NewReader(row.body))
		q.Header.Set("Authorization", "Bearer "+row.token)
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if a := servertest.Send(t, http.DefaultTransport, q); a.Status != 200 || !strings.Contains(a.Text, row.want) {
			t.Errorf("%s %s: %d %s", path, row.body, a.Status, a.Text)
		}
	}
	q, _ := http.NewRequest("POST", r.url()+"/requests", strings.NewReader(`{}`))
	q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if a := servertest.Send(t, http.DefaultTransport, q); a.Status != 422 {
		t.Errorf("the token in the path: %d %s", a.Status, a.Text)
	}
}

// Every error has the form that the guide says, whatever finds it.
func TestErrorForms(t *testing.T) {
	r := newRig(t, func(o *servertest.Options, _ *Handler) {
		o.Config = func(c *server.Config) { c.Identities = webguard.Bucket{PerSecond: 0.001, Burst: 12} }
	})
	for _, row := range []struct {
		status                   int
		method, path, host, kind string
	}{
		{415, "POST", "/api/rules", "", "error"},
		{415, "POST", "/requests", "", "error detail"},
		{415, "POST", "/v1/rules", "", "problem"},
		{421, "GET", "/api/rules", "evil.example", "error"},
		{421, "GET", "/health", "evil.example", "problem"},
		{404, "GET", "/api/nothing", "", "error"},
		{404, "GET", "/nothing", "", "error"},
		{404, "GET", "/v1/nothing", "", "problem"},
		{405, "DELETE", "/api/requests", "", "error detail"},
		{405, "DELETE", "/api/approvals", "", "error"},
		{404, "GET", "/s/x/nothing", "", "error detail"},
		{401, "GET", "/api/rules", "", "error"},
		{401, "GET", "/v1/rules", "", "problem"},
		{401, "GET", "/requests", "", "error detail"},
		{429, "", "/api/rules", "", "error"},
		{429, "", "/requests", "", "error detail"},
		{429, "", "/v1/rules", "", "problem"},
	} {
		send := func() servertest.Answer {
			method := row.method
			if method == "" {
				method = "GET"
			}
			text := ""
			if method == "POST" {
				text = "{}"
			}
			q, _ := http.NewRequest(method, r.URL+row.path, strings.NewReader(text))
			q.Host = row.host
			return servertest.Send(t, http.DefaultTransport, q)
		}
		a := send()
		for i := 0; row.status == 429 && a.Status != 429 && i < 20; i++ {
			a = send()
		}
		kind := "problem"
		if _, ok := a.At("error").(string); ok {
			kind = "error"
		}
		if a.At("detail") != nil && kind == "error" {
			kind = "error detail"
		}
		if a.Status != row.status || kind != row.kind {
			t.Errorf("%s %s: %d %s, want %d %s: %s", row.method, row.path, a.Status, kind, row.status, row.kind, a.Text)
		}
	}
}
