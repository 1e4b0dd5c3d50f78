package subscription

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/bundle"
)

// A Config says what to subscribe to. Name, URL and Activate are required.
type Config struct {
	// Name names the subscription in messages, and its folder in Dir: letters,
	// digits and - _ . (at most 64, the first a letter or digit).
	Name string
	// URL is http://, https://, file:/// or the absolute path of a file. What
	// it holds of credentials appears in no error and not in [Health].
	URL string
	// Verification holds the keys; nil accepts unsigned bundles.
	Verification *bundle.Verification
	// AllowInsecure permits http:// to another machine where nothing is
	// verified or credentials would travel in clear text.
	AllowInsecure bool
	// Header gives the headers of each request, such as a token that was just
	// read from a file. nil: none.
	Header func() (http.Header, error)
	// Client sends the requests; its transport may sign them. nil: one with
	// time limits. Redirects to another host are refused in any case.
	Client *http.Client
	// MinDelay and MaxDelay bound the time between two polls: 60 s and 120 s
	// where zero. After failures it grows up to MaxDelay.
	MinDelay, MaxDelay time.Duration
	// LongPoll is how long a server is asked to hold a request until there is
	// news, in whole seconds. Zero: no long polling.
	LongPoll time.Duration
	// MaxAge makes [Health.Stale] true where the last contact is older. A
	// contact is an accepted bundle, or the answer that there is no newer one;
	// the age does not count from when the bundle was built. Zero: no limit.
	MaxAge time.Duration
	// Dir keeps the last good bundle and the highest sequence number; "" keeps
	// nothing, and then a restart forgets what was seen. A record there that
	// cannot be read is renamed to *.invalid, and then nothing counts as seen.
	// Who can write there can replay an old bundle: the floor must protect it
	// (hardline.protect).
	Dir string
	// RestoreExpired has [Subscription.Restore] activate a kept bundle that has
	// expired since, for a program that keeps what it denied and nothing else:
	// [Health.Expired] says so. false refuses it.
	RestoreExpired bool
	// Limits bound the archive. The zero value has the limits of [bundle.Read].
	Limits bundle.Limits
	// Now is the clock; nil is [time.Now].
	Now func() time.Time
	// Activate compiles, tests and swaps in a bundle. An error keeps the last
	// good one. Two activations never overlap.
	Activate func(context.Context, *bundle.Bundle) error
}

const (
	defaultMin = 60 * time.Second
	defaultMax = 120 * time.Second
	maxName    = 64
)

// complete checks the configuration, fills what is missing, and says where
// the bundle is.
func (c *Config) complete() (address, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	at, err := parseAddress(c.URL)
	return at, errors.Join(checkName(c.Name), err, c.checkTrust(at), c.checkTimes(), c.checkLimits())
}

func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("it has no name: give it one of letters and digits")
	case len(name) > maxName:
		return fmt.Errorf("the name is longer than %d characters: shorten it", maxName)
	case strings.Trim(name, nameChars) != "", strings.ContainsAny(name[:1], "-_."):
		return errors.New("the name may hold letters, digits and - _ . only, and begins with a letter or digit: rename it")
	}
	return nil
}

const nameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

// checkTrust refuses what lets anyone on the way set the policy or read the
// credentials.
func (c *Config) checkTrust(at address) error {
	if c.Activate == nil {
		return errors.New("nothing activates its bundles: set Activate")
	}
	if c.Verification != nil && len(c.Verification.Keys) == 0 {
		return errors.New("verification is on and has no keys: add the public key of the signer")
	}
	if c.Verification != nil {
		if err := c.Verification.Check(); err != nil {
			return err
		}
	}
	if !at.clear || c.AllowInsecure {
		return nil
	}
	if c.Verification == nil {
		return errors.New("unsigned bundles over http:// could be replaced on the way: use https://, or add a key")
	}
	if c.Header != nil || at.secret() {
		return errors.New("credentials over http:// could be read on the way: use https://")
	}
	return nil
}

func (c *Config) checkTimes() error {
	if c.MinDelay < 0 || c.MaxDelay < 0 || c.LongPoll < 0 || c.MaxAge < 0 {
		return errors.New("a delay, the long poll or the greatest age is negative: use 0 for the default")
	}
	if c.LongPoll%time.Second != 0 {
		return fmt.Errorf("the long poll of %v is not in whole seconds: servers know no others", c.LongPoll)
	}
	if c.MinDelay == 0 {
		c.MinDelay = defaultMin
		if c.MaxDelay > 0 {
			c.MinDelay = min(defaultMin, c.MaxDelay)
		}
	}
	if c.MaxDelay == 0 {
		c.MaxDelay = max(defaultMax, c.MinDelay)
	}
	if c.MinDelay > c.MaxDelay {
		return fmt.Errorf("the least delay %v is above the greatest %v: swap them", c.MinDelay, c.MaxDelay)
	}
	if every := c.interval(); c.MaxAge > 0 && c.MaxAge < every {
		return fmt.Errorf("the greatest age %v is below %v, which may pass between two contacts: raise it, or lower the greatest delay", c.MaxAge, every)
	}
	return nil
}

// interval is the most time between two contacts where nothing is wrong.
func (c *Config) interval() time.Duration {
	if c.LongPoll > 0 {
		return c.LongPoll
	}
	return c.MaxDelay
}

func (c *Config) checkLimits() error {
	if c.Limits.Archive < 0 || c.Limits.Unpacked < 0 || c.Limits.Files < 0 {
		return errors.New("a limit is negative: use 0 for the default")
	}
	return nil
}

// defaultArchive is the limit of [bundle.Read] where none is set.
const defaultArchive = 32 << 20

func (c *Config) archiveLimit() int64 {
	if c.Limits.Archive > 0 {
		return c.Limits.Archive
	}
	return defaultArchive
}
