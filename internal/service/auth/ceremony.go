package auth

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/policyctl/policyctl/internal/support/shelf"
)

// Errors of passkeys. Each says what is wrong and the next step.
var (
	ErrProof        = errors.New("the passkey's answer does not prove who you are; try again, at the address at which it was registered")
	ErrStale        = errors.New("the passkey's answer comes too late, was used before, or is for something else; try again")
	ErrStranger     = errors.New("the passkey is not registered here, or belongs to somebody else; use one of yours")
	ErrCopied       = errors.New("the passkey has signed more often than this answer says, so that there may be a copy of it; remove it and register another")
	ErrNoPasskey    = errors.New("no passkey is registered for this address; register one on the page behind your name in the desk")
	ErrUnverified   = errors.New("the authenticator has not verified you; unlock it with a PIN, a fingerprint or your face")
	ErrRegistration = errors.New("the browser's answer is no new passkey for this page; try again")
)

// ProofLife is how long a person has to answer by a passkey.
const ProofLife = 2 * time.Minute

// A PasskeyStore keeps passkeys. It must be safe for concurrent use.
type PasskeyStore interface {
	// Passkeys returns all of them, the newest first.
	Passkeys(ctx context.Context) ([]Passkey, error)
	// UsePasskey notes that one was used, with its count. It reports whether that
	// was above the one of before, or both are 0.
	UsePasskey(ctx context.Context, id string, count uint32, at time.Time) (bool, error)
}

// Passkeys asks people for what their passkeys prove (WebAuthn level 3), and checks the
// answers. A challenge says for what it is good, so that nothing is kept of it until it is
// answered: it is bound to the page, to who asked and to the purpose by a MAC, and good
// for [ProofLife] and once. It is safe for concurrent use.
type Passkeys struct {
	store PasskeyStore
	now   func() time.Time
	kept  shelved[challenges]

	mu  sync.Mutex
	key []byte // of the MAC, nil until it is needed
}

// challenges are what instances of a service must agree on.
type challenges struct {
	Key  []byte               // of the MAC
	Used map[string]time.Time // those that were answered, with their end
}

// NewPasskeys returns the ceremonies over a store. With a shelf, a challenge of one
// instance of the service may be answered at another one; nil stands for the memory.
func NewPasskeys(store PasskeyStore, now func() time.Time, on shelf.Shelf) *Passkeys {
	return &Passkeys{store: store, now: now, kept: shelved[challenges]{shelf: on}}
}

// macKey returns the key of the MAC, which the first who needs it makes.
func (p *Passkeys) macKey() ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.key != nil {
		return p.key, nil
	}
	var key []byte
	err := p.kept.change(func(v *challenges) {
		if v.Key == nil {
			v.Key = random(32)
		}
		key = v.Key
	})
	if err != nil {
		return nil, fmt.Errorf("the key of challenges cannot be read: %w", err)
	}
	p.key = key
	return key, nil
}

// A Purpose is what an answer is good for. Two that differ in anything are two.
type Purpose struct {
	// Who asks, as an identity; "" for whoever logs in.
	Who string
	// Act is what is done, About all that it is done with.
	Act   string
	About any
}

// The acts.
const (
	ToLogIn    = "login"
	ToRegister = "register"
	ToConfirm  = "confirm-registration"
	ToRemove   = "remove"
	ToDecide   = "decide"
)

// Login returns the options for a browser to answer by any passkey of a page.
func (p *Passkeys) Login(origin string) (any, error) {
	return p.request(origin, Purpose{Act: ToLogIn}, nil)
}

// Ask returns the options for a browser to answer for a purpose by a passkey of a page.
// A person answers by one of theirs. Without any the error is [ErrNoPasskey].
func (p *Passkeys) Ask(ctx context.Context, origin, person string, to Purpose) (any, error) {
	all, err := p.store.Passkeys(ctx)
	if err != nil {
		return nil, err
	}
	var allowed []protocol.CredentialDescriptor
	for _, k := range all {
		if k.Origin == origin && (person == "" || sameName(k.Person, person)) {
			allowed = append(allowed, protocol.CredentialDescriptor{Type: protocol.PublicKeyCredentialType, CredentialID: k.Credential})
		}
	}
	if allowed == nil {
		return nil, ErrNoPasskey
	}
	return p.request(origin, to, allowed)
}

func (p *Passkeys) request(origin string, to Purpose, allowed []protocol.CredentialDescriptor) (any, error) {
	w, err := relyingParty(origin)
	if err != nil {
		return nil, err
	}
	challenge, err := p.challenge(origin, to)
	if err != nil {
		return nil, err
	}
	options, _, err := w.BeginDiscoverableLogin(webauthn.WithChallenge(challenge), webauthn.WithAllowedCredentials(allowed))
	if err != nil {
		return nil, err
	}
	return options.Response, nil
}

