package approval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// asks returns a verdict that asks by a rule.
func asks(rule string, terms policy.AskTerms) *policy.Verdict {
	return &policy.Verdict{Decision: policy.Ask, Stage: policy.StageRules, Rule: rule, Reason: policy.ReasonNone, Risk: policy.Medium, Ask: &terms, Revision: "r1"}
}

// An approval is held against what the policy says when it comes, and a receipt against
// what it says when it is used.
func TestPolicyOfNow(t *testing.T) {
	minute := policy.AskTerms{Timeout: time.Minute}
	riskier := asks("make", minute)
	riskier.Risk = policy.High
	safer := asks("make", minute)
	safer.Risk = policy.Low
	noTerms := asks("make", minute)
	noTerms.Ask = nil
	for name, row := range map[string]struct {
		was, now *policy.Verdict
		want     string // "" where the approval stands
	}{
		"the same":         {asks("make", minute), asks("make", minute), ""},
		"an allow":         {asks("make", minute), &policy.Verdict{Decision: policy.Allow, Stage: policy.StageRules}, ""},
		"a deny":           {asks("make", minute), &policy.Verdict{Stage: policy.StageRules, Why: "frozen"}, "now denies it"},
		"another rule":     {asks("make", minute), asks("other", minute), "now other asks"},
		"riskier":          {asks("make", minute), riskier, "the risk is high now"},
		"safer":            {asks("make", minute), safer, ""},
		"no terms then":    {noTerms, asks("make", policy.AskTerms{Approver: "ann"}), ""},
		"no terms now":     {asks("make", minute), noTerms, ""},
		"somebody":         {asks("make", minute), asks("make", policy.AskTerms{Approver: "bob"}), "it wants bob to approve now"},
		"one rule more":    {asks("make", minute), asks("make", policy.AskTerms{Rules: []string{"make", "deploy"}}), "now deploy asks too"},
		"the one rule":     {asks("make", minute), asks("make", policy.AskTerms{Rules: []string{"make"}}), ""},
		"the same rules":   {asks("make", policy.AskTerms{Rules: []string{"make", "deploy"}}), asks("make", policy.AskTerms{Rules: []string{"deploy", "make"}}), ""},
		"every time":       {asks("make", minute), asks("make", policy.AskTerms{EveryTime: true}), "make asks every time now"},
		"silence":          {asks("make", policy.AskTerms{OnTimeout: policy.Allow}), asks("make", minute), "silence allows nothing any more"},
		"silence as ever":  {asks("make", policy.AskTerms{OnTimeout: policy.Allow}), asks("make", policy.AskTerms{OnTimeout: policy.Allow}), ""},
		"silence from now": {asks("make", minute), asks("make", policy.AskTerms{OnTimeout: policy.Allow}), ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.judge.says = row.was
			early, late := r.submit("make"), r.submit("make late")
			early, err := r.Decide(t.Context(), early.ID, "token:ann", once)
			if err != nil {
				t.Fatal(err)
			}
			r.judge.says = row.now
			_, used := r.Consume(t.Context(), "token:agent", early.Receipt.Text)
			_, approved := r.Decide(t.Context(), late.ID, "token:ann", once)
			for _, err := range []error{used, approved} {
				if row.want == "" && err != nil || row.want != "" && !strings.Contains(fmt.Sprint(err), row.want) {
					t.Errorf("%v, want %q", err, row.want)
				}
			}
			if row.want != "" && !errors.Is(used, ErrReceipt) {
				t.Errorf("the receipt: %v", used)
			}
		})
	}
}

