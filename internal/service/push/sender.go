package push

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"syscall"
	"time"
)

// A Sender posts messages to push services. It is safe for concurrent use.
type Sender struct{ client *http.Client }

// The times that a push service has: to connect, to answer, and in all.
const (
	dialTime   = 5 * time.Second
	answerTime = 10 * time.Second
	sendTime   = 15 * time.Second
)

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 4 << 10

// NewSender returns a sender that goes where a guard lets it: to no other host, through
// no proxy, and no further where a push service sends it elsewhere. nil stands for the
// authorities of the system.
func NewSender(g Guard, roots *x509.CertPool) *Sender {
	return &Sender{&http.Client{
		Timeout:       sendTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: g.dial, TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout: dialTime, ResponseHeaderTimeout: answerTime, MaxIdleConns: maxTurns, IdleConnTimeout: time.Minute,
			MaxResponseHeaderBytes: 16 << 10, ForceAttemptHTTP2: true,
		},
	}}
}

// dial connects to a host. What its name leads to is checked when it is known, so that
// a name which leads elsewhere the next time passes no check of before.
func (g Guard) dial(ctx context.Context, network, host string) (net.Conn, error) {
	d := net.Dialer{Timeout: dialTime}
	if !g.names(host) {
		d.Control = func(_, address string, _ syscall.RawConn) error {
			at, err := netip.ParseAddrPort(address)
			if err != nil {
				return err
			}
			return public(at.Addr())
		}
	}
	return d.DialContext(ctx, network, host)
}

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
		return fmt.Errorf("the push service %s: %w", endpoint.Host, cause(err))
	}
	defer answer.Body.Close()
	_, _ = io.CopyN(io.Discard, answer.Body, maxAnswer) // so that the connection serves again
	if answer.StatusCode >= 200 && answer.StatusCode < 300 {
		return nil
	}
	return &Failure{Status: answer.StatusCode, RetryAfter: retryAfter(answer.Header.Get("Retry-After"), m.Now)}
}

// maxRest bounds what a push service may ask for.
const maxRest = time.Hour

// retryAfter reads how long to wait, in seconds or until a time; 0 where neither stands
// there.
func retryAfter(text string, now time.Time) time.Duration {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return min(time.Duration(min(n, int(maxRest/time.Second)))*time.Second, maxRest)
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(0, at.Sub(now)), maxRest)
	}
	return 0
}

// cause returns what is wrong, without the address: it is a secret of the browser.
func cause(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
