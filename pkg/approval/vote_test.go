package approval

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// several returns a rig of which each request wants 2 of alice, bob and carol.
func several(t *testing.T) *rig {
	t.Helper()
	r := newRig(t)
	r.people = []string{"alice", "bob", "carol"}
	r.judge.terms = policy.AskTerms{Approver: "alice, Bob,carol", Quorum: 2, Timeout: time.Minute}
	r.judge.offers = []Offer{{Scope: Once, Stores: []string{}}, {Scope: ForChat, Stores: []string{"session: make"}},
		{Scope: Here, Stores: []string{"here: make"}}, {Scope: Anywhere, Stores: []string{"anywhere: make"}}}
	return r
}

func remember(s Scope, life time.Duration) Answer {
	return Answer{Word: ApprovedRemember, Scope: s, For: Life(life)}
}

// voted votes, and returns the request.
func (r *rig) voted(id, by string, a Answer) *Request {
	r.t.Helper()
	got, err := r.Decide(r.t.Context(), id, by, a)
	if err != nil {
		r.t.Fatalf("%s: %v", by, err)
	}
	return got
}

func (r *rig) kinds(id string) (kinds []string) {
	for _, e := range r.store.log {
		if e.RequestID == id {
			kinds = append(kinds, e.Kind)
		}
	}
	return kinds
}

// Two of three approve: the first vote waits and says for whom, the second gives the
// receipt, which names both.
func TestVotes(t *testing.T) {
	r := several(t)
	q := r.submit("make")
	if q.State != Pending || q.Tally == nil || q.Tally.Missing != 2 || q.Tally.Text() != "0 of 2 approved" || q.Tally.Wants() != "2 of alice, Bob, carol" {
		t.Fatalf("%+v %+v", q, q.Tally)
	}
	one := r.voted(q.ID, "token:alice", Answer{Word: ApprovedOnce, Reason: "looks fine"})
	if one.State != Pending || one.Receipt != nil || one.Decision != nil || one.Version != 2 ||
		one.Tally.Text() != "1 of 2 approved by alice" || one.Tally.Wants() != "one more of Bob, carol" {
		t.Fatalf("%+v %+v", one, one.Tally)
	}
	if v := one.Votes[0]; v.By != "token:alice" || v.Source != Human || v.Reason != "looks fine" || v.At.Unix() != start || v.Word != ApprovedOnce || v.Scope != Once {
		t.Errorf("%+v", v)
	}
	r.now.Add(1)
	two := r.voted(q.ID, "passkey:bob", Answer{Word: ApprovedOnce})
	if two.State != Approved || two.Tally != nil || two.Decision.Who() != "token:alice and passkey:bob" || two.Decision.By != "passkey:bob" ||
		two.Decision.Source != Human || two.Decision.Word != ApprovedOnce || two.Decision.Reason != "looks fine" || two.Decision.At.Unix() != start+1 {
		t.Fatalf("%+v", two.Decision)
	}
	c, err := r.Keys().Verify(two.Receipt.Text, time.Unix(start, 0))
	if err != nil || !slices.Equal(c.Approvers, []string{"token:alice", "passkey:bob"}) || c.By != "passkey:bob" {
		t.Errorf("%+v, %v", c, err)
	}
	if got := r.kinds(q.ID); !slices.Equal(got, []string{"request", "vote", "vote", "decision", "receipt"}) {
		t.Errorf("%v", got)
	}
	if got := two.Outcome(); got != "approved_once by token:alice and passkey:bob: looks fine" {
		t.Error(got)
	}
	if err := courseOf(r.store.log); err != nil {
		t.Error(err)
	}
}

