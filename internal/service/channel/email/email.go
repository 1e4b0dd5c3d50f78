// Package email tells of requests by mail, over SMTP (RFC 5321).
//
// A mail has a link to the page of its request, where a person logs in and decides. It
// has no button, and nothing that is opened decides: programs that look for viruses open
// all links. Replies are not read, because a sender of mail can be forged.
package email

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/mail"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// Options are what the settings of a mailbox say. Server, From and To are required.
type Options struct {
	// Server is that which takes mail, with a port if it is not that of its TLS.
	Server string
	// TLS is how the connection is encrypted.
	TLS Encryption
	// User and Password log in; "" for neither.
	User, Password string
	// From is who mail is from, To whom it is for.
	From string
	To   []string
	// Roots are the authorities that may vouch for the server; nil stands for those of
	// the system.
	Roots *x509.CertPool
	// Now is the time; nil stands for [time.Now].
	Now func() time.Time
}

// An Encryption is when a connection is encrypted.
type Encryption string

// The encryptions. None but the first lets a mail go in plain text, and that one only to
// the machine itself.
const (
	Automatic Encryption = ""         // STARTTLS, but for a server of this machine
	StartTLS  Encryption = "starttls" // on port 587
	Implicit  Encryption = "tls"      // from the beginning, on port 465 (RFC 8314)
)

// A Driver sends to some mailboxes. It implements [channel.Driver].
type Driver struct {
	o          Options
	host, port string
	from       *mail.Address
	to         []*mail.Address
}

// New returns a driver, or says what is wrong with the options.
func New(o Options) (*Driver, error) {
	d := &Driver{o: o}
	if d.o.Now == nil {
		d.o.Now = time.Now
	}
	standard := "587"
	switch o.TLS {
	case Automatic, StartTLS:
	case Implicit:
		standard = "465"
	default:
		return nil, fmt.Errorf("tls is %q; write starttls, or tls for a connection that is encrypted from the beginning", o.TLS)
	}
	var err error
	if d.host, d.port, err = net.SplitHostPort(o.Server); err != nil {
		d.host, d.port = strings.Trim(o.Server, "[]"), standard
	}
	if _, err := strconv.ParseUint(d.port, 10, 16); err != nil || d.host == "" || strings.ContainsAny(d.host, "/ \r\n") {
		return nil, errors.New("server is no host; write one such as smtp.example.com or smtp.example.com:587")
	}
	if (o.User == "") != (o.Password == "") {
		return nil, errors.New("there is a user without a password, or a password without a user; write user and password_file, or neither")
	}
	if d.from, err = mail.ParseAddress(o.From); err != nil {
		return nil, errors.New("from is no address; write one such as policyctl@example.com")
	}
	for i, text := range o.To {
		one, err := mail.ParseAddress(text)
		if err != nil {
			return nil, fmt.Errorf("to[%d] is no address; write one such as alice@example.com", i)
		}
		d.to = append(d.to, one)
	}
	if len(d.to) == 0 {
		return nil, errors.New("to is missing: write whom to tell, such as alice@example.com")
	}
	return d, nil
}

// isOwn reports whether the server is this machine, as its name says.
func (d *Driver) isOwn() bool {
	at, _ := netip.ParseAddr(d.host)
	return strings.EqualFold(d.host, "localhost") || at.IsLoopback()
}

// Post sends a mail, and returns its Message-ID.
func (d *Driver) Post(ctx context.Context, m *channel.Message) (ref string, err error) {
	id := d.idOf(m.ID)
	return id, d.send(ctx, d.letter(m, id, ""))
}

// Amend sends how a request ended, as a reply in the thread of its mail.
func (d *Driver) Amend(ctx context.Context, ref string, m *channel.Message) error {
	if m.Replaced {
		return nil
	}
	return d.send(ctx, d.letter(m, d.idOf(cmp.Or(m.ID, ref)+" ended"), ref))
}

// idOf is the Message-ID of a delivery (RFC 5322, section 3.6.4).
func (d *Driver) idOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	domain := d.from.Address[strings.LastIndexByte(d.from.Address, '@')+1:]
	if strings.ContainsFunc(domain, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("<>[]@", r) }) {
		domain = "policyctl.invalid"
	}
	return "<" + hex.EncodeToString(sum[:16]) + "@" + domain + ">"
}

// Listen waits: nothing is heard by mail.
func (d *Driver) Listen(ctx context.Context, _ channel.Hear) error {
	<-ctx.Done()
	return ctx.Err()
}

// Webhook returns nil.
func (d *Driver) Webhook(channel.Hear) http.Handler { return nil }

// Repeats reports true: most stores of mail know a Message-ID. Elsewhere a mail comes
// twice, and both have nothing but the link.
func (d *Driver) Repeats() bool { return true }

var _ channel.Driver = (*Driver)(nil)
