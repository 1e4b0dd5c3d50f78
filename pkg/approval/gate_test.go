package approval

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

func engineOf(t *testing.T, change func(*policy.Settings)) *policy.Engine {
	t.Helper()
	s := policy.Defaults()
	if change != nil {
		change(&s)
	}
	e, err := policy.New(s, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A gated executor asks a service in the same process, and ann decides by a
// function, at once.
func gated(t *testing.T, decide func(*rig, *Request)) (*rig, *Gate) {
	r := newRig(t)
	e := engineOf(t, nil)
	desk := deciding{r.Desk("token:agent"), func(q *Request) { decide(r, q) }}
	return r, &Gate{
		Engine: func() *policy.Engine { return e }, Desk: desk, Keys: r.Keys(),
		Now: func() time.Time { return time.Unix(r.now.Load(), 0) },
	}
}

// deciding decides what is submitted.
type deciding struct {
	Desk
	decide func(*Request)
}

func (d deciding) Submit(ctx context.Context, in Submission) (*Request, error) {
	r, err := d.Desk.Submit(ctx, in)
	if err == nil && r.State == Pending {
		d.decide(r)
	}
	return r, err
}

func says(a Answer) func(*rig, *Request) {
	return func(r *rig, q *Request) {
		if _, err := r.Decide(r.t.Context(), q.ID, "token:ann", a); err != nil {
			r.t.Error(err)
		}
	}
}

func TestGate(t *testing.T) {
	for _, row := range []struct {
		command string
		decide  func(*rig, *Request)
		allowed bool
		reason  policy.Reason
		by      string
	}{
		{"ls", nil, true, policy.ReasonNone, Static},
		{"rm -rf /", nil, false, policy.ReasonHardline, Static},
		{"make", says(once), true, policy.ReasonNone, Human},
		{"make", says(Answer{Word: Rejected, Reason: "not today"}), false, policy.ReasonRejected, Human},
		{"make", func(r *rig, _ *Request) { r.now.Add(1000) }, false, policy.ReasonTimedOut, Timeout},
	} {
		_, g := gated(t, row.decide)
		got, err := g.Authorize(t.Context(), policy.NewSession("s1"), call(row.command))
		if err != nil || got.Allowed != row.allowed || got.Verdict.Reason != row.reason && !row.allowed || got.DecidedBy() != row.by {
			t.Errorf("%s: %+v %v, want %v %v by %s", row.command, got, err, row.allowed, row.reason, row.by)
		}
		if !row.allowed && got.Verdict.Message() == "" {
			t.Errorf("%s: nothing is said to the model", row.command)
		}
	}
}

func TestGateReports(t *testing.T) {
	r, g := gated(t, says(once))
	c := call("make")
	c.ID = "call_1"
	got, err := g.Authorize(t.Context(), policy.NewSession("s1"), c)
	if err != nil || got.Claims == nil {
		t.Fatalf("%+v %v", got, err)
	}
	if err := got.Report(t.Context(), Execution{Outcome: Executed}); err != nil {
		t.Fatal(err)
	}
	r.want(got.Request.ID, Executed)
	// The same call once more joins its request, whose receipt is used.
	if again, err := g.Authorize(t.Context(), policy.NewSession("s1"), c); again.Allowed || err != nil || again.Verdict.Reason != policy.ReasonError {
		t.Errorf("ran twice: %+v %v", again, err)
	}
}

// What a person approves again and again is no loop; what runs by itself is.
func TestGateForgives(t *testing.T) {
	_, g := gated(t, says(once))
	s := policy.NewSession("s1")
	for i := range 8 {
		if got, err := g.Authorize(t.Context(), s, call("make")); err != nil || !got.Allowed {
			t.Fatalf("approval %d: %+v %v", i+1, got, err)
		}
	}
	var last Authorization
	for range 5 {
		last, _ = g.Authorize(t.Context(), s, call("ls"))
	}
	if last.Allowed || last.Verdict.Reason != policy.ReasonDoomLoop {
		t.Errorf("a loop that nobody approved: %+v", last)
	}
}

// Whatever goes wrong denies.
func TestGateFailsClosed(t *testing.T) {
	stranger := NewKey(NewPrivateKey().Public(), time.Time{})
	for name, spoil := range map[string]func(*rig, *Gate){
		"keys that are not pinned": func(_ *rig, g *Gate) { g.Keys = KeysOf(stranger) },
		"no keys":                  func(_ *rig, g *Gate) { g.Keys = nil },
		"the clock":                func(r *rig, g *Gate) { g.Now = func() time.Time { return time.Unix(r.now.Load()+3600, 0) } },
		"the store":                func(r *rig, g *Gate) { r.store.broken = errors.New("disk full") },
		"another receipt":          func(r *rig, g *Gate) { g.Desk = swapping{g.Desk, r} },
	} {
		r, g := gated(t, says(once))
		spoil(r, g)
		got, err := g.Authorize(t.Context(), policy.NewSession("s1"), call("make"))
		if got.Allowed || err == nil || got.Verdict.Decision != policy.Deny {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
}

// meddling changes a call when its receipt is consumed.
type meddling struct {
	Desk
	c *policy.Call
}

func (m meddling) Consume(ctx context.Context, receipt string) (*Request, error) {
	m.c.Dir = "src"
	return m.Desk.Consume(ctx, receipt)
}

// A call that is no longer the one that was approved does not run.
func TestGateChangedCall(t *testing.T) {
	_, g := gated(t, says(once))
	c := call("make")
	g.Desk = meddling{g.Desk, c}
	got, err := g.Authorize(t.Context(), policy.NewSession("s1"), c)
	if got.Allowed || err == nil || got.Verdict.Decision != policy.Deny {
		t.Errorf("%+v %v", got, err)
	}
}

// swapping gives the receipt of another approved call.
type swapping struct {
	Desk
	r *rig
}

func (s swapping) Await(ctx context.Context, id string) (*Request, error) {
	q, err := s.Desk.Await(ctx, id)
	if err != nil {
		return q, err
	}
	other, err := s.r.Submit(ctx, "token:agent", Submission{Call: call("make other")})
	if err != nil {
		return nil, err
	}
	if other, err = s.r.Decide(ctx, other.ID, "token:ann", once); err == nil {
		q.Receipt = other.Receipt
	}
	return q, err
}

// A request that somebody made under the key of a call, and that the policy of
// the service allowed, is no answer to another policy that asks.
func TestGateJoined(t *testing.T) {
	r, g := gated(t, says(once))
	e := engineOf(t, func(s *policy.Settings) {
		s.Permissions = []policy.Permission{{Match: "shell ls", Action: policy.Ask}}
	})
	g.Engine = func() *policy.Engine { return e }
	c := call("ls")
	c.ID = "call_1"
	early, err := r.Submit(t.Context(), "token:agent", Submission{Key: keyOf(c), Call: c})
	if err != nil || early.State != Approved {
		t.Fatalf("%+v %v", early, err)
	}
	got, err := g.Authorize(t.Context(), policy.NewSession("s1"), c)
	if got.Allowed || !errors.Is(err, ErrReceipt) {
		t.Errorf("%+v %v", got, err)
	}
}

// An approval answers the rule that asked. If the policy changes meanwhile,
// the call is decided again.
func TestGatePolicyChanges(t *testing.T) {
	permission := func(match string, a policy.Decision) func(*policy.Settings) {
		return func(s *policy.Settings) {
			s.Permissions = append(s.Permissions, policy.Permission{Match: match, Action: a})
		}
	}
	for name, row := range map[string]struct {
		change func(*policy.Settings)
		want   bool
	}{
		"denies now":     {permission("shell make *", policy.Deny), false},
		"asks otherwise": {permission("shell make *", policy.Ask), false},
		"allows now":     {permission("shell make *", policy.Allow), true},
		"same rule asks": {permission("shell other *", policy.Deny), true},
	} {
		r, g := gated(t, nil)
		e := engineOf(t, nil)
		g.Engine = func() *policy.Engine { return e }
		g.Desk = deciding{r.Desk("token:agent"), func(q *Request) { e = engineOf(t, row.change); says(once)(r, q) }}
		got, err := g.Authorize(t.Context(), policy.NewSession("s1"), call("make deploy"))
		if got.Allowed != row.want || (err == nil) != row.want {
			t.Errorf("%s: %+v %v", name, got, err)
		}
		if err != nil && !strings.Contains(err.Error(), "policy has changed") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A service that takes silence for a yes has no say where another policy asks:
// the executor holds to its own.
func TestGateSilence(t *testing.T) {
	for own, want := range map[policy.Decision]bool{policy.Deny: false, policy.Allow: true} {
		r, g := gated(t, func(r *rig, _ *Request) { r.now.Add(61) })
		r.judge.terms = policy.AskTerms{Timeout: time.Minute, OnTimeout: policy.Allow}
		e := engineOf(t, func(s *policy.Settings) { s.Approval.OnTimeout = own })
		g.Engine = func() *policy.Engine { return e }
		got, err := g.Authorize(t.Context(), policy.NewSession("s1"), call("make"))
		if got.Allowed != want || (err == nil) != want {
			t.Errorf("on_timeout: %s: %+v %v", own, got.Verdict, err)
		}
	}
}
