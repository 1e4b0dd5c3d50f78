package approval

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// How a request ended says what an agent is told, whoever ended it.
func TestEnds(t *testing.T) {
	by := func(source, reason string) *Decision {
		return &Decision{Word: Rejected, By: "x", Source: source, Reason: reason}
	}
	for _, row := range []struct {
		state   State
		d       *Decision
		reason  policy.Reason
		outcome string
	}{
		{Pending, nil, policy.ReasonNone, "the request r is PENDING"},
		{Approved, &Decision{Word: ApprovedOnce, By: "x", Source: Human}, policy.ReasonNone, "approved_once by x"},
		{Executed, &Decision{Word: ApprovedOnce, By: "x", Source: Human}, policy.ReasonNone, "the request r is EXECUTED"},
		{Failed, &Decision{Word: ApprovedOnce, By: "x", Source: Human}, policy.ReasonNone, "the request r is FAILED"},
		{Cancelled, nil, policy.ReasonNone, "the request r is CANCELLED"},
		{Revoked, &Decision{Word: ApprovedOnce, By: "x", Source: Human}, policy.ReasonRejected, "approved_once by x"},
		{TimedOut, by(Timeout, "nobody did"), policy.ReasonTimedOut, "rejected by x: nobody did"},
		{Denied, nil, policy.ReasonRejected, "the request r is DENIED"},
		{Denied, by(Human, ""), policy.ReasonRejected, "rejected by x, who gave no reason"},
		{Denied, by(Human, "no"), policy.ReasonRejected, "rejected by x: no"},
		{Denied, by(Default, ""), policy.ReasonUnattended, "rejected by x"},
		{Denied, by(Static, "no"), policy.ReasonPermissionRule, "rejected by x: no"},
		{Denied, by(LLM, "no"), policy.ReasonReviewer, "rejected by x: no"},
	} {
		r := &Request{ID: "r", State: row.state, Decision: row.d}
		if r.Reason() != row.reason || r.Outcome() != row.outcome {
			t.Errorf("%s %+v: %s and %q, want %s and %q", row.state, row.d, r.Reason(), r.Outcome(), row.reason, row.outcome)
		}
	}
}

// There is no way from one state to another but those that are listed.
func TestNoWay(t *testing.T) {
	for _, from := range States() {
		for _, to := range States() {
			r := &Request{State: from}
			panics := func() (p bool) {
				defer func() { p = recover() != nil }()
				r.move(to)
				return
			}()
			if listed := slices.Contains(next[from], to); panics == listed || listed != (r.State == to && from != to) {
				t.Errorf("from %s to %s: panics %t, and is %s", from, to, panics, r.State)
			}
		}
	}
}

// A result is the same only with the same exit code, or both without one.
func TestSameReport(t *testing.T) {
	code := func(n int) *int { return &n }
	for _, row := range []struct {
		first, second *int
		same          bool
	}{{nil, nil, true}, {code(2), code(2), true}, {code(2), code(3), false}, {nil, code(0), false}, {code(0), nil, false}} {
		r, q := approved(t)
		if _, err := r.Consume(t.Context(), "token:agent", q.Receipt.Text); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Report(t.Context(), q.ID, "token:agent", Execution{Outcome: Executed, ExitCode: row.first}); err != nil {
			t.Fatal(err)
		}
		_, err := r.Report(t.Context(), q.ID, "token:agent", Execution{Outcome: Executed, ExitCode: row.second})
		if row.same != (err == nil) || !row.same && !errors.Is(err, ErrReported) {
			t.Errorf("%+v: %v", row, err)
		}
	}
}

