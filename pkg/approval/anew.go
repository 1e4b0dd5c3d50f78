package approval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// An ownAnswer is what the policy of a service said of a call when people were asked about it,
// with no loop and no rate counted. What it says when somebody answers is held against it.
type ownAnswer struct {
	Decision policy.Decision `json:"decision"`
	Stage    string          `json:"stage"`
	Rule     string          `json:"rule,omitempty"`
	Risk     string          `json:"risk,omitempty"`
	// Terms are those of an ask, nil for an allow.
	Terms *ownTerms `json:"terms,omitempty"`
	// Said is what the policy of the submitter asked, nil if it has none, and Timeout the
	// time to decide that it wanted, 0 for none: from both the request is made anew.
	Said    *Asked        `json:"said,omitempty"`
	Timeout time.Duration `json:"timeout,omitempty"`
	// Prover says that the submitter is trusted to have proved its program.
	Prover bool `json:"prover,omitempty"`
}

// ownTerms are terms in a form that can be read again: that of verdicts is for others.
type ownTerms policy.AskTerms

func ownOf(v *policy.Verdict, in *Submission) *ownAnswer {
	o := &ownAnswer{Decision: v.Decision, Stage: v.Stage.String(), Rule: v.Rule, Terms: (*ownTerms)(v.Ask), Timeout: in.Timeout, Prover: in.Prover}
	if v.Decision == policy.Ask {
		o.Risk = v.Risk.String()
	}
	if in.Asked != nil {
		said := *in.Asked
		o.Said = &said
	}
	return o
}

// own returns what the policy of the service said of a request. Requests of before say so
// only to people.
func (r *Request) own() *ownAnswer {
	if r.Own != nil {
		return r.Own
	}
	a := &r.Asked
	o := &ownAnswer{Decision: policy.Ask, Stage: a.Stage, Rule: a.Rule, Risk: a.Risk, Terms: &ownTerms{
		Approver: a.Approver, Quorum: a.Quorum, Also: a.Also, Model: a.Model, Prompt: a.Prompt, EveryTime: a.EveryTime, Rules: a.Rules, Reviewer: a.Review != nil,
	}}
	switch j := r.Judged; {
	case j == nil && r.Decision != nil && r.Decision.Source == Static:
		o.Decision = policy.Allow
	case j != nil:
		said := *a
		o.Said, o.Stage, o.Rule, o.Risk = &said, j.Stage, j.Rule, j.Risk
		if j.Decision == policy.Allow.String() {
			o.Decision = policy.Allow
		}
	}
	return o
}

// risks are the risks that a verdict can have, the smallest first.
var risks = []string{"", policy.Low.String(), policy.Medium.String(), policy.High.String()}

// differs says in a clause what an ask of now wants that was not asked before, "" if an
// answer of before answers it. An allow asks nothing.
func (o *ownAnswer) differs(now *policy.Verdict) string {
	if now.Decision == policy.Allow {
		return ""
	}
	by := cmp.Or(now.Rule, now.Stage.String())
	switch {
	case o.Decision != policy.Ask || o.Stage != now.Stage.String() || o.Rule != now.Rule:
		return "now " + by + " asks"
	case slices.Index(risks, o.Risk) < slices.Index(risks, now.Risk.String()):
		return "the risk is " + now.Risk.String() + " now"
	case o.Terms == nil || now.Ask == nil:
		return ""
	}
	was := o.Terms.Rules
	if len(was) == 0 {
		was = []string{by}
	}
	for _, rule := range now.Ask.Rules {
		if !slices.Contains(was, rule) {
			return "now " + rule + " asks too"
		}
	}
	switch {
	case !(*policy.AskTerms)(o.Terms).Covers(now.Ask):
		return "it wants " + cmp.Or(now.Ask.Who(), "a person") + " to approve now"
	case now.Ask.EveryTime && !o.Terms.EveryTime:
		return by + " asks every time now"
	case o.Terms.OnTimeout == policy.Allow && now.Ask.OnTimeout != policy.Allow:
		return "silence allows nothing any more"
	}
	return ""
}

// anew returns what the policy of the service says now of what a request asks for.
func (s *Service) anew(ctx context.Context, r *Request) (*policy.Verdict, error) {
	c, err := r.called()
	if err != nil {
		return nil, err
	}
	v, err := s.o.Judge.Anew(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("what the policy says of it now is unknown: %w", err)
	}
	return &v, nil
}

// again begins the revision of a request that was asked again.
const again = "again-"

// OfRequest reports whether a revision is that of a request, and not of a policy.
func OfRequest(revision string) bool { return strings.HasPrefix(revision, again) }

// anewFor returns what the policy says now of a request that somebody approves, nil where
// the answer approves nothing, or the request cannot be approved.
func (s *Service) anewFor(ctx context.Context, id string, a *Answer) (*policy.Verdict, error) {
	if !a.Word.Approves() {
		return nil, nil
	}
	r, err := s.o.Store.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if r.State != Pending || r.Kind == KindTest || r.intact() != nil { // of a test nothing runs
		return nil, nil
	}
	return s.anew(ctx, r)
}

