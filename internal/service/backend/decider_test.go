package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

func clock() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) }

// kept is a recorder for tests.
type kept struct {
	mu    sync.Mutex
	calls []ruledb.Recorded
	err   error
	gate  chan struct{} // nil, or what each call waits for
	// times is how often calls came, and refused how many of them were not kept.
	times, refused int
}

func (k *kept) RecordCalls(_ context.Context, all ...ruledb.Recorded) error {
	if k.gate != nil {
		<-k.gate
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.calls, k.times = append(k.calls, all...), k.times+1
	if k.err != nil {
		k.refused += len(all)
	}
	return k.err
}

// so returns how many calls are kept so far, and in how many parts they came.
func (k *kept) so() (calls, times int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.calls), k.times
}

// newJudge returns a judge of the default policy, changed by edits.
func newJudge(t testing.TB, k *kept, edit func(*policy.Settings), more func(*JudgeOptions)) *Judge {
	t.Helper()
	s := policy.Defaults()
	edit(&s)
	e, err := policy.New(s, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := JudgeOptions{Engine: func() *policy.Engine { return e }, Calls: k, Now: clock}
	more(&o)
	return NewJudge(o)
}

func plain(*policy.Settings)  {}
func nothing(*JudgeOptions)   {}
func skip(s *policy.Settings) { s.Mode = policy.Skip }
func call(command string) *policy.Call {
	c := policy.Shell(command, "/w")
	c.Session = "s"
	return c
}

// flush stores what waits.
func flush(t testing.TB, j *Judge) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	j.Run(ctx)
}

// A call that comes again and again is denied where it is decided, and a
// submission of it counts neither there nor for the next submission.
func TestLoops(t *testing.T) {
	j := newJudge(t, &kept{}, plain, nothing)
	decide := func(c *policy.Call) (policy.Verdict, error) { return j.Decide(t.Context(), c) }
	submit := func(c *policy.Call) (policy.Verdict, error) {
		v, _, _, err := j.Judge(t.Context(), c)
		return v, err
	}
	for i, row := range []struct {
		want string
		by   func(*policy.Call) (policy.Verdict, error)
		c    *policy.Call
	}{
		{"ask confirm", decide, call("make a")},
		{"ask confirm", submit, call("make a")},
		{"ask confirm", decide, call("make a")},
		{"ask confirm", submit, call("make a")},
		{"deny doom_loop", decide, call("make a")},
		{"deny doom_loop", submit, call("make a")},
		{"ask confirm", decide, call("make b")},
		{"ask confirm", submit, call("make c")},
		{"ask confirm", submit, call("make c")},
		{"ask confirm", submit, call("make c")},
		{"ask confirm", submit, call("make c")},
		{"ask confirm", decide, policy.Shell("make d", "/w")},
		{"ask confirm", decide, policy.Shell("make d", "/w")},
		{"ask confirm", decide, policy.Shell("make d", "/w")}, // of no session
	} {
		v, err := row.by(row.c)
		if got := v.Decision.String() + " " + v.Stage.String(); got != row.want || err != nil {
			t.Errorf("%d %s: %s, want %s (%v)", i, row.c.Input["command"], got, row.want, err)
		}
	}
}

