// Package bundles subscribes to the bundles that policies name: from a server
// or a file, or from what was kept of them on disk. It gives [layers] what each
// adds.
package bundles

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/policyctl/policyctl/internal/layers"
	"github.com/policyctl/policyctl/pkg/activation"
	"github.com/policyctl/policyctl/pkg/bundle"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/decisionlog"
	"github.com/policyctl/policyctl/pkg/subscription"
)

// A Mode says how current bundles must be.
type Mode uint8

// The modes: what is on disk, which a hook has time for; one request where the
// last is a while ago; one request; and requests again and again, until Close.
const (
	Offline Mode = iota
	Once
	Fetching
	Following
)

// A Client loads bundles. It is safe for concurrent use.
type Client struct {
	mode Mode
	// state is where bundles are kept, "" for nowhere; home is for paths.
	state, home string
	now         func() time.Time
	ctx         context.Context
	stop        context.CancelFunc
	running     sync.WaitGroup

	mu      sync.Mutex
	entries map[string]*entry
}

// An entry is one subscription with its bundle.
type entry struct {
	source  config.BundleSource
	sub     *subscription.Subscription
	current atomic.Pointer[activation.Policy]
	err     error // why there is no subscription
	// unkept is why what is on disk does not count.
	unkept error
	// log takes decisions, nil for none; the errors are of it and of reports.
	log               *decisionlog.Logger
	logErr, reportErr error
}

// New returns a client that keeps bundles below a directory of state.
func New(mode Mode, state, home string) *Client {
	ctx, stop := context.WithCancel(context.Background())
	return &Client{mode: mode, state: state, home: home, now: time.Now, ctx: ctx, stop: stop, entries: map[string]*entry{}}
}

// patience bounds the request that a person waits for.
const patience = 15 * time.Second

// Bundles returns what each subscription adds.
func (c *Client) Bundles(list []config.BundleSource) []layers.Bundle {
	out := make([]layers.Bundle, len(list))
	for i := range list {
		out[i] = c.entry(&list[i]).bundle()
	}
	return out
}

// entry returns the subscription of a source, and makes it where it is new.
func (c *Client) entry(source *config.BundleSource) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := fmt.Sprintf("%+v", *source)
	if e, ok := c.entries[key]; ok {
		return e
	}
	e := &entry{source: *source}
	c.entries[key] = e
	if e.sub, e.err = c.subscribe(e); e.err != nil {
		return e
	}
	if err := e.sub.Restore(c.ctx); err != nil && !errors.Is(err, fs.ErrNotExist) {
		e.unkept = err
	}
	if c.mode != Offline && (c.mode == Fetching || e.current.Load() == nil || c.isDue(e)) {
		ctx, cancel := context.WithTimeout(c.ctx, patience)
		_ = e.sub.Fetch(ctx) // its error is in the health
		cancel()
	}
	if c.mode == Following {
		c.serve(e)
		c.running.Go(func() { _ = e.sub.Run(c.ctx) })
	}
	return e
}

// isDue says whether the last contact is long enough ago for another.
func (c *Client) isDue(e *entry) bool {
	wait := e.source.MinDelay
	if wait == 0 {
		wait = time.Minute
	}
	return c.now().Sub(e.sub.Health().Contact) >= wait
}

// subscribe makes a subscription of a source.
func (c *Client) subscribe(e *entry) (*subscription.Subscription, error) {
	s := &e.source
	verification, err := c.verification(s)
	if err != nil {
		return nil, err
	}
	cfg := subscription.Config{
		Name: s.Name, URL: c.expanded(s.URL), Verification: verification,
		MinDelay: s.MinDelay, MaxDelay: s.MaxDelay, LongPoll: s.LongPoll, MaxAge: s.MaxAge, Now: c.now,
		Activate: func(ctx context.Context, b *bundle.Bundle) error {
			p, err := activation.Load(ctx, s.Name, b)
			if err == nil {
				e.current.Store(p)
			}
			return err
		},
	}
	if c.state != "" && s.Origin.Layer != config.Flag { // which is for one run
		cfg.Dir = filepath.Join(c.state, "bundles")
		if err := os.MkdirAll(cfg.Dir, 0o700); err != nil {
			return nil, err
		}
	}
	if s.TokenFile != "" {
		cfg.Header = func() (http.Header, error) { return bearer(c.expanded(s.TokenFile)) }
	}
	return subscription.New(cfg)
}

