package email

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/smtp"
	"net/textproto"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// wholeTime bounds the sending of one mail.
const wholeTime = 30 * time.Second

// send hands a mail to the server.
func (d *Driver) send(ctx context.Context, letter []byte) error {
	ctx, cancel := context.WithTimeout(ctx, wholeTime)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", net.JoinHostPort(d.host, d.port))
	if err != nil {
		return d.failed(ctx, err)
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	return d.failed(ctx, d.talk(ctx, conn, letter))
}

// talk is the conversation with the server.
func (d *Driver) talk(ctx context.Context, conn net.Conn, letter []byte) error {
	secure := &tls.Config{ServerName: d.host, RootCAs: d.o.Roots, MinVersion: tls.VersionTLS12}
	if d.o.TLS == Implicit {
		over := tls.Client(conn, secure)
		if err := over.HandshakeContext(ctx); err != nil {
			return err
		}
		conn = over
	}
	c, err := smtp.NewClient(conn, d.host)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Hello("localhost"); err != nil { // what is a name of this machine elsewhere, nobody knows
		return err
	}
	if err := d.encrypt(c, secure); err != nil {
		return err
	}
	if err := d.login(c); err != nil {
		return err
	}
	if err := c.Mail(d.from.Address); err != nil {
		return err
	}
	for _, a := range d.to {
		if err := c.Rcpt(a.Address); err != nil {
			return err
		}
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(letter); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	_ = c.Quit() // the server has the mail already
	return nil
}

// encrypt turns on STARTTLS where the connection is in plain text and has to be encrypted.
func (d *Driver) encrypt(c *smtp.Client, secure *tls.Config) error {
	if d.o.TLS == Implicit || d.o.TLS == Automatic && d.isOwn() {
		return nil
	}
	if ok, _ := c.Extension("STARTTLS"); !ok {
		return &channel.Refusal{Text: fmt.Sprintf("%s offers no STARTTLS, and nothing is sent in plain text; write tls: tls if it is encrypted from the beginning", d.host)}
	}
	return c.StartTLS(secure)
}

func (d *Driver) login(c *smtp.Client) error {
	if d.o.User == "" {
		return nil
	}
	if _, how := c.Extension("AUTH"); !strings.Contains(" "+how+" ", " PLAIN ") {
		return &channel.Refusal{Text: fmt.Sprintf("%s offers no login by AUTH PLAIN; use a server that does, or leave user and password_file out", d.host)}
	}
	return c.Auth(smtp.PlainAuth("", d.o.User, d.o.Password, d.host))
}

// failed says in the words of package channel why a mail was not sent.
func (d *Driver) failed(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if refusal, ok := errors.AsType[*channel.Refusal](err); ok {
		return refusal
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%s did not take the mail in time: %w", d.host, ctx.Err())
	}
	said, answered := errors.AsType[*textproto.Error](err)
	text := err.Error()
	if answered {
		text = fmt.Sprint(said.Code, " ", said.Msg)
	}
	login := base64.StdEncoding.EncodeToString([]byte("\x00" + d.o.User + "\x00" + d.o.Password)) // as AUTH PLAIN sends it
	why := d.host + ": " + channel.Saying(text, login, d.o.Password)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	if untrusted || answered && said.Code >= 500 {
		return &channel.Refusal{Text: why}
	}
	return errors.New(why)
}
