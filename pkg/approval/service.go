package approval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/policyctl/policyctl/internal/support/newid"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Judge decides calls for a service: under its own policy, with its own
// grants.
type Judge interface {
	// Judge answers a call, and says which ways there are to approve it. A call
	// of the tool [KindContract] stands for a program, with its contract as the
	// arguments, the size of its text as program_bytes, and as prover whether the
	// client is trusted to have proved it. own is what Anew says of the call under the same policy at the
	// same time.
	Judge(ctx context.Context, c *policy.Call) (v, own policy.Verdict, offers []Offer, err error)
	// Anew answers a call as Judge does, with no loop and no rate counted: of the same call
	// it says something else only where the policy, what is stored for it or the time has
	// changed.
	Anew(ctx context.Context, c *policy.Call) (policy.Verdict, error)
	// Plan returns what the offer of a scope stores, and stores nothing. The
	// request has its decision.
	Plan(ctx context.Context, r *Request, s Scope) (Plan, error)
	// Save stores a plan, when the decision is on disk. It may be called again
	// for the same plan, and then stores nothing more. The notice is what the
	// approver should know of it, "" for nothing. An [Invalid] says that the
	// plan can never be stored; other errors have it tried again.
	Save(ctx context.Context, p Plan) (notice string, err error)
}

// Options are what a service works with. Store, Judge and Now must be set. Now
// may go back, as the clock of a machine does.
type Options struct {
	Store Store
	Judge Judge
	Now   func() time.Time
	// NewID makes the ids of requests and receipts; nil stands for the prefix, the
	// time and 80 random bits, in 26 letters and digits.
	NewID func(prefix string) string
	// Approvers are the ways to reach somebody who may decide; the queue of
	// this service is always one of them.
	Approvers []Approver
	// MayDecide reports whether somebody may decide, in lower case: a person, such as
	// ann, by any identity; or an identity, such as token:ann, by itself alone. Nil knows
	// of none.
	MayDecide func(ctx context.Context, who string) bool
	// Unreachable says why nobody could have decided a request that is over, ""
	// if somebody could: silence is then no consent. Nil stands for "".
	Unreachable func(*Request) string
	// Signer signs; nil stands for a key that is made now and ends with the
	// process. A new key is stored, and ends those of before.
	Signer Signer
	// Keep is how long requests are kept after their time to decide, at least
	// minKeep; 0 stands for ever. The audit log is always kept.
	Keep time.Duration
	// MaxPending bounds the pending requests that a submitter has in a session;
	// 0 stands for DefaultMaxPending.
	MaxPending int
	// MaxSubmitted bounds the pending requests that a submitter has in all its
	// sessions; 0 stands for DefaultMaxSubmitted.
	MaxSubmitted int
	// ReceiptTime is how long a receipt is valid, at most maxReceiptTime; 0
	// stands for DefaultReceiptTime.
	ReceiptTime time.Duration
	// Failed is told of errors that stop nothing, such as an approver that
	// could not be told of a request; nil for nobody.
	Failed func(error)
}

// What the zero value of an option stands for, and the bounds of the time to
// decide.
const (
	DefaultMaxPending   = 50
	DefaultMaxSubmitted = 500
	DefaultReceiptTime  = 5 * time.Minute
	MinTimeout          = time.Second
	MaxTimeout          = 24 * time.Hour
)

// A Service moves requests through their life. It is safe for concurrent use.
type Service struct {
	o      Options
	wait   waiters
	turns  turns
	places places

	mu   sync.Mutex
	key  Signer
	kid  string // the id of key
	keys Keys   // all that verify
	// retired says that key must not sign any more.
	retired error

	clock *clock
	// live is when the last receipt ends that may be used, in nanoseconds since
	// 1970.
	live atomic.Int64

	// owing says that a grant may be owed that could not be stored.
	owing atomic.Bool
}

