// Package webhook tells programs of requests and hears their answers, as Standard
// Webhooks has it (https://www.standardwebhooks.com, version 1): the channel for an
// approver of somebody else's making.
//
// What is sent is signed, and so must be what is answered. Nothing is posted to an
// address of a private network unless the settings allow it, and no redirect is
// followed. Who a sender is, is what the holder of the secret says.
package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/rest"
	"github.com/policyctl/policyctl/internal/support/outbound"
)

// Options are what the settings of a webhook say. URL is required, and Secret or Key.
type Options struct {
	// URL is where requests are posted.
	URL string
	// Secret signs what is sent, and must sign what is answered: whsec_ and 24 to 64
	// bytes in base64.
	Secret string
	// Key signs what is sent by Ed25519 as well: whsk_ and the key, or its seed, in
	// base64.
	Key string
	// Peer verifies answers that are signed by Ed25519: whpk_ and the key in base64.
	Peer string
	// AllowPrivate lets URL lead to a private network, and be http.
	AllowPrivate bool
	// HTTP does the asking; nil stands for a client that goes where AllowPrivate lets it.
	HTTP *http.Client
	// Now is the time; nil stands for [time.Now].
	Now func() time.Time
}

// A Driver posts to one URL. It implements [channel.Driver].
type Driver struct {
	url    string
	keys   keys
	client rest.Client
	now    func() time.Time
	seen   seen
}

const advice = "set allow_private: true if the receiver is in a network of yours"

// New returns a driver, or says what is wrong with the options.
func New(o Options) (*Driver, error) {
	u, err := target(o)
	if err != nil {
		return nil, err
	}
	k, err := readKeys(o)
	if err != nil {
		return nil, err
	}
	guard := outbound.Guard{Private: o.AllowPrivate, Advice: advice}
	if err := guard.Check(u); err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	if o.HTTP == nil {
		o.HTTP = guard.Client(nil)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Driver{
		url: u.String(), keys: k, now: o.Now, seen: seen{all: make(map[string]*heard)},
		client: rest.Client{HTTP: o.HTTP, Now: o.Now, Lasting: isGone, Secrets: []string{o.Secret, o.Key, o.URL}},
	}, nil
}

// isGone reports whether a receiver wants nothing more: all else may be mended there.
func isGone(status int) bool { return status == http.StatusGone }

func target(o Options) (*url.URL, error) {
	u, err := url.Parse(o.URL)
	switch {
	case o.URL == "":
		return nil, errors.New("url is missing: write where requests are posted, such as https://approver.example.com/hook")
	case err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http":
		return nil, errors.New("url is no address; write one such as https://approver.example.com/hook")
	case u.User != nil || u.Fragment != "":
		return nil, errors.New("url has a user or a fragment; leave them out: the signature says who posts")
	case u.Scheme == "http" && !o.AllowPrivate:
		return nil, errors.New("url is http, so that others can read commands; write https, or " + advice)
	}
	return u, nil
}

// Post sends a request that waits.
func (d *Driver) Post(ctx context.Context, m *channel.Message) (ref string, err error) {
	return m.ID, d.send(ctx, "request.waiting", m.ID, m)
}

// Amend sends how a request ended, as a message of its own.
func (d *Driver) Amend(ctx context.Context, ref string, m *channel.Message) error {
	if m.Replaced {
		return nil // the request goes on, and who receives has been told
	}
	id := m.ID
	if id == ref {
		id += ".ended" // who receives knows the other one already
	}
	return d.send(ctx, "request.ended", id, m)
}

func (d *Driver) send(ctx context.Context, kind, id string, m *channel.Message) error {
	now := d.now()
	body, err := encode(kind, now, m)
	if err != nil {
		return err
	}
	stamp := strconv.FormatInt(now.Unix(), 10)
	_, err = d.client.Do(ctx, http.MethodPost, d.url, http.Header{
		headerID: {id}, headerTime: {stamp}, headerSignature: {d.keys.sign(id, stamp, body)},
	}, body)
	return err
}

// Listen waits: a program answers by its own request.
func (d *Driver) Listen(ctx context.Context, _ channel.Hear) error {
	<-ctx.Done()
	return ctx.Err()
}

// Repeats reports true: who receives knows a message by its id.
func (d *Driver) Repeats() bool { return true }

var _ channel.Driver = (*Driver)(nil)

// Webhook hears the answers of programs, nil where nothing can prove who sends them.
func (d *Driver) Webhook(hear channel.Hear) http.Handler {
	if d.keys.secret == nil && d.keys.peer == nil {
		return nil
	}
	return &listener{d, hear}
}
