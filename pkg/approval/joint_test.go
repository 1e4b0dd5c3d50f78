package approval

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// way is an approver of a name.
type way struct{ id, source string }

func (w way) Info() ApproverInfo  { return ApproverInfo{ID: w.id, Name: w.id, Source: w.source} }
func (way) Webhook() http.Handler { return nil }
func (way) Ask(context.Context, *Request, func(context.Context, string, Answer) error) error {
	return nil
}

// jointRig has people, a chat and a language model.
func jointRig(t *testing.T, terms policy.AskTerms) *rig {
	t.Helper()
	r := newRig(t)
	r.people = []string{"ann", "bob", "cid", "dan"}
	r.o.Approvers = append(r.o.Approvers, way{"chat", Human}, way{"mail", Human}, way{"guard", LLM})
	if terms.Timeout == 0 {
		terms.Timeout = time.Minute
	}
	r.judge.terms = terms
	return r
}

func also(groups ...policy.Group) []policy.Group { return groups }

// Each group must approve, and whoever is in several answers once for all.
func TestEachGroupApproves(t *testing.T) {
	for _, row := range []struct {
		terms policy.AskTerms
		votes []string // of which the last ends the request
		wants string   // after all but the last
	}{
		{policy.AskTerms{Approver: "ann", Also: also(policy.Group{Approver: "bob"})}, []string{"token:bob", "token:ann"}, "one of ann"},
		{policy.AskTerms{Approver: "ann", Also: also(policy.Group{Approver: "bob"})}, []string{"passkey:ann", "chat:bob"}, "one of bob"},
		{policy.AskTerms{Approver: "ann,bob", Also: also(policy.Group{Approver: "ann,cid"})}, []string{"token:ann"}, ""},
		{policy.AskTerms{Approver: "ann,bob", Also: also(policy.Group{Approver: "ann,cid"})}, []string{"token:bob", "token:cid"}, "one of ann, cid"},
		{policy.AskTerms{Approver: "ann,bob,cid", Quorum: 2, Also: also(policy.Group{Approver: "dan"})}, []string{"token:ann", "token:dan", "token:cid"}, "one more of bob, cid"},
		{policy.AskTerms{Approver: "ann,bob,cid", Quorum: 2, Also: also(policy.Group{Approver: "cid"})}, []string{"token:ann", "token:cid"}, "one more of bob, cid, and one of cid"},
		{policy.AskTerms{Approver: "ann,bob,cid", Quorum: 2, Also: also(policy.Group{Approver: "cid"})}, []string{"token:ann", "token:bob", "token:cid"}, "one of cid"},
		{policy.AskTerms{Approver: "chat", Also: also(policy.Group{Approver: "ann"})}, []string{"chat:ann"}, ""},
		{policy.AskTerms{Approver: "chat", Also: also(policy.Group{Approver: "ann"})}, []string{"token:ann", "chat:bob"}, "one of chat"},
		{policy.AskTerms{Approver: "chat", Also: also(policy.Group{Approver: Queue})}, []string{"chat:bob"}, ""},
		{policy.AskTerms{Approver: "chat", Also: also(policy.Group{Approver: "ann"})}, []string{"token:ann", "chat:ann"}, "one of chat"},
		{policy.AskTerms{Approver: "chat", Also: also(policy.Group{Approver: "mail"})}, []string{"chat:ann", "mail:ann"}, "one of mail"},
		{policy.AskTerms{Approver: "chat", Also: also(policy.Group{Approver: "mail"}, policy.Group{Approver: "bob"})}, []string{"mail:ann", "chat:ann", "token:bob"}, "one of bob"},
		{policy.AskTerms{Approver: "ann", Also: also(policy.Group{Approver: "guard", Reviewer: true})}, []string{"token:ann"}, ""},
		{policy.AskTerms{Approver: "ann", Also: also(policy.Group{Approver: "nobody", Reviewer: true})}, []string{"token:ann"}, ""},
		{policy.AskTerms{Also: also(policy.Group{Approver: "guard", Reviewer: true})}, []string{"token:bob"}, ""},
		{policy.AskTerms{Approver: "ann", Also: also(policy.Group{Approver: "bob", Reviewer: true})}, []string{"token:ann", "token:bob"}, "one of bob"},
	} {
		r := jointRig(t, row.terms)
		q := r.submit("pc x && pa x")
		for i, by := range row.votes {
			got := r.voted(q.ID, by, once)
			last := i == len(row.votes)-1
			if (got.State == Approved) != last || (got.Receipt != nil) != last {
				t.Fatalf("%+v: after %s it is %s", row.terms, by, got.State)
			}
			if i == len(row.votes)-2 && got.Tally.Wants() != row.wants {
				t.Errorf("%+v: it wants %q, want %q", row.terms, got.Tally.Wants(), row.wants)
			}
		}
		if got := r.want(q.ID, Approved).Decision.Source; got != Human {
			t.Errorf("%+v: %s", row.terms, got)
		}
		if err := courseOf(r.store.log); err != nil {
			t.Errorf("%+v: %v", row.terms, err)
		}
	}
}

