package compat

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/server/servertest"
)

// listed returns the ids of a list of approvals.
func (r *rig) listed(token, path string) string {
	r.t.Helper()
	var list []struct{ ID string }
	a := r.do(200, token, "GET", path, "")
	if err := json.Unmarshal([]byte(a.Text), &list); err != nil {
		r.t.Fatalf("%v: %s", err, a.Text)
	}
	var ids []string
	for _, one := range list {
		ids = append(ids, one.ID)
	}
	return strings.Join(ids, " ")
}

// A supervisor lists, approves and denies as its documentation shows it.
func TestSupervised(t *testing.T) {
	r := newRig(t, nil)
	a, b, c, d := r.propose("s1", "make a"), r.propose("s1", "make b"), r.propose("s2", "make c"), r.propose("s2", "make d")
	one := r.do(200, r.boss, "GET", "/api/approvals/"+a, "")
	for path, want := range map[string]any{
		"tool": "shell", "arguments.command": "make a", "session": "s1", "agent": "claude", "status": "pending", "reason": nil, "decided_by": nil,
	} {
		if got := one.At(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	created, _ := time.Parse(time.RFC3339Nano, one.At("created_at").(string))
	expires, err := time.Parse(time.RFC3339Nano, one.At("expires_at").(string))
	if err != nil || expires.Sub(created) != 5*time.Minute {
		t.Errorf("%s", one.Text)
	}
	if got := r.do(200, r.boss, "POST", "/api/approvals/"+a+"/approve", ""); got.At("status") != "approved" || got.At("decided_by") != "token:boss" {
		t.Errorf("%s", got.Text)
	}
	r.do(200, r.boss, "POST", "/api/approvals/"+a+"/approve", "{}")
	if got := r.do(200, r.boss, "POST", "/api/approvals/"+b+"/deny", `{"reason":"Not permitted"}`); got.At("status") != "denied" || got.At("reason") != "Not permitted" {
		t.Errorf("%s", got.Text)
	}
	if got := r.do(409, r.boss, "POST", "/api/approvals/"+b+"/approve", ""); got.At("request.status") != "denied" || got.At("detail") != nil {
		t.Errorf("%s", got.Text)
	}
	r.do(200, r.boss, "POST", "/api/approvals/"+c+"/deny", "")
	for _, row := range []struct{ want, token, query string }{
		{d + " " + c + " " + b + " " + a, r.boss, ""},
		{d, r.boss, "?status=pending"},
		{a, r.boss, "?status=approved"},
		{c + " " + b, r.boss, "?status=denied"},
		{"", r.boss, "?status=timed_out"},
		{"", r.boss, "?status=cancelled"},
		{"", r.boss, "?status=executed"},
		{"", r.boss, "?status=failed"},
		{d + " " + c, r.boss, "?limit=2"},
		{b + " " + a, r.boss, "?before=" + c},
		{d, r.agent, "?status=pending"},
		{"", r.Token(t, "other", "submit"), ""},
	} {
		if got := r.listed(row.token, "/api/approvals"+row.query); got != row.want {
			t.Errorf("%s: %s, want %s", row.query, got, row.want)
		}
	}
	r.do(200, r.agent, "POST", "/v1/requests/"+d+"/cancel", "")
	if got := r.listed(r.boss, "/api/approvals?status=cancelled"); got != d {
		t.Errorf("%s, want %s", got, d)
	}
}

func TestSupervisedErrors(t *testing.T) {
	r := newRig(t, nil)
	id := r.propose("s1", "make a")
	for _, row := range []struct {
		status            int
		why, method, path string
		body              string
	}{
		{400, "status: ", "GET", "/api/approvals?status=PENDING", ""},
		{400, "write one of pending, approved", "GET", "/api/approvals?status=open", ""},
		{400, "status: ", "GET", "/api/approvals?status=", ""},
		{400, "did you mean status", "GET", "/api/approvals?Status=pending", ""},
		{400, "more than once", "GET", "/api/approvals?status=pending&status=denied", ""},
		{400, "limit", "GET", "/api/approvals?limit=0", ""},
		{400, "limit", "GET", "/api/approvals?limit=1001", ""},
		{400, "before", "GET", "/api/approvals?before=../x", ""},
		{400, "there are none here", "GET", "/api/approvals/" + id + "?wait=1s", ""},
		{404, "no such request", "GET", "/api/approvals/nobody", ""},
		{404, "no such request", "POST", "/api/approvals/nobody/approve", ""},
		{400, "unknown", "POST", "/api/approvals/" + id + "/approve", `{"scope":"anywhere"}`},
		{400, "unknown", "POST", "/api/approvals/" + id + "/deny", `{"Reason":"no"}`},
		{400, "reason", "POST", "/api/approvals/" + id + "/deny", `{"reason":"` + strings.Repeat("x", 5000) + `"}`},
		{405, "", "GET", "/api/approvals/" + id + "/approve", ""},
		{405, "", "POST", "/api/approvals", "{}"},
	} {
		a := r.do(row.status, r.boss, row.method, row.path, row.body)
		if row.why == "unknown" {
			row.why = "unknown"
		}
		if text, _ := a.At("error").(string); !strings.Contains(text, row.why) {
			t.Errorf("%s: %s", row.path, a.Text)
		}
	}
	r.pending(id)
}

// An approval needs no body, and what is said of the type of one does not
// matter beside a token: curl -d says that it is a form. It is read as JSON.
func TestEmptyBody(t *testing.T) {
	r := newRig(t, nil)
	for _, row := range []struct {
		status      int
		media, body string
	}{
		{200, "", "{}"}, {200, "text/plain", "{}"}, {200, "application/x-www-form-urlencoded", "{}"},
		{200, "application/x-www-form-urlencoded", ""}, {400, "application/x-www-form-urlencoded", "reason=x"},
		{400, "multipart/form-data; boundary=x", "--x--"}, {200, "", ""}, {200, "application/json", "{}"},
	} {
		id := r.propose("s", "make a")
		q, err := http.NewRequest("POST", r.URL+"/api/approvals/"+id+"/approve", strings.NewReader(row.body))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Authorization", "Bearer "+r.boss)
		if row.media != "" {
			q.Header.Set("Content-Type", row.media)
		}
		if a := servertest.Send(t, http.DefaultTransport, q); a.Status != row.status {
			t.Errorf("%q %q: %d %s", row.media, row.body, a.Status, a.Text)
		}
	}
}
