package approval

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/redact"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Submission asks for a call, or for a program.
type Submission struct {
	// Key is the submitter's own name for it, so that sending it again joins
	// what stands; "" for a new request each time.
	Key string
	// ID is the id that the request gets; "" for one of the service.
	ID string
	// Name is the submitter's own name for what it asks for, which each attempt
	// bears; "" for none.
	Name string
	// Call is the call; nil for a program.
	Call *policy.Call
	// Contract is what asks for a program, a JSON object with its title; it is
	// what a receipt is bound to.
	Contract json.RawMessage
	Title    string
	// Prover says that the submitter is trusted to have proved the program, so that a
	// rule may allow it by what the contract says.
	Prover bool
	// Said is what the user said that led to it, as the submitter tells, "" where it
	// does not. A language model that reviews weighs it.
	Said string
	// Asked is what the submitter's own policy asked, nil if it has none. With
	// it the service only denies or asks: an allow of its own policy does not
	// take back the ask of another.
	Asked *Asked
	// Timeout shortens the time to decide; 0 leaves it to the policy.
	Timeout time.Duration
	// Waits is how long the submitter waits for an answer, which no extension can
	// make longer; 0 stands for Timeout, or for as long as it takes.
	Waits time.Duration
}

// MaxKey bounds keys, ids and names of submissions, and maxSaid what the user said,
// in bytes.
const (
	MaxKey  = 256
	maxSaid = 4096
)

// Submit makes a request of a submission. It is decided at once where the
// policy of the service denies it, or allows it and nobody else asked.
func (s *Service) Submit(ctx context.Context, by string, in Submission) (*Request, error) {
	r, err := s.newRequest(by, &in)
	if err != nil {
		return nil, err
	}
	stored, created, undenied, err := s.create(ctx, r, &in)
	if err != nil {
		return nil, err
	}
	stored.Tally = s.tally(ctx, stored)
	if !created {
		return same(stored, r)
	}
	if !undenied {
		if stored, err = s.overtaken(ctx, stored); err != nil {
			return nil, err
		}
	}
	s.notify(ctx, stored)
	return stored, nil
}

// create stores a new request, or returns the one that it joins. The
// submissions of one session take turns, so that those that come at once do
// not all find the same number pending.
func (s *Service) create(ctx context.Context, r *Request, in *Submission) (stored *Request, created, undenied bool, err error) {
	turn := s.turns.of(r.Submitter, r.Session)
	turn.Lock()
	defer turn.Unlock()
	if stands, err := s.standing(ctx, r); stands != nil || err != nil {
		return stands, false, false, err
	}
	verdict, err := s.judged(ctx, r, in)
	if err != nil {
		return nil, false, false, err
	}
	log, err := s.begin(ctx, r, in, verdict)
	if err != nil {
		return nil, false, false, err
	}
	if r.State == Pending {
		room, err := s.room(ctx, r)
		if err == nil && room.denied != nil {
			log, err = s.conclude(ctx, r, room.denied)
		}
		if err != nil {
			return nil, false, false, err
		}
		defer room.free()
	}
	asked := s.submitted(r, in)
	r.mask(s.now())
	return s.o.Store.Create(ctx, r, append([]audit.Entry{asked}, log...)...)
}

// newRequest reads a submission.
func (s *Service) newRequest(by string, in *Submission) (*Request, error) {
	if len(in.Key) > MaxKey || len(in.ID) > MaxKey || len(in.Name) > MaxKey {
		return nil, &Invalid{fmt.Sprintf("key: longer than %d bytes", MaxKey)}
	}
	if text := in.Key + in.Name; strings.Contains(text, "\x00") || !utf8.ValidString(text) {
		return nil, &Invalid{"key: it is not UTF-8 without NUL"}
	}
	if len(in.Said) > maxSaid || !utf8.ValidString(in.Said) {
		return nil, &Invalid{fmt.Sprintf("said: it is not UTF-8 of at most %d bytes", maxSaid)}
	}
	if in.Timeout != 0 && (in.Timeout < MinTimeout || in.Timeout > MaxTimeout) {
		return nil, &Invalid{fmt.Sprintf("timeout: must be between %s and %s", MinTimeout, MaxTimeout)}
	}
	if in.Waits < 0 || in.Waits > MaxTimeout {
		return nil, &Invalid{fmt.Sprintf("waits: must be at most %s", MaxTimeout)}
	}
	r := &Request{
		ID: in.ID, Version: 1, State: Pending, Key: in.Key, Name: in.Name, Submitter: by, Created: s.now(), OnTimeout: TimedOut, Offers: onlyOnce(""), Said: in.Said,
	}
	if r.ID == "" {
		r.ID = s.o.NewID("req_")
	}
	if in.Asked != nil {
		if err := in.Asked.check(); err != nil {
			return nil, err
		}
		r.Asked = *in.Asked
	}
	if in.Call == nil {
		return r, r.fillContract(in)
	}
	return r, r.fillCall(in)
}

