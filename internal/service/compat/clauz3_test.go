package compat_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/compat"
	"github.com/policyctl/policyctl/internal/service/desk"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/schemas"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/service/stream"
)

// These replay the tests that clauz3 has of its own approval service, each under its name and
// over HTTP, with the bodies that they send: a token that submits in place of the program,
// and one that approves in place of the person. Three of their expectations do not hold, and
// what holds in their place is tested:
//
//   - A receipt that the caller chooses, or one made of the id, would prove nothing: the
//     service makes its own.
//   - An approval is for one run of the text that was approved: whoever sends another text
//     under the same id asks again, and is not told the decision of before.
//   - The page of a program shows the decision, and that the receipt was used, but no receipt.

// A replay is a fresh service, with the clients of the two.
type replay struct {
	*testing.T
	service      *servertest.Service
	agent, human string
}

func newReplay(t *testing.T) *replay {
	t.Helper()
	s := servertest.New(t, servertest.Options{More: func(hub *stream.Hub) []route.Family {
		return append(compat.New(hub, schemas.Dir("")).Families(), desk.New().Family())
	}})
	return &replay{t, s, s.Token(t, "agent", "submit"), s.Token(t, "human", "approve,read")}
}

// A reply is what the service says.
type reply struct {
	status int
	text   string
	json   any
}

// call follows redirects, as a browser does.
func (r *replay) call(token, method, path string, body any) reply {
	r.Helper()
	var send io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			r.Fatal(err)
		}
		send = bytes.NewReader(text)
	}
	q, err := http.NewRequest(method, r.service.URL+path, send)
	if err != nil {
		r.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+token)
	if body != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(q)
	if err != nil {
		r.Error(err)
		return reply{}
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		r.Error(err)
	}
	out := reply{status: res.StatusCode, text: string(text)}
	_ = json.Unmarshal(text, &out.json) // pages are none
	return out
}

func (r *replay) get(path string) reply {
	r.Helper()
	return r.call(r.human, http.MethodGet, path, nil)
}

func (r *replay) decide(path string, body map[string]any) reply {
	r.Helper()
	return r.call(r.human, http.MethodPost, path, body)
}

// submit posts beside the test, and waits until the request is recorded.
func (r *replay) submit(path, id string, body map[string]any) <-chan reply {
	r.Helper()
	done := make(chan reply, 1)
	go func() { done <- r.call(r.agent, http.MethodPost, path, body) }()
	for range 1000 {
		if r.get("/requests/"+id).status == http.StatusOK {
			return done
		}
		time.Sleep(10 * time.Millisecond)
	}
	r.Fatalf("the request %s was not recorded", id)
	return nil
}

func (r *replay) answered(done <-chan reply) reply {
	r.Helper()
	select {
	case a := <-done:
		return a
	case <-time.After(time.Minute):
		r.Fatal("nobody is answered")
		panic("unreachable")
	}
}

func (r *replay) has(page reply, texts ...string) {
	r.Helper()
	if page.status != http.StatusOK {
		r.Errorf("%d %s", page.status, page.text)
	}
	for _, text := range texts {
		if !strings.Contains(page.text, text) {
			r.Errorf("no %q in\n%s", text, page.text)
		}
	}
}

// at is a value of a JSON object.
func at(v any, keys ...string) any {
	for _, key := range keys {
		object, _ := v.(map[string]any)
		v = object[key]
	}
	return v
}

// is compares an answer, in which the receipt is the service's own.
func (r *replay) is(a reply, want map[string]any) {
	r.Helper()
	got, _ := a.json.(map[string]any)
	if _, ok := want["receipt"]; ok {
		if receipt, _ := got["receipt"].(string); receipt == "" || receipt == want["receipt"] {
			r.Errorf("receipt %q", receipt)
		}
		want["receipt"] = got["receipt"]
	}
	if a.status != http.StatusOK || !reflect.DeepEqual(got, want) {
		r.Errorf("%d %s, want %v", a.status, a.text, want)
	}
}

var once = map[string]any{"decision": "approved_once"}

