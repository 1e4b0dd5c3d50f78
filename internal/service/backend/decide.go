package backend

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/push"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// PasskeyAbove says which approvals need a passkey, under the policy in force.
func (b *Backend) PasskeyAbove() policy.Threshold { return b.Decider.Engine().PasskeyAbove() }

// ErrPasskeyRequired says that to approve a request takes a passkey.
var ErrPasskeyRequired = errors.New("to approve this takes a passkey; decide in the desk, where your browser asks for it: no token and no command line can")

// badProofs are what is wrong with answers by passkeys.
var badProofs = []error{auth.ErrProof, auth.ErrStale, auth.ErrStranger, auth.ErrCopied, auth.ErrUnverified, auth.ErrRegistration}

// Attempts are the errors of who tried what they may not, which are recorded.
func Attempts() []error {
	return append([]error{approval.ErrSelf, approval.ErrNotApprover}, badProofs...)
}

// PasskeyCode is the code of an error of passkeys, "" for another error.
func PasskeyCode(err error) string {
	is := func(what error) bool { return errors.Is(err, what) }
	switch {
	case is(ErrPasskeyRequired):
		return "passkey-required"
	case is(auth.ErrNoPasskey):
		return "no-passkey"
	case slices.ContainsFunc(badProofs, is):
		return "bad-passkey"
	}
	return ""
}

// DecisionPurpose is what an answer by a passkey is good for: to answer this request,
// with what it asks now, in exactly this way, under this policy.
func (b *Backend) DecisionPurpose(who auth.Identity, r *approval.Request, a *approval.Answer) auth.Purpose {
	return auth.Purpose{Who: who.Name, Act: auth.ToDecide, About: []any{
		r.ID, r.Hash, r.Version, b.Decider.Engine().Revision(), a.Word, a.Scope, a.For, a.Uses, a.Reason,
	}}
}

// Decide answers a request for an identity. proof is the answer of a passkey, nil for
// none: the owner of the passkey has then decided.
func (b *Backend) Decide(ctx context.Context, who auth.Identity, id string, a approval.Answer, proof json.RawMessage) (*approval.Request, error) {
	by := who.Name
	if a.Word.Approves() && (b.PasskeyAbove() != "" || proof != nil) {
		owner, err := b.proved(ctx, who, id, &a, proof)
		if err != nil {
			return nil, err
		}
		if owner != nil {
			by = owner.Identity()
		}
	}
	return b.Service.Decide(ctx, id, by, a)
}

// proved returns the passkey that has proved an approval, nil where it needs none.
func (b *Backend) proved(ctx context.Context, who auth.Identity, id string, a *approval.Answer, proof json.RawMessage) (*auth.Passkey, error) {
	r, err := b.Service.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	risk, _ := r.Harm()
	switch {
	case r.State != approval.Pending, proof == nil && !b.PasskeyAbove().Needs(risk):
		return nil, nil
	case proof == nil, !who.InBrowser():
		return nil, ErrPasskeyRequired
	}
	return b.Passkeys.Prove(ctx, who.Person(), b.DecisionPurpose(who, r, a), proof)
}

// MayDecide reports whether somebody may decide, in lower case: a person by any credential of
// that name, an identity such as token:ann by its own alone.
func MayDecide(d Data, channels *channel.Dispatcher, now func() time.Time) func(context.Context, string) bool {
	return func(ctx context.Context, who string) bool {
		kind, name, one := strings.Cut(who, ":")
		if !one {
			return channels.Knows(who) || tokenDecides(ctx, d, who, now()) || passkeyDecides(ctx, d, who)
		}
		switch kind {
		case "token":
			return tokenDecides(ctx, d, name, now())
		case "passkey":
			return passkeyDecides(ctx, d, name)
		}
		return channels.KnowsAt(kind, name)
	}
}

// tokenDecides reports whether there is a token of a name that may decide.
func tokenDecides(ctx context.Context, d Data, name string, now time.Time) bool {
	tokens, err := d.Tokens(ctx)
	return err == nil && slices.ContainsFunc(tokens, func(t auth.Token) bool {
		return strings.ToLower(t.Name) == name && t.Scopes.Has(auth.Approve) && t.Valid(now)
	})
}

// passkeyDecides reports whether a person of a name has a passkey.
func passkeyDecides(ctx context.Context, d Data, name string) bool {
	keys, err := d.Passkeys(ctx)
	return err == nil && slices.ContainsFunc(keys, func(k auth.Passkey) bool { return strings.ToLower(k.Person) == name })
}

// Waiting returns what waits for a person, as browsers are told of it.
func (b *Backend) Waiting(ctx context.Context) (w push.Waiting, err error) {
	list, err := b.Service.List(ctx, approval.Filter{States: []approval.State{approval.Pending}, Limit: 1})
	if err != nil || len(list) == 0 {
		return w, err
	}
	sessions, err := b.Data.PendingSessions(ctx)
	if err != nil {
		return w, err
	}
	count := 0
	for _, n := range sessions {
		count += n
	}
	risk, _ := list[0].Harm()
	return push.Waiting{Count: count, Risk: risk, Request: list[0].ID, Until: list[0].Expires}, nil
}