// check refuses what a submitter says of votes that cannot be.
func (a *Asked) check() error {
	if len(a.Also) > policy.MaxApprovers {
		return &Invalid{fmt.Sprintf("asked.also: %d groups are more than %d", len(a.Also), policy.MaxApprovers)}
	}
	for i, g := range append([]policy.Group{{Approver: a.Approver, Quorum: a.Quorum}}, a.Also...) {
		if g.Quorum == 0 && (i == 0 || len(g.Names()) > 0) {
			continue
		}
		if err := policy.CheckQuorum(g.Quorum, g.Names()); err != nil {
			return &Invalid{"asked." + [...]string{"quorum", "also"}[min(i, 1)] + ": " + err.Error()}
		}
	}
	return nil
}

// maxName bounds the id and the session of a call, in bytes: a service
// remembers both.
const maxName = 1024

// CheckCall says why a service takes no call with such an id or session.
func CheckCall(c *policy.Call) error {
	if c.Tool == KindContract {
		return &Invalid{"call.tool: " + KindContract + " is no tool: submit the contract of the program"}
	}
	for name, text := range map[string]string{"id": c.ID, "session": c.Session} {
		if len(text) > maxName {
			return &Invalid{fmt.Sprintf("call.%s: %d bytes are more than %d", name, len(text), maxName)}
		}
		if strings.Contains(text, "\x00") {
			return &Invalid{"call." + name + ": it has a NUL"}
		}
	}
	return nil
}

func (r *Request) fillCall(in *Submission) error {
	c := in.Call
	err := CheckCall(c)
	if err != nil {
		return err
	}
	if r.Call, err = policy.EncodeCall(c); err != nil {
		return &Invalid{"call: " + err.Error()}
	}
	if r.Hash, err = HashOf(c); err != nil {
		return &Invalid{"call: " + err.Error()}
	}
	r.Kind, r.Tool, r.Session, r.Agent, r.Dir, r.Title = KindCall, c.Tool, c.Session, c.Agent, c.Dir, TitleOf(c)
	// The id counts beside the hash. The time is that of the attempt, which may
	// be repeated.
	if r.Digest, err = digest(map[string]any{"hash": r.Hash, "id": c.ID}); err != nil {
		return err
	}
	r.Alike, err = alikeOf(c)
	return err
}

func (r *Request) fillContract(in *Submission) error {
	if len(in.Contract) == 0 {
		return &Invalid{"call: missing"}
	}
	var err error
	if r.Hash, err = digest(in.Contract); err != nil {
		return &Invalid{err.Error()}
	}
	r.Kind, r.Tool, r.Contract, r.Title, r.Digest, r.Alike = KindContract, KindContract, in.Contract, line(in.Title), r.Hash, r.Hash
	return nil
}

// TitleOf says in one line what a call does.
func TitleOf(c *policy.Call) string {
	for _, key := range []string{"command", "cmd", "file_path", "path", "url", "query"} {
		switch v := c.Input[key].(type) {
		case string:
			if v != "" {
				return line(c.Tool + ": " + v)
			}
		case []any: // a command as a list of arguments
			return line(c.Tool + ": " + strings.TrimSuffix(fmt.Sprintln(v...), "\n"))
		}
	}
	return line(c.Tool)
}

// line makes a text one short line without secrets, in which nothing hides: it
// goes where the request itself does not, such as into notifications. Requests
// carry the whole text too.
func line(s string) string {
	const look, most = 8 << 10, 200
	if len(s) > look {
		s = strings.ToValidUTF8(s[:look], "")
	}
	s, _ = redact.Text(s)
	s = clip.Legible(strings.Join(strings.Fields(s), " "))
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}