// Sessions do not know each other, and the one used least recently is
// forgotten.
func TestSessions(t *testing.T) {
	j := newJudge(t, &kept{}, plain, func(o *JudgeOptions) { o.Sessions = 2 })
	decide := func(session string) string {
		c := call("make a")
		c.Session = session
		v, err := j.Decide(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return v.Decision.String()
	}
	for i, row := range []struct{ want, session string }{
		{"ask", "a"}, {"ask", "b"}, {"ask", "a"}, {"ask", "b"}, {"deny", "a"}, {"deny", "b"}, {"ask", "c"}, {"deny", "b"}, {"ask", "a"},
	} {
		if got := decide(row.session); got != row.want {
			t.Errorf("%d: %s: %s, want %s", i, row.session, got, row.want)
		}
	}
	if a := j.Session("a"); a != j.Session("a") || a == j.Session("b") || j.Session("") != nil || j.sessions.Len() != 2 {
		t.Error("sessions are not kept apart")
	}
}

// The time of a call is now, whatever it says: rules may mind the hour, and an
// agent would choose it.
func TestTime(t *testing.T) {
	k := &kept{}
	j := newJudge(t, k, plain, nothing)
	then := clock().Add(-time.Hour)
	for _, at := range []time.Time{{}, then} {
		c := call("make a")
		c.Time = at
		if _, err := j.Decide(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := j.Judge(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if !c.Time.Equal(at) {
			t.Error("the call was changed")
		}
	}
	flush(t, j)
	var got []string
	for _, c := range k.calls {
		got = append(got, c.At.Format("15:04"))
	}
	if want := "05:06 05:06 05:06 05:06"; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestProgram(t *testing.T) {
	j := newJudge(t, &kept{}, func(s *policy.Settings) { s.Approval = policy.Approval{Timeout: time.Minute, Supervisor: "ann"} }, nothing)
	v, _, offers, err := j.Judge(t.Context(), &policy.Call{Tool: approval.KindContract})
	if err != nil || v.Decision != policy.Ask || v.Revision != j.Engine().Revision() || v.Rule != "program" || len(offers) != 1 {
		t.Errorf("%+v %v", v, err)
	}
	if a := v.Ask; a.Timeout != time.Minute || a.Approver != "ann" || a.OnTimeout != policy.Deny || !a.FailClosed {
		t.Errorf("%+v", a)
	}
}

// What is kept holds no secrets, can be decided again, and is kept once.
func TestKept(t *testing.T) {
	k := &kept{}
	j := newJudge(t, k, plain, nothing)
	const secret = "ghp_012345678901234567890123456789abcdef"
	c := call("curl -H 'Authorization: Bearer " + secret + "' https://api.example")
	c.ID, c.Record = "1", map[string]any{"summary": "token " + secret}
	for range 2 {
		if _, err := j.Decide(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	_, _, _, _ = j.Judge(t.Context(), c)
	other := call("make a")
	other.ID, other.Session = "1", "t"
	_, _ = j.Decide(t.Context(), other)
	flush(t, j)
	if len(k.calls) != 2 || j.Lost() != 0 {
		t.Fatalf("%d calls, %d lost", len(k.calls), j.Lost())
	}
	first, err := policy.DecodeCall(k.calls[0].JSON)
	if err != nil || strings.Contains(string(k.calls[0].JSON), secret) || first.Tool != "shell" || k.calls[0].Session != "s" {
		t.Errorf("%s %v", k.calls[0].JSON, err)
	}
	if !strings.Contains(c.Input["command"].(string), secret) {
		t.Error("the call itself was changed")
	}
}

// Nothing waits for what keeps calls; what it cannot keep is counted.
func TestLost(t *testing.T) {
	k := &kept{gate: make(chan struct{})}
	var mu sync.Mutex
	var failed []error
	j := newJudge(t, k, skip, func(o *JudgeOptions) {
		o.Failed = func(err error) { mu.Lock(); defer mu.Unlock(); failed = append(failed, err) }
	})
	ctx, stop := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() { j.Run(ctx) })
	const many = maxWaiting + 2*maxTogether
	for i := range many {
		if _, err := j.Decide(t.Context(), call(fmt.Sprint("make ", i))); err != nil {
			t.Fatal(err)
		}
	}
	if n := j.Lost(); n < maxTogether || n > 2*maxTogether { // those that are being stored wait no more
		t.Errorf("%d lost, want %d to %d", n, maxTogether, 2*maxTogether)
	}
	before := j.Lost()
	k.mu.Lock()
	k.err = errors.New("the disk is full")
	k.mu.Unlock()
	stop()
	close(k.gate)
	done.Wait()
	if uint64(len(k.calls))+before != many || len(failed) == 0 || j.Lost() != before+uint64(k.refused) {
		t.Errorf("%d kept, %d lost, %d refused, %d failed", len(k.calls), j.Lost(), k.refused, len(failed))
	}
	if most := (len(k.calls)+maxTogether-1)/maxTogether + 1; k.times > most {
		t.Errorf("%d calls that waited were stored in %d parts, want at most %d", len(k.calls), k.times, most)
	}
}

// Calls that come soon after one another are stored together, and many at once: whoever stores
// a request waits for each time.
func TestGathers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := &kept{}
		j := newJudge(t, k, plain, nothing)
		ctx, stop := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() { j.Run(ctx) })
		decide := func(n int) {
			for i := range n {
				if _, err := j.Decide(ctx, call(fmt.Sprint("make ", i))); err != nil {
					t.Error(err)
				}
			}
			synctest.Wait()
		}
		for i, row := range []struct {
			after               time.Duration
			more, stored, times int
		}{
			{0, 1, 0, 0},
			{gatherTime / 2, 1, 0, 0},
			{gatherTime/2 - 1, 0, 0, 0},
			{1, 0, 2, 1},
			{time.Hour, maxTogether - 1, 2, 1},
			{0, 1, 2 + maxTogether, 2},
			{0, 1, 2 + maxTogether, 2},
		} {
			time.Sleep(row.after)
			decide(row.more)
			if stored, times := k.so(); stored != row.stored || times != row.times {
				t.Errorf("step %d: %d stored in %d parts, want %d in %d", i, stored, times, row.stored, row.times)
			}
		}
		stop()
		done.Wait()
		if stored, times := k.so(); stored != 3+maxTogether || times != 3 {
			t.Errorf("at the end %d are stored in %d parts", stored, times)
		}
	})
}

func TestTooLarge(t *testing.T) {
	for _, row := range []struct{ lost, size int }{{0, maxCall / 2}, {1, maxCall}} {
		k := &kept{}
		j := newJudge(t, k, skip, nothing)
		if _, err := j.Decide(t.Context(), call("echo "+strings.Repeat("x", row.size))); err != nil {
			t.Error(err)
		}
		flush(t, j)
		if j.Lost() != uint64(row.lost) || len(k.calls) != 1-row.lost {
			t.Errorf("%d bytes: %d lost, %d kept", row.size, j.Lost(), len(k.calls))
		}
	}
}

// What cannot be judged is denied, and nothing of it is kept.
func TestUnjudged(t *testing.T) {
	k := &kept{}
	j := newJudge(t, k, plain, nothing)
	c := call("ls")
	c.Dir = "w"
	v, err := j.Decide(t.Context(), c)
	w, _, _, fault := j.Judge(t.Context(), c)
	flush(t, j)
	if err == nil || fault == nil || v.Decision != policy.Deny || w.Decision != policy.Deny || len(k.calls) != 0 {
		t.Error(err, fault, v.Decision, w.Decision, len(k.calls))
	}
}

// keeper offers and stores grants.
type keeper struct{ saved []string }

func (*keeper) Offers(*policy.Explanation) []approval.Offer {
	return []approval.Offer{{Scope: approval.Once}, {Scope: approval.Here, Stores: []string{"make in /w"}}}
}

func (*keeper) Refusals(*policy.Explanation) []approval.Offer { return nil }

func (*keeper) Tried(context.Context, *policy.Call, approval.Scope) policy.Grants { return nil }

func (*keeper) Plan(context.Context, *approval.Request, approval.Scope) (approval.Plan, error) {
	return approval.Plan{Lines: []string{"make in /w"}}, nil
}

func (*keeper) Used(*policy.Verdict) {}

func (*keeper) Flush(context.Context) error { return nil }

func (s *keeper) Save(_ context.Context, p approval.Plan) (string, error) {
	s.saved = append(s.saved, p.Lines...)
	return "", nil
}

// idle is a keeper that knows of no way to approve.
type idle struct{ keeper }

func (*idle) Offers(*policy.Explanation) []approval.Offer { return nil }

func (*idle) Refusals(*policy.Explanation) []approval.Offer { return nil }

func TestOffers(t *testing.T) {
	everyTime := func(s *policy.Settings) {
		s.Permissions = []policy.Permission{{Match: "shell make *", Action: policy.Ask, EveryTime: true}}
	}
	for _, row := range []struct {
		want, command string
		grants        Grants
		edit          func(*policy.Settings)
	}{
		{"once", "make a", nil, plain},
		{"once here", "make a", &keeper{}, plain},
		{"once", "make a", &keeper{}, everyTime},
		{"once", "make a", &idle{}, plain},
		{"once", "ls", &keeper{}, plain},       // allowed
		{"once", "rm -rf /", &keeper{}, plain}, // denied
	} {
		j := newJudge(t, &kept{}, row.edit, func(o *JudgeOptions) { o.Grants = row.grants })
		_, _, offers, err := j.Judge(t.Context(), call(row.command))
		var got []string
		for _, o := range offers {
			got = append(got, string(o.Scope))
		}
		if strings.Join(got, " ") != row.want || err != nil {
			t.Errorf("%s: %s, want %s (%v)", row.command, got, row.want, err)
		}
	}
	var wrong *approval.Invalid
	none := newJudge(t, &kept{}, plain, nothing)
	if _, err := none.Plan(t.Context(), nil, approval.Here); !errors.As(err, &wrong) {
		t.Error(err)
	}
	if _, err := none.Save(t.Context(), approval.Plan{}); !errors.As(err, &wrong) {
		t.Error(err)
	}
	s := &keeper{}
	j := newJudge(t, &kept{}, plain, func(o *JudgeOptions) { o.Grants = s })
	p, err := j.Plan(t.Context(), nil, approval.Here)
	if err != nil || len(p.Lines) != 1 || len(s.saved) != 0 {
		t.Error(p, err, s.saved)
	}
	if _, err := j.Save(t.Context(), p); err != nil || len(s.saved) != 1 {
		t.Error(err, s.saved)
	}
}

// BenchmarkDecide compares the judge with its engine alone.
func BenchmarkDecide(b *testing.B) {
	j := newJudge(b, &kept{}, skip, nothing)
	go j.Run(b.Context())
	for name, decide := range map[string]func(*policy.Call) (policy.Verdict, error){
		"judge":  func(c *policy.Call) (policy.Verdict, error) { return j.Decide(b.Context(), c) },
		"engine": func(c *policy.Call) (policy.Verdict, error) { return j.Engine().Decide(b.Context(), j.Session("e"), c) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			c := call("make x")
			for b.Loop() {
				if _, err := decide(c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What is decided belongs on record, with who asked; what is looked at again, and what
// is allowed, does not.
func TestRecord(t *testing.T) {
	var told []string
	j := newJudge(t, &kept{}, plain, func(o *JudgeOptions) {
		o.Decided = func(ctx context.Context, d *Decided) {
			if who, _ := auth.FromContext(ctx); d.Records {
				told = append(told, fmt.Sprint(who.Name, " ", d.Verdict.Decision, " ", d.Call.Input["command"], " ", d.Took > 0 && !d.Call.Time.IsZero()))
			}
		}
	})
	ctx := auth.NewContext(t.Context(), auth.Identity{Name: "token:app"})
	for _, command := range []string{"rm -rf /", "make", "ls"} {
		if _, err := j.Decide(ctx, call(command)); err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := j.Judge(ctx, call(command)); err != nil {
			t.Fatal(err)
		}
	}
	if want := "token:app deny rm -rf / true|token:app ask make true"; strings.Join(told, "|") != want {
		t.Errorf("told %v, want %s", told, want)
	}
}

// A call of the largest size is kept, and one that is a byte larger is counted as lost.
func TestLargestCall(t *testing.T) {
	for more, lost := range []uint64{0, 1} {
		k := &kept{}
		j := newJudge(t, k, plain, nothing)
		c := call("ls ")
		c.Time = clock()
		text, err := policy.EncodeCall(c)
		if err != nil {
			t.Fatal(err)
		}
		c.Input["command"] = "ls " + strings.Repeat("x", maxCall-len(text)+more)
		if _, err := j.Decide(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		flush(t, j)
		if j.Lost() != lost || len(k.calls) != 1-int(lost) {
			t.Errorf("%d bytes more: %d lost, %d kept", more, j.Lost(), len(k.calls))
		}
	}
}

// A submission looks at the policy once, and is judged by what is in force then.
func TestLooksOnce(t *testing.T) {
	looks := 0
	j := newJudge(t, &kept{}, plain, func(o *JudgeOptions) {
		engine := o.Engine
		o.Engine = func() *policy.Engine { looks++; return engine() }
		o.Grants = &keeper{}
	})
	for i, prepare := range []func(){func() {}, func() { _, _ = j.Decide(t.Context(), call("make a")) }} {
		prepare()
		looks = 0
		if _, _, offers, err := j.Judge(t.Context(), call("make a")); err != nil || len(offers) != 2 || looks != 1 {
			t.Errorf("%d: %d looks, want 1: %v %v", i, looks, offers, err)
		}
	}
}

// A submission is answered as its session would be, and as one without a history; no
// session that only submits is remembered.
func TestOwnJudgement(t *testing.T) {
	j := newJudge(t, &kept{}, plain, nothing)
	same := func(what string, got, want policy.Verdict) {
		t.Helper()
		a, errA := json.Marshal(got)
		b, errB := json.Marshal(want)
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("%s: %s, want %s", what, a, b)
		}
	}
	commands := []string{"make a", "ls", "rm -rf /", "git push --force", "cat .env && make", "make a; (("}
	for _, known := range []bool{false, true} {
		for _, command := range commands {
			c := call(command)
			if known {
				for range 3 {
					_, _ = j.Decide(t.Context(), c)
				}
			}
			got, gotOwn, _, err := j.Judge(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			timed := *c
			timed.Time = clock()
			want, err := j.Engine().Review(t.Context(), &policy.Session{ID: "s", Doom: j.loops}, &timed)
			if err != nil {
				t.Fatal(err)
			}
			same(command, got, want)
			own, err := j.Anew(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			same(command+" without a history", gotOwn, own)
			if known && command == "make a" && (got.Stage != policy.StageDoomLoop || gotOwn.Decision != policy.Ask) {
				t.Errorf("%s of a loop: %s, own %s", command, got.Stage, gotOwn.Decision)
			}
		}
		if !known && j.sessions.Len() != 0 {
			t.Errorf("%d sessions that only submit are remembered", j.sessions.Len())
		}
	}
	j.sessions.Purge() // as when others came meanwhile: the guard remembers
	if v, _, _, err := j.Judge(t.Context(), call("make a")); err != nil || v.Stage != policy.StageDoomLoop {
		t.Errorf("%s %v", v.Stage, err)
	}
}