// Whoever is not one of the people, or only looks like one, has no vote.
func TestForgedVoters(t *testing.T) {
	r := several(t)
	r.people = append(r.people, "mallory", "1", "1000", Queue)
	r.judge.terms.Approver += ",1,1000,kate,boss," + Queue
	id := r.submit("make").ID
	for _, by := range []string{
		"token:mallory", "token:\u0430lice", "token:alice ", "token: alice", "token:alice,bob", "token:alice\u200b", "token:\uff41lice", "token:al\u0131ce", "phone:\u212aate", "phone:bo\u017f\u017f",
		"alice", ":alice", "token:", "", "token:alice:bob", "login:1", "uid:1000", "login:alice", "uid:alice", "token:alice\x00", "token:alice\n", "policy", "service",
	} {
		for _, a := range []Answer{once, {Word: Rejected}} {
			if got, err := r.Decide(t.Context(), id, by, a); !errors.Is(err, ErrNotApprover) {
				t.Errorf("%q: %v, %v", by, got, err)
			}
		}
		if _, err := r.Extend(t.Context(), id, by, time.Minute); !errors.Is(err, ErrNotApprover) {
			t.Errorf("%q extends: %v", by, err)
		}
	}
	if got := r.want(id, Pending); len(got.Votes) != 0 {
		t.Errorf("%+v", got.Votes)
	}
	if got := r.voted(id, "token:ALICE", once); got.Tally.Text() != "1 of 2 approved by alice" {
		t.Error(got.Tally.Text())
	}
}

// Votes that somebody wrote into the store count by the same measure.
func TestVotesInStore(t *testing.T) {
	r := several(t)
	r.people = append(r.people, "mallory", "agent") // who may decide, and not this
	q := r.submit("make")
	for _, v := range []Vote{{Answer: once, By: "token:mallory"}, {Answer: Answer{Word: Rejected}, By: "token:bob"}, {Answer: once, By: "token:agent"}} {
		v.Source, v.At = Human, q.Created
		q.Votes = append(q.Votes, v)
	}
	if err := r.store.put(q, nil); err != nil {
		t.Fatal(err)
	}
	if got := r.voted(q.ID, "token:alice", once); got.State != Pending || got.Tally.Text() != "1 of 2 approved by alice" {
		t.Errorf("%+v", got)
	}
	if quorum, approved := r.want(q.ID, Pending).Voted(); quorum != 2 || approved != 3 {
		t.Errorf("%d of %d", approved, quorum)
	}
}

// Where one is enough there are no votes, whatever form names them.
func TestOneOfSeveral(t *testing.T) {
	for quorum := range 2 {
		r := several(t)
		r.judge.terms.Quorum = quorum
		q := r.submit("make")
		if got, approved := q.Voted(); q.Tally != nil || got != 0 || approved != 0 {
			t.Errorf("%+v", q)
		}
		if got := r.voted(q.ID, "token:bob", once); got.State != Approved || got.Votes != nil || got.Decision.Approvers != nil || got.Decision.Who() != "token:bob" {
			t.Errorf("%+v", got)
		}
		if list, err := r.List(t.Context(), Filter{}); err != nil || list[0].Tally != nil {
			t.Errorf("%+v, %v", list, err)
		}
	}
}

// A service that knows of nobody asks nobody.
func TestNobodyKnown(t *testing.T) {
	r := several(t)
	r.o.MayDecide = nil
	if q := r.submit("make"); q.State != Denied || q.Decision.Source != Default {
		t.Errorf("%+v", q)
	}
}

// A model has no vote, whatever it is called.
func TestModelHasNoVote(t *testing.T) {
	r := several(t)
	if _, err := r.decide(t.Context(), r.submit("make").ID, "llm:alice", LLM, once); !errors.Is(err, ErrNotApprover) {
		t.Error(err)
	}
	// Where the rule asks a model, it decides alone, and people in its place vote.
	r.judge.terms.Model, r.judge.terms.Reviewer = "small", true
	q := r.submit("make 2")
	if got := r.voted(q.ID, "token:alice", once); got.State != Pending {
		t.Errorf("%s", got.State)
	}
	if got, err := r.decide(t.Context(), q.ID, "model:small", LLM, once); err != nil || got.State != Approved || got.Decision.Source != LLM {
		t.Errorf("%+v, %v", got, err)
	}
	if err := courseOf(r.store.log); err != nil {
		t.Error(err)
	}
}