// Prove returns the passkey that an answer of a browser proves for a purpose, and
// notes that it was used. The errors are those of this file, and those of the store;
// beside [ErrCopied] it returns the passkey too.
func (p *Passkeys) Prove(ctx context.Context, person string, to Purpose, answer []byte) (*Passkey, error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", ErrProof, told(err))
	}
	all, err := p.store.Passkeys(ctx)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(k Passkey) bool { return bytes.Equal(k.Credential, parsed.RawID) })
	if i < 0 || person != "" && !sameName(all[i].Person, person) {
		return nil, ErrStranger
	}
	k := &all[i]
	challenge := parsed.Response.CollectedClientData.Challenge
	end, ok, err := p.good(challenge, k.Origin, to)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrStale
	}
	count, err := verify(k, challenge, parsed)
	if err != nil {
		return nil, err
	}
	first, err := p.once(challenge, end)
	if err != nil {
		return nil, err
	}
	if !first {
		return nil, ErrStale
	}
	switch forward, err := p.store.UsePasskey(ctx, k.ID, count, p.now()); {
	case err != nil:
		return nil, err
	case !forward:
		return k, fmt.Errorf("%w (%s of %s)", ErrCopied, k.ID, k.Person)
	}
	return k, nil
}

// verify checks the signature and what the authenticator says with it, and returns
// how often it says that it has signed.
func verify(k *Passkey, challenge string, parsed *protocol.ParsedCredentialAssertionData) (count uint32, err error) {
	w, err := relyingParty(k.Origin)
	if err != nil {
		return 0, err
	}
	if !parsed.Response.AuthenticatorData.Flags.HasUserVerified() {
		return 0, ErrUnverified
	}
	session := webauthn.SessionData{
		Challenge: challenge, RelyingPartyID: w.Config.RPID, Origin: k.Origin, UserID: k.Handle, UserVerification: protocol.VerificationRequired,
	}
	if _, err := w.ValidateLogin(user{k}, session, parsed); err != nil {
		return 0, fmt.Errorf("%w (%s)", ErrProof, told(err))
	}
	return parsed.Response.AuthenticatorData.Counter, nil
}

// Begin returns the options for a browser to make a passkey for a person.
func (p *Passkeys) Begin(ctx context.Context, origin, who string, draft Passkey) (any, error) {
	w, err := relyingParty(origin)
	if err != nil {
		return nil, err
	}
	all, err := p.store.Passkeys(ctx)
	if err != nil {
		return nil, err
	}
	challenge, err := p.challenge(origin, registration(who, draft))
	if err != nil {
		return nil, err
	}
	draft.Handle = handleOf(all, draft.Person, encode(challenge))
	var known []protocol.CredentialDescriptor
	for _, k := range all {
		if k.Origin == origin && sameName(k.Person, draft.Person) {
			known = append(known, protocol.CredentialDescriptor{Type: protocol.PublicKeyCredentialType, CredentialID: k.Credential})
		}
	}
	options, _, err := w.BeginRegistration(user{&draft}, webauthn.WithExclusions(known), func(o *protocol.PublicKeyCredentialCreationOptions) error {
		o.Challenge = challenge
		return nil
	})
	if err != nil {
		return nil, err
	}
	return options.Response, nil
}

// Finish returns the passkey that a browser made for a draft. It is not stored yet.
func (p *Passkeys) Finish(ctx context.Context, origin, who string, draft Passkey, answer []byte) (*Passkey, error) {
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", ErrRegistration, told(err))
	}
	challenge := parsed.Response.CollectedClientData.Challenge
	_, ok, err := p.good(challenge, origin, registration(who, draft))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrStale
	}
	all, err := p.store.Passkeys(ctx)
	if err != nil {
		return nil, err
	}
	w, err := relyingParty(origin)
	if err != nil {
		return nil, err
	}
	draft.Handle = handleOf(all, draft.Person, challenge)
	session := webauthn.SessionData{
		Challenge: challenge, RelyingPartyID: w.Config.RPID, Origin: origin, UserID: draft.Handle, UserVerification: protocol.VerificationRequired,
		CredParams: webauthn.CredentialParametersDefault(),
	}
	made, err := w.CreateCredential(user{&draft}, session, parsed)
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", ErrRegistration, told(err))
	}
	draft.ID, draft.Origin, draft.Credential, draft.Public = mintID(), origin, made.ID, made.PublicKey
	draft.Count, draft.Synced, draft.Created = made.Authenticator.SignCount, made.Flags.BackupEligible, p.now()
	return &draft, nil
}