func TestClauz3Suite(t *testing.T) {
	for name, test := range map[string]func(*replay){
		"test_approval_service_waits_for_user_approval": func(r *replay) {
			done := r.submit("/requests", "clr_test", map[string]any{"request_id": "clr_test", "program_sha256": "abc123", "guarantees": []string{"emails.only(['bob@example.com'])"}})
			pending := r.get("/requests/clr_test")
			if _, has := at(pending.json).(map[string]any)["approval"]; has || at(pending.json, "status") != "pending" {
				r.Errorf("%s", pending.text)
			}
			decision := r.decide("/api/requests/clr_test/decision", map[string]any{"decision": "approved_once", "receipt": "receipt-from-service"})
			r.is(decision, map[string]any{"decision": "approved_once", "receipt": "receipt-from-service", "request_id": "clr_test"})
			if got := r.answered(done); !reflect.DeepEqual(got.json, decision.json) {
				r.Errorf("%s", got.text)
			}
			if got := r.get("/requests/clr_test"); !reflect.DeepEqual(at(got.json, "approval"), decision.json) {
				r.Errorf("%s", got.text)
			}
			if list, _ := r.get("/requests").json.([]any); len(list) != 1 {
				r.Errorf("%v", list)
			}
		},
		"test_approval_service_can_request_more": func(r *replay) {
			done := r.submit("/requests", "clr_abc123", map[string]any{"program_sha256": "abc123"})
			response := r.decide("/requests/clr_abc123/decision", map[string]any{"decision": "request_more", "feedback": "prove nobody twice"})
			r.is(response, map[string]any{"decision": "request_more", "feedback": "prove nobody twice", "request_id": "clr_abc123"})
			if got := r.answered(done); !reflect.DeepEqual(got.json, response.json) {
				r.Errorf("%s", got.text)
			}
			if got := r.get("/requests/clr_abc123"); at(got.json, "request_id") != "clr_abc123" {
				r.Errorf("%s", got.text)
			}
		},
		"test_approval_service_ui_lists_and_shows_requests": func(r *replay) {
			r.has(r.get("/"), "No approval requests yet.", "POST /requests")
			done := r.submit("/api/requests", "clr_ui", map[string]any{
				"request_id": "clr_ui", "target": "main", "program": "def main() -> None:\n    pass\n", "guarantees": []string{"emails.none()"},
				"proofs": []any{map[string]any{"name": "main", "conclusion": "proved!", "description": "guarantee"}},
			})
			r.has(r.get("/ui"), "clr_ui", "pending")
			r.has(r.get("/ui/requests/clr_ui"), "emails.none()", "main: proved! guarantee", "Pending user decision.", "Reject contract", "Show source")
			if a := r.decide("/api/requests/clr_ui/decision", once); a.status != http.StatusOK {
				r.Errorf("%s", a.text)
			}
			r.answered(done)
			decided := r.get("/ui/requests/clr_ui")
			r.has(decided, "approved_once", "the receipt was used")
			if strings.Contains(decided.text, "Pending user decision.") {
				r.Error("it still waits")
			}
		},
		"test_approval_service_ui_rows_endpoint_reflects_live_requests": func(r *replay) {
			r.has(r.get("/ui/rows"), "No approval requests yet.")
			r.has(r.get("/ui"), `id="requests-body"`, "/ui/rows")
			done := r.submit("/api/requests", "clr_rows", map[string]any{"request_id": "clr_rows", "target": "main"})
			rows := r.get("/ui/rows")
			r.has(rows, "clr_rows", "pending")
			if strings.Contains(rows.text, "No approval requests yet.") || strings.Contains(rows.text, "<html") {
				r.Errorf("%s", rows.text)
			}
			r.decide("/api/requests/clr_rows/decision", once)
			r.answered(done)
			r.has(r.get("/ui/rows"), "clr_rows", "approved_once")
		},
		"test_approval_service_ui_renders_coverage_flags": func(r *replay) {
			done := r.submit("/api/requests", "clr_cov", map[string]any{
				"request_id": "clr_cov", "target": "main", "program": "def main() -> None:\n    pass\n", "guarantees": []string{"emails.only(['bob@example.com'])"},
				"coverage": []any{
					map[string]any{"domain": "email", "status": "recommended_gap", "missing_required": []string{}, "missing_recommended": []string{"unique_recipients"}},
					map[string]any{"domain": "db", "status": "silent_gap", "missing_required": []string{}, "missing_recommended": []string{}},
				},
			})
			r.has(r.get("/ui"), "no guarantees")
			detail := r.get("/ui/requests/clr_cov")
			r.has(detail, "used, but the agent stated no guarantee", "unique_recipients", "cov-silent_gap")
			if strings.Index(detail.text, "used, but the agent stated no guarantee") > strings.Index(detail.text, "unique_recipients") {
				r.Error("the worst is not the first")
			}
			r.decide("/api/requests/clr_cov/decision", once)
			r.answered(done)
		},
		"test_approval_service_rest_api_aliases": func(r *replay) {
			done := r.submit("/api/requests", "clr_api", map[string]any{"request_id": "clr_api"})
			if a := r.decide("/api/requests/clr_api/decision", once); a.status != http.StatusOK {
				r.Errorf("%s", a.text)
			}
			list, _ := r.get("/api/requests").json.([]any)
			if len(list) != 1 || at(list[0], "request_id") != "clr_api" || at(r.get("/api/requests/clr_api").json, "request_id") != "clr_api" {
				r.Errorf("%v", list)
			}
			r.answered(done)
		},
		"test_approval_service_returns_existing_decision_for_retried_request_ids": func(r *replay) {
			done := r.submit("/requests", "clr_retry", map[string]any{"request_id": "clr_retry", "target": "first"})
			decision := r.decide("/requests/clr_retry/decision", once)
			if got := r.answered(done); !reflect.DeepEqual(got.json, decision.json) {
				r.Errorf("%s", got.text)
			}
			before := fmt.Sprint(at(r.get("/requests/clr_retry").json, "id"))
			second := make(chan reply, 1)
			go func() {
				second <- r.call(r.agent, http.MethodPost, "/requests", map[string]any{"request_id": "clr_retry", "target": "second"})
			}()
			var record reply
			for range 1000 { // the list has the new attempt alone
				if record = r.get("/requests/clr_retry"); at(record.json, "target") == "second" {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			list, _ := r.get("/requests").json.([]any)
			if len(list) != 1 || at(record.json, "target") != "second" || at(record.json, "status") != "pending" || fmt.Sprint(at(record.json, "id")) == before {
				r.Errorf("%v, %s", list, record.text)
			}
			again := r.decide("/requests/clr_retry/decision", map[string]any{"decision": "rejected", "feedback": "another text"})
			if got := r.answered(second); !reflect.DeepEqual(got.json, again.json) || at(got.json, "decision") != "rejected" {
				r.Errorf("%s", got.text)
			}
			if got := r.get("/requests/clr_retry"); !reflect.DeepEqual(at(got.json, "approval"), again.json) {
				r.Errorf("%s", got.text)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			test(newReplay(t))
		})
	}
}