// A person has one vote, by however many tokens, passkeys and channels.
func TestOnePersonOneVote(t *testing.T) {
	r := several(t)
	id := r.submit("make").ID
	for _, by := range []string{"token:alice", "passkey:alice", "phone:alice", "token:Alice"} {
		r.now.Add(1)
		got := r.voted(id, by, once)
		if got.State != Pending || len(got.Votes) != 1 || got.Tally.Missing != 1 {
			t.Fatalf("%s: %+v", by, got)
		}
	}
	if v := r.want(id, Pending).Votes[0]; v.By != "token:alice" || v.At.Unix() != start+1 {
		t.Errorf("the same vote again changes nothing: %+v", v)
	}
	if got := r.kinds(id); len(got) != 2 {
		t.Errorf("%v", got)
	}
}

// Nobody votes about what they submitted, under whichever identity.
func TestNoVoteOnOwn(t *testing.T) {
	r := several(t)
	q, err := r.Submit(t.Context(), "token:Alice", Submission{Call: call("make")})
	if err != nil || q.State != Pending || q.Tally.Wants() != "2 of Bob, carol" {
		t.Fatalf("%+v, %v", q, err)
	}
	for _, by := range []string{"token:Alice", "token:alice", "passkey:alice", "phone:ALICE"} {
		for _, a := range []Answer{once, {Word: Rejected}} {
			if _, err := r.Decide(t.Context(), q.ID, by, a); !errors.Is(err, ErrSelf) {
				t.Errorf("%s: %v", by, err)
			}
		}
		if _, err := r.Extend(t.Context(), q.ID, by, time.Minute); !errors.Is(err, ErrNotApprover) && !errors.Is(err, ErrSelf) {
			t.Errorf("%s: %v", by, err)
		}
	}
	r.voted(q.ID, "token:bob", once)
	if got := r.voted(q.ID, "token:carol", once); got.State != Approved {
		t.Errorf("%+v", got)
	}
	// An identity that is no person is nobody's own.
	if q, err = r.Submit(t.Context(), "uid:1000", Submission{Call: call("make")}); err != nil || len(q.Tally.Open) != 3 {
		t.Errorf("%+v, %v", q, err)
	}
	if _, err := r.Decide(t.Context(), q.ID, "uid:1000", once); !errors.Is(err, ErrSelf) {
		t.Errorf("its own: %v", err)
	}
	if _, err := r.Decide(t.Context(), q.ID, "login:1", once); !errors.Is(err, ErrNotApprover) {
		t.Errorf("of nobody: %v", err)
	}
}

// The first denial ends it, and its reason is what the agent is told.
func TestOneDenialDenies(t *testing.T) {
	for _, word := range []Word{Rejected, RejectedContract, RequestMore} {
		r := several(t)
		id := r.submit("make").ID
		r.voted(id, "token:alice", once)
		got := r.voted(id, "token:carol", Answer{Word: word, Reason: "not on Fridays"})
		if got.State != Denied || got.Decision.By != "token:carol" || got.Decision.Reason != "not on Fridays" || got.Decision.Approvers != nil || len(got.Votes) != 2 || got.Receipt != nil {
			t.Errorf("%s: %+v", word, got)
		}
		if kinds := r.kinds(id); !slices.Equal(kinds, []string{"request", "vote", "vote", "decision"}) {
			t.Errorf("%v", kinds)
		}
		if err := courseOf(r.store.log); err != nil {
			t.Error(err)
		}
	}
}