// NewService returns a service with the keys of its store and that of its
// signer.
func NewService(ctx context.Context, o Options) (*Service, error) {
	if o.NewID == nil {
		o.NewID = func(prefix string) string { return newid.At(o.Now(), prefix) }
	}
	o.MaxPending = cmp.Or(o.MaxPending, DefaultMaxPending)
	o.MaxSubmitted = cmp.Or(o.MaxSubmitted, DefaultMaxSubmitted)
	o.ReceiptTime = cmp.Or(o.ReceiptTime, DefaultReceiptTime)
	if o.ReceiptTime < 0 || o.ReceiptTime > maxReceiptTime {
		return nil, fmt.Errorf("receipts cannot be valid for %s: give at most %s", o.ReceiptTime, maxReceiptTime)
	}
	if o.Keep != 0 && o.Keep < minKeep {
		return nil, fmt.Errorf("requests cannot be kept for %s: give at least %s, or 0 for ever", o.Keep, minKeep)
	}
	if o.Signer == nil {
		o.Signer = NewPrivateKey()
	}
	o.Approvers = append([]Approver{queue{}}, o.Approvers...)
	s := &Service{o: o}
	latest, err := o.Store.Latest(ctx)
	if err != nil {
		return nil, err
	}
	s.clock = newClock(o.Now, latest)
	if back := latest.Sub(o.Now()); back > skew {
		s.tell(fmt.Errorf("the clock was set back by %s since the service last ran, or was ahead then: the service goes on from %s",
			back.Round(time.Second), latest.Format(time.RFC3339)))
	}
	s.keep(s.now().Add(o.ReceiptTime)) // those of before
	if err := s.SignWith(ctx, o.Signer, serviceIdentity); err != nil {
		return nil, err
	}
	if err := s.settleOwed(ctx); err != nil {
		return s, err
	}
	return s, s.resumeDenials(ctx)
}

// serviceIdentity is who acts where nobody does.
const serviceIdentity = "service"

