package push

import (
	"bytes"
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/policyctl/policyctl/internal/support/outbound"
)

// A Sender posts messages to push services. It is safe for concurrent use.
type Sender struct{ client *http.Client }

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 4 << 10

// NewSender returns a sender that goes where a guard lets it: to no other host, through
// no proxy, and no further where a push service sends it elsewhere. nil stands for the
// authorities of the system.
func NewSender(g Guard, roots *x509.CertPool) *Sender { return &Sender{g.outbound().Client(roots)} }

// A Message is a text for one browser.
type Message struct {
	To      *Subscription
	Text    []byte
	Key     *Key
	Contact string
	Now     time.Time
	// Life is how long the push service keeps it for a browser that is off.
	Life   time.Duration
	Urgent bool
}

// topic has a push service keep one message of ours alone, the newest.
const topic = "policyctl"

// Send sends a message. What the push service answers is a [Failure] where it is no
// success.
func (s *Sender) Send(ctx context.Context, m Message) error {
	endpoint, err := endpointOf(m.To.Endpoint)
	if err != nil {
		return err
	}
	sealed, err := m.To.seal(m.Text)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint.String(), bytes.NewReader(sealed))
	if err != nil {
		return err
	}
	authorization, err := m.Key.authorization(endpoint, m.Contact, m.Now)
	if err != nil {
		return err
	}
	urgency := "normal"
	if m.Urgent {
		urgency = "high"
	}
	for name, value := range map[string]string{
		"Authorization": authorization, "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream",
		"TTL": strconv.Itoa(max(1, int(m.Life.Seconds()))), "Topic": topic, "Urgency": urgency, "User-Agent": "policyctl",
	} {
		r.Header.Set(name, value)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return fmt.Errorf("the push service %s: %w", endpoint.Host, outbound.Cause(err))
	}
	defer answer.Body.Close()
	_, _ = io.CopyN(io.Discard, answer.Body, maxAnswer) // so that the connection serves again
	if answer.StatusCode >= 200 && answer.StatusCode < 300 {
		return nil
	}
	return &Failure{Status: answer.StatusCode, RetryAfter: outbound.RetryAfter(answer.Header.Get("Retry-After"), m.Now)}
}