// What is stored is the narrowest that all gave, for the shortest time.
func TestNarrowestScope(t *testing.T) {
	for _, c := range []struct {
		votes  []Answer
		word   Word
		scope  Scope
		life   time.Duration
		stores string
	}{
		{[]Answer{once, once}, ApprovedOnce, Once, 0, ""},
		{[]Answer{remember(Anywhere, 0), once}, ApprovedOnce, Once, 0, ""},
		{[]Answer{once, remember(Here, time.Hour)}, ApprovedOnce, Once, 0, ""},
		{[]Answer{remember(Anywhere, 0), remember(Here, 0)}, ApprovedRemember, Here, 0, "here: make"},
		{[]Answer{remember(ForChat, 0), remember(Here, 0)}, ApprovedRemember, ForChat, 0, "session: make"},
		{[]Answer{remember(Here, 2*time.Hour), remember(Anywhere, time.Hour)}, ApprovedRemember, Here, time.Hour, "here: make"},
		{[]Answer{remember(Here, time.Hour), remember(Here, 2*time.Hour)}, ApprovedRemember, Here, time.Hour, "here: make"},
		{[]Answer{remember(Anywhere, 0), remember(Anywhere, 3*time.Hour)}, ApprovedRemember, Anywhere, 3 * time.Hour, "anywhere: make"},
		{[]Answer{remember(Anywhere, 3*time.Hour), remember(Anywhere, 0)}, ApprovedRemember, Anywhere, 3 * time.Hour, "anywhere: make"},
	} {
		r := several(t)
		id := r.submit("make").ID
		r.voted(id, "token:alice", c.votes[0])
		if r.judge.saved.Load() != 0 {
			t.Error("one vote stored something")
		}
		got := r.voted(id, "token:carol", c.votes[1])
		d := got.Decision
		if d.Word != c.word || d.Scope != c.scope || time.Duration(d.For) != c.life || strings.Join(d.Saved, ";") != c.stores || strings.Join(r.judge.stored, ";") != c.stores {
			t.Errorf("%v: %+v, stored %v", c.votes, d, r.judge.stored)
		}
		if claims, err := r.Keys().Verify(got.Receipt.Text, time.Unix(start, 0)); err != nil || claims.Scope != c.scope || claims.Word != c.word {
			t.Errorf("%+v, %v", claims, err)
		}
	}
}

// A scope that is not offered is no vote.
func TestVoteForNothingOffered(t *testing.T) {
	r := several(t)
	r.judge.offers = nil
	id := r.submit("make").ID
	var invalid *Invalid
	if _, err := r.Decide(t.Context(), id, "token:alice", remember(Anywhere, 0)); !errors.As(err, &invalid) {
		t.Error(err)
	}
	if got := r.want(id, Pending); len(got.Votes) != 0 {
		t.Errorf("%+v", got.Votes)
	}
	r.judge.offers = []Offer{{Scope: ForChat, Stores: []string{"session: make"}}}
	r.voted(r.submit("make 2").ID, "token:alice", once) // which needs no offer
}

// A vote may be changed until the end, and each change is on record.
func TestVoteChanged(t *testing.T) {
	r := several(t)
	id := r.submit("make").ID
	r.voted(id, "token:alice", remember(Anywhere, 0))
	got := r.voted(id, "passkey:alice", Answer{Word: ApprovedOnce, Reason: "rather once"})
	if got.State != Pending || len(got.Votes) != 1 || got.Votes[0].Scope != Once || got.Votes[0].By != "passkey:alice" {
		t.Errorf("%+v", got.Votes)
	}
	if got = r.voted(id, "token:bob", Answer{Word: ApprovedRemember, Scope: Here, Reason: "fine"}); got.Decision.Scope != Once || got.Decision.Reason != "alice: rather once; bob: fine" {
		t.Errorf("%+v", got.Decision)
	}
	other := r.submit("make 2").ID
	r.voted(other, "token:alice", once)
	if got = r.voted(other, "token:alice", Answer{Word: Rejected}); got.State != Denied {
		t.Errorf("%+v", got)
	}
	if err := courseOf(r.store.log); err != nil {
		t.Error(err)
	}
}