// Once a request is asked again, an approval must name what it was shown.
func TestShownRevision(t *testing.T) {
	r := newRig(t)
	r.judge.says = asks("make", policy.AskTerms{Timeout: time.Minute})
	q, second := r.submit("make"), r.submit("make 2")
	approve := func(id, revision string) (*Request, error) {
		return r.Decide(t.Context(), id, "token:ann", Answer{Word: ApprovedOnce, Revision: revision})
	}
	if _, err := approve(second.ID, again+"1"); !errors.Is(err, ErrChanged) {
		t.Errorf("a revision that it never had: %v", err)
	}
	if _, err := approve(second.ID, "r1"); err != nil {
		t.Errorf("the revision of the policy: %v", err)
	}
	r.judge.says = asks("other", policy.AskTerms{Timeout: time.Minute})
	got, err := approve(q.ID, "r1")
	if !errors.Is(err, ErrChanged) || got == nil || got.State != Pending || !OfRequest(got.Revision) || got.Asked.Rule != "other" {
		t.Fatalf("%+v %v", got, err)
	}
	for _, revision := range []string{"", "r1", again + "99"} {
		if _, err := approve(q.ID, revision); !errors.Is(err, ErrChanged) {
			t.Errorf("approved as %q: %v", revision, err)
		}
	}
	if q, err = approve(q.ID, got.Revision); err != nil || q.State != Approved {
		t.Errorf("%+v %v", q, err)
	}
	log := r.kinds(q.ID)
	if fmt.Sprint(log) != "[request change decision receipt]" {
		t.Errorf("the log has %v", log)
	}
}

// What is asked again keeps the terms that its submitter asked for, gets no more time, and
// is over where nobody can decide it any more.
func TestAskedAgain(t *testing.T) {
	for name, row := range map[string]struct {
		asked  *Asked
		now    policy.AskTerms
		state  State
		lasts  time.Duration
		silent State
	}{
		"less time":        {nil, policy.AskTerms{Timeout: 20 * time.Second}, Pending, 20 * time.Second, TimedOut},
		"no more time":     {nil, policy.AskTerms{Timeout: time.Hour}, Pending, time.Minute, TimedOut},
		"of the submitter": {&Asked{Stage: "rules", Rule: "theirs", Why: "they ask"}, policy.AskTerms{Timeout: time.Hour}, Pending, time.Minute, TimedOut},
		"nobody is there":  {nil, policy.AskTerms{Approver: "nobody"}, Denied, time.Minute, TimedOut},
		"silence allows":   {nil, policy.AskTerms{Timeout: time.Hour, OnTimeout: policy.Allow}, Pending, time.Minute, Approved},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.judge.says = asks("make", policy.AskTerms{Timeout: time.Minute})
			q, err := r.Submit(t.Context(), "token:agent", Submission{Call: call("make"), Asked: row.asked})
			if err != nil {
				t.Fatal(err)
			}
			r.judge.says = asks("other", row.now)
			got, err := r.Decide(t.Context(), q.ID, "token:ann", once)
			if want := ErrChanged; row.state == Pending && !errors.Is(err, want) || row.state == Denied && !errors.Is(err, ErrDecided) {
				t.Fatalf("%+v %v", got, err)
			}
			if got.State != row.state || got.Expires.Sub(got.Created) != row.lasts || got.OnTimeout != row.silent {
				t.Errorf("%+v", got)
			}
			if row.asked != nil && (got.Asked.Why != "they ask" || got.Judged == nil || got.Judged.Rule != "other") {
				t.Errorf("what the submitter asked is lost: %+v %+v", got.Asked, got.Judged)
			}
			if row.state == Denied && (got.Decision.Source != Default || len(got.Late) != 1 || got.Late[0].By != "token:ann") {
				t.Errorf("%+v, late %+v", got.Decision, got.Late)
			}
		})
	}
}

// What the policy says now, and nobody can find out, lets nothing run and asks nothing again.
func TestPolicyOfNowUnknown(t *testing.T) {
	r := newRig(t)
	r.judge.says = asks("make", policy.AskTerms{Timeout: time.Minute})
	used, err := r.Decide(t.Context(), r.submit("make").ID, "token:ann", once)
	if err != nil {
		t.Fatal(err)
	}
	q := r.submit("make 2")
	r.judge.failing = errors.New("the engine is gone")
	if _, err := r.Decide(t.Context(), q.ID, "token:ann", once); err == nil || !strings.Contains(err.Error(), "the engine is gone") {
		t.Errorf("approved: %v", err)
	}
	if _, err := r.Consume(t.Context(), "token:agent", used.Receipt.Text); err == nil || !strings.Contains(err.Error(), "the engine is gone") {
		t.Errorf("used: %v", err)
	}
	r.judge.failing = nil
	r.want(q.ID, Pending)
}

