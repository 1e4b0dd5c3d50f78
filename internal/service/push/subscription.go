// Package push tells browsers of people that requests wait, by the push services of
// their vendors (Web Push: RFC 8030, RFC 8291, RFC 8292).
//
//	p := push.New(push.Options{…})
//	go p.Run(ctx)
//	p.Wake() // whenever a request has come
//
// What is sent never has a command: how many requests wait, how much harm the newest
// can do, and its id for the link. A push service cannot even read that. The package
// blocks nothing, and decides nothing.
package push

import (
	"context"
	"crypto/ecdh"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/policyctl/policyctl/internal/support/outbound"
)

// A Subscription is a browser that wants to be told. The zero value is refused.
type Subscription struct {
	ID string
	// Person is the identity that asked for it, Label how they call the browser.
	Person, Label string
	// Endpoint is where the push service of the browser takes messages.
	Endpoint string
	// Public and Secret are the key and the secret of the browser, p256dh and auth.
	Public, Secret []byte
	Created        time.Time
}

// A Store keeps subscriptions. It must be safe for concurrent use.
type Store interface {
	// Subscriptions returns all of them, the newest first.
	Subscriptions(ctx context.Context) ([]Subscription, error)
	// RemoveSubscription reports whether there was one to remove.
	RemoveSubscription(ctx context.Context, id string) (bool, error)
}

// MaxSubscriptions bounds the browsers that are told.
const MaxSubscriptions = 64

// ErrTooMany says that no more browsers can be told.
var ErrTooMany = fmt.Errorf("%d browsers are told already; remove one that is not used any more", MaxSubscriptions)

// maxEndpoint bounds the address of an endpoint, in bytes; secretSize is what RFC 8291
// wants.
const (
	maxEndpoint = 1024
	secretSize  = 16
)

// Check says what is wrong with a subscription, wherever its endpoint leads.
func (s *Subscription) Check() error {
	if _, err := ecdh.P256().NewPublicKey(s.Public); err != nil {
		return errors.New("the key p256dh is not a point of P-256; subscribe again")
	}
	if len(s.Secret) != secretSize {
		return fmt.Errorf("the secret auth has %d bytes, not %d; subscribe again", len(s.Secret), secretSize)
	}
	if s.ID == "" || s.Person == "" || s.Label == "" {
		return errors.New("the subscription has no id, person or label")
	}
	_, err := endpointOf(s.Endpoint)
	return err
}

// endpointOf reads the address of an endpoint.
func endpointOf(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || len(text) > maxEndpoint || u.Hostname() == "":
		return nil, errors.New("the endpoint is not an address; subscribe again")
	case u.Scheme != "https" || u.User != nil || u.Fragment != "":
		return nil, errors.New("the endpoint is not a plain https address; use the push service of a browser")
	}
	return u, nil
}

// A Guard says which hosts may be told. The names in it may lead anywhere, others to
// addresses of the internet alone: who subscribes must not have the service ask its own
// network.
type Guard []string

// CheckNames says what is wrong with the names of a guard.
func (g Guard) CheckNames() error {
	for _, name := range g {
		u, err := url.Parse("https://" + name)
		if err != nil || u.Host != name || u.Hostname() == "" {
			return fmt.Errorf("%q is not a host; write a name or an address, with a port if it is not 443", name)
		}
	}
	return nil
}

// Endpoint says why a service may not be told at an address, as far as the address says.
func (g Guard) Endpoint(text string) error {
	u, err := endpointOf(text)
	if err != nil {
		return err
	}
	return g.outbound().Check(u)
}

func (g Guard) outbound() outbound.Guard {
	return outbound.Guard{Hosts: g, Advice: "name the host with --push-host if it is a push service of yours"}
}