// Who can no longer decide no longer counts, and counts again who can.
func TestRemovedVoter(t *testing.T) {
	r := several(t)
	id := r.submit("make").ID
	r.voted(id, "token:alice", once)
	r.people = []string{"bob", "carol"}
	if got := r.want(id, Pending).Tally; got.Text() != "0 of 2 approved" || got.Missing != 2 {
		t.Errorf("%+v", got)
	}
	if got := r.voted(id, "token:bob", once); got.State != Pending || got.Tally.Text() != "1 of 2 approved by bob" {
		t.Fatalf("%+v", got)
	}
	got := r.voted(id, "token:carol", once)
	if got.State != Approved || got.Decision.Who() != "token:bob and token:carol" || len(got.Votes) != 3 {
		t.Errorf("%+v", got.Decision)
	}
	if err := courseOf(r.store.log); err != nil {
		t.Error(err)
	}
	// The same vote again counts what counts by now.
	id = r.submit("make 2").ID
	r.voted(id, "token:bob", once)
	r.people = []string{}
	r.voted(id, "token:carol", once)
	r.people = []string{"bob", "carol"}
	if got := r.voted(id, "token:carol", once); got.State != Approved {
		t.Errorf("%+v", got)
	}
}

// A time-out while votes are missing is a time-out, also where silence would allow.
func TestVotesMissing(t *testing.T) {
	r := several(t)
	r.judge.terms.OnTimeout = policy.Allow
	q := r.submit("make")
	if q.OnTimeout != TimedOut {
		t.Errorf("%s", q.OnTimeout)
	}
	r.voted(q.ID, "token:alice", once)
	r.now.Add(60)
	got := r.want(q.ID, TimedOut)
	if got.Decision.Source != Timeout || got.Receipt != nil || got.Decision.Reason != "1 of 2 approved by alice within 1m0s, and that was not enough" {
		t.Errorf("%+v", got.Decision)
	}
	silent := r.submit("make 2").ID
	r.now.Add(60)
	if got := r.want(silent, TimedOut); got.Decision.Reason != "nobody decided within 1m0s" {
		t.Errorf("%+v", got.Decision)
	}
	// A request whose stored terms were changed allows nothing by silence either.
	forged := r.submit("make 3")
	forged.OnTimeout = Approved
	if err := r.store.put(forged, nil); err != nil {
		t.Fatal(err)
	}
	r.now.Add(60)
	r.want(forged.ID, TimedOut)
}

// A vote after the end changes nothing and is kept.
func TestLateVotes(t *testing.T) {
	r := several(t)
	id := r.submit("make").ID
	r.voted(id, "token:alice", once)
	r.voted(id, "token:bob", once)
	for _, by := range []string{"token:alice", "passkey:bob"} { // sent again
		if got, err := r.Decide(t.Context(), id, by, once); err != nil || got.State != Approved || len(got.Late) != 0 {
			t.Errorf("%s: %+v, %v", by, got, err)
		}
	}
	got, err := r.Decide(t.Context(), id, "token:carol", Answer{Word: Rejected, Reason: "no"})
	if !errors.Is(err, ErrDecided) || got.State != Approved || len(got.Late) != 1 || got.Late[0].By != "token:carol" || len(got.Votes) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err = r.Decide(t.Context(), id, "token:alice", Answer{Word: Rejected}); !errors.Is(err, ErrDecided) || len(got.Late) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err = r.Decide(t.Context(), id, "token:carol", once); !errors.Is(err, ErrDecided) || len(got.Late) != 3 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err = r.Decide(t.Context(), id, "token:alice", remember(Here, 0)); !errors.Is(err, ErrDecided) || len(got.Late) != 4 {
		t.Errorf("another vote that approves: %+v, %v", got, err)
	}
	if _, err = r.Decide(t.Context(), id, "token:mallory", once); !errors.Is(err, ErrNotApprover) {
		t.Error(err)
	}
	denied := r.submit("make denied").ID
	r.voted(denied, "token:alice", once)
	r.voted(denied, "token:bob", Answer{Word: Rejected})
	if got, err = r.Decide(t.Context(), denied, "token:alice", once); !errors.Is(err, ErrDecided) || len(got.Late) != 1 {
		t.Errorf("an approval of before, again: %+v, %v", got, err)
	}
	if got, err = r.Decide(t.Context(), denied, "token:bob", Answer{Word: Rejected}); err != nil || len(got.Late) != 1 {
		t.Errorf("the denial again: %+v, %v", got, err)
	}
	gone := r.submit("make gone").ID
	r.voted(gone, "token:alice", once)
	if _, err = r.Cancel(t.Context(), gone, "token:agent"); err != nil {
		t.Fatal(err)
	}
	if got, err = r.Decide(t.Context(), gone, "token:alice", once); !errors.Is(err, ErrDecided) || got.State != Cancelled || len(got.Late) != 1 {
		t.Errorf("after it was taken back: %+v, %v", got, err)
	}
	due := r.submit("make 2").ID
	r.voted(due, "token:alice", once)
	r.now.Add(60)
	if got, err = r.Decide(t.Context(), due, "token:bob", once); !errors.Is(err, ErrDecided) || got.State != TimedOut || len(got.Late) != 1 || len(got.Votes) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if err := courseOf(r.store.log); err != nil {
		t.Error(err)
	}
}

