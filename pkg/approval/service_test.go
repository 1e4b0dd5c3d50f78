package approval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// judge answers "ls" with allow, "rm -rf /" with deny, and asks about the
// rest, on the terms that are set.
type judge struct {
	terms  policy.AskTerms
	offers []Offer
	saved  atomic.Int64
	// stored is what was saved; fails is what Save returns, and notice what it
	// tells.
	stored []string
	fails  error
	notice string
	// says is what it says in place of all else, and failing what judging returns.
	says    *policy.Verdict
	failing error
}

func (j *judge) Judge(_ context.Context, c *policy.Call) (v, own policy.Verdict, offers []Offer, err error) {
	v, offers, err = j.say(c)
	return v, v, offers, err
}

func (j *judge) say(c *policy.Call) (policy.Verdict, []Offer, error) {
	if j.failing != nil {
		return policy.Verdict{}, nil, j.failing
	}
	if j.says != nil {
		return *j.says, j.offers, nil
	}
	command := ""
	if c != nil {
		command, _ = c.Input["command"].(string)
	}
	switch command {
	case "npm test | tail":
		return policy.Verdict{Decision: policy.Allow, Stage: policy.StageReadonly, Reason: policy.ReasonNone, Parts: []policy.Part{
			{Span: shell.Span{To: 8}, Stage: policy.StageRules, Rule: "shell npm test", Origin: policy.Origin{Layer: "user"}}, {Span: shell.Span{From: 11, To: 15}, Stage: policy.StageReadonly},
		}}, nil, nil
	case "git push --force":
		return policy.Verdict{
			Decision: policy.Ask, Stage: policy.StageRules, Reason: policy.ReasonNone, Ask: &j.terms, Dangers: []policy.Danger{{Rule: "git-push-force", Why: "overwrites"}},
		}, nil, nil
	case "ls":
		return policy.Verdict{Decision: policy.Allow, Stage: policy.StageReadonly, Reason: policy.ReasonNone}, nil, nil
	case "rm -rf /":
		return policy.Verdict{Stage: policy.StageHardline, Reason: policy.ReasonHardline, Why: "deletes the root"}, nil, nil
	}
	t := j.terms
	return policy.Verdict{Decision: policy.Ask, Stage: policy.StageConfirm, Reason: policy.ReasonNone, Why: "it writes", Ask: &t, Revision: "r1"}, j.offers, nil
}

func (j *judge) Anew(_ context.Context, c *policy.Call) (policy.Verdict, error) {
	v, _, err := j.say(c)
	return v, err
}

func (j *judge) Plan(_ context.Context, r *Request, s Scope) (Plan, error) {
	var o Offer
	for _, one := range r.offersFor(r.Decision.Word) {
		if one.Scope == s {
			o = one
		}
	}
	text, err := json.Marshal(o.Stores)
	return Plan{o.Stores, text}, err
}

func (j *judge) Save(_ context.Context, p Plan) (string, error) {
	if j.fails != nil {
		return "", j.fails
	}
	j.saved.Add(1)
	j.stored = append(j.stored, p.Lines...)
	return j.notice, nil
}

// A rig is a service on a clock that stands still.
type rig struct {
	*Service
	t     testing.TB
	store *memory
	judge *judge
	key   PrivateKey
	keep  time.Duration
	now   atomic.Int64 // seconds
	// people may decide; nil stands for ann and bob.
	people []string
}

const start = 1_800_000_000

func newRig(t testing.TB) *rig {
	r := &rig{t: t, store: newMemory(), judge: &judge{}, key: NewPrivateKey()}
	r.now.Store(start)
	r.restart()
	return r
}

// restart is a new process on the same store.
func (r *rig) restart() {
	r.t.Helper()
	r.begin(func(err error) { r.t.Error(err) })
}

// restartQuietly is a restart of which nobody is told what goes wrong.
func (r *rig) restartQuietly() {
	r.t.Helper()
	r.begin(nil)
}