// A request of before says what its policy asked only to people, and is held against that.
func TestOwnOfBefore(t *testing.T) {
	allow := &policy.Verdict{Decision: policy.Allow, Stage: policy.StageReadonly, Reason: policy.ReasonNone}
	own := asks("make", policy.AskTerms{Timeout: time.Minute})
	theirs := &Asked{Stage: "rules", Rule: "theirs"}
	for name, row := range map[string]struct {
		was, now *policy.Verdict
		asked    *Asked
		want     string
	}{
		"asked":               {own, own, nil, ""},
		"asked by another":    {own, asks("other", policy.AskTerms{}), nil, "now other asks"},
		"asked beside":        {own, own, theirs, ""},
		"asked beside, other": {own, asks("other", policy.AskTerms{}), theirs, "now other asks"},
		"allowed beside":      {allow, allow, theirs, ""},
		"allowed beside, now": {allow, asks("", policy.AskTerms{}), theirs, "now rules asks"},
		"a model":             {asks("make", policy.AskTerms{Reviewer: true}), asks("make", policy.AskTerms{Reviewer: true}), nil, ""},
		"the model no more":   {asks("make", policy.AskTerms{Reviewer: true}), asks("make", policy.AskTerms{Approver: "bob"}), nil, "it wants bob"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.o.Approvers = append(r.o.Approvers, &model{id: "local"})
			r.judge.says = row.was
			q, err := r.Submit(t.Context(), "token:agent", Submission{Call: call("make"), Asked: row.asked})
			if err == nil {
				_, err = r.store.Update(t.Context(), q.ID, func(q *Request) ([]audit.Entry, error) { q.Own = nil; return nil, nil })
			}
			if err != nil {
				t.Fatal(err)
			}
			r.judge.says = row.now
			if _, err = r.Decide(t.Context(), q.ID, "token:ann", once); row.want == "" && err != nil || row.want != "" && !strings.Contains(fmt.Sprint(err), row.want) {
				t.Errorf("%v, want %q", err, row.want)
			}
		})
	}
}

// What the policy allowed by itself, before it said so in full, is no rule that asked.
func TestAllowedBefore(t *testing.T) {
	r := newRig(t)
	q := r.submit("ls")
	_, err := r.store.Update(t.Context(), q.ID, func(q *Request) ([]audit.Entry, error) { q.Own = nil; return nil, nil })
	if err != nil {
		t.Fatal(err)
	}
	r.judge.says = asks("", policy.AskTerms{})
	r.judge.says.Stage = policy.StageReadonly
	if _, err := r.Consume(t.Context(), "token:agent", q.Receipt.Text); err == nil || !strings.Contains(err.Error(), "now readonly asks") {
		t.Error(err)
	}
}