// standing returns the request that a submission joins, nil if there is none.
func (s *Service) standing(ctx context.Context, r *Request) (*Request, error) {
	if r.Key == "" {
		return nil, nil
	}
	stands, err := s.o.Store.ByKey(ctx, r.Submitter, r.Key)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if stands.due(s.now()) {
		return s.expire(ctx, stands.ID)
	}
	return stands, nil
}

// same returns what stands if it is what was submitted.
func same(stands, r *Request) (*Request, error) {
	if stands.Submitter != r.Submitter || stands.Digest != r.Digest || stands.Key != r.Key {
		return nil, ErrMismatch
	}
	return stands, nil
}

// judged asks the policy of the service about a submission. The verdict is that of its
// session; what an answer is held against goes into the request.
func (s *Service) judged(ctx context.Context, r *Request, in *Submission) (*policy.Verdict, error) {
	c, err := in.called()
	if err != nil {
		return nil, &Invalid{err.Error()}
	}
	found, own, offers, err := s.o.Judge.Judge(ctx, c)
	v := &found
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, &Invalid{"call: " + err.Error()}
	}
	r.Dir = cmp.Or(v.Dir, r.Dir) // what people are shown is where it runs
	r.offered(v, in, offers)
	if v.Decision != policy.Deny {
		r.Own = ownOf(&own, in)
	}
	return v, nil
}

// offered sets the ways to approve a request of which a policy says something.
func (r *Request) offered(v *policy.Verdict, in *Submission, offers []Offer) {
	var approvals []Offer
	r.Denials = nil
	for _, o := range offers {
		switch {
		case o.Deny && v.Decision == policy.Allow && in.Asked == nil: // nobody is asked
		case o.Deny:
			o.Deny = false // where it stands says so
			r.Denials = append(r.Denials, o)
		default:
			approvals = append(approvals, o)
		}
	}
	// What is stored answers this policy. Where another rule asked, it would
	// ask again.
	switch {
	case v.Decision != policy.Ask || !in.concerns(v):
		r.Offers = onlyOnce("the policy of the submitter asks, and what is stored here answers that of the service")
	case len(approvals) > 0:
		r.Offers = approvals
	}
}

// concerns reports whether the submitter was asked what a verdict asks: by the
// same rule, or by nobody else.
func (in *Submission) concerns(v *policy.Verdict) bool {
	return in.Asked == nil || in.Asked.Stage == v.Stage.String() && in.Asked.Rule == v.Rule
}

func (s *Service) submitted(r *Request, in *Submission) audit.Entry {
	e := r.entry(audit.KindRequest, r.Submitter, r.Created)
	e.Detail = r.quorumDetail(r.harm())
	if in.Call != nil {
		e.Arguments, _ = json.Marshal(in.Call.Input) // EncodeCall has encoded it before
	} else {
		e.Arguments = in.Contract
	}
	if in.Asked != nil {
		e.Reason = in.Asked.Why
	}
	return e
}

// begin says what becomes of a new request at first.
func (s *Service) begin(ctx context.Context, r *Request, in *Submission, v *policy.Verdict) ([]audit.Entry, error) {
	r.Expires = r.Created.Add(r.terms(v, in))
	if waits := cmp.Or(in.Waits, in.Timeout); waits > 0 {
		r.Latest = new(r.Created.Add(waits))
	}
	switch {
	case v.Decision == policy.Deny:
		return s.conclude(ctx, r, &Decision{Word: Rejected, By: policyIdentity, Source: Static, At: r.Created, Reason: v.Message()})
	}
	if v.Decision == policy.Allow && in.Asked == nil {
		return s.conclude(ctx, r, &Decision{Word: AutoApproved, Scope: Once, By: policyIdentity, Source: Static, At: r.Created})
	}
	if d := s.unattendable(ctx, r, in, v, r.Created); d != nil {
		return s.conclude(ctx, r, d)
	}
	return nil, nil
}

// unattendable returns the decision about a request that nobody can decide, nil where
// somebody can.
func (s *Service) unattendable(ctx context.Context, r *Request, in *Submission, v *policy.Verdict, at time.Time) *Decision {
	r.Asked.Also = s.withoutModels(ctx, r)
	switch why := s.unattended(ctx, r); {
	case why == "":
	case leftToModel(in, v): // which is not there, so that people decide
		r.Asked.Approver, r.Asked.Review = "", nil
	default:
		return &Decision{Word: Rejected, By: serviceIdentity, Source: Default, At: at, Reason: why}
	}
	return nil
}