// verification reads the keys of a source, nil where it has none.
func (c *Client) verification(s *config.BundleSource) (*bundle.Verification, error) {
	if len(s.Keys) == 0 {
		return nil, nil
	}
	v := &bundle.Verification{Keys: map[string]bundle.Key{}, Scope: s.Scope}
	for id, file := range s.Keys {
		text, err := readSmall(c.expanded(file))
		if err != nil {
			return nil, fmt.Errorf("the key %s: %w", id, err)
		}
		v.Keys[id] = bundle.Key{PEM: text}
	}
	return v, nil
}

func bearer(file string) (http.Header, error) {
	text, err := readSmall(file)
	if err != nil {
		return nil, fmt.Errorf("the token: %w", err)
	}
	return http.Header{"Authorization": {"Bearer " + strings.TrimSpace(text)}}, nil
}

// maxSmall bounds the files of keys and tokens.
const maxSmall = 64 << 10

func readSmall(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSmall+1))
	if err == nil && len(data) > maxSmall {
		return "", fmt.Errorf("%s is larger than %d KiB", file, maxSmall>>10)
	}
	return string(data), err
}

// expanded returns a path below the home directory in full.
func (c *Client) expanded(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(c.home, rest)
	}
	return path
}

// bundle returns what the subscription adds now.
func (e *entry) bundle() layers.Bundle {
	b := layers.Bundle{Name: e.source.Name}
	if e.err != nil {
		b.Err = e.err
		return b
	}
	h, p := e.sub.Health(), e.current.Load()
	switch {
	case p == nil:
		b.Err = errors.New("nothing of it could be loaded yet: " + onLine(errors.Join(h.Err, e.unkept)))
		return b
	case h.Expired:
		b.Err = fmt.Errorf("its revision %s has expired: have a newer one published", p.Revision)
	case h.Stale:
		b.Err = fmt.Errorf("its server was not reached since %s, which is longer than max_age %s", h.Contact.Format(time.RFC3339), e.source.MaxAge)
	case h.Err != nil:
		b.Trouble = "bundle " + b.Name + ": the last attempt failed: " + onLine(h.Err)
	}
	b.Revision, b.Digest, b.Files, b.Sources = p.Revision, p.Digest, p.Files, p.Sources
	return b
}

// onLine returns the text of an error on one line.
func onLine(err error) string {
	if err == nil {
		return "nothing is on disk: see policyctl bundle sync"
	}
	return strings.ReplaceAll(err.Error(), "\n", "; ")
}

// Stamp changes with what Bundles returns.
func (c *Client) Stamp() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	stamps := make([]string, 0, len(c.entries))
	for _, e := range c.entries {
		if e.err != nil {
			continue
		}
		h := e.sub.Health()
		stamps = append(stamps, fmt.Sprintf("%s %s %t %t", h.Name, h.Digest, h.Stale, h.Expired))
	}
	slices.Sort(stamps)
	return strings.Join(stamps, "\n")
}

// Withdrawn says whether a bundle that counted is too old by now.
func (c *Client) Withdrawn() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.entries {
		if e.err == nil && e.current.Load() != nil {
			if h := e.sub.Health(); h.Stale || h.Expired {
				return true
			}
		}
	}
	return false
}

// Healths returns how each subscription is, by name.
func (c *Client) Healths() []Health {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []Health
	for _, e := range c.entries {
		h := Health{Source: e.source, Err: e.err}
		if e.sub != nil {
			h.Health = e.sub.Health()
			h.Err = errors.Join(h.Health.Err, e.unkept, e.logErr, e.reportErr)
		}
		out = append(out, h)
	}
	slices.SortFunc(out, func(a, b Health) int { return strings.Compare(a.Source.Name, b.Source.Name) })
	return out
}

// A Health is how a subscription is.
type Health struct {
	subscription.Health
	Source config.BundleSource
	// Err is what is wrong, or was when it was tried last.
	Err error
}