// Who is in no group has no say, a model neither, and nobody approves their own.
func TestGroupsOfOthers(t *testing.T) {
	r := jointRig(t, policy.AskTerms{Approver: "ann", Also: also(policy.Group{Approver: "bob"}, policy.Group{Approver: "guard", Reviewer: true})})
	id := r.submit("pc x && pa x").ID
	for by, source := range map[string]string{"token:cid": Human, "chat:dan": Human, "uid:1000": Human, "login:ann": Human, "guard:ann": LLM, "token:ann": LLM} {
		if _, err := r.decide(t.Context(), id, by, source, once); !errors.Is(err, ErrNotApprover) {
			t.Errorf("%s: %v", by, err)
		}
	}
	if _, err := r.Decide(t.Context(), id, "token:agent", once); !errors.Is(err, ErrSelf) {
		t.Error(err)
	}
	r.voted(id, "token:ann", once)
	if got := r.voted(id, "token:ann", once); got.State != Pending || len(got.Votes) != 1 {
		t.Errorf("%+v", got)
	}
	if got := r.voted(id, "token:bob", Answer{Word: Rejected}); got.State != Denied {
		t.Errorf("one denial leaves it %s", got.State)
	}
}

// A group that nobody can answer for denies at once.
func TestAbsentGroup(t *testing.T) {
	for _, row := range []struct {
		also  policy.Group
		state State
		why   string
	}{
		{policy.Group{Approver: "zoe"}, Denied, "the policy wants zoe to decide, which is neither"},
		{policy.Group{Approver: "zoe,yan"}, Denied, "the policy wants zoe or yan to decide"},
		{policy.Group{Approver: "bob,zoe", Quorum: 2}, Denied, "only bob can"},
		{policy.Group{Approver: "bob,zoe"}, Pending, ""},
		{policy.Group{Approver: "chat"}, Pending, ""},
		{policy.Group{Approver: "zoe", Reviewer: true}, Pending, ""},
	} {
		r := jointRig(t, policy.AskTerms{Approver: "ann", Also: also(row.also)})
		q := r.submit("pc x && pa x")
		if q.State != row.state || row.why != "" && (q.Reason() != policy.ReasonUnattended || !strings.Contains(q.Decision.Reason, row.why)) {
			t.Errorf("%+v: %s %+v", row.also, q.State, q.Decision)
		}
	}
}

// Silence denies where one ask says so, and where a group of several has to approve.
func TestSilenceOfGroups(t *testing.T) {
	for _, row := range []struct {
		terms policy.AskTerms
		state State
	}{
		{policy.AskTerms{Approver: "ann", OnTimeout: policy.Allow, Also: also(policy.Group{Approver: "bob"})}, Approved},
		{policy.AskTerms{Approver: "ann", Also: also(policy.Group{Approver: "bob"})}, TimedOut},
		{policy.AskTerms{Approver: "ann", OnTimeout: policy.Allow, Also: also(policy.Group{Approver: "bob,cid", Quorum: 2})}, TimedOut},
	} {
		r := jointRig(t, row.terms)
		id := r.submit("pc x && pa x").ID
		r.now.Add(61)
		r.want(id, row.state)
		if err := courseOf(r.store.log); err != nil {
			t.Errorf("%+v: %v", row.terms, err)
		}
	}
}

