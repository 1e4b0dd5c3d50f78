package subscription

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/bundle"
)

const testSecret = "0123456789abcdef0123456789abcdef"

var (
	testKeys = &bundle.Verification{Keys: map[string]bundle.Key{"k1": {Algorithm: "HS256", PEM: testSecret}}}
	noon     = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
)

// A rig is a subscription with a clock of its own and what it activated.
type rig struct {
	*Subscription
	t      *testing.T
	mu     sync.Mutex
	time   time.Time
	got    []string // revisions
	broken error    // of the next activations
}

// newRig subscribes with what edit makes of a configuration with a key.
func newRig(t *testing.T, url string, edit ...func(*Config)) *rig {
	t.Helper()
	r := &rig{t: t, time: noon}
	c := Config{Name: "org", URL: url, Verification: testKeys, Now: r.now, Activate: r.activate}
	for _, e := range edit {
		e(&c)
	}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	r.Subscription = s
	return r
}

func keptIn(dir string) func(*Config) { return func(c *Config) { c.Dir = dir } }
func unsigned(c *Config)              { c.Verification = nil }

func (r *rig) now() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.time
}

func (r *rig) pass(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.time = r.time.Add(d)
}

func (r *rig) activate(_ context.Context, b *bundle.Bundle) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken != nil {
		return r.broken
	}
	r.got = append(r.got, b.Revision)
	return nil
}

func (r *rig) refuse(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.broken = err
}

// fetch fetches once. The error must hold each part of want, or be nil where
// there is none; Health must show the same.
func (r *rig) fetch(want ...string) error {
	r.t.Helper()
	err := r.Fetch(r.t.Context())
	r.check(err, want...)
	return err
}

func (r *rig) restore(want ...string) error {
	r.t.Helper()
	err := r.Restore(r.t.Context())
	r.check(err, want...)
	return err
}

func (r *rig) check(err error, want ...string) {
	r.t.Helper()
	if len(want) == 0 && err != nil {
		r.t.Fatalf("unexpected: %v", err)
	}
	for _, w := range want {
		if err == nil || !strings.Contains(err.Error(), w) {
			r.t.Fatalf("error %v does not say %q", err, w)
		}
	}
	if h := r.Health(); (h.Err == nil) != (err == nil) || err != nil && h.Err.Error() != err.Error() {
		r.t.Fatalf("health has %v, not %v", h.Err, err)
	}
}

// has demands the active revision, which must be the last activated one.
func (r *rig) has(revision string) {
	r.t.Helper()
	r.mu.Lock()
	got := strings.Join(r.got, " ")
	r.mu.Unlock()
	if h := r.Health(); h.Revision != revision || !strings.HasSuffix(" "+got, " "+revision) {
		r.t.Fatalf("active is %q, activated were %q, want %q", h.Revision, got, revision)
	}
}

// plain is an unsigned archive whose revision is r and its sequence number.
func plain(t testing.TB, sequence uint64, edit ...func(*bundle.Bundle)) []byte {
	t.Helper()
	b := &bundle.Bundle{
		Revision: fmt.Sprintf("r%d", sequence), Sequence: sequence, Roots: []string{"policyctl", "team"},
		Policies: []bundle.File{{Name: "rules.yaml", Text: "version: 1\n"}},
		Data:     map[string]any{"team": "blue"},
	}
	for _, e := range edit {
		e(b)
	}
	archive, err := bundle.Write(b)
	if err != nil {
		t.Fatal(err)
	}
	return archive
}

func signed(t testing.TB, sequence uint64, edit ...func(*bundle.Bundle)) []byte {
	t.Helper()
	return signedBy(t, bundle.SigningKey{ID: "k1", Algorithm: "HS256", PEM: testSecret}, plain(t, sequence, edit...))
}

func signedBy(t testing.TB, k bundle.SigningKey, archive []byte) []byte {
	t.Helper()
	archive, err := bundle.Sign(archive, k)
	if err != nil {
		t.Fatal(err)
	}
	return archive
}

func named(revision string) func(*bundle.Bundle) {
	return func(b *bundle.Bundle) { b.Revision = revision }
}

func expires(at time.Time) func(*bundle.Bundle) {
	return func(b *bundle.Bundle) { b.Expires = at }
}