// Too few people who can vote: it is denied at once, and says who could not.
func TestTooFewVoters(t *testing.T) {
	for _, c := range []struct {
		by     string
		people []string
		why    string
	}{
		{"token:agent", []string{}, "the policy wants 2 of alice, Bob, carol to approve, and none of them can: alice has neither a token that may approve nor a passkey, Bob has neither"},
		{"token:agent", []string{"bob"}, "and only Bob can: alice has neither a token that may approve nor a passkey, carol has neither a token that may approve nor a passkey"},
		{"token:alice", []string{"alice", "bob"}, "and only Bob can: alice submits the request, carol has neither"},
	} {
		r := several(t)
		r.people = c.people
		q, err := r.Submit(t.Context(), c.by, Submission{Call: call("make")})
		if err != nil || q.State != Denied || q.Decision.Source != Default || !strings.Contains(q.Decision.Reason, c.why) {
			t.Errorf("%v: %+v, %v", c.people, q.Decision, err)
		}
		if q.Reason() != policy.ReasonUnattended {
			t.Errorf("%s", q.Reason())
		}
	}
	r := several(t)
	r.people = []string{"alice", "carol"}
	if q := r.submit("make"); q.State != Pending {
		t.Errorf("%+v", q)
	}
	r.judge.terms.Approver, r.people = "alice,dashboard-approval", []string{"alice"}
	if q := r.submit("make 2"); q.State != Denied { // the queue is no person
		t.Errorf("%+v", q)
	}
}

