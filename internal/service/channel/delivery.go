package channel

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
)

// An About is what a delivery tells of a request.
type About string

// The kinds of deliveries. One that tells that a request is asked again is about its new
// revision, so that no button of before answers it.
const (
	AboutAsk     About = "ask"     // that it waits
	AboutOutcome About = "outcome" // how it ended

	askedAgain = AboutAsk + "-"
)

// Asking is the kind of delivery that tells what a request asks now.
func Asking(r *approval.Request) About {
	if r.Revision == "" {
		return AboutAsk
	}
	return askedAgain + About(r.Revision)
}

// asks reports whether a delivery tells that a request waits.
func (a About) asks() bool { return a == AboutAsk || strings.HasPrefix(string(a), string(askedAgain)) }

// A State is where a delivery stands.
type State string

// The states. Due and Sending go on, the others are final.
const (
	Due     State = "due"
	Sending State = "sending" // it may have arrived, until more is known
	Sent    State = "sent"
	// Failed says that it cannot be delivered, Uncertain that nobody knows whether it
	// was.
	Failed    State = "failed"
	Uncertain State = "uncertain"
	// Over says that there is nothing to tell any more.
	Over State = "over"
)

// A Delivery is one thing to tell by one channel. There is one for each request, channel
// and about.
type Delivery struct {
	ID, Request, Channel string
	About                About
	State                State
	Tries                int
	Created              time.Time
	// Next is when it is to be tried, of one that is due; Changed when it came to its
	// state.
	Next, Changed time.Time
	// Ref names the message at the service, "" where nothing does; Problem says what
	// went wrong last, "" for nothing.
	Ref, Problem string
}

// Check says what is wrong with a delivery that is to be stored.
func (d *Delivery) Check() error {
	switch {
	case d.ID == "" || d.Request == "" || d.Channel == "":
		return fmt.Errorf("delivery %q: it has no id, request or channel", d.ID)
	case !d.About.asks() && d.About != AboutOutcome:
		return fmt.Errorf("delivery %s: %q is nothing to tell", d.ID, d.About)
	case !slices.Contains([]State{Due, Sending, Sent, Failed, Uncertain, Over}, d.State):
		return fmt.Errorf("delivery %s: there is no state %q", d.ID, d.State)
	}
	return nil
}

// A Token is what is behind a button: an answer to the request of a delivery.
type Token struct {
	Hash     [sha256.Size]byte
	Delivery string
	Word     approval.Word
	Scope    approval.Scope
}

// Check says what is wrong with a token that is to be stored.
func (t *Token) Check() error {
	if t.Delivery == "" || !slices.Contains(approval.Words(), t.Word) {
		return fmt.Errorf("token of delivery %q: there is no word %q", t.Delivery, t.Word)
	}
	return nil
}

// newToken returns a token and its secret, 128 random bits.
func newToken(delivery string, word approval.Word, scope approval.Scope) (secret string, t Token) {
	random := make([]byte, 16)
	rand.Read(random) // ends the program where there is no randomness
	secret = base64.RawURLEncoding.EncodeToString(random)
	return secret, Token{sha256.Sum256([]byte(secret)), delivery, word, scope}
}

// A Pressed is a token with the delivery to which it belongs, and who has pressed it.
type Pressed struct {
	Token
	Of Delivery
	By []string
}

// A Filter chooses deliveries: of a request, or those of a channel; the zero value those
// that are due or being sent.
type Filter struct{ Request, Channel string }

// A Change is a delivery with the state that it must have for the change to count. Tokens
// are added to it.
type Change struct {
	Delivery
	Was    State
	Tokens []Token
}

// A Step is what was derived of events: all of it is stored, or nothing.
type Step struct {
	// Event is the last one of which it was derived.
	Event int64
	// Asks are deliveries to add where there is none yet of the request, the channel
	// and what it is about.
	Asks []Delivery
	// Ended are requests that are over at a time: asks that are due are over as well,
	// and those that were sent get an outcome, which is due.
	Ended []string
	At    time.Time
}

// OutcomeID is the id of the outcome of an ask.
func OutcomeID(ask string) string { return ask + "_outcome" }

// A Store keeps deliveries. It must be safe for concurrent use.
type Store interface {
	// Cursor returns the last event of a step, and whether there was a step.
	Cursor(ctx context.Context) (event int64, found bool, err error)
	// Follow stores a step.
	Follow(ctx context.Context, s Step) error
	// Deliveries returns those that a filter chooses, in the order in which they were
	// made; of a channel the latest alone.
	Deliveries(ctx context.Context, f Filter) ([]Delivery, error)
	// ChangeDelivery stores a change, and reports whether it counted.
	ChangeDelivery(ctx context.Context, c Change) (bool, error)
	// Pressed returns the token of a hash, and whether there is one. Press notes that
	// somebody has used it.
	Pressed(ctx context.Context, hash [sha256.Size]byte) (Pressed, bool, error)
	Press(ctx context.Context, hash [sha256.Size]byte, person string, at time.Time) error
	// ForgetDeliveries removes those before a time that are neither due nor being
	// sent, with their tokens.
	ForgetDeliveries(ctx context.Context, before time.Time) error
}