// SignWith has the receipts to come signed by another key. Those of the keys
// before stay good until they expire; a key that has ended cannot come back.
func (s *Service) SignWith(ctx context.Context, key Signer, by string) error {
	list, err := s.o.Store.Keys(ctx)
	if err != nil {
		return err
	}
	// Its beginning ends the others, and receipts tell the time of the machine.
	k := NewKey(key.Public(), s.o.Now().UTC().Truncate(time.Microsecond))
	at := slices.IndexFunc(list, func(old Key) bool { return old.ID == k.ID })
	if at >= 0 && !list[at].Ended.IsZero() {
		return fmt.Errorf("the key %s that is to sign was retired at %s: sign with another one", k.ID, list[at].Ended.Format(time.RFC3339))
	}
	if at < 0 {
		err := s.o.Store.AddKey(ctx, k, audit.Entry{Time: s.now(), Kind: audit.KindKey, Actor: by, Detail: map[string]string{"key_id": k.ID}})
		var again error
		if list, again = s.o.Store.Keys(ctx); again != nil {
			return errors.Join(err, again)
		}
		if err != nil && !slices.ContainsFunc(list, func(now Key) bool { return now.ID == k.ID && now.Ended.IsZero() }) {
			return err // else another instance was first
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key, s.kid = key, k.ID
	s.trust(list)
	return nil
}

// trust takes up the keys of the store. While the key that signs here has no end, one
// beside it that has none was added by somebody else. When it has, another instance of the
// service signs with another key. It is called with mu held.
func (s *Service) trust(list []Key) {
	s.retired = nil
	if at := slices.IndexFunc(list, func(k Key) bool { return k.ID == s.kid && !k.Ended.IsZero() }); at >= 0 {
		s.retired = fmt.Errorf("the key %s that signs here was retired at %s by another instance of the service: give this one the key that signs now, and restart it",
			s.kid, list[at].Ended.Format(time.RFC3339))
	} else {
		list = slices.DeleteFunc(list, func(k Key) bool { return k.ID != s.kid && k.Ended.IsZero() })
	}
	s.keys = KeysOf(list...)
}

// takeKeys looks for keys that another instance of the service has added or retired. Once
// it tells that this one must not sign any more.
func (s *Service) takeKeys(ctx context.Context) error {
	list, err := s.o.Store.Keys(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	known := s.retired != nil
	s.trust(list)
	retired := s.retired
	s.mu.Unlock()
	if retired != nil && !known {
		s.tell(retired)
	}
	return nil
}

// signer returns the key that signs, and its id.
func (s *Service) signer() (kid string, key Signer, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kid, s.key, s.retired
}

// Keys returns the keys of the service, to be pinned by executors.
func (s *Service) Keys() Keys {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.keys)
}

// Now returns the time of the service. It never goes back, also from one start
// to the next, and is ahead of a clock that was set back.
func (s *Service) Now() time.Time { return s.now() }

func (s *Service) now() time.Time { return s.clock.now().Truncate(time.Microsecond) }

// Get returns a request. One whose time is over is over; one that does not show
// what its hash binds is [ErrAltered].
func (s *Service) Get(ctx context.Context, id string) (*Request, error) {
	r, err := s.o.Store.Get(ctx, id)
	if err == nil && r.due(s.now()) {
		r, err = s.expire(ctx, id)
	}
	if err != nil {
		return nil, err
	}
	if err := r.intact(); err != nil {
		return nil, err
	}
	r.Tally = s.tally(ctx, r)
	return r, nil
}

// List returns requests, the newest first unless the filter says otherwise. Those that do not show what their
// hash binds are left out, and told.
func (s *Service) List(ctx context.Context, f Filter) ([]*Request, error) {
	if f.Limit < 0 || f.Limit > MaxLimit {
		return nil, &Invalid{fmt.Sprintf("limit: must be between 1 and %d", MaxLimit)}
	}
	for _, state := range f.States {
		if !slices.Contains(States(), state) {
			return nil, &Invalid{fmt.Sprintf("status: %q is not one of %v", state, States())}
		}
	}
	if f.Word != "" && !slices.Contains(Words(), f.Word) {
		return nil, &Invalid{fmt.Sprintf("decision: %q is not one of %v", f.Word, Words())}
	}
	list, err := s.o.Store.List(ctx, f)
	for _, r := range list {
		if !r.Bare() {
			r.Tally = s.tally(ctx, r)
		}
	}
	return slices.DeleteFunc(list, func(r *Request) bool {
		if r.Bare() {
			return false
		}
		wrong := r.intact()
		if wrong != nil {
			s.tell(fmt.Errorf("request %s is left out of a list: %w", r.ID, wrong))
		}
		return wrong != nil
	}), err
}

// Await returns a request as soon as it is no longer pending, or as it stands
// when ctx is done.
func (s *Service) Await(ctx context.Context, id string) (*Request, error) {
	for {
		changed, stop := s.wait.add(id)
		r, err := s.Get(context.WithoutCancel(ctx), id)
		if err != nil || r.State != Pending {
			stop()
			return r, err
		}
		over := time.NewTimer(max(time.Millisecond, r.Expires.Sub(s.now())))
		select {
		case <-changed:
		case <-over.C:
		case <-ctx.Done():
			over.Stop()
			stop()
			return r, nil
		}
		over.Stop()
		stop()
	}
}

// Decide ends a request, or is a vote where several people must approve. The first
// decision wins: the same one again returns the request, another one ErrDecided with
// it, and is kept if it came late. A vote may be changed until the request ends.
func (s *Service) Decide(ctx context.Context, id, by string, a Answer) (*Request, error) {
	return s.decide(ctx, id, by, Human, a)
}

func (s *Service) decide(ctx context.Context, id, by, source string, a Answer) (*Request, error) {
	if a.Review != nil {
		seen := a.Review.clean()
		seen.By = by
		if a.Review = &seen; a.Word == "" {
			return nil, s.note(ctx, id, seen)
		}
	}
	a, err := a.settle()
	if err != nil {
		return nil, err
	}
	now, err := s.anewFor(ctx, id, &a)
	if err != nil {
		return nil, err
	}
	var refused error
	r, err := s.update(ctx, id, func(r *Request) ([]audit.Entry, error) {
		d := Decision{Word: a.Word, Scope: a.Scope, For: a.For, Uses: a.Uses, By: by, Source: source, At: s.now(), Reason: a.Reason}
		var log []audit.Entry
		log, refused = s.answer(ctx, r, &d, held{now, a.Revision})
		if a.Review != nil && refused == nil {
			r.reviewed(a.Review, &log[0])
		}
		if (errors.Is(refused, ErrDecided) || errors.Is(refused, ErrChanged)) && len(log) > 0 {
			return log, nil // a late decision is kept, and what the policy of now makes of the request
		}
		return log, refused
	})
	if err == nil {
		r = s.remember(ctx, r)
	}
	switch {
	case errors.Is(refused, ErrChanged) && err == nil:
		s.notify(ctx, r)
		return r, refused
	case errors.Is(refused, ErrDecided) && err == nil:
		return r, refused
	case errors.Is(err, errRepeated):
		return s.Get(ctx, id)
	case errors.Is(err, ErrDecided):
		if r, gone := s.Get(ctx, id); gone == nil {
			return r, err
		}
	}
	return r, err
}

// errRepeated says that nothing is to be changed, because it was done before.
var errRepeated = errors.New("this was decided before")

// A held is what an approval is held against.
type held struct {
	// now is what the policy of the service says of the call.
	now *policy.Verdict
	// shown is the revision of what the approver was shown.
	shown string
}

// answer applies a decision to a request.
func (s *Service) answer(ctx context.Context, r *Request, d *Decision, against held) ([]audit.Entry, error) {
	switch {
	case r.several() && (d.Source != LLM || r.Asked.Review == nil):
		return s.vote(ctx, r, d, against)
	case samePerson(d.By, r.Submitter):
		return nil, ErrSelf
	case r.Decision != nil && r.Decision.same(d):
		return nil, errRepeated
	case r.due(d.At):
		log, err := s.timeout(ctx, r)
		if err != nil {
			return nil, err
		}
		return append(log, s.late(r, d)...), ErrDecided
	case r.State == TimedOut || r.State == Cancelled:
		return s.late(r, d), ErrDecided
	case r.State != Pending:
		return nil, ErrDecided
	case !r.several() && !s.mayDecide(r, d.By): // a model is no person of several
		return nil, ErrNotApprover
	}
	if d.Source == LLM {
		if err := r.byModel(d); err != nil {
			return nil, err
		}
	}
	if err := r.unseen(d, against); err != nil {
		return nil, err
	}
	if d.Word.Approves() {
		if err := r.intact(); err != nil {
			return nil, err
		}
		if log, err := s.overruled(ctx, r, d, against); err != nil {
			return log, err
		}
	}
	return s.conclude(ctx, r, d)
}

// unseen refuses to store a denial that its approver was not shown, because the request was
// asked again meanwhile. Approvals are held against more: see [Service.overruled].
func (r *Request) unseen(d *Decision, against held) error {
	if d.Word != Rejected || !d.Word.stores(d.Scope) || r.Revision == "" || against.shown == r.Revision {
		return nil
	}
	return &Invalid{"revision: the request was asked again since it was shown: look at what the denial stores now, and give the revision of the request"}
}

// maxLate bounds the late decisions that a request keeps.
const maxLate = 16

func (s *Service) late(r *Request, d *Decision) []audit.Entry {
	for i := range r.Late {
		if r.Late[i].same(d) {
			return nil
		}
	}
	if len(r.Late) == maxLate {
		return nil
	}
	r.Late = append(r.Late, *d)
	e := r.entry(audit.KindDecision, d.By, d.At)
	e.Decision, e.Reason, e.DecidedBy, e.DecidedAt = string(d.Word), d.Reason, d.By, &d.At
	e.Detail = map[string]string{"late": "the request was " + string(r.State)}
	return []audit.Entry{e}
}

// conclude makes a decision the end of a pending request.
func (s *Service) conclude(ctx context.Context, r *Request, d *Decision) ([]audit.Entry, error) {
	if d.Word.Approves() {
		if err := r.intact(); err != nil {
			return nil, err
		}
	}
	r.Decision = d
	if d.Word.stores(d.Scope) {
		if !r.hasOffer(d.Word, d.Scope) {
			return nil, notOffered(d)
		}
		plan, err := s.o.Judge.Plan(ctx, r, d.Scope)
		if err != nil {
			return nil, fmt.Errorf("what the decision stores: %w", err)
		}
		d.Saved, r.Owed = plan.Lines, plan.Entries
	}
	e := r.entry(audit.KindDecision, d.By, d.At)
	e.Decision, e.Reason, e.DecidedBy, e.DecidedAt = string(d.Word), d.Reason, d.By, &d.At
	if len(d.Saved) > 0 {
		e.Detail = saved(d)
	}
	if r.several() && (d.Source == LLM || d.Source == Timeout) {
		e.Detail = withDetail(e.Detail, "source", d.Source)
	}
	if len(d.Approvers) > 0 {
		e.Detail = withDetail(e.Detail, "approvers", strings.Join(peopleOf(d.Approvers), ", "))
	}
	if !d.Word.Approves() {
		r.move(Denied)
		return []audit.Entry{e}, nil
	}
	r.move(Approved)
	receipt, err := s.receipt(ctx, r, d)
	if err != nil {
		return nil, err
	}
	return []audit.Entry{e, receipt}, nil
}

func notOffered(d *Decision) error {
	instead := "deny it without one"
	if d.Word.Approves() {
		instead = "approve it once"
	}
	return &Invalid{fmt.Sprintf("scope: %q is not offered for this request: %s", d.Scope, instead)}
}

// withDetail adds to the detail of a record.
func withDetail(detail map[string]string, key, value string) map[string]string {
	if detail == nil {
		detail = make(map[string]string)
	}
	detail[key] = value
	return detail
}

// saved tells what a decision stores in a record.
func saved(d *Decision) map[string]string {
	detail := map[string]string{"scope": string(d.Scope)}
	for i, line := range d.Saved {
		detail[fmt.Sprintf("saved_%d", i+1)] = line
	}
	return detail
}

// receipt gives a request its receipt.
func (s *Service) receipt(ctx context.Context, r *Request, d *Decision) (audit.Entry, error) {
	kid, key, err := s.signer()
	if err != nil {
		return audit.Entry{}, err
	}
	// The claims are for the clocks of others, and what is stored for ours: they
	// differ where the clock was set back.
	at, told := d.At.Truncate(time.Second), s.o.Now().UTC().Truncate(time.Second)
	c := Claims{
		ID: s.o.NewID("rcp_"), Request: r.ID, Hash: r.Hash, Submitter: r.Submitter, Stage: r.Asked.Stage, Rule: r.Asked.Rule,
		Revision: r.Asked.Revision, Word: d.Word, Scope: d.Scope, By: d.By, Source: d.Source, Approvers: d.Approvers,
		Issued: told.Unix(), NotBefore: told.Unix(), Expires: told.Add(s.o.ReceiptTime).Unix(), Uses: 1,
	}
	// The decision goes on when who made it is gone.
	text, err := c.sign(context.WithoutCancel(ctx), kid, key)
	if err != nil {
		return audit.Entry{}, err
	}
	r.Receipt = &Issued{ID: c.ID, Text: text, KeyID: kid, Issued: at, Expires: at.Add(s.o.ReceiptTime)}
	s.keep(r.Receipt.Expires)
	e := r.entry(audit.KindReceipt, serviceIdentity, d.At)
	e.Detail = map[string]string{"receipt": c.ID, "key_id": kid}
	return e, nil
}

// Changed wakes who waits for a request, because another instance of the service has
// changed it in the store that they share. It never waits.
func (s *Service) Changed(id string) { s.wait.wake(id) }

// update changes a request and wakes who waits for it.
func (s *Service) update(ctx context.Context, id string, change func(*Request) ([]audit.Entry, error)) (*Request, error) {
	r, err := s.o.Store.Update(ctx, id, func(r *Request) ([]audit.Entry, error) {
		log, err := change(r)
		if err == nil {
			r.mask(s.now())
		}
		return log, err
	})
	if err != nil {
		return r, err
	}
	s.wait.wake(id)
	r.Tally = s.tally(ctx, r)
	return r, nil
}

// entry is what the audit log records of a request.
func (r *Request) entry(kind, actor string, at time.Time) audit.Entry {
	return audit.Entry{
		Time: at, Kind: kind, Actor: actor, RequestID: r.ID, Tool: r.Tool, Session: r.Session, Agent: r.Agent, Dir: r.Dir,
		Stage: r.Asked.Stage, Rule: r.Asked.Rule, Revision: r.Asked.Revision, RequestHash: r.Hash,
	}
}

// Harm returns how much harm the call can do, "" where that is unknown, and
// the dangerous patterns that it matches. What the policy of the service sees
// counts before the submitter's words.
func (r *Request) Harm() (risk string, dangerous []policy.Danger) {
	if r.Judged != nil && r.Judged.Risk != "" {
		return r.Judged.Risk, r.Judged.Dangerous
	}
	return r.Asked.Risk, r.Asked.Dangerous
}

// harm says for the audit log how much harm a call can do, and what allowed
// each part of it; nil where there is nothing to say.
func (r *Request) harm() map[string]string {
	risk, dangerous := r.Harm()
	out := make(map[string]string)
	if risk != "" {
		out["risk"] = risk
	}
	for i, d := range dangerous {
		out[fmt.Sprintf("dangerous_%d", i+1)] = d.Rule
	}
	for i, p := range r.Asked.Parts {
		text := fmt.Sprintf("bytes %d to %d: %s", p.Span.From, p.Span.To, p.Stage)
		if p.Rule != "" {
			text += " " + p.Rule
		}
		out[fmt.Sprintf("part_%d", i+1)] = text
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
