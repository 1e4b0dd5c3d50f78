package reviewer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/reviewer/wire"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// What a model says becomes an answer with all that it cost.
func TestApproves(t *testing.T) {
	s := newStandIn(t, says(scores("low", "unknown", "npm ci")))
	a := newRig(t, s.URL, nil).judge(t, shell(t, "npm ci"))
	wantOutcome(t, "npm ci", a, approved, "low risk is within max_risk, low")
	v := *a.Review
	if v.By != "reviewer:local" || v.Model != "tiny-1" || v.In != 1000 || v.Out != 50 || v.CachedIn != 600 || v.Cached || v.Latency < 0 || v.At.IsZero() {
		t.Errorf("%+v", v)
	}
	if want := (400*2 + 600*0.5 + 50*10) / 1e6; v.Cost != want {
		t.Errorf("cost %v, want %v", v.Cost, want)
	}
	if v.Quote != "npm ci" || v.Risk != "low" || v.Authorization != "unknown" || v.Rationale == "" {
		t.Errorf("%+v", v)
	}
}

// What the scores and the policy say together, under each ceiling.
func TestScores(t *testing.T) {
	for _, row := range []struct {
		risk, authorization, policy, said string
		ceiling                           Risk
		want, why                         string
	}{
		{"low", "unknown", "medium", "", Low, approved, "within"},
		{"low", "unknown", "medium", "", NoRisk, people, "above max_risk, none"},
		{"medium", "high", "medium", "", Low, people, "medium risk is above max_risk, low"},
		{"medium", "unknown", "medium", "", Medium, approved, "within"},
		{"low", "unknown", "high", "", Medium, people, "the model says low and the policy high"},
		{"low", "high", "", "install it", Medium, people, "the policy nothing"},
		{"high", "high", "medium", "", High, people, "authorization is unknown"}, // nobody said anything
		{"high", "high", "medium", "install it", High, approved, "within"},
		{"high", "low", "medium", "install it", High, people, "authorization is low"},
		{"critical", "high", "low", "install it", High, denied, "critical risk is denied"},
		{"critical", "unknown", "low", "", NoRisk, denied, "critical risk is denied"},
	} {
		s := newStandIn(t, says(scores(row.risk, row.authorization, "npm ci")))
		r := newRig(t, s.URL, func(s *Settings) { s.MaxRisk = row.ceiling })
		r.facts = func(q *approval.Request) *Facts {
			return &Facts{Call: policy.Shell("npm ci", "/work"), Risk: row.policy, Revision: "r1"}
		}
		q := shell(t, "npm ci")
		q.Said = row.said
		wantOutcome(t, fmt.Sprintf("%+v", row), r.judge(t, q), row.want, row.why)
	}
}

// What is for people, or is not whole, never reaches a model.
func TestNotAsked(t *testing.T) {
	s := newStandIn(t, says(scores("low", "high", "npm ci")))
	r := newRig(t, s.URL, nil)
	q := shell(t, "npm ci")
	q.Asked.EveryTime = true
	wantOutcome(t, "each time", r.judge(t, q), people, "leaves it to people")
	q = shell(t, "npm ci")
	q.Asked.Review = nil
	wantOutcome(t, "no rule", r.judge(t, q), people, "leaves it to people")
	wantOutcome(t, "a long line", r.judge(t, shell(t, "npm ci "+strings.Repeat("x", maxData))), people, "no part of it is judged alone")
	wantOutcome(t, "many escapes", r.judge(t, shell(t, "npm ci "+strings.Repeat("я", maxData/4))), people, "no part of it is judged alone")
	q = shell(t, "npm ci")
	q.Asked.Prompt = strings.Repeat("p", maxData)
	wantOutcome(t, "a long prompt", r.judge(t, q), people, "no part of it is judged alone")
	wantOutcome(t, "unreadable", r.judge(t, shell(t, "npm ci \ufffd")), people, "not readable")
	r.facts = func(*approval.Request) *Facts { return &Facts{People: "a program is for people"} }
	wantOutcome(t, "a program", r.judge(t, shell(t, "npm ci")), people, "a program is for people")
	if n := s.count.Load(); n != 0 {
		t.Errorf("the model was asked %d times", n)
	}
}

