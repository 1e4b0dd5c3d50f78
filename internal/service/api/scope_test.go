package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/api"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
)

// admitted says who may use which route: nobody in particular (-), and who has
// the scope submit (s), approve (p), read (r), admin (a) or record (d) alone.
const admitted = `
..p... DELETE /v1/session-denials
..p... POST /v1/requests/{id}/revoke
..p... POST /v1/session-denials
..pra. GET /v1/session-denials
-sprad GET /health
-sprad GET /health/live
-sprad GET /health/ready
...ra. GET /metrics
-sprad GET /login
-sprad POST /v1/login
.sprad POST /v1/logout
.sprad GET /v1/whoami
.sprad GET /v1/openapi.json
.s.... POST /v1/requests
.spra. GET /v1/requests
.spra. GET /v1/requests/{id}
...ra. GET /v1/requests/export
..p... POST /v1/requests/{id}/decision
..p... POST /v1/requests/{id}/revoke
..p... POST /v1/requests/{id}/extend
.s.... POST /v1/requests/{id}/cancel
.s.... POST /v1/requests/{id}/result
.s.... POST /v1/sessions/{id}/end
.s.... POST /v1/sessions/{id}/turn
.s.... POST /v1/receipts/consume
.s.ra. POST /v1/receipts/verify
.sprad GET /v1/keys
.s.ra. POST /v1/decide
.s.ra. POST /v1/data/policyctl/decision
...ra. GET /v1/rules
....a. POST /v1/rules
...ra. POST /v1/rules/preview
...ra. POST /v1/rules/check
....a. POST /v1/rules/import
...ra. GET /v1/rules/export
...ra. GET /v1/rules/changes
....a. POST /v1/rules/changes/{id}/undo
...ra. GET /v1/rules/deleted
...ra. GET /v1/rules/{id}
....a. PUT /v1/rules/{id}
....a. DELETE /v1/rules/{id}
.sprad GET /v1/action-schemas
.spra. GET /v1/approvers
..pra. GET /v1/channels
.sp... POST /v1/channels/{id}/test
...ra. GET /v1/audit
...ra. GET /v1/audit/verify
...ra. GET /v1/audit/verified
..pra. GET /v1/grants
..p... DELETE /v1/grants/{id}
..p... POST /v1/grants/{id}/restore
....a. GET /v1/logins
....a. DELETE /v1/logins
....a. DELETE /v1/logins/{id}
...ra. GET /v1/audit/export
...ra. GET /v1/audit/checkpoint
..pra. GET /v1/events
....a. GET /v1/tokens
....a. POST /v1/tokens
....a. DELETE /v1/tokens/{id}
-sprad POST /v1/login/passkey
-sprad POST /v1/login/passkey/options
..p... POST /v1/requests/{id}/decision/options
..pra. GET /v1/passkeys
..p... POST /v1/passkeys
..p... POST /v1/passkeys/options
..p... POST /v1/passkeys/{id}/removal
..p... POST /v1/passkeys/{id}/removal/options
..pra. GET /v1/push
..p... POST /v1/push
..p... DELETE /v1/push/{id}
.....d POST /v1/decisions
`

// Every route is tried by everybody.
func TestScopes(t *testing.T) {
	s := start(t)
	marks := []string{"-", "s", "p", "r", "a", "d"}
	tokens := map[string]string{"-": "", "?": "pol_nobody"}
	for i, scope := range []string{"submit", "approve", "read", "admin", "record"} {
		tokens[marks[i+1]] = s.Token(t, scope, scope)
	}
	var got []string
	for _, r := range new(api.API).Family().Routes {
		path := strings.Replace(r.Path, "{id}", "no-such-id", 1)
		if path == "/v1/events" {
			path += "?last_event_id=none" // which is refused behind the gate, so that no stream begins
		}
		row := ""
		for _, mark := range marks {
			a := s.Do(t, tokens[mark], r.Method, path, "")
			switch {
			case a.Status == 401 && mark == "-" && a.Code() == "no-credentials", a.Status == 403 && mark != "-" && a.Code() == "scope":
				row += "."
			case a.Status == 403, a.Status == 401 && r.Path != "/v1/login", a.Status >= 500:
				t.Errorf("%s %s by %q: %d %s", r.Method, r.Path, mark, a.Status, a.Text)
			default:
				row += mark
			}
		}
		got = append(got, fmt.Sprintf("%s %s %s", row, r.Method, r.Path))
		if a := s.Do(t, tokens["?"], r.Method, path, ""); !r.Open && (a.Status != 401 || a.Code() != "bad-credentials") {
			t.Errorf("%s %s with a bad token: %d %s", r.Method, r.Path, a.Status, a.Text)
		}
	}
	want := strings.Split(strings.TrimSpace(admitted), "\n")
	slices.Sort(got)
	slices.Sort(want)
	for _, row := range got {
		if !slices.Contains(want, row) {
			t.Errorf("the service says %s", row)
		}
	}
	for _, row := range want {
		if !slices.Contains(got, row) {
			t.Errorf("expected      %s", row)
		}
	}
}