// terms sets the terms of a request, and returns the time to decide. What the
// policy of the service says counts: a submitter only shortens the time, or has more
// of those people approve.
func (r *Request) terms(v *policy.Verdict, in *Submission) time.Duration {
	judged := AskedOf(v)
	if in.Asked == nil || v.Decision == policy.Deny {
		r.Asked = judged
	} else {
		r.Judged = &Judged{v.Decision.String(), judged.Stage, judged.Rule, judged.Why, judged.Risk, judged.Dangerous}
	}
	r.Asked.Review = nil // which no submitter says
	timeout := policy.DefaultTimeout
	if ask := v.Ask; ask != nil {
		if ask.Timeout > 0 {
			timeout = ask.Timeout
		}
		if ask.OnTimeout == policy.Allow && in.concerns(v) { // of another rule silence says nothing
			r.OnTimeout = Approved
		}
		if names(ask) {
			r.Asked.Approver, r.Asked.Model, r.Asked.Prompt, r.Asked.Also = ask.Approver, ask.Model, ask.Prompt, ask.Also
			r.Asked.Quorum = max(ask.Quorum, min(r.Asked.Quorum, len(policy.Approvers(ask.Approver))))
		}
		r.Asked.EveryTime = r.Asked.EveryTime || ask.EveryTime
		if ask.Reviewer && !r.Asked.EveryTime && in.concerns(v) { // what asks beside it is for people
			r.Asked.Approver, r.Asked.Model, r.Asked.Prompt = ask.Approver, ask.Model, ask.Prompt
			r.Asked.Review = &ReviewTerms{Life(ask.CacheTTL), ask.FailClosed}
		}
	}
	if r.Asked.EveryTime {
		r.Offers = onlyOnce("the rule asks every time")
	}
	if in.Timeout != 0 && in.Timeout < timeout {
		timeout, r.OnTimeout = in.Timeout, TimedOut // less time to deny is not to mean yes
	}
	if r.counts() { // silence is no vote
		r.OnTimeout = TimedOut
	}
	return timeout
}

// leftToModel reports whether the rule that names the approver of a request asks a
// language model: that of the service, or else that of the submitter.
func leftToModel(in *Submission, v *policy.Verdict) bool {
	switch ask := v.Ask; {
	case ask != nil && (ask.Reviewer || names(ask)):
		return ask.Reviewer
	case in.Asked == nil:
		return false
	}
	return in.Asked.Review != nil || in.Asked.Model != ""
}

// names reports whether the terms of an ask say who answers it.
func names(ask *policy.AskTerms) bool {
	return ask.Approver != "" || ask.Model != "" || len(ask.Also) > 0
}

// onlyOnce are the offers of a request of which nothing can be stored.
func onlyOnce(why string) []Offer { return []Offer{{Scope: Once, Stores: []string{}, Why: why}} }

// AskedOf describes a verdict.
func AskedOf(v *policy.Verdict) Asked {
	a := Asked{
		Stage: v.Stage.String(), Rule: v.Rule, Why: v.Why, Origin: v.Origin.String(), Revision: v.Revision, Message: v.Message(),
	}
	if v.Decision != policy.Allow {
		a.Risk, a.Dangerous = v.Risk.String(), v.Dangers
	}
	a.Parts = v.Parts
	if v.Span != nil {
		a.Span = &[2]int{v.Span.From, v.Span.To}
	}
	if len(v.Bundles) > 0 {
		a.Bundles = map[string]string{}
		for _, b := range v.Bundles {
			a.Bundles[b.Name] = b.Revision
		}
	}
	if v.Ask != nil {
		a.Approver, a.Quorum, a.Model, a.Prompt, a.EveryTime = v.Ask.Approver, v.Ask.Quorum, v.Ask.Model, v.Ask.Prompt, v.Ask.EveryTime
		a.Also, a.Rules = v.Ask.Also, v.Ask.Rules
		if v.Ask.Reviewer {
			a.Review = &ReviewTerms{Life(v.Ask.CacheTTL), v.Ask.FailClosed}
		}
	}
	return a
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
