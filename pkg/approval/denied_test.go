package approval

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
)

// denying returns a rig whose judge offers to deny for longer than once.
func denying(t *testing.T) *rig {
	r := newRig(t)
	r.judge.offers = []Offer{
		{Scope: Once, Stores: []string{}}, {Scope: Here, Stores: []string{"make in /work"}},
		{Deny: true, Scope: ForChat, Stores: []string{"deny make in /work, in this session"}}, {Deny: true, Scope: Anywhere, Stores: []string{"deny make anywhere"}},
	}
	return r
}

// What is denied for longer than once is what was offered, and is stored as a grant is.
func TestDenyAlways(t *testing.T) {
	r := denying(t)
	q := r.submit("make")
	if len(q.Offers) != 2 || fmt.Sprint(q.Denials[0].Stores, q.Denials[1].Stores) != "[deny make in /work, in this session] [deny make anywhere]" {
		t.Fatalf("%v, %v", q.Offers, q.Denials)
	}
	for want, a := range map[string]Answer{
		`"here" is not offered`:              {Word: Rejected, Scope: Here},
		"a refusal has none":                 {Word: RequestMore, Scope: Anywhere},
		"a refusal has none that":            {Word: RejectedContract, Scope: Anywhere},
		"a refusal has none, or":             {Word: Rejected, Scope: "always"},
		"uses: only approved_remember":       {Word: Rejected, Scope: Anywhere, Uses: 2},
		"uses: must be between":              {Word: ApprovedRemember, Scope: Here, Uses: 101},
		"uses: only":                         {Word: ApprovedOnce, Uses: 1},
		"for: only approved_remember":        {Word: Rejected, For: Life(time.Hour)},
		"for: must be between":               {Word: Rejected, Scope: Anywhere, For: 1},
		`scope: "anywhere" is not offered f`: {Word: ApprovedRemember, Scope: Anywhere},
	} {
		var invalid *Invalid
		if _, err := r.Decide(t.Context(), q.ID, "token:ann", a); !errors.As(err, &invalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", a, err, want)
		}
	}
	r.want(q.ID, Pending)
	always := Answer{Word: Rejected, Scope: Anywhere, Reason: "the old branch"}
	got, err := r.Decide(t.Context(), q.ID, "token:ann", always)
	if err != nil || got.State != Denied || got.Receipt != nil || fmt.Sprint(got.Decision.Saved) != "[deny make anywhere]" || got.Owed != nil || r.judge.saved.Load() != 1 {
		t.Fatalf("%+v %v", got, err)
	}
	if got, err = r.Decide(t.Context(), q.ID, "token:ann", always); err != nil || r.judge.saved.Load() != 1 {
		t.Errorf("the same answer again: %+v %v", got, err)
	}
	a, b := &Decision{Word: ApprovedRemember, Scope: Here, Uses: 2}, &Decision{Word: ApprovedRemember, Scope: Here, Uses: 3}
	if a.same(b) || !a.same(a) {
		t.Error("another number of uses is another decision")
	}
	if _, err = r.Decide(t.Context(), q.ID, "token:ann", Answer{Word: Rejected, Scope: ForChat}); !errors.Is(err, ErrDecided) {
		t.Errorf("another scope: %v", err)
	}
	log := r.store.log[len(r.store.log)-2:]
	if log[0].Decision != "rejected" || log[0].Detail["saved_1"] != "deny make anywhere" || log[0].Detail["scope"] != "anywhere" || log[1].Kind != "grant" {
		t.Errorf("%+v", log)
	}
}

// What is denied always is what was shown: of a request that was asked again, the answer
// names the revision.
func TestDenyAlwaysShown(t *testing.T) {
	r := denying(t)
	q := r.submit("make")
	if _, err := r.store.Update(t.Context(), q.ID, func(q *Request) ([]audit.Entry, error) {
		q.Revision = "again-2"
		return nil, nil
	}); err != nil {
		t.Fatal(err)
	}
	a := Answer{Word: Rejected, Scope: Anywhere}
	for _, a.Revision = range []string{"", "again-1", "r1"} {
		var invalid *Invalid
		if _, err := r.Decide(t.Context(), q.ID, "token:ann", a); !errors.As(err, &invalid) || !strings.Contains(err.Error(), "was asked again") {
			t.Errorf("%q: %v", a.Revision, err)
		}
	}
	a.Revision = "again-2"
	if got, err := r.Decide(t.Context(), q.ID, "token:ann", a); err != nil || got.State != Denied || len(got.Decision.Saved) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A rule that asks every time can be denied always, and so can what the submitter's own
// policy asks.
func TestDenyAlwaysOffered(t *testing.T) {
	r := denying(t)
	r.judge.terms.EveryTime = true
	if q := r.submit("make"); len(q.Denials) != 2 || len(q.Offers) != 1 {
		t.Errorf("%v, %v", q.Offers, q.Denials)
	}
}

// A denial that cannot be stored denies this call, and is stored as soon as it can be.
func TestDenyAlwaysOwed(t *testing.T) {
	r := denying(t)
	r.o.Failed = nil
	q := r.submit("make")
	r.judge.fails = errors.New("no space")
	got, err := r.Decide(t.Context(), q.ID, "token:ann", Answer{Word: Rejected, Scope: Anywhere})
	if err != nil || got.State != Denied || !strings.Contains(got.Decision.Notice, "not stored yet") {
		t.Fatalf("%+v %v", got, err)
	}
	r.judge.fails = nil
	if r.restart(); len(r.judge.stored) != 1 {
		t.Errorf("stored %v", r.judge.stored)
	}
	q = r.submit("make on")
	r.judge.fails = &Invalid{"it is damaged"}
	if got, err = r.Decide(t.Context(), q.ID, "token:ann", Answer{Word: Rejected, Scope: Anywhere}); err != nil || !strings.Contains(got.Decision.Notice, "this call alone is denied") {
		t.Errorf("%+v %v", got.Decision, err)
	}
}

// Of several votes, the fewest uses count.
func TestFewestUses(t *testing.T) {
	d := agreed([]Vote{
		{Answer: Answer{Word: ApprovedRemember, Scope: Here, Uses: 5}}, {Answer: Answer{Word: ApprovedRemember, Scope: Here}},
		{Answer: Answer{Word: ApprovedRemember, Scope: Anywhere, Uses: 3}},
	}, &Decision{})
	if d.Uses != 3 || d.Scope != Here {
		t.Errorf("%+v", d)
	}
	if d = agreed([]Vote{{Answer: Answer{Word: ApprovedOnce, Scope: Once}}, {Answer: Answer{Word: ApprovedRemember, Scope: Here, Uses: 5}}}, &Decision{}); d.Uses != 0 {
		t.Errorf("%+v", d)
	}
}