// Who may only submit sees what it submitted, and nothing tells that there is
// more.
func TestOthersRequests(t *testing.T) {
	s := start(t)
	mallory, agent := s.Token(t, "mallory", "submit"), s.Token(t, "agent", "submit")
	again := s.Token(t, "Agent", "submit") // the same identity
	id := text(s.Do(t, agent, "POST", "/v1/requests", `{"key":"k","call":`+push+`}`), "id")
	for _, row := range []struct {
		want                int
		token, method, path string
		body                string
	}{
		{200, agent, "GET", "/v1/requests/" + id, ""},
		{200, again, "GET", "/v1/requests/" + id, ""},
		{404, mallory, "GET", "/v1/requests/" + id, ""},
		{404, mallory, "GET", "/v1/requests/" + id + "?wait=60s", ""},
		{404, mallory, "POST", "/v1/requests/" + id + "/cancel", "{}"},
		{404, mallory, "POST", "/v1/requests/" + id + "/result", `{"outcome":"EXECUTED"}`},
		{403, mallory, "POST", "/v1/requests/" + id + "/decision", `{"decision":"approved_once"}`},
		{403, mallory, "POST", "/v1/requests/" + id + "/revoke", `{}`},
		{403, agent, "POST", "/v1/requests/" + id + "/revoke", `{}`},
		{201, mallory, "POST", "/v1/requests", `{"key":"k","call":` + push + `}`}, // keys are each submitter's own
	} {
		began := time.Now()
		if a := s.Do(t, row.token, row.method, row.path, row.body); a.Status != row.want || time.Since(began) > 20*time.Second {
			t.Errorf("%s %s: %d after %s, want %d: %s", row.method, row.path, a.Status, time.Since(began), row.want, a.Text)
		}
	}
	there, gone := s.Do(t, mallory, "GET", "/v1/requests/"+id, ""), s.Do(t, mallory, "GET", "/v1/requests/req_NONE", "")
	if text(there, "detail") != text(gone, "detail") || there.Code() != gone.Code() {
		t.Errorf("%s tells from %s", there.Text, gone.Text)
	}
	s.Do(t, agent, "POST", "/v1/requests", `{"call":`+push+`}`) // the newest one
	for path, want := range map[string]int{"/v1/requests": 1, "/v1/requests?limit=1": 1, "/v1/requests?submitter=token:agent": 0, "/v1/requests?submitter=token:mallory": 1} {
		a := s.Do(t, mallory, "GET", path, "")
		if list, _ := a.At("requests").([]any); len(list) != want || strings.Contains(a.Text, id) {
			t.Errorf("%s: %s, want %d", path, a.Text, want)
		}
	}
	if a := s.Do(t, mallory, "POST", "/v1/sessions/s1/end", ""); a.At("cancelled") != 1.0 {
		t.Errorf("the end of a session by another: %s", a.Text)
	}
	if a := s.Do(t, agent, "GET", "/v1/requests/"+id, ""); text(a, "state") != "PENDING" {
		t.Errorf("another ended the session: %s", a.Text)
	}
}

// The receipt is for the submitter alone.
func TestReceiptIsHidden(t *testing.T) {
	s := start(t)
	agent, boss, reader := s.Token(t, "agent", "submit"), s.Token(t, "boss", "approve"), s.Token(t, "reader", "read")
	id := text(s.Do(t, agent, "POST", "/v1/requests", `{"call":`+push+`}`), "id")
	decided := s.Do(t, boss, "POST", "/v1/requests/"+id+"/decision", `{"decision":"approved_once"}`)
	receipt := text(s.Do(t, agent, "GET", "/v1/requests/"+id, ""), "receipt.receipt")
	if receipt == "" {
		t.Fatal("the submitter has no receipt")
	}
	list := s.Do(t, reader, "GET", "/v1/requests", "")
	audit := s.Do(t, reader, "GET", "/v1/audit/export", "")
	one := s.Do(t, reader, "GET", "/v1/requests/"+id, "")
	for name, a := range map[string]string{"decision": decided.Text, "list": list.Text, "one": one.Text, "audit": audit.Text} {
		if strings.Contains(a, receipt) || !strings.Contains(a, id) {
			t.Errorf("%s: %s", name, a)
		}
	}
}

// Whose token was revoked meanwhile is not told how a request stands.
func TestRevokedMeanwhile(t *testing.T) {
	s := start(t)
	agent, boss := s.Token(t, "agent", "submit"), s.Token(t, "boss", "approve,read")
	who, err := s.Auth.Token(t.Context(), agent)
	if err != nil {
		t.Fatal(err)
	}
	id := text(s.Do(t, agent, "POST", "/v1/requests", `{"call":`+push+`}`), "id")
	answer := make(chan servertest.Answer, 1)
	go func() { answer <- s.Do(t, agent, "GET", "/v1/requests/"+id+"?wait=60s", "") }()
	time.Sleep(100 * time.Millisecond) // now it waits
	if _, err := s.Data.RevokeToken(t.Context(), who.TokenID, s.Now()); err != nil {
		t.Fatal(err)
	}
	s.Do(t, boss, "POST", "/v1/requests/"+id+"/decision", `{"decision":"approved_once"}`)
	if a := <-answer; a.Status != 401 || a.At("state") != nil {
		t.Errorf("%d %s", a.Status, a.Text)
	}
}