func (r *rig) begin(failed func(error)) {
	r.t.Helper()
	var err error
	r.Service, err = NewService(r.t.Context(), Options{
		Store: r.store, Judge: r.judge, MaxPending: 3, Failed: failed, Signer: r.key, Keep: r.keep,
		Now: func() time.Time { return time.Unix(r.now.Load(), 0) },
		MayDecide: func(_ context.Context, name string) bool {
			if _, own, ok := strings.Cut(name, ":"); ok {
				name = own
			}
			if r.people != nil {
				return slices.Contains(r.people, name)
			}
			return name == "ann" || name == "bob"
		},
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

func call(command string) *policy.Call {
	c := policy.Shell(command, "/work")
	c.Session = "s1"
	return c
}

func (r *rig) submit(command string) *Request {
	r.t.Helper()
	out, err := r.Submit(r.t.Context(), "token:agent", Submission{Call: call(command)})
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

func (r *rig) want(id string, state State) *Request {
	r.t.Helper()
	got, err := r.Get(r.t.Context(), id)
	if err != nil || got.State != state {
		r.t.Fatalf("%v, %v, want %s", got, err, state)
	}
	return got
}

var once = Answer{Word: ApprovedOnce}

// A request goes from the ask to the report, through a restart at each step.
func TestLife(t *testing.T) {
	r, ctx := newRig(t), t.Context()
	q := r.submit("make deploy")
	if q.State != Pending || q.Asked.Why != "it writes" || q.Asked.Revision != "r1" || q.Title != "shell: make deploy" {
		t.Fatalf("%+v", q)
	}
	r.restart()
	if _, err := r.Decide(ctx, q.ID, "token:ann", once); err != nil {
		t.Fatal(err)
	}
	r.restart()
	q = r.want(q.ID, Approved)
	if _, err := r.Report(ctx, q.ID, "token:agent", Execution{Outcome: Executed}); !errors.Is(err, ErrNotConsumed) {
		t.Errorf("reported before it was consumed: %v", err)
	}
	claims, err := r.Keys().For(call("make deploy"), q.Receipt.Text, time.Unix(start, 0))
	if err != nil || claims.By != "token:ann" || claims.Source != Human || claims.Rule != "" || claims.Stage != "confirm" {
		t.Fatalf("%+v %v", claims, err)
	}
	if _, err := r.Consume(ctx, "token:agent", q.Receipt.Text); err != nil {
		t.Fatal(err)
	}
	r.restart()
	if _, err := r.Consume(ctx, "token:agent", q.Receipt.Text); !errors.Is(err, ErrConsumed) {
		t.Errorf("consumed twice: %v", err)
	}
	code := 2
	for range 2 { // the same report again changes nothing
		if _, err := r.Report(ctx, q.ID, "token:agent", Execution{Outcome: Failed, ExitCode: &code, Detail: "no rule"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Report(ctx, q.ID, "token:agent", Execution{Outcome: Executed}); !errors.Is(err, ErrReported) {
		t.Errorf("another report: %v", err)
	}
	if q = r.want(q.ID, Failed); *q.Execution.ExitCode != 2 {
		t.Errorf("%+v", q.Execution)
	}
	var kinds []string
	for _, e := range r.store.log {
		kinds = append(kinds, e.Kind)
	}
	if got := strings.Join(kinds, " "); got != "key request decision receipt consumption execution" {
		t.Errorf("the audit log holds %s", got)
	}
}

// What the policy of the service settles needs nobody.
func TestSettled(t *testing.T) {
	r := newRig(t)
	if q := r.submit("ls"); q.State != Approved || q.Decision.Word != AutoApproved || q.Decision.Source != Static || q.Receipt == nil {
		t.Errorf("%+v", q)
	}
	if q := r.submit("rm -rf /"); q.State != Denied || q.Decision.Source != Static || q.Receipt != nil || !strings.Contains(q.Decision.Reason, "catastrophic") {
		t.Errorf("%+v", q)
	}
	// Another policy asked: this one's allow does not take that back.
	q, err := r.Submit(t.Context(), "token:agent", Submission{Call: call("ls"), Asked: &Asked{Rule: "theirs"}})
	if err != nil || q.State != Pending || q.Asked.Rule != "theirs" {
		t.Errorf("%+v %v", q, err)
	}
}

// One row for each answer to a request that somebody has decided.
func TestSecondDecision(t *testing.T) {
	r, ctx := newRig(t), t.Context()
	q := r.submit("make")
	if _, err := r.Decide(ctx, q.ID, "token:agent", once); !errors.Is(err, ErrSelf) {
		t.Errorf("the submitter decided: %v", err)
	}
	if _, err := r.Decide(ctx, q.ID, "token:ann", Answer{Word: Rejected, Reason: "use the test database"}); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		by   string
		a    Answer
		want error
	}{
		{"token:ann", Answer{Word: Rejected, Reason: "use the test database"}, nil},
		{"token:ann", Answer{Word: Rejected}, ErrDecided},
		{"token:ann", once, ErrDecided},
		{"token:bob", Answer{Word: Rejected, Reason: "use the test database"}, ErrDecided},
		{"token:agent", once, ErrSelf},
	} {
		got, err := r.Decide(ctx, q.ID, row.by, row.a)
		if !errors.Is(err, row.want) || row.want != ErrSelf && (got == nil || got.Decision.By != "token:ann") {
			t.Errorf("%s %v: %v %v, want %v", row.by, row.a, got, err, row.want)
		}
	}
	if q = r.want(q.ID, Denied); q.Receipt != nil || q.Outcome() != "rejected by token:ann: use the test database" {
		t.Errorf("%s, %+v", q.Outcome(), q.Receipt)
	}
}

func TestAnswers(t *testing.T) {
	r := newRig(t)
	q := r.submit("make")
	for _, row := range []struct {
		want string
		a    Answer
	}{
		{"is not one of", Answer{}}, {"is not one of", Answer{Word: "yes"}}, {"word of rules", Answer{Word: AutoApproved}},
		{"approved_remember needs", Answer{Word: ApprovedRemember}}, {"approved_remember needs", Answer{Word: ApprovedRemember, Scope: Once}},
		{"not offered", Answer{Word: ApprovedRemember, Scope: Anywhere}}, {"use approved_remember", Answer{Word: ApprovedOnce, Scope: Here}},
		{"a refusal has none", Answer{Word: Rejected, Scope: Once}}, {"more than", Answer{Word: Rejected, Reason: strings.Repeat("x", maxReason+1)}},
	} {
		var invalid *Invalid
		if _, err := r.Decide(t.Context(), q.ID, "token:ann", row.a); !errors.As(err, &invalid) || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%+v: %v, want %s", row.a, err, row.want)
		}
	}
	r.want(q.ID, Pending)
}

// What is remembered is what was offered.
func TestRemember(t *testing.T) {
	r := newRig(t)
	r.judge.offers = []Offer{{Scope: Once, Stores: []string{}}, {Scope: Here, Stores: []string{"make in /work"}}}
	q := r.submit("make")
	got, err := r.Decide(t.Context(), q.ID, "token:ann", Answer{Word: ApprovedRemember, Scope: Here})
	if err != nil || fmt.Sprint(got.Decision.Saved) != "[make in /work]" || r.judge.saved.Load() != 1 {
		t.Fatalf("%+v %v", got, err)
	}
	r.judge.terms.EveryTime = true
	if q = r.submit("make again"); len(q.Offers) != 1 || q.Offers[0].Scope != Once {
		t.Errorf("a rule that asks every time offers %v", q.Offers)
	}
}

// The time to decide is the server's.
func TestTimeout(t *testing.T) {
	r, ctx := newRig(t), t.Context()
	q := r.submit("make")
	r.now.Add(299)
	r.want(q.ID, Pending)
	r.now.Add(-1000) // the clock jumps back, and then far ahead
	r.want(q.ID, Pending)
	r.now.Add(2000)
	got, err := r.Decide(ctx, q.ID, "token:ann", once)
	if !errors.Is(err, ErrDecided) || got.State != TimedOut || got.Receipt != nil || len(got.Late) != 1 || got.Late[0].By != "token:ann" {
		t.Fatalf("%+v %v", got, err)
	}
	if got, err = r.Decide(ctx, q.ID, "token:ann", once); !errors.Is(err, ErrDecided) || len(got.Late) != 1 {
		t.Errorf("%+v %v", got.Late, err)
	}
	r.now.Add(-3000)
	r.want(q.ID, TimedOut) // and stays it

	r.judge.terms = policy.AskTerms{Timeout: 10 * time.Second, OnTimeout: policy.Allow}
	q = r.submit("make on")
	if q.OnTimeout != Approved {
		t.Errorf("%+v", q)
	}
	r.now.Add(10)
	if next, err := r.Expire(ctx); err != nil || !next.IsZero() {
		t.Errorf("%v %v", next, err)
	}
	if q = r.want(q.ID, Approved); q.Decision.Source != Timeout || q.Receipt == nil {
		t.Errorf("%+v", q)
	}
}

// A submitter shortens the time, and loosens nothing.
func TestSubmitterTightens(t *testing.T) {
	r := newRig(t)
	r.judge.terms = policy.AskTerms{Timeout: time.Minute, Approver: "ann"}
	q, err := r.Submit(t.Context(), "token:agent", Submission{
		Call: call("make"), Timeout: time.Hour, Asked: &Asked{Approver: Queue, Model: "any"},
	})
	if err != nil || q.Expires.Sub(q.Created) != time.Minute || q.Asked.Approver != "ann" || q.Asked.Model != "" {
		t.Fatalf("%+v %v", q, err)
	}
	if _, err := r.Decide(t.Context(), q.ID, "token:bob", once); !errors.Is(err, ErrNotApprover) {
		t.Errorf("bob: %v", err)
	}
	if _, err := r.Decide(t.Context(), q.ID, "token:ann", once); err != nil {
		t.Error(err)
	}
	r.judge.terms.Approver = "Ann" // names of tokens are the same in upper and lower case
	if q := r.submit("make all"); q.State != Pending {
		t.Errorf("Ann: %+v", q)
	} else if _, err := r.Decide(t.Context(), q.ID, "token:ann", once); err != nil {
		t.Errorf("ann for Ann: %v", err)
	}
	r.judge.terms.Approver = "nobody"
	if q := r.submit("make it"); q.State != Denied || q.Decision.Source != Default {
		t.Errorf("an approver that does not exist: %+v", q)
	}
}

// Of several supervisors each may decide, and nobody else.
func TestSupervisors(t *testing.T) {
	r := newRig(t)
	r.judge.terms = policy.AskTerms{Timeout: time.Minute, Approver: "nobody,ann"}
	q := r.submit("make")
	if _, err := r.Decide(t.Context(), q.ID, "token:bob", once); !errors.Is(err, ErrNotApprover) {
		t.Errorf("bob: %v", err)
	}
	if _, err := r.Decide(t.Context(), q.ID, "token:ann", once); err != nil {
		t.Errorf("ann: %v", err)
	}
	r.judge.terms.Approver = "nobody, noone"
	if q := r.submit("make it"); q.State != Denied || q.Decision.Source != Default || !strings.Contains(q.Decision.Reason, "nobody or noone") {
		t.Errorf("approvers that do not exist: %+v", q)
	}
	r.judge.terms.Approver = " , "
	if q := r.submit("make all"); q.State != Pending {
		t.Errorf("no approver: %+v", q)
	}
}

// Less time to deny is not to mean yes, and what the submitter says of the
// call stands beside what the service finds.
func TestSubmitterHurries(t *testing.T) {
	r := newRig(t)
	r.judge.terms = policy.AskTerms{Timeout: time.Hour, OnTimeout: policy.Allow}
	q, err := r.Submit(t.Context(), "token:agent", Submission{Call: call("make"), Timeout: time.Second, Asked: &Asked{Why: "it is harmless"}})
	if err != nil || q.Judged == nil || q.Judged.Decision != "ask" || q.Judged.Why != "it writes" || q.Asked.Why != "it is harmless" {
		t.Fatalf("%+v %v", q, err)
	}
	r.now.Add(2)
	r.want(q.ID, TimedOut)
}

// Silence means yes only to the rule that says so: another one asked here.
func TestSilenceOfAnotherRule(t *testing.T) {
	r := newRig(t)
	r.judge.terms = policy.AskTerms{Timeout: time.Minute, OnTimeout: policy.Allow}
	for rule, want := range map[string]State{"": Approved, "prod": TimedOut} {
		q, err := r.Submit(t.Context(), "token:agent", Submission{Call: call("make"), Asked: &Asked{Stage: "confirm", Rule: rule}})
		if err != nil {
			t.Fatal(err)
		}
		r.now.Add(61)
		r.want(q.ID, want)
	}
}

// The same key joins, another body with it is refused.
func TestKeys(t *testing.T) {
	r, ctx := newRig(t), t.Context()
	in := Submission{Key: "k1", Call: call("make")}
	first, err := r.Submit(ctx, "token:agent", in)
	if err != nil {
		t.Fatal(err)
	}
	in.Call.Time = time.Unix(start, 0) // of the second attempt
	second, err := r.Submit(ctx, "token:agent", in)
	if err != nil || second.ID != first.ID || second.Version != 1 {
		t.Errorf("%+v %v", second, err)
	}
	in.Call = call("make clean")
	if _, err := r.Submit(ctx, "token:agent", in); !errors.Is(err, ErrMismatch) {
		t.Errorf("another call: %v", err)
	}
	if q, err := r.Submit(ctx, "token:other", in); err != nil || q.ID == first.ID {
		t.Errorf("the key of another submitter: %+v %v", q, err)
	}
	if _, err := r.Submit(ctx, "token:other", Submission{ID: first.ID, Call: call("make")}); !errors.Is(err, ErrMismatch) {
		t.Errorf("the id of another submitter: %v", err)
	}
}

func TestPendingCap(t *testing.T) {
	r := newRig(t)
	for i := range 3 {
		r.submit(fmt.Sprint("make ", i))
	}
	if _, err := r.Submit(t.Context(), "token:agent", Submission{Call: call("make x")}); !errors.Is(err, ErrTooMany) {
		t.Errorf("%v", err)
	}
	if _, err := r.Submit(t.Context(), "token:other", Submission{Call: call("make x")}); err != nil {
		t.Errorf("another submitter: %v", err)
	}
	if n, err := r.EndSession(t.Context(), "s1", "token:agent"); n != 3 || err != nil {
		t.Errorf("%d %v", n, err)
	}
	r.submit("make x")
	if n, err := r.EndSession(t.Context(), "s1", "token:third"); n != 0 || err != nil {
		t.Errorf("the session of another submitter: %d %v", n, err)
	}
}

// A title goes where nobody expects a secret, and hides nothing.
func TestTitles(t *testing.T) {
	const token = "ghp_0123456789abcdefABCDEF0123456789abcd"
	for command, want := range map[string]string{
		"make  a\n\tb": "shell: make a b",
		"git push https://x:" + token + "@github.com": "shell: git push https://x:[redacted github-token]@github.com",
		strings.Repeat("x", 180) + " " + token:        "shell: " + strings.Repeat("x", 180) + " [redacted g…",
		"ls \x1b[2J\u202ex":                           "shell: ls \ufffd[2J\ufffdx",
		strings.Repeat("é", 5000):                     "shell: " + strings.Repeat("é", 192) + "…",
	} {
		if got := newRig(t).submit(command).Title; got != want {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
}

// What is over takes no room, and cannot be taken back, though nobody has
// noticed yet that it is over.
func TestOverUnnoticed(t *testing.T) {
	r := newRig(t)
	var last *Request
	for i := range 3 {
		last = r.submit(fmt.Sprint("make ", i))
	}
	r.now.Add(301)
	if q, err := r.Cancel(t.Context(), last.ID, "token:agent"); !errors.Is(err, ErrDecided) || q.State != TimedOut {
		t.Errorf("%+v %v", q, err)
	}
	if n, err := r.EndSession(t.Context(), "s1", "token:agent"); n != 0 || err != nil {
		t.Errorf("%d were cancelled: %v", n, err)
	}
	for i := range 3 {
		last = r.submit(fmt.Sprint("make ", i))
	}
	r.now.Add(301)
	r.submit("make it")
	r.want(last.ID, TimedOut)
}

// Submissions that come at once do not slip past the bound together, and who
// joins is not refused by it.
func TestPendingCapRace(t *testing.T) {
	r := newRig(t)
	r.store.slow = time.Millisecond
	var wg sync.WaitGroup
	var in, out atomic.Int64
	for i := range 100 {
		wg.Go(func() {
			_, err := r.Submit(t.Context(), "token:agent", Submission{Key: fmt.Sprint(i / 2), Call: call("make")})
			switch {
			case err == nil:
				in.Add(1)
			case errors.Is(err, ErrTooMany):
				out.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if in.Load() != 6 || out.Load() != 94 { // each key comes twice
		t.Errorf("%d taken, %d refused", in.Load(), out.Load())
	}
}

// What the store cannot search, or the service would have to remember at any
// length, is refused as what it is.
func TestNames(t *testing.T) {
	r := newRig(t)
	long := strings.Repeat("x", maxName+1)
	for want, change := range map[string]func(*Submission){
		"key: ":              func(in *Submission) { in.Key = "a\x00" },
		"key: it":            func(in *Submission) { in.Key = "a\xff" },
		"key: longer":        func(in *Submission) { in.Key = long[:MaxKey+1] },
		"call.session: ":     func(in *Submission) { in.Call.Session = "a\x00" },
		"call.id: ":          func(in *Submission) { in.Call.ID = "a\x00" },
		"call.id: 1025":      func(in *Submission) { in.Call.ID = long },
		"call.session: 1025": func(in *Submission) { in.Call.Session = long },
	} {
		in := Submission{Call: call("make")}
		change(&in)
		var invalid *Invalid
		if _, err := r.Submit(t.Context(), "token:agent", in); !errors.As(err, &invalid) || !strings.HasPrefix(invalid.Text, want) {
			t.Errorf("%s%v", want, err)
		}
	}
	c := call("make\x00")
	c.Session, c.Agent = long[1:], "a\x00"
	if _, err := r.Submit(t.Context(), "token:agent", Submission{Call: c}); err != nil {
		t.Error(err)
	}
}

// A thousand racing deciders have one winner.
func TestRace(t *testing.T) {
	r := newRig(t)
	q := r.submit("make")
	var won atomic.Int64
	var wg sync.WaitGroup
	for i := range 1000 {
		wg.Go(func() {
			a := once
			if i%2 == 0 {
				a = Answer{Word: Rejected}
			}
			_, err := r.Decide(t.Context(), q.ID, fmt.Sprint("token:", i), a)
			switch {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, ErrDecided):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 {
		t.Errorf("%d winners", won.Load())
	}
}

// Who waits is woken by the decision, and by the end of the time.
func TestAwait(t *testing.T) {
	r := newRig(t)
	q := r.submit("make")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if got, err := r.Await(ctx, q.ID); err != nil || got.State != Pending {
		t.Errorf("%+v %v", got, err)
	}
	done := make(chan *Request)
	go func() {
		got, err := r.Await(t.Context(), q.ID)
		if err != nil {
			t.Error(err)
		}
		done <- got
	}()
	if _, err := r.Decide(t.Context(), q.ID, "token:ann", once); err != nil {
		t.Fatal(err)
	}
	if got := <-done; got.State != Approved {
		t.Errorf("%+v", got)
	}
	if len(r.wait.list) != 0 {
		t.Errorf("%d waiters stay", len(r.wait.list))
	}
}

// A program has no policy of its own; it is asked about.
func TestContract(t *testing.T) {
	r := newRig(t)
	in := Submission{ID: "clr_1", Key: "clr_1", Contract: json.RawMessage(`{"program":"x","n":1}`), Title: "x.py"}
	q, err := r.Submit(t.Context(), "token:agent", in)
	if err != nil || q.Kind != KindContract || q.State != Pending || q.ID != "clr_1" {
		t.Fatalf("%+v %v", q, err)
	}
	in.Contract = json.RawMessage(`{"n":1, "program":"x"}`) // the same content
	if q, err := r.Submit(t.Context(), "token:agent", in); err != nil || q.ID != "clr_1" {
		t.Errorf("%v %v", q, err)
	}
	in.Contract = json.RawMessage(`{"n":1, "program":"y"}`)
	if _, err := r.Submit(t.Context(), "token:agent", in); !errors.Is(err, ErrMismatch) {
		t.Errorf("%v", err)
	}
}

// An error of the store is neither a yes nor a no.
func TestStoreFails(t *testing.T) {
	r, ctx := newRig(t), t.Context()
	q := r.submit("make")
	if _, err := r.Decide(ctx, q.ID, "token:ann", once); err != nil {
		t.Fatal(err)
	}
	q = r.want(q.ID, Approved)
	r.store.broken = errors.New("disk full")
	if _, err := r.Consume(ctx, "token:agent", q.Receipt.Text); err == nil {
		t.Error("consumed without a record")
	}
	r.store.broken = nil
	if _, err := r.Consume(ctx, "token:agent", q.Receipt.Text); err != nil {
		t.Errorf("the receipt is still good: %v", err)
	}
}

// TestHarm shows that a request and its audit record say how much harm a call
// can do, and what allowed each part of it.
func TestHarm(t *testing.T) {
	r := newRig(t)
	for command, want := range map[string]map[string]string{
		"git push --force": {"risk": "high", "dangerous_1": "git-push-force"},
		"npm test | tail":  {"part_1": "bytes 0 to 8: rules shell npm test", "part_2": "bytes 11 to 15: readonly"},
		"ls":               nil,
	} {
		q := r.submit(command)
		if q.Asked.Risk != want["risk"] || len(q.Asked.Parts) > 0 != (want["part_1"] != "") {
			t.Errorf("%s: the request says %+v", command, q.Asked)
		}
		found := false
		for _, e := range r.store.log {
			if e.RequestID == q.ID && e.Kind == audit.KindRequest {
				found = true
				if fmt.Sprint(e.Detail) != fmt.Sprint(want) {
					t.Errorf("%s: the record says %v, want %v", command, e.Detail, want)
				}
			}
		}
		if !found {
			t.Errorf("%s: no record", command)
		}
	}
}