// The request says who must approve and which rules ask, and so does the log.
func TestGroupsShown(t *testing.T) {
	r := jointRig(t, policy.AskTerms{Approver: "ann,bob", Quorum: 2, Also: also(policy.Group{Approver: "cid"}), Rules: []string{"pa", "pq"}})
	q := r.submit("pc x && pa x")
	if !slices.Equal(q.Asked.Rules, []string{"pa", "pq"}) || !slices.Equal(q.Approvers(), []string{"ann", "bob", "cid"}) || policy.GroupsText(q.Groups()) != "2 of ann, bob, and cid" {
		t.Errorf("%+v", q.Asked)
	}
	if got := q.Tally; got.Text() != "nobody has approved" || got.Wants() != "2 of ann, bob, and one of cid" || len(got.Groups) != 2 || got.Quorum != 2 || got.Missing != 2 {
		t.Errorf("%+v", got)
	}
	log := slices.Clone(r.store.log)
	log = slices.DeleteFunc(log, func(e *audit.Record) bool { return e.Kind != audit.KindRequest })
	if got := log[0].Detail; got["groups"] != "2 of ann, bob, and cid" || got["quorum"] != "2" {
		t.Errorf("%v", got)
	}
	got := r.voted(q.ID, "token:cid", once)
	if got.Tally.Text() != "approved by cid" || got.Tally.Counts() != "your approval counts; waiting for 2 of ann, bob" {
		t.Errorf("%s; %s", got.Tally.Text(), got.Tally.Counts())
	}
}

// What the policy of the service names stands; where it names nobody, the submitter's
// groups do.
func TestGroupsOfSubmitter(t *testing.T) {
	mine := Asked{Approver: "dan", Also: also(policy.Group{Approver: "cid"})}
	for _, row := range []struct {
		service policy.AskTerms
		want    string
	}{
		{policy.AskTerms{}, "dan, and cid"},
		{policy.AskTerms{Approver: "ann"}, "ann"},
		{policy.AskTerms{Approver: "ann", Also: also(policy.Group{Approver: "bob"})}, "ann, and bob"},
	} {
		r := jointRig(t, row.service)
		q, err := r.Submit(t.Context(), "token:agent", Submission{Call: call("make"), Asked: &mine})
		if err != nil || policy.GroupsText(q.Groups()) != row.want {
			t.Errorf("%+v: %s, want %s (%v)", row.service, policy.GroupsText(q.Groups()), row.want, err)
		}
	}
	r := jointRig(t, policy.AskTerms{})
	for _, wrong := range [][]policy.Group{{{Approver: ""}}, {{Approver: "ann", Quorum: 2}}, {{Approver: "a,A", Quorum: 1}}, make([]policy.Group, 101)} {
		var invalid *Invalid
		if _, err := r.Submit(t.Context(), "token:agent", Submission{Call: call("make"), Asked: &Asked{Also: wrong}}); !errors.As(err, &invalid) || !strings.HasPrefix(err.Error(), "asked.also: ") {
			t.Errorf("%d groups: %v", len(wrong), err)
		}
	}
}

// An approval is none for people who were not asked: the policy may have changed.
func TestApprovalOfOthers(t *testing.T) {
	was := policy.Verdict{Decision: policy.Ask, Stage: policy.StageRules, Rule: "pc", Ask: &policy.AskTerms{Approver: "cid"}}
	for _, row := range []struct {
		now policy.AskTerms
		why string
	}{
		{policy.AskTerms{Approver: "cid"}, ""},
		{policy.AskTerms{}, ""},
		{policy.AskTerms{Approver: "cid", Timeout: time.Second}, ""},
		{policy.AskTerms{Approver: "ann", Also: also(policy.Group{Approver: "cid"})}, "now wants ann, and cid to approve"},
	} {
		of := Referral{Asked: was, Review: func(context.Context) (policy.Verdict, error) {
			v := was
			v.Ask = &row.now
			return v, nil
		}}
		err := of.again(t.Context())
		if (err == nil) != (row.why == "") || err != nil && !strings.Contains(err.Error(), row.why) {
			t.Errorf("%+v: %v", row.now, err)
		}
	}
}