// Nobody makes a receipt good for longer where it is stored.
func TestReceiptStoredLonger(t *testing.T) {
	r, q := approved(t)
	_, err := r.store.Update(t.Context(), q.ID, func(q *Request) ([]audit.Entry, error) {
		q.Receipt.Expires = q.Receipt.Expires.Add(time.Hour)
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r.now.Add(int64(DefaultReceiptTime.Seconds()))
	if _, err := r.Consume(t.Context(), "token:agent", q.Receipt.Text); !errors.Is(err, ErrReceipt) {
		t.Error(err)
	}
	if r, q = approved(t); r.now.Add(int64(DefaultReceiptTime.Seconds())-1) == 0 {
		t.Fatal("no time")
	}
	if _, err := r.Consume(t.Context(), "token:agent", q.Receipt.Text); err != nil {
		t.Errorf("a second before its end: %v", err)
	}
}

// A store takes back only what is approved and may still be used.
func TestTakeBack(t *testing.T) {
	now := time.Unix(start, 0)
	for name, row := range map[string]struct {
		change func(*Request)
		taken  bool
	}{
		"may be used": {func(*Request) {}, true},
		"pending":     {func(q *Request) { q.State = Pending }, false},
		"no receipt":  {func(q *Request) { q.Receipt = nil }, false},
		"used":        {func(q *Request) { q.Receipt.Consumed = &now }, false},
		"over":        {func(q *Request) { q.Receipt.Expires = now }, false},
	} {
		_, q := approved(t)
		row.change(q)
		state := q.State
		e, taken := q.TakeBack(now, "a backup was restored")
		if taken != row.taken || taken != (q.State == Revoked) || !taken && (q.State != state || e.Kind != "") {
			t.Errorf("%s: %t, %s", name, taken, q.State)
		}
		if taken && (e.Kind != audit.KindRevocation || e.Detail["receipt"] != q.Receipt.ID || q.Outcome() != "the approval was taken back by service: a backup was restored") {
			t.Errorf("%+v, %s", e, q.Outcome())
		}
	}
}

// A late decision that is sent again changes nothing.
func TestLateAgain(t *testing.T) {
	r := newRig(t)
	q := r.submit("make")
	r.now.Add(301)
	for range 3 {
		if _, err := r.Decide(t.Context(), q.ID, "token:ann", once); !errors.Is(err, ErrDecided) {
			t.Fatal(err)
		}
	}
	if q = r.want(q.ID, TimedOut); len(q.Late) != 1 || q.Version != 2 {
		t.Errorf("version %d with %d late", q.Version, len(q.Late))
	}
}

// The record of a decision says what is stored and who voted, and nothing where there is
// nothing.
func TestRecordOfDecision(t *testing.T) {
	r := remembering(t)
	for _, a := range []Answer{once, always} {
		if _, err := r.Decide(t.Context(), r.submit("make").ID, "token:ann", a); err != nil {
			t.Fatal(err)
		}
	}
	var details []string
	for _, e := range r.store.log {
		if e.Kind == audit.KindDecision {
			details = append(details, fmt.Sprint(len(e.Detail), e.Detail["scope"], " ", e.Detail["saved_1"]))
		}
	}
	if got := strings.Join(details, "; "); got != "0 ; 2anywhere make anywhere" {
		t.Errorf("the decisions say %q", got)
	}
	v := several(t)
	id := v.submit("make").ID
	v.voted(id, "token:alice", remember(Here, 0))
	v.voted(id, "token:bob", Answer{Word: Rejected})
	var votes []string
	for _, e := range v.store.log {
		if e.Kind == audit.KindVote {
			scope, told := e.Detail["scope"]
			votes = append(votes, fmt.Sprint(scope, " ", told))
		}
	}
	if got := strings.Join(votes, "; "); got != "here true;  false" {
		t.Errorf("the votes say %q", got)
	}
}

// What statistics see of a request.
func TestFact(t *testing.T) {
	r := newRig(t)
	q := r.submit("make")
	if f := q.Fact(); !f.Decided.IsZero() || f.By != "" || f.Source != "" || f.Program != "make" || f.State != Pending {
		t.Errorf("%+v", f)
	}
	q, err := r.Decide(t.Context(), q.ID, "token:ann", once)
	if f := q.Fact(); err != nil || f.Decided.IsZero() || f.By != "token:ann" || f.Source != Human || f.Stage != "confirm" {
		t.Errorf("%+v %v", f, err)
	}
}

// A list leaves out bare requests' tallies, and knows what is bare.
func TestBare(t *testing.T) {
	for want, r := range map[bool][]*Request{true: {{ID: "r", Version: 2, State: Pending}}, false: {{Hash: "sha256:0"}, {Created: time.Unix(1, 0)}}} {
		for _, one := range r {
			if one.Bare() != want {
				t.Errorf("%+v: %t", one, !want)
			}
		}
	}
}

// A group that is complete waits for nobody, and what an approval counts is said.
func TestWhoIsWaitedFor(t *testing.T) {
	r := jointRig(t, policy.AskTerms{Approver: "ann,bob", Also: also(policy.Group{Approver: "cid"})})
	q := r.voted(r.submit("make").ID, "token:ann", once)
	if got := q.Tally; !slices.Equal(got.Open, []string{"cid"}) || got.Missing != 1 || got.Counts() != "your approval counts; waiting for one of cid" {
		t.Errorf("%+v, %s", got, got.Counts())
	}
	v := several(t)
	if got := v.voted(v.submit("make").ID, "token:bob", once).Tally.Counts(); got != "your approval counts as 1 of 2; waiting for one more of alice, carol" {
		t.Error(got)
	}
}

// Silence is never an answer of several people, whatever the log says.
func TestSilenceOfSeveral(t *testing.T) {
	for quorum, fine := range map[string]bool{"1": true, "2": false} {
		store := newMemory()
		at := time.Unix(start, 0)
		err := store.record([]audit.Entry{
			{Time: at, Kind: audit.KindRequest, Actor: "token:agent", RequestID: "r", RequestHash: "h", Detail: map[string]string{"quorum": quorum, "groups": "g"}},
			{Time: at, Kind: audit.KindDecision, Actor: "service", RequestID: "r", RequestHash: "h", Decision: "auto_approved", Detail: map[string]string{"source": Timeout}},
		})
		if got := courseOf(store.log); err != nil || fine != (got == nil) {
			t.Errorf("quorum %s: %v %v", quorum, got, err)
		}
	}
}

// Who stops waiting leaves the others waiting.
func TestWaitersApart(t *testing.T) {
	var w waiters
	_, stop := w.add("r")
	second, _ := w.add("r")
	stop()
	w.wake("r")
	select {
	case <-second:
	default:
		t.Error("the second one was not woken")
	}
	_, stop = w.add("r")
	stop()
	if len(w.list) != 0 {
		t.Errorf("%d requests stay", len(w.list))
	}
}

// A span that is none of the line says nothing of its program.
func TestProgramOfSpan(t *testing.T) {
	for want, span := range map[string]*[2]int{"ls;rm": {3, 3}, "ls": {0, 2}, "rm": {3, 5}} {
		r := &Request{Tool: "shell", Call: []byte(`{"input":{"command":"ls;rm x"}}`), Asked: Asked{Span: span}}
		if got := r.Program(); got != want {
			t.Errorf("%v: %s, want %s", span, got, want)
		}
	}
}

// A secret in the reason for denying a session goes to nobody.
func TestSecretReasonOfSession(t *testing.T) {
	r := newRig(t)
	q := r.submit("make")
	d, err := r.DenySession(t.Context(), "s1", "token:ann", "it leaks "+secret, time.Time{})
	if err != nil || strings.Contains(d.Reason, secret) || strings.Contains(r.want(q.ID, Denied).Decision.Reason, secret) {
		t.Errorf("%+v %v", d, err)
	}
}

// fill stores copies of a request under new ids.
func (r *rig) fill(q *Request, n int) {
	r.t.Helper()
	for i := range n {
		one := *q
		one.ID = fmt.Sprintf("req_more_%04d", i)
		if err := r.store.put(&one, nil); err != nil {
			r.t.Fatal(err)
		}
		r.store.order = append(r.store.order, one.ID)
	}
}

// More than a list holds is denied with its session, and stored where it is owed.
func TestMoreThanList(t *testing.T) {
	r := newRig(t)
	r.fill(r.submit("make"), MaxLimit)
	if d, err := r.DenySession(t.Context(), "s1", "token:ann", "", time.Time{}); err != nil || d.Denied != MaxLimit+1 {
		t.Errorf("%d denied, %v", d.Denied, err)
	}
	r = remembering(t)
	r.judge.fails = errors.New("no space for grants")
	r.o.Failed = nil
	q, err := r.Decide(t.Context(), r.submit("make").ID, "token:ann", always)
	if err != nil {
		t.Fatal(err)
	}
	r.fill(q, MaxLimit)
	r.judge.fails = nil
	if err := r.settleOwed(t.Context()); err != nil || len(r.judge.stored) != MaxLimit+1 {
		t.Errorf("%d stored, %v", len(r.judge.stored), err)
	}
}

// A service does not begin where it cannot read what it must go on with.
func TestNoBeginning(t *testing.T) {
	r := newRig(t)
	if _, err := r.DenySession(t.Context(), "s1", "token:ann", "", time.Time{}); err != nil {
		t.Fatal(err)
	}
	for name, nth := range map[string]int{"owed grants": 1, "denials": 2, "pending requests": 3} {
		n := 0
		r.store.fails = func() error {
			if n++; n == nth {
				return errors.New("unreadable")
			}
			return nil
		}
		_, err := NewService(t.Context(), Options{Store: r.store, Judge: r.judge, Now: r.Now, Signer: r.key})
		if err == nil || err.Error() != "unreadable" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A clock that is behind by more than a minute is told of.
func TestClockSetBackTold(t *testing.T) {
	for back, told := range map[time.Duration]bool{skew: false, skew + time.Second: true} {
		store, n := newMemory(), 0
		store.latest = time.Unix(start, 0).Add(back)
		_, err := NewService(t.Context(), Options{Store: store, Judge: &judge{}, Now: func() time.Time { return time.Unix(start, 0) }, Failed: func(error) { n++ }})
		if err != nil || told != (n == 1) {
			t.Errorf("%s: told %d times, %v", back, n, err)
		}
	}
}

// Of two instances that begin to sign with the same key at once, one is second and goes
// on; a key that is not there and one that has ended stop it.
func TestSignWithAtOnce(t *testing.T) {
	full := errors.New("disk full")
	for name, row := range map[string]struct {
		meanwhile func(s *memory, k Key)
		want      string
	}{
		"another one was first": {func(s *memory, k Key) { s.keys = append([]Key{k}, s.keys...) }, ""},
		"it was not stored":     {func(*memory, Key) {}, "disk full"},
		"it has ended":          {func(s *memory, k Key) { k.Ended = k.Created; s.keys = append(s.keys, k) }, "disk full"},
	} {
		r := newRig(t)
		key := NewPrivateKey()
		r.store.first = func() error { row.meanwhile(r.store, NewKey(key.Public(), r.Service.o.Now())); return full }
		if err := r.SignWith(t.Context(), key, "token:admin"); row.want == "" && err != nil || row.want != "" && !strings.Contains(fmt.Sprint(err), row.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r := newRig(t)
	r.o.Failed = nil
	r.store.keys[0].Ended = time.Unix(start, 0)
	if err := r.SignWith(t.Context(), r.key, "token:admin"); err == nil || !strings.Contains(err.Error(), "was retired at") {
		t.Error(err)
	}
	if err := r.takeKeys(t.Context()); err == nil {
		if _, err := r.Decide(t.Context(), r.submit("make").ID, "token:ann", once); err == nil || !strings.Contains(err.Error(), "retired") {
			t.Errorf("signed with a retired key: %v", err)
		}
		if _, err := r.Checkpoint(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "retired") {
			t.Errorf("a checkpoint of a retired key: %v", err)
		}
	}
}

// A log holds from its beginning and behind a checkpoint; one that was cut off must tell of
// it, and somebody must vouch for where it begins.
func TestVerifier(t *testing.T) {
	r, q := approved(t)
	if _, err := r.Consume(t.Context(), "token:agent", q.Receipt.Text); err != nil {
		t.Fatal(err)
	}
	log := r.store.log
	const cut = 2
	base, err := r.Checkpoint(t.Context(), log[cut-1])
	if err != nil {
		t.Fatal(err)
	}
	tells := func(detail map[string]string) []*audit.Record {
		e := audit.Entry{Time: r.Now(), Kind: audit.KindCut, Actor: "service", Detail: detail}
		next, err := audit.Next(log[len(log)-1], e)
		if err != nil {
			t.Fatal(err)
		}
		return append(slices.Clone(log[cut:]), next)
	}
	whole := map[string]string{CutThrough: fmt.Sprint(base.Seq), CutHash: base.Hash}
	stranger := KeysOf(NewKey(NewPrivateKey().Public(), time.Time{}))
	ended := r.Keys()
	for id, k := range ended {
		k.Ended = r.Now().Add(-2 * skew)
		ended[id] = k
	}
	for name, row := range map[string]struct {
		base *audit.Checkpoint
		keys Keys
		log  []*audit.Record
		want string
	}{
		"whole":                   {nil, nil, log, ""},
		"cut off":                 {base, r.Keys(), tells(whole), ""},
		"untold":                  {base, r.Keys(), log[cut:], "no record tells of it"},
		"told of another place":   {base, r.Keys(), tells(map[string]string{CutThrough: "1", CutHash: base.Hash}), "no record tells of it"},
		"told with another hash":  {base, r.Keys(), tells(map[string]string{CutThrough: fmt.Sprint(base.Seq), CutHash: log[0].Hash}), "no record tells of it"},
		"a key of somebody":       {base, stranger, tells(whole), "nothing vouches for that"},
		"a key that had ended":    {base, ended, tells(whole), "nothing vouches for that"},
		"a record is missing":     {nil, nil, slices.Delete(slices.Clone(log), 1, 2), ""},
		"cut off, and one is not": {base, r.Keys(), tells(whole)[1:], ""},
	} {
		t.Run(name, func(t *testing.T) {
			var v Verifier
			err := v.Begin(row.base, row.keys)
			for _, rec := range row.log {
				if err == nil {
					err = v.Check(rec)
				}
			}
			if err == nil {
				err = v.End()
			}
			if strings.Contains(name, " is ") {
				row.want = "record"
			}
			var broken *audit.Broken
			if row.want == "" && err != nil || row.want != "" && (!errors.As(err, &broken) || !strings.Contains(err.Error(), row.want)) {
				t.Fatalf("%v, want %q", err, row.want)
			}
			if row.want != "" {
				return
			}
			if v.Base() != row.base || (v.Cut() != nil) != (row.base != nil) || (v.From() == cut) != (row.base != nil) {
				t.Errorf("base %v, cut %v, from %d", v.Base(), v.Cut(), v.From())
			}
		})
	}
	// A checkpoint of an empty log is its beginning: what follows is checked as a whole log.
	empty, err := r.Checkpoint(t.Context(), nil)
	var v Verifier
	if err == nil {
		err = v.Resume(empty, r.Keys())
	}
	if err != nil || v.From() != 0 {
		t.Fatal(v.From(), err)
	}
	used, err := audit.Next(nil, log[len(log)-1].Entry)
	if err == nil {
		err = v.Check(used)
	}
	if err == nil || !strings.Contains(err.Error(), "was used, and it was not given") {
		t.Errorf("a receipt that was never given: %v", err)
	}
}