// What the policy of the service says counts, and a submitter lowers no number.
func TestSubmitterLowersNothing(t *testing.T) {
	r := several(t)
	ask := func(terms policy.AskTerms, asked Asked) *Request {
		t.Helper()
		r.judge.terms = terms
		c := call("make")
		c.ID = fmt.Sprint(r.now.Add(100))
		q, err := r.Submit(t.Context(), "token:agent", Submission{Call: c, Asked: &asked})
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	two := policy.AskTerms{Approver: "alice,bob,carol", Quorum: 2, Timeout: time.Minute}
	for _, c := range []struct {
		service policy.AskTerms
		asked   Asked
		names   string
		quorum  int
	}{
		{two, Asked{Approver: "mallory"}, "alice,bob,carol", 2},
		{two, Asked{Approver: "mallory", Quorum: 1}, "alice,bob,carol", 2},
		{two, Asked{Approver: "alice,bob,carol", Quorum: 3}, "alice,bob,carol", 3},
		{two, Asked{Approver: "a,b,c,d", Quorum: 4}, "alice,bob,carol", 3},
		{policy.AskTerms{Approver: "alice", Timeout: time.Minute}, Asked{Approver: "bob,carol", Quorum: 2}, "alice", 1},
		{policy.AskTerms{Timeout: time.Minute}, Asked{Approver: "bob,carol", Quorum: 2}, "bob,carol", 2},
	} {
		if got := ask(c.service, c.asked).Asked; got.Approver != c.names || max(1, got.Quorum) != c.quorum {
			t.Errorf("%+v by %+v: %s %d", c.service, c.asked, got.Approver, got.Quorum)
		}
	}
	for _, a := range []Asked{{Quorum: -1, Approver: "a,b"}, {Quorum: 2}, {Quorum: 3, Approver: "a,b"}, {Quorum: 2, Approver: "a,A"}, {Quorum: 1, Approver: "\u0430"}, {Quorum: 1 << 40, Approver: "a"}} {
		var invalid *Invalid
		if _, err := r.Submit(t.Context(), "token:agent", Submission{Call: call("make"), Asked: &a}); !errors.As(err, &invalid) || !strings.HasPrefix(err.Error(), "asked.quorum: ") {
			t.Errorf("%+v: %v", a, err)
		}
	}
}

// Of fifty who vote at once exactly as many count as are wanted, and one of them ends
// the request.
func TestFiftyVoters(t *testing.T) {
	const voters, wanted = 50, 20
	r := several(t)
	var names []string
	for i := range voters {
		names = append(names, fmt.Sprintf("p%d", i))
	}
	r.people = names
	r.judge.terms = policy.AskTerms{Approver: strings.Join(names, ","), Quorum: wanted, Timeout: time.Minute}
	id := r.submit("make").ID
	var all sync.WaitGroup
	var mu sync.Mutex
	ended, waiting, late := 0, 0, 0
	for _, name := range names {
		for _, kind := range []string{"token:", "passkey:"} {
			all.Go(func() {
				got, err := r.Decide(t.Context(), id, kind+name, once)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case errors.Is(err, ErrDecided):
					late++
				case err != nil:
					t.Error(err)
				case got.State == Pending:
					waiting++
				default:
					ended++
				}
			})
		}
	}
	all.Wait()
	got := r.want(id, Approved)
	kinds := r.kinds(id)
	count := func(kind string) (n int) {
		for _, k := range kinds {
			if k == kind {
				n++
			}
		}
		return n
	}
	if len(got.Votes) != wanted || len(got.Decision.Approvers) != wanted || count("vote") != wanted || count("receipt") != 1 || ended+waiting+late != 2*voters {
		t.Errorf("%d votes, %d approvers, %d records, %d receipts; %d ended, %d waited, %d late",
			len(got.Votes), len(got.Decision.Approvers), count("vote"), count("receipt"), ended, waiting, late)
	}
	if len(got.Late) > maxLate {
		t.Errorf("%d late", len(got.Late))
	}
	if err := courseOf(r.store.log); err != nil {
		t.Error(err)
	}
}

// Who submits the same again is told how the votes stand.
func TestVotesJoined(t *testing.T) {
	r := several(t)
	in := Submission{Key: "k", Call: call("make")}
	q, err := r.Submit(t.Context(), "token:agent", in)
	if err != nil {
		t.Fatal(err)
	}
	r.voted(q.ID, "token:alice", once)
	if again, err := r.Submit(t.Context(), "token:agent", in); err != nil || again.ID != q.ID || again.Tally.Text() != "1 of 2 approved by alice" {
		t.Errorf("%+v, %v", again, err)
	}
}

// Votes survive a restart, and an error of the store leaves none behind.
func TestVotesStay(t *testing.T) {
	r := several(t)
	id := r.submit("make").ID
	r.voted(id, "token:alice", once)
	r.restart()
	r.store.broken = errors.New("the disk is full")
	if _, err := r.Decide(t.Context(), id, "token:bob", once); err == nil {
		t.Error("nothing failed")
	}
	r.store.broken = nil
	if got := r.want(id, Pending); got.Tally.Text() != "1 of 2 approved by alice" {
		t.Error(got.Tally.Text())
	}
	if text := string(r.store.requests[id]); strings.Contains(text, "tally") {
		t.Errorf("the count is stored: %s", text)
	}
	if got := r.voted(id, "token:bob", once); got.State != Approved {
		t.Errorf("%+v", got)
	}
}