func registration(who string, draft Passkey) Purpose {
	return Purpose{Who: who, Act: ToRegister, About: []string{draft.Person, draft.Label}}
}

// handleOf returns the handle of a person in WebAuthn, and one made of a challenge for
// who has none yet.
func handleOf(all []Passkey, person, challenge string) []byte {
	for _, k := range all {
		if sameName(k.Person, person) {
			return k.Handle
		}
	}
	sum := sha256.Sum256([]byte(challenge))
	return sum[:]
}

// The parts of a challenge.
const (
	nonceSize = 16
	endSize   = 8
)

// challenge returns one that is good for a purpose on the pages of an origin.
func (p *Passkeys) challenge(origin string, to Purpose) ([]byte, error) {
	key, err := p.macKey()
	if err != nil {
		return nil, err
	}
	c := binary.BigEndian.AppendUint64(random(nonceSize), uint64(p.now().Add(ProofLife).UnixMilli()))
	return append(c, mac(key, c, origin, to)...), nil
}

func mac(key, begin []byte, origin string, to Purpose) []byte {
	about, err := json.Marshal([]any{origin, to.Who, to.Act, to.About})
	if err != nil { // all that is asked about has a form in JSON
		panic(err)
	}
	m := hmac.New(sha256.New, key)
	m.Write(begin)
	m.Write(about)
	return m.Sum(nil)
}

// good reports whether a challenge is one for a purpose that may be answered yet, and
// until when.
func (p *Passkeys) good(challenge, origin string, to Purpose) (end time.Time, ok bool, err error) {
	key, err := p.macKey()
	if err != nil {
		return end, false, err
	}
	c, broken := base64.RawURLEncoding.DecodeString(challenge)
	if broken != nil || len(c) != nonceSize+endSize+sha256.Size {
		return end, false, nil
	}
	begin, sum := c[:nonceSize+endSize], c[nonceSize+endSize:]
	end = time.UnixMilli(int64(binary.BigEndian.Uint64(begin[nonceSize:])))
	return end, hmac.Equal(sum, mac(key, begin, origin, to)) && p.now().Before(end), nil
}

// once reports whether a challenge was not answered before, and notes that it is now.
// Only answers that are right come here, so that nobody else fills the memory.
func (p *Passkeys) once(challenge string, end time.Time) (first bool, err error) {
	err = p.kept.change(func(v *challenges) {
		now := p.now()
		maps.DeleteFunc(v.Used, func(_ string, until time.Time) bool { return !now.Before(until) })
		_, before := v.Used[challenge]
		if v.Used == nil {
			v.Used = make(map[string]time.Time)
		}
		v.Used[challenge], first = end, !before
	})
	return first && err == nil, err
}

// relyingParty returns what the library checks answers of the pages of an origin by.
func relyingParty(origin string) (*webauthn.WebAuthn, error) {
	if err := CheckOrigin(origin); err != nil {
		return nil, err
	}
	u, err := url.Parse(origin)
	if err != nil {
		return nil, err
	}
	return webauthn.New(&webauthn.Config{
		RPID: u.Hostname(), RPDisplayName: "policyctl", RPOrigins: []string{origin},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(), UserVerification: protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{
			Login:        webauthn.TimeoutConfig{Timeout: ProofLife, TimeoutUVD: ProofLife},
			Registration: webauthn.TimeoutConfig{Timeout: ProofLife, TimeoutUVD: ProofLife},
		},
		// Managers of passwords say more than they are asked; none of it is used.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
}

// A user is the owner of a passkey as the library sees them.
type user struct{ k *Passkey }

func (u user) WebAuthnID() []byte          { return u.k.Handle }
func (u user) WebAuthnName() string        { return u.k.Person }
func (u user) WebAuthnDisplayName() string { return u.k.Person }

func (u user) WebAuthnCredentials() []webauthn.Credential {
	return []webauthn.Credential{{
		ID: u.k.Credential, PublicKey: u.k.Public,
		Flags:         webauthn.CredentialFlags{BackupEligible: u.k.Synced, UserVerified: true},
		Authenticator: webauthn.Authenticator{SignCount: u.k.Count},
	}}
}

// told is what the library says of what is wrong.
func told(err error) string {
	if e, ok := errors.AsType[*protocol.Error](err); ok && e.Details != "" {
		return e.Details
	}
	return err.Error()
}

// sameName reports whether two names of people are the same.
func sameName(a, b string) bool { return strings.EqualFold(a, b) }

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