// A submission that nobody can judge is refused as what it is, and one that nobody waits
// for says that.
func TestUnjudged(t *testing.T) {
	r := newRig(t)
	r.judge.failing = errors.New("no such tool")
	var invalid *Invalid
	if _, err := r.Submit(t.Context(), "token:agent", Submission{Call: call("make")}); !errors.As(err, &invalid) || invalid.Text != "call: no such tool" {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := r.Submit(ctx, "token:agent", Submission{Call: call("make")}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// What is said of a verdict is what it has, and no more.
func TestAskedOfVerdict(t *testing.T) {
	v := asks("make", policy.AskTerms{})
	if a := AskedOf(v); a.Bundles != nil || a.Review != nil || a.Span != nil {
		t.Errorf("%+v", a)
	}
	v.Bundles = []policy.Bundle{{Name: "org", Revision: "7"}}
	if a := AskedOf(v); a.Bundles["org"] != "7" || len(a.Bundles) != 1 {
		t.Errorf("%+v", a)
	}
}

// Another program that asks for the same call, in another session, asks for one like it.
func TestAlike(t *testing.T) {
	r := newRig(t)
	first := r.submit("make")
	c := call("make")
	c.Session, c.Agent = "s2", "other"
	second, err := r.Submit(t.Context(), "token:other", Submission{Call: c})
	if err != nil || first.Alike == "" || second.Alike != first.Alike || second.Hash == first.Hash {
		t.Errorf("%q and %q, %v", first.Alike, second.Alike, err)
	}
	if other := r.submit("make 2"); other.Alike == first.Alike {
		t.Error("another call is alike")
	}
}

// The last decisions about the same call are shown beside a request, without itself.
func TestEarlier(t *testing.T) {
	r := newRig(t)
	var ids []string
	for i := range MaxEarlier + 2 {
		q := r.submit("make")
		answer := once
		if i == 0 {
			answer = Answer{Word: Rejected}
		}
		if _, err := r.Decide(t.Context(), q.ID, "token:ann", answer); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, q.ID)
	}
	last := r.submit("make")
	got, err := r.Earlier(t.Context(), last)
	if err != nil || len(got) != MaxEarlier || got[0].ID != ids[0] || got[0].State != Denied || got[1].Decision.By != "token:ann" {
		t.Errorf("%+v %v", got, err)
	}
	decided := r.want(ids[1], Approved)
	if got, err := r.Earlier(t.Context(), decided); err != nil || len(got) != MaxEarlier || got[1].ID != ids[2] {
		t.Errorf("it is beside itself: %+v %v", got, err)
	}
	if got, err := r.Earlier(t.Context(), &Request{ID: "req_old"}); err != nil || got != nil {
		t.Errorf("of before: %+v %v", got, err)
	}
	_, err = r.store.Update(t.Context(), ids[0], func(q *Request) ([]audit.Entry, error) { q.Decision = nil; return nil, nil })
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.Earlier(t.Context(), last); err != nil || got[0].ID != ids[1] {
		t.Errorf("one that nobody decided: %+v %v", got, err)
	}
	r.store.fails = func() error { return errors.New("gone") }
	if got, err := r.Earlier(t.Context(), last); err == nil || got != nil {
		t.Errorf("%+v %v", got, err)
	}
}

// The record of a submission has the reason that its submitter gives.
func TestReasonOfSubmission(t *testing.T) {
	r := newRig(t)
	in := Submission{Call: call("make"), Asked: &Asked{Why: "it deploys"}}
	if _, err := r.Submit(t.Context(), "token:agent", in); err != nil {
		t.Fatal(err)
	}
	if e := r.store.log[len(r.store.log)-1]; e.Kind != audit.KindRequest || e.Reason != "it deploys" {
		t.Errorf("%+v", e)
	}
}

// What the policy of the service sees counts before the submitter's words.
func TestHarmOfService(t *testing.T) {
	r := newRig(t)
	for command, want := range map[string]string{"git push --force": "git-push-force", "ls": ""} {
		q, err := r.Submit(t.Context(), "token:agent", Submission{Call: call(command), Asked: &Asked{Rule: "theirs", Risk: policy.Medium.String()}})
		if err != nil {
			t.Fatal(err)
		}
		risk, dangers := q.Harm()
		if want == "" && (risk != "medium" || dangers != nil) || want != "" && (risk == "medium" || len(dangers) != 1 || dangers[0].Rule != want) {
			t.Errorf("%s: %s %v", command, risk, dangers)
		}
	}
}

// A submitter that asks for as much time as the policy gives keeps its terms.
func TestSameTime(t *testing.T) {
	r := newRig(t)
	r.judge.terms = policy.AskTerms{Timeout: time.Minute, OnTimeout: policy.Allow}
	q, err := r.Submit(t.Context(), "token:agent", Submission{Call: call("make"), Timeout: time.Minute})
	if err != nil || q.OnTimeout != Approved {
		t.Errorf("%+v %v", q, err)
	}
	if offers, _ := json.Marshal(q.Offers); !strings.Contains(string(offers), `"scope":"once"`) {
		t.Errorf("no way to approve it: %s", offers)
	}
}
