// Package bundles subscribes to the bundles that policies name: from a server
// or a file, or from what was kept of them on disk. It gives [layers] what each
// adds.
package bundles

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/policyctl/policyctl/internal/machine/activation"
	"github.com/policyctl/policyctl/internal/machine/decisionlog"
	"github.com/policyctl/policyctl/internal/machine/forms"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/machine/subscription"
	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/pkg/bundle"
	"github.com/policyctl/policyctl/pkg/config"
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
	prints      bool // see KeepPrints
	// forms takes the forms of bundles; nil for none.
	forms   *forms.Client
	ctx     context.Context
	stop    context.CancelFunc
	running sync.WaitGroup

	// making is held by who changes the entries, which takes as long as a
	// request; mu is held for a moment.
	making  sync.Mutex
	mu      sync.Mutex
	entries map[string]*entry // by identity
	lost    []error           // what collectors of earlier entries did not get
	union   layers.Union      // of the policy that was read last
}

// An entry is one subscription with its bundle.
type entry struct {
	source  config.BundleSource
	ctx     context.Context
	stop    context.CancelFunc
	sub     *subscription.Subscription
	current atomic.Pointer[activation.Policy]
	printer atomic.Pointer[Printer] // nil for none
	err     error                   // why there is no subscription
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

// KeepForms has the client keep forms of the bundles that it activates.
func (c *Client) KeepForms(s *forms.Store) { c.forms = forms.NewClient(s, c.state, c.home) }

// patience bounds the request that a person waits for.
const patience = 15 * time.Second

// Bundles returns what each subscription adds. A subscription that the list
// does not name, or names otherwise than before, ends. A revision that does not
// go with what its bundle yields to is refused: the last good one stays.
func (c *Client) Bundles(list []config.BundleSource, union layers.Union) []layers.Bundle {
	c.making.Lock()
	defer c.making.Unlock()
	c.mu.Lock()
	c.union = union
	c.mu.Unlock()
	out := make([]layers.Bundle, len(list))
	named := map[string]bool{}
	for i := range list {
		id := c.identity(&list[i])
		named[id] = true
		out[i] = c.bundle(c.entry(id, &list[i]))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, e := range c.entries {
		if !named[id] {
			delete(c.entries, id)
			e.stop()
			c.running.Go(func() { c.part(e) })
		}
	}
	return out
}

// identity changes with the source and with the files of its keys.
func (c *Client) identity(s *config.BundleSource) string {
	id := fmt.Sprintf("%+v", *s)
	for _, key := range slices.Sorted(maps.Keys(s.Keys)) {
		if info, err := os.Stat(c.expanded(s.Keys[key])); err == nil {
			id += fmt.Sprintf(" %d %d", info.Size(), info.ModTime().UnixNano())
		} else {
			id += " -"
		}
	}
	return id
}

// entry returns the subscription of a source, and makes it where it is new.
func (c *Client) entry(id string, source *config.BundleSource) *entry {
	c.mu.Lock()
	e, ok := c.entries[id]
	c.mu.Unlock()
	if !ok {
		e = c.open(source)
		c.mu.Lock()
		c.entries[id] = e
		c.mu.Unlock()
	}
	return e
}

// open subscribes to a source, and loads what is there.
func (c *Client) open(source *config.BundleSource) *entry {
	e := &entry{source: *source}
	e.ctx, e.stop = context.WithCancel(c.ctx)
	if e.sub, e.err = c.subscribe(e); e.err != nil {
		return e
	}
	if err := e.sub.Restore(e.ctx); err != nil && !errors.Is(err, fs.ErrNotExist) {
		e.unkept = err
	}
	if c.mode != Offline && (c.mode == Fetching || e.current.Load() == nil || c.isDue(e)) {
		ctx, cancel := context.WithTimeout(e.ctx, patience)
		_ = e.sub.Fetch(ctx) // its error is in the health
		cancel()
	}
	if c.mode == Following {
		c.serve(e)
		c.running.Go(func() { _ = e.sub.Run(e.ctx) })
	}
	return e
}

// isDue reports whether the last contact is long enough ago for another.
func (c *Client) isDue(e *entry) bool {
	wait := e.source.MinDelay
	if wait == 0 {
		wait = time.Minute
	}
	age := c.now().Sub(e.sub.Health().Contact)
	return age >= wait || age < 0 // the clock was set back since
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
		RestoreExpired: true, // what it denied stays denied
		Activate: func(ctx context.Context, b *bundle.Bundle) error {
			p, err := activation.Load(ctx, s.Name, b)
			if err == nil && !subscription.Kept(ctx) {
				err = p.Try(ctx)
			}
			if err == nil {
				err = c.fits(e, p)
			}
			if err == nil {
				e.current.Store(p)
				c.keepPrinter(e, b)
				c.keepForm(e, b, p)
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

// keepForm keeps what hooks read of a bundle that was activated. One with Rego
// they have policyctl read.
func (c *Client) keepForm(e *entry, b *bundle.Bundle, p *activation.Policy) {
	if c.forms == nil || len(p.Sources) > 0 || e.source.Origin.Layer == config.Flag {
		return
	}
	c.forms.Keep(&e.source, forms.Bundle{Revision: p.Revision, Digest: p.Digest, Sequence: p.Sequence, Expires: b.Expires}, p.Files)
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
			return nil, fmt.Errorf("the key %s: %w: put the public key of the signer there, or correct keys", id, err)
		}
		v.Keys[id] = bundle.Key{Algorithm: s.Algorithm, PEM: text}
	}
	return v, nil
}

func bearer(file string) (http.Header, error) {
	text, err := readSmall(file)
	if err != nil {
		return nil, fmt.Errorf("the token: %w: correct token_file", err)
	}
	return http.Header{"Authorization": {"Bearer " + strings.TrimSpace(text)}}, nil
}

// maxSmall bounds the files of keys and tokens.
const maxSmall = 64 << 10

func readSmall(file string) (string, error) {
	data, err := plainfile.Read(file, maxSmall)
	return string(data), err
}

// expanded returns a path below the home directory in full.
func (c *Client) expanded(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(c.home, rest)
	}
	return path
}

// bundle returns what a subscription adds now. Where what is known of one of the
// organisation is nothing, or older than what root keeps, it is what root keeps.
func (c *Client) bundle(e *entry) layers.Bundle {
	b, p := e.bundle(), e.current.Load()
	if c.forms == nil || e.source.Origin.Layer != config.Managed {
		return b
	}
	sequence := uint64(0)
	if p != nil {
		sequence = p.Sequence
	}
	kept := c.forms.OfRoot(&e.source, sequence, p != nil)
	if kept == nil {
		return b
	}
	kept.Err = errors.Join(kept.Err, b.Err)
	return *kept
}

// bundle returns what the subscription adds now.
func (e *entry) bundle() layers.Bundle {
	b := layers.Bundle{Name: e.source.Name, Origin: e.source.Origin}
	if e.err != nil {
		b.Err = e.err
		return b
	}
	h, p := e.sub.Health(), e.current.Load()
	switch {
	case p == nil:
		b.Err = errors.New("nothing of it could be loaded yet: " + onLine(e.loading(h.Err)))
		return b
	case h.Expired:
		b.Err = fmt.Errorf("its revision %s has expired: have a newer one published", p.Revision)
	case h.Stale:
		b.Err = fmt.Errorf("its server was not reached since %s, which is longer than max_age %s", h.Contact.Format(time.RFC3339), e.source.MaxAge)
	case h.Err != nil:
		b.Trouble = "bundle " + b.Name + ": the last attempt failed: " + onLine(h.Err)
	}
	b.Revision, b.Digest, b.Contact, b.Files, b.Sources = p.Revision, p.Digest, h.Contact, p.Files, p.Sources
	return b
}

// loading returns the error of the last attempt, or why nothing on disk counts
// where nothing else does.
func (e *entry) loading(last error) error {
	if last == nil && e.current.Load() == nil {
		return e.unkept
	}
	return last
}

// onLine returns the text of an error on one line.
func onLine(err error) string {
	if err == nil {
		return "nothing is on disk: run policyctl bundle sync --once, or bundle sync --install, which keeps it current"
	}
	return strings.ReplaceAll(err.Error(), "\n", "; ")
}

// Stamp changes with what Bundles returns.
func (c *Client) Stamp() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	stamps := make([]string, 0, len(c.entries))
	for _, e := range c.entries {
		stamps = append(stamps, c.identity(&e.source))
		if e.err != nil {
			continue
		}
		h := e.sub.Health()
		stamps = append(stamps, fmt.Sprintf("%s %s %t %t", h.Name, h.Digest, h.Stale, h.Expired))
	}
	slices.Sort(stamps)
	return strings.Join(stamps, "\n")
}

// Withdrawn reports whether a bundle that counted is too old by now.
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
			h.Err = errors.Join(e.loading(h.Health.Err), e.logErr, e.reportErr)
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
