// Package auth says who speaks to the service: tokens, logins of a person, and
// the peers of a Unix socket.
//
//	a := auth.New(tokens, auth.NewLogins(time.Now), os.Geteuid(), time.Now)
//	server.ConnContext = auth.PeerConn
//	identity, err := a.Identify(r)
//
// Whoever runs as the same user as a person can read what that person can
// read, secrets too. The package does not change that, it stores no token, and
// it does not know which route needs which scope.
package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// An Identity is who speaks. The zero value may do nothing.
type Identity struct {
	Name    string // "token:laptop", "uid:1000", "login:1"; who bears the same name is the same
	Scopes  Scope
	TokenID string // of the token that said so, "" for none
	// Agent is the coding agent of whom the program descends that asks, "" for
	// none: the identity then neither approves nor manages, whatever it has.
	Agent string
}

// Guest reports whether nothing but where it runs says who an identity is: it
// is a program at the other end of a Unix socket, or nobody.
func (i Identity) Guest() bool { return i.Name == "" || strings.HasPrefix(i.Name, peerPrefix) }

// ErrDenied is the answer to every credential that is not accepted. It does
// not tell an unknown one from a revoked or an expired one.
var ErrDenied = errors.New("the credentials are not accepted; use a valid token, or log in again")

// ErrAbsent is the answer to a request without credentials.
var ErrAbsent = errors.New(`there are no credentials; send the header "Authorization: Bearer TOKEN", or log in`)

// A Store finds tokens. It must be safe for concurrent use.
type Store interface {
	// TokenByID returns the token with an id and whether there is one.
	TokenByID(ctx context.Context, id string) (Token, bool, error)
}

// An Authenticator tells who speaks. It is safe for concurrent use.
type Authenticator struct {
	tokens Store
	logins *Logins
	uid    int
	now    func() time.Time
	// known has the ids of tokens that were right; door is passed by the others,
	// one at a time, so that guesses do not keep the store from those who ask.
	known *lru.Cache[string, struct{}]
	door  chan struct{}
	// watches check the credentials of streams.
	watches watches
	// agents are the names of programs below which nobody decides.
	agents []string
}

// maxKnown bounds how many tokens need not pass the door.
const maxKnown = 1024

// New returns an authenticator. The uid is that of the service itself, whose
// processes may speak over a Unix socket without a token.
func New(tokens Store, logins *Logins, uid int, now func() time.Time) *Authenticator {
	known, err := lru.New[string, struct{}](maxKnown)
	if err != nil { // the size is right
		panic(err)
	}
	return &Authenticator{tokens: tokens, logins: logins, uid: uid, now: now, known: known, door: make(chan struct{}, 1)}
}

// Below returns the authenticator for a service at which nobody decides whose
// request comes from a program that one of some agents started. It is to be
// called before the first request.
func (a *Authenticator) Below(agents []string) *Authenticator {
	a.agents = agents
	return a
}

// AgentOf returns the agent of whom the program descends that sent a request,
// as far as the system tells; "" for none.
func (a *Authenticator) AgentOf(ctx context.Context) string { return agentOf(ctx, a.agents) }

// Token returns the identity of a token. The error is [ErrDenied], or that of
// the store.
func (a *Authenticator) Token(ctx context.Context, secret string) (Identity, error) {
	id, ok := parse(tokenKind, secret)
	if !ok {
		return Identity{}, ErrDenied
	}
	t, found, err := a.lookUp(ctx, id)
	if err != nil {
		return Identity{}, fmt.Errorf("the token %s cannot be looked up: %w", id, err)
	}
	// What is not found is compared too, with a hash that nothing has.
	if !same(secret, t.Hash) || !found || t.ID != id || !t.Valid(a.now()) {
		return Identity{}, ErrDenied
	}
	a.known.Add(id, struct{}{})
	a.used(ctx, &t)
	return Identity{Name: "token:" + strings.ToLower(t.Name), Scopes: t.Scopes, TokenID: t.ID}, nil
}

// lookUp asks the store for a token. It is asked each time, since a token may
// be revoked.
func (a *Authenticator) lookUp(ctx context.Context, id string) (Token, bool, error) {
	if !a.known.Contains(id) {
		select {
		case a.door <- struct{}{}:
			defer func() { <-a.door }()
		case <-ctx.Done():
			return Token{}, false, ctx.Err()
		}
	}
	return a.tokens.TokenByID(ctx, id)
}

// UsedEvery is how exactly the last use of a token is known: most uses only read.
const UsedEvery = time.Minute

// used has the store remember that a token was used, if it does such a thing and the
// last use is long ago. That it could not is no reason to refuse the token.
func (a *Authenticator) used(ctx context.Context, t *Token) {
	now := a.now()
	if t.LastUsed.After(now.Add(-UsedEvery)) {
		return
	}
	if s, ok := a.tokens.(interface {
		TouchToken(ctx context.Context, id string, at time.Time) error
	}); ok {
		_ = s.TouchToken(ctx, t.ID, now)
	}
}

// same compares a secret with a hash, in a time that tells nothing of either.
func same(secret string, hash [sha256.Size]byte) bool {
	sum := sha256.Sum256([]byte(secret))
	return subtle.ConstantTimeCompare(sum[:], hash[:]) == 1
}