// A server may do what it wants: nothing but a whole, valid answer approves.
func TestBadAnswers(t *testing.T) {
	hang := func(w http.ResponseWriter, r *http.Request, _ int, _ string) {
		select {
		case <-r.Context().Done():
		case <-time.After(10 * time.Second):
		}
	}
	for name, row := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request, int, string)
		why    string
		asked  int64
	}{
		"prose":             {says("I would allow this."), "has not the form, twice: it is not one JSON object", 2},
		"a decision":        {says(`{"outcome":"allow"}`), "is missing", 2},
		"a decision beside": {says(`{"quote":"npm ci","rationale":"r","authorization":"high","risk":"low","allow":"true"}`), "more than", 2},
		"another quote":     {says(scores("low", "unknown", "npm test")), "quote does not occur", 2},
		"no quote":          {says(scores("low", "unknown", "")), "quote is shorter", 2},
		"no risk":           {says(scores("none", "unknown", "npm ci")), `risk is "none"`, 2},
		"cut short": {func(w http.ResponseWriter, _ *http.Request, _ int, _ string) {
			say(w, "length", scores("low", "high", "npm ci"))
		}, "max_tokens", 1},
		"a refusal": {func(w http.ResponseWriter, _ *http.Request, _ int, _ string) {
			io.WriteString(w, `{"choices":[{"finish_reason":"stop","message":{"refusal":"I can't help with that","content":null}}]}`)
		}, "refused", 1},
		"a stream": {func(w http.ResponseWriter, _ *http.Request, _ int, _ string) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "data: x\n\n")
		}, "streams", 1},
		"nonsense": {func(w http.ResponseWriter, _ *http.Request, _ int, _ string) { io.WriteString(w, "\x00\x01") }, "not in the form", 1},
		"500":      {func(w http.ResponseWriter, _ *http.Request, _ int, _ string) { w.WriteHeader(500) }, "500 Internal Server Error", 2},
		"429": {func(w http.ResponseWriter, _ *http.Request, _ int, _ string) {
			w.Header().Set("Retry-After", "60")
			w.WriteHeader(429)
		}, "429 Too Many Requests", 1},
		"401":   {func(w http.ResponseWriter, _ *http.Request, _ int, _ string) { w.WriteHeader(401) }, "401", 1},
		"hangs": {hang, "did not answer in time", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStandIn(t, row.answer)
			r := newRig(t, s.URL, func(s *Settings) {
				if name == "hangs" {
					s.Timeout = 200 * time.Millisecond
				}
			})
			begun := time.Now()
			wantOutcome(t, name, r.judge(t, shell(t, "npm ci")), people, row.why)
			if n := s.count.Load(); n != row.asked {
				t.Errorf("asked %d times, want %d", n, row.asked)
			}
			if took := time.Since(begun); took > 5*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

// A server that ignores schemas gets one chance to repair its answer, and a fence
// around it needs none.
func TestRepair(t *testing.T) {
	s := newStandIn(t, func(w http.ResponseWriter, _ *http.Request, n int, _ string) {
		if n == 1 {
			say(w, "stop", "Here is my verdict: low")
			return
		}
		say(w, "stop", "```json\n"+scores("low", "unknown", "npm ci")+"\n```")
	})
	a := newRig(t, s.URL, nil).judge(t, shell(t, "npm ci"))
	wantOutcome(t, "after a repair", a, approved, "within")
	if a.Review.In != 2000 || a.Review.Out != 100 {
		t.Errorf("both tries count: %+v", a.Review)
	}
	if second := s.sent(1); !strings.Contains(second, "Here is my verdict: low") || !strings.Contains(second, "That is not an answer") {
		t.Errorf("the second question: %s", second)
	}
}

// A busy server is asked once more, and then nobody waits.
func TestBusy(t *testing.T) {
	s := newStandIn(t, func(w http.ResponseWriter, _ *http.Request, n int, _ string) {
		if n == 1 {
			w.WriteHeader(529)
			return
		}
		say(w, "stop", scores("low", "unknown", "npm ci"))
	})
	wantOutcome(t, "busy once", newRig(t, s.URL, nil).judge(t, shell(t, "npm ci")), approved, "within")
}

// fail_closed: false lets pass what could not be asked about, if it is harmless by what
// the policy says. What a call can bring about itself lets nothing pass.
func TestFailOpen(t *testing.T) {
	down := newStandIn(t, nil)
	down.Close()
	status := func(code int) *standIn {
		return newStandIn(t, func(w http.ResponseWriter, _ *http.Request, _ int, _ string) { w.WriteHeader(code) })
	}
	for _, row := range []struct {
		name      string
		server    *standIn
		policy    string
		ceiling   Risk
		want, why string
	}{
		{"down", down, "medium", Low, approved, "fail_closed: false"},
		{"down, only advising", down, "medium", NoRisk, people, "no verdict"},
		{"down, high risk", down, "high", Medium, people, "no verdict"},
		{"down, unknown risk", down, "", Medium, people, "no verdict"},
		{"503", status(503), "low", Low, approved, "503"},
		{"400, which the text may cause", status(400), "low", Low, people, "400"},
		{"a wrong key", status(401), "low", Low, people, "401"},
		{"a wrong form", newStandIn(t, says("no")), "low", Low, people, "has not the form"},
	} {
		r := newRig(t, row.server.URL, func(s *Settings) { s.MaxRisk = row.ceiling })
		r.facts = func(*approval.Request) *Facts {
			return &Facts{Call: policy.Shell("npm ci", "/work"), Risk: row.policy, Revision: "r1"}
		}
		q := shell(t, "npm ci")
		q.Asked.Review.FailClosed = false
		wantOutcome(t, row.name, r.judge(t, q), row.want, row.why)
	}
	r := newRig(t, down.URL, nil)
	wantOutcome(t, "fail_closed", r.judge(t, shell(t, "npm ci")), people, "no verdict")
	r = newRig(t, down.URL, func(s *Settings) { s.OnError = ToDeny })
	a := r.judge(t, shell(t, "npm ci"))
	wantOutcome(t, "on_error: deny", a, denied, "no verdict")
	if !strings.Contains(a.Reason, "local") {
		t.Errorf("the reason of the agent: %q", a.Reason)
	}
}

// A model that fails again and again is left alone, tried again after a pause, and
// nothing passes meanwhile.
func TestBreaker(t *testing.T) {
	works := false
	s := newStandIn(t, func(w http.ResponseWriter, _ *http.Request, _ int, _ string) {
		if works {
			say(w, "stop", scores("low", "unknown", "npm ci"))
			return
		}
		w.WriteHeader(400)
	})
	r := newRig(t, s.URL, nil)
	q := shell(t, "npm ci")
	q.Asked.Review.FailClosed = false
	for range 3 {
		wantOutcome(t, "failing", r.judge(t, q), people, "400")
	}
	wantOutcome(t, "left alone", r.judge(t, q), people, "failed 3 times in a row")
	if n := s.count.Load(); n != 3 {
		t.Errorf("asked %d times", n)
	}
	r.now.Add(int64(breakerPause/time.Second) + 1)
	wantOutcome(t, "tried again", r.judge(t, q), people, "400")
	wantOutcome(t, "left alone again", r.judge(t, q), people, "failed 4 times in a row")
	r.now.Add(int64(breakerPause/time.Second) + 1)
	works = true
	for range 3 {
		wantOutcome(t, "works again", r.judge(t, q), approved, "within")
	}
}

// One call tries a model that was left alone, while others do not wait for it.
func TestBreakerTrial(t *testing.T) {
	now := time.Unix(0, 0)
	b := &breaker{limit: 1, now: func() time.Time { return now }}
	done, err := b.enter()
	if err != nil {
		t.Fatal(err)
	}
	done(false)
	now = now.Add(breakerPause)
	if done, err = b.enter(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.enter(); err == nil {
		t.Error("two calls try it at once")
	}
	done(true)
	if _, err := b.enter(); err != nil {
		t.Error(err)
	}
}

// Of equal calls under the same policy one is asked about. Whatever differs is another
// call.
func TestCache(t *testing.T) {
	s := newStandIn(t, says(scores("low", "unknown", "npm ci")))
	r := newRig(t, s.URL, nil)
	revision := "r1"
	r.facts = func(q *approval.Request) *Facts {
		c, _ := policy.DecodeCall(q.Call)
		return &Facts{Call: c, Risk: "medium", Revision: revision, Records: []byte("[]")}
	}
	make := func(edit func(*policy.Call, *approval.Request)) *approval.Request {
		c := policy.Shell("npm ci", "/work")
		c.Session, c.Agent = "s1", "claude"
		q := &approval.Request{}
		edit(c, q)
		made := requestOf(t, c)
		made.Asked.Review.CacheTTL = approval.Life(time.Minute)
		made.Asked.Model, made.Asked.Prompt, made.Said = q.Asked.Model, q.Asked.Prompt, q.Said
		if q.Submitter != "" {
			made.Submitter = q.Submitter
		}
		if q.Asked.Review != nil {
			made.Asked.Review = q.Asked.Review
		}
		return made
	}
	ask := func(what string, cached bool, edit func(*policy.Call, *approval.Request)) {
		t.Helper()
		before := s.count.Load()
		a := r.judge(t, make(edit))
		wantOutcome(t, what, a, approved, "within")
		if a.Review.Cached != cached || (s.count.Load() == before) != cached {
			t.Errorf("%s: cached %v, want %v", what, a.Review.Cached, cached)
		}
		if cached && (a.Review.In != 0 || a.Review.Cost != 0 || a.Review.Quote != "npm ci" || a.Review.Model != "tiny-1") {
			t.Errorf("%s: %+v", what, a.Review)
		}
	}
	same := func(*policy.Call, *approval.Request) {}
	ask("the first", false, same)
	ask("a repeat", true, same)
	ask("another id and time", true, func(c *policy.Call, _ *approval.Request) { c.ID, c.Time = "other", time.Unix(5, 0) })
	ask("a rule that keeps nothing", false, func(_ *policy.Call, q *approval.Request) {
		q.Asked.Review = &approval.ReviewTerms{FailClosed: true}
	})
	ask("another directory", false, func(c *policy.Call, _ *approval.Request) { c.Dir = "/other" })
	ask("another session", false, func(c *policy.Call, _ *approval.Request) { c.Session = "s2" })
	ask("another agent", false, func(c *policy.Call, _ *approval.Request) { c.Agent = "codex" })
	ask("another scope", false, func(c *policy.Call, _ *approval.Request) { c.Scope.Integration = "prod" })
	ask("another user", false, func(_ *policy.Call, q *approval.Request) { q.Submitter = "token:bob" })
	ask("another model", false, func(_ *policy.Call, q *approval.Request) { q.Asked.Model = "large" })
	ask("another prompt", false, func(_ *policy.Call, q *approval.Request) { q.Asked.Prompt = "strict" })
	ask("other words of the user", false, func(_ *policy.Call, q *approval.Request) { q.Said = "install" })
	ask("one argument more", false, func(c *policy.Call, _ *approval.Request) { c.Input["timeout"] = 5.0 })
	revision = "r2"
	ask("another policy", false, same)
	ask("a repeat under it", true, same)
	r.now.Add(61)
	ask("after its time", false, same)
	r.now.Add(-3600)
	ask("a clock that was set back", false, same)
}

// Nothing but an approval is remembered.
func TestCacheApprovals(t *testing.T) {
	s := newStandIn(t, says(scores("medium", "unknown", "npm ci")))
	r := newRig(t, s.URL, nil)
	q := shell(t, "npm ci")
	q.Asked.Review.CacheTTL = approval.Life(time.Hour)
	for range 2 {
		wantOutcome(t, "for people", r.judge(t, q), people, "above")
	}
	if n := s.count.Load(); n != 2 {
		t.Errorf("asked %d times", n)
	}
}

// A policy that changes while the model thinks is not the one that was asked under.
func TestPolicyChanges(t *testing.T) {
	for what, then := range map[string]Facts{
		"the policy has changed": {Risk: "medium", Revision: "r2"},
		"a person by now":        {People: "a person by now", Revision: "r2"},
	} {
		s := newStandIn(t, says(scores("low", "unknown", "npm ci")))
		r := newRig(t, s.URL, nil)
		looks := 0
		r.facts = func(*approval.Request) *Facts {
			f := Facts{Risk: "medium", Revision: "r1"}
			if looks++; looks > 1 {
				f = then
			}
			f.Call = policy.Shell("npm ci", "/work")
			return &f
		}
		wantOutcome(t, what, r.judge(t, shell(t, "npm ci")), people, what)
	}
}

// A secret is not sent, and what a model has not seen it does not approve.
func TestSecrets(t *testing.T) {
	s := newStandIn(t, says(scores("low", "high", "npm publish")))
	r := newRig(t, s.URL, func(s *Settings) { s.MaxRisk = High })
	secret := "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
	q := shell(t, "NPM_TOKEN="+secret+" npm publish")
	q.Said, q.Asked.Why = "use "+secret, "because of "+secret
	wantOutcome(t, "a secret", r.judge(t, q), people, "secrets are masked")
	if strings.Contains(s.sent(0), secret) {
		t.Errorf("the secret was sent: %s", s.sent(0))
	}
}

// Under load each call has its own time, and none waits longer.
func TestLoad(t *testing.T) {
	s := newStandIn(t, func(w http.ResponseWriter, r *http.Request, _ int, _ string) {
		select {
		case <-time.After(600 * time.Millisecond):
			say(w, "stop", scores("low", "unknown", "npm ci"))
		case <-r.Context().Done():
		}
	})
	r := newRig(t, s.URL, func(s *Settings) { s.Timeout, s.Failures = 1600*time.Millisecond, 100 })
	var mu sync.Mutex
	counts := map[string]int{}
	var all sync.WaitGroup
	begun := time.Now()
	for range 8 * maxTurns {
		q := shell(t, "npm ci")
		q.Asked.Review.FailClosed = false
		all.Go(func() {
			a := r.judge(t, q)
			mu.Lock()
			defer mu.Unlock()
			counts[outcome(a)+" "+strings.SplitN(a.Review.Why, ":", 2)[0]]++
		})
	}
	all.Wait()
	if took := time.Since(begun); took > 3*time.Second {
		t.Errorf("it took %s", took)
	}
	if counts["people the model gave no verdict"] == 0 || counts["approved approved_once low risk is within max_risk, low"] == 0 {
		t.Errorf("%v", counts)
	}
}

// The service hears of every review, also of one that a person was faster than, and a
// reviewer that ends leaves its requests to people.
func TestAsk(t *testing.T) {
	s := newStandIn(t, says(scores("low", "unknown", "npm ci")))
	r := newRig(t, s.URL, nil)
	heard := make(chan approval.Answer, 2)
	err := r.Ask(t.Context(), shell(t, "npm ci"), func(_ context.Context, by string, a approval.Answer) error {
		heard <- a
		if by != "reviewer:local" {
			t.Errorf("by %s", by)
		}
		if a.Word != "" {
			return approval.ErrDecided
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, "the answer", <-heard, approved, "within")
	wantOutcome(t, "behind a person", <-heard, people, "decided before")

	hanging := newStandIn(t, func(w http.ResponseWriter, q *http.Request, _ int, _ string) { <-q.Context().Done() })
	r = newRig(t, hanging.URL, func(s *Settings) { s.OnError = ToDeny })
	q := shell(t, "npm ci")
	q.Asked.Review.FailClosed = false
	tell := func(_ context.Context, _ string, a approval.Answer) error { heard <- a; return nil }
	if err := r.Ask(t.Context(), q, tell); err != nil {
		t.Fatal(err)
	}
	for hanging.count.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	r.Close()
	wantOutcome(t, "at the end", <-heard, people, "no verdict")
	if err := r.Ask(t.Context(), q, tell); err == nil {
		t.Error("a reviewer that has ended takes requests")
	}
}

// A request about which nobody can decide any more is not asked about for longer.
func TestExpires(t *testing.T) {
	hanging := newStandIn(t, func(w http.ResponseWriter, q *http.Request, _ int, _ string) { <-q.Context().Done() })
	r := newRig(t, hanging.URL, nil)
	q := shell(t, "npm ci")
	q.Expires = r.o.Now().Add(100 * time.Millisecond)
	heard := make(chan approval.Answer, 1)
	begun := time.Now()
	if err := r.Ask(t.Context(), q, func(_ context.Context, _ string, a approval.Answer) error { heard <- a; return nil }); err != nil {
		t.Fatal(err)
	}
	wantOutcome(t, "over", <-heard, people, "in time")
	if took := time.Since(begun); took > 3*time.Second {
		t.Errorf("it took %s", took)
	}
}

// A failing store is told, and nothing else happens.
func TestStoreFails(t *testing.T) {
	s := newStandIn(t, says(scores("low", "unknown", "npm ci")))
	r := newRig(t, s.URL, nil)
	told := make(chan error, 1)
	r.o.Failed = func(err error) { told <- err }
	broken := errors.New("disk full")
	if err := r.Ask(t.Context(), shell(t, "npm ci"), func(context.Context, string, approval.Answer) error { return broken }); err != nil {
		t.Fatal(err)
	}
	if err := <-told; !errors.Is(err, broken) || !strings.Contains(err.Error(), "is for people") {
		t.Error(err)
	}
}

// Both APIs are asked in the same words.
func TestAnthropic(t *testing.T) {
	s := newStandIn(t, func(w http.ResponseWriter, _ *http.Request, _ int, _ string) {
		json.NewEncoder(w).Encode(map[string]any{
			"model": "c", "stop_reason": "end_turn", "content": []any{map[string]any{"type": "text", "text": scores("low", "unknown", "npm ci")}},
		})
	})
	r := newRig(t, s.URL, func(s *Settings) { s.Kind = wire.Anthropic })
	wantOutcome(t, "Anthropic", r.judge(t, shell(t, "npm ci")), approved, "within")
	if !strings.Contains(s.sent(0), `"output_config"`) || !strings.Contains(s.sent(0), "BEGIN ") {
		t.Errorf("sent %s", s.sent(0))
	}
}