// overruled looks whether the policy of now lets an approval stand, before it counts. What
// it denies is closed. What another rule asks for, or on stricter terms, is asked again, and
// no vote of before counts. Both are an error, and what is returned with it is to be stored.
// Once it is asked again, an approval must name the request that it was shown.
func (s *Service) overruled(ctx context.Context, r *Request, d *Decision, against held) ([]audit.Entry, error) {
	if r.Kind == KindTest { // nothing runs
		return nil, nil
	}
	now := against.now
	if now == nil {
		return nil, fmt.Errorf("%w: what the policy says of it now is unknown", ErrAltered)
	}
	if now.Decision == policy.Deny {
		return s.close(ctx, r, d, &Decision{Word: Rejected, By: policyIdentity, Source: Static, At: d.At, Reason: deniedNow(now)})
	}
	if what := r.own().differs(now); what != "" {
		return s.askAgain(ctx, r, d, now, what)
	}
	if (r.Revision != "" || OfRequest(against.shown)) && against.shown != r.Revision {
		return nil, fmt.Errorf("%w: look at it, and approve it with the revision that it has now", ErrChanged)
	}
	return nil, nil
}

// policyIdentity is who decides where the policy does.
const policyIdentity = "policy"

func deniedNow(now *policy.Verdict) string {
	return "the policy has changed since it was asked, and now denies it: " + now.Message()
}

// close ends a request against an approval, which is kept beside.
func (s *Service) close(ctx context.Context, r *Request, d, end *Decision) ([]audit.Entry, error) {
	log, err := s.conclude(ctx, r, end)
	if err != nil {
		return nil, err
	}
	return append(log, s.late(r, d)...), fmt.Errorf("%w: %s", ErrDecided, end.Reason)
}

// askAgain makes of a request what a submission of now would be.
func (s *Service) askAgain(ctx context.Context, r *Request, d *Decision, now *policy.Verdict, what string) ([]audit.Entry, error) {
	c, err := r.called()
	if err != nil {
		return nil, err
	}
	was := r.own()
	in := &Submission{Contract: r.Contract, Prover: was.Prover, Asked: was.Said, Timeout: was.Timeout}
	if r.Kind == KindCall {
		in.Call = c
	}
	_, _, offers, err := s.o.Judge.Judge(ctx, c)
	if err != nil {
		return nil, err
	}
	r.Votes, r.Judged, r.OnTimeout, r.Offers, r.Denials = nil, nil, TimedOut, onlyOnce(""), nil
	if was.Said != nil {
		r.Asked = *was.Said
	}
	r.offered(now, in, offers)
	if end := d.At.Add(r.terms(now, in)); end.Before(r.Expires) {
		r.Expires = end
	}
	r.Own = ownOf(now, in)
	r.Revision = again + strconv.FormatInt(r.Version, 10)
	if end := s.unattendable(ctx, r, in, now, d.At); end != nil {
		return s.close(ctx, r, d, end)
	}
	e := r.entry(audit.KindChange, serviceIdentity, d.At)
	e.Reason = what
	e.Detail = withDetail(r.quorumDetail(r.harm()), "answered_by", d.By)
	return []audit.Entry{e}, fmt.Errorf("%w: %s", ErrChanged, what)
}

// usable says why a receipt cannot be used for a request, nil if it can.
func (r *Request) usable(c *Claims, by, receipt string, now time.Time) error {
	switch {
	case r.Submitter != by:
		return fmt.Errorf("%w: %s did not submit the request", ErrReceipt, by)
	case r.Receipt == nil || r.Receipt.ID != c.ID:
		return fmt.Errorf("%w: it was never given: that of the request is another one", ErrReceipt)
	case r.Receipt.Consumed != nil:
		return ErrConsumed
	case r.Revocation != nil:
		return fmt.Errorf("%w %s", ErrRevoked, r.Revocation.text())
	case r.Receipt.Text != receipt: // of a request that was pruned, nothing is left to compare
		return fmt.Errorf("%w: it is not the one that was given", ErrReceipt)
	}
	return r.Receipt.over(now)
}

// stands says why the policy of now does not let an approved call run, nil if it does.
func (s *Service) stands(ctx context.Context, r *Request) error {
	if err := r.intact(); err != nil || r.Kind == KindTest {
		return err
	}
	now, err := s.anew(ctx, r)
	if err != nil {
		return err
	}
	if now.Decision == policy.Deny {
		return fmt.Errorf("%w: %s", ErrReceipt, deniedNow(now))
	}
	if what := r.own().differs(now); what != "" {
		return fmt.Errorf("%w: the policy has changed since it was approved: %s", ErrReceipt, what)
	}
	return nil
}

// redeemable returns the claims of a receipt that somebody could use now. by is "" for
// whoever submitted the request.
func (s *Service) redeemable(ctx context.Context, by, receipt string) (*Claims, error) {
	c, err := s.claims(ctx, receipt)
	if err != nil {
		return nil, err
	}
	r, err := s.o.Store.Get(ctx, c.Request)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, fmt.Errorf("%w: it was never given: %w", ErrReceipt, err)
	case err != nil:
		return nil, err
	}
	if err := r.usable(c, cmp.Or(by, r.Submitter), receipt, s.now()); err != nil {
		return nil, err
	}
	return c, s.stands(ctx, r)
}

// quorumDetail adds to the detail of a record who must approve, where several must.
func (r *Request) quorumDetail(detail map[string]string) map[string]string {
	if !r.several() {
		return detail
	}
	groups := r.Groups()
	detail = withDetail(detail, "quorum", strconv.Itoa(policy.LeastOf(groups)))
	detail["approvers"] = strings.Join(r.Approvers(), ", ")
	if len(groups) > 1 {
		detail["groups"] = policy.GroupsText(groups)
	}
	return detail
}