// A call that was changed where it is stored gets no vote that approves.
func TestVoteOnAltered(t *testing.T) {
	r := several(t)
	q := r.submit("make")
	q.Hash = "sha256:0"
	if err := r.store.put(q, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Decide(t.Context(), q.ID, "token:alice", once); !errors.Is(err, ErrAltered) {
		t.Error(err)
	}
	if got, _ := r.store.get(q.ID); len(got.Votes) != 0 {
		t.Errorf("%+v", got.Votes)
	}
}

// The reasons of several are cut where they are too long, with a mark.
func TestReasonsOfVotes(t *testing.T) {
	r := several(t)
	id := r.submit("make").ID
	long := Answer{Word: ApprovedOnce, Reason: strings.Repeat("é", maxReason/2)}
	r.voted(id, "token:alice", long)
	got := r.voted(id, "token:bob", long).Decision.Reason
	if len(got) > maxReason || !strings.HasSuffix(got, "é…") || !strings.HasPrefix(got, "alice: é") {
		t.Errorf("%d bytes, %.20q", len(got), got)
	}
}

// A request that is only outlined still says who voted, and what its words were is
// gone.
func TestVotesOutlined(t *testing.T) {
	r := several(t)
	id := r.submit("make").ID
	r.voted(id, "token:alice", Answer{Word: ApprovedOnce, Reason: "because"})
	got := r.voted(id, "token:bob", once)
	if !strings.Contains(got.Words(), "token:alice\nbecause") {
		t.Error(got.Words())
	}
	got.outline(time.Unix(start, 0))
	if len(got.Votes) != 2 || got.Votes[0].By != "token:alice" || got.Votes[0].Reason != "" || got.Decision.Who() != "token:alice and token:bob" {
		t.Errorf("%+v", got)
	}
}

// A log in which fewer have voted than had to does not hold.
func TestImpossibleVotes(t *testing.T) {
	lived := func() []audit.Entry {
		r := several(t)
		id := r.submit("make").ID
		r.voted(id, "token:alice", once)
		r.voted(id, "token:bob", once)
		var log []audit.Entry
		for _, rec := range r.store.log {
			log = append(log, rec.Entry)
		}
		return log
	}
	for name, c := range map[string]struct {
		want string
		edit func([]audit.Entry) []audit.Entry
	}{
		"as it was": {"", func(l []audit.Entry) []audit.Entry { return l }},
		"a vote is missing": {"it was approved by 1 of the 2 people who had to", func(l []audit.Entry) []audit.Entry {
			return slices.DeleteFunc(l, func(e audit.Entry) bool { return e.Kind == audit.KindVote && e.Actor == "token:bob" })
		}},
		"a vote denies": {"it was approved by 1 of the 2", func(l []audit.Entry) []audit.Entry {
			for i := range l {
				if l[i].Kind == audit.KindVote && l[i].Actor == "token:bob" {
					l[i].Decision = string(Rejected)
				}
			}
			return l
		}},
		"one person twice": {"it was approved by 1 of the 2", func(l []audit.Entry) []audit.Entry {
			for i := range l {
				if l[i].Actor == "token:bob" && l[i].Kind == audit.KindVote {
					l[i].Actor = "passkey:alice"
				}
				if l[i].Detail["approvers"] == "alice, bob" {
					l[i].Detail["approvers"] = "alice, alice"
				}
			}
			return l
		}},
		"nobody is told": {"it was approved by 0 of the 2", func(l []audit.Entry) []audit.Entry {
			for i := range l {
				if l[i].Kind == audit.KindDecision {
					delete(l[i].Detail, "approvers")
				}
			}
			return l
		}},
		"no person": {`"login:1" voted, who is no person`, func(l []audit.Entry) []audit.Entry {
			for i := range l {
				if l[i].Kind == audit.KindVote {
					l[i].Actor = "login:1"
				}
			}
			return l
		}},
		"one decides": {"it was voted about, and one person decides it", func(l []audit.Entry) []audit.Entry {
			for i := range l {
				if l[i].Kind == audit.KindRequest {
					l[i].Detail["quorum"] = "1"
				}
			}
			return l
		}},
		"nothing to vote about": {"it was voted about, and one person decides it", func(l []audit.Entry) []audit.Entry {
			for i := range l {
				delete(l[i].Detail, "quorum")
			}
			return l
		}},
	} {
		t.Run(name, func(t *testing.T) {
			store := newMemory()
			if err := store.record(c.edit(lived())); err != nil {
				t.Fatal(err)
			}
			err := courseOf(store.log)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}
