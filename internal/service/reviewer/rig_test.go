package reviewer

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/reviewer/wire"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A standIn is a server of a model that answers as it is told.
type standIn struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	count  atomic.Int64
	answer func(w http.ResponseWriter, r *http.Request, n int, prompt string)
}

func newStandIn(t testing.TB, answer func(w http.ResponseWriter, r *http.Request, n int, prompt string)) *standIn {
	s := &standIn{answer: answer}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		n := int(s.count.Add(1))
		s.mu.Lock()
		s.bodies = append(s.bodies, string(body))
		s.mu.Unlock()
		s.answer(w, r, n, string(body))
	}))
	t.Cleanup(s.Close)
	return s
}

// sent returns the body of a question.
func (s *standIn) sent(i int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bodies[i]
}

// says has every question answered with a text of the model.
func says(text string) func(http.ResponseWriter, *http.Request, int, string) {
	return func(w http.ResponseWriter, _ *http.Request, _ int, _ string) { say(w, "stop", text) }
}

func say(w http.ResponseWriter, finish, text string) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{
		"model": "tiny-1", "choices": []any{map[string]any{"finish_reason": finish, "message": map[string]any{"content": text}}},
		"usage": map[string]any{"prompt_tokens": 1000, "completion_tokens": 50, "prompt_tokens_details": map[string]any{"cached_tokens": 600}},
	})
}

// scores is an answer of a model.
func scores(risk, authorization, quote string) string {
	text, _ := json.Marshal(map[string]string{"quote": quote, "rationale": "It installs what package.json names.", "authorization": authorization, "risk": risk})
	return string(text)
}

// A rig is a reviewer with what its policy says.
type rig struct {
	*Reviewer
	facts func(*approval.Request) *Facts
	now   atomic.Int64
}

func newRig(t testing.TB, url string, edit func(*Settings)) *rig {
	t.Helper()
	s := Settings{
		Name: "local", Kind: wire.OpenAI, URL: url, Model: "tiny", Timeout: 5 * time.Second, MaxRisk: Low, Cache: time.Hour,
		Failures: 3, OnError: ToPeople, MaxTokens: 400, Prices: Prices{In: 2, Out: 10, Cached: 0.5},
	}
	if edit != nil {
		edit(&s)
	}
	client, err := wire.New(s.Kind, wire.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{facts: func(q *approval.Request) *Facts {
		c, err := policy.DecodeCall(q.Call)
		if err != nil {
			t.Error(err)
		}
		return &Facts{Call: c, Risk: "medium", Revision: "r1"}
	}}
	r.now.Store(1_800_000_000)
	r.Reviewer = New(Options{
		Settings: s, Asker: client, Now: func() time.Time { return time.Unix(r.now.Load(), 0) },
		Look:   func(_ context.Context, q *approval.Request) (*Facts, error) { return r.facts(q), nil },
		Failed: func(err error) { t.Error(err) },
	})
	t.Cleanup(func() { r.Close() })
	return r
}

// judge has the reviewer judge a request within its time.
func (r *rig) judge(t testing.TB, q *approval.Request) approval.Answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), r.o.Timeout)
	defer cancel()
	return r.Judge(ctx, q)
}

func requestOf(t testing.TB, c *policy.Call) *approval.Request {
	t.Helper()
	text, err := policy.EncodeCall(c)
	if err != nil {
		t.Fatal(err)
	}
	return &approval.Request{
		ID: "req_1", Kind: approval.KindCall, Submitter: "token:agent", Call: text, Expires: time.Unix(1_900_000_000, 0),
		Asked: approval.Asked{Why: "installs packages", Review: &approval.ReviewTerms{FailClosed: true}},
	}
}

func shell(t testing.TB, command string) *approval.Request {
	return requestOf(t, policy.Shell(command, "/work"))
}

// outcome is an answer in short.
func outcome(a approval.Answer) string {
	return strings.TrimSpace(a.Review.Outcome + " " + string(a.Word))
}

const (
	approved = "approved approved_once"
	denied   = "denied rejected"
	people   = "people"
)

func wantOutcome(t testing.TB, what string, a approval.Answer, want, why string) {
	t.Helper()
	if outcome(a) != want || !strings.Contains(a.Review.Why, why) {
		t.Errorf("%s: %s, because %q; want %s, because %q", what, outcome(a), a.Review.Why, want, why)
	}
}
