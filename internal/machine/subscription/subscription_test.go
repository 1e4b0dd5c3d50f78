package subscription

import (
	"errors"
	"io/fs"
	"net/http"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/bundle"
)

func TestFetch(t *testing.T) {
	server := newTestServer(t)
	r := newRig(t, server.URL+"/b.tar.gz")
	server.publish(signed(t, 1))
	r.fetch()
	r.has("r1")
	r.pass(time.Minute)
	r.fetch() // not modified
	if requests, full := server.counts(); requests != 2 || full != 1 {
		t.Errorf("%d requests and %d bundles, want 2 and 1", requests, full)
	}
	h := r.Health()
	if len(r.got) != 1 || h.Contact != noon.Add(time.Minute) || h.Downloaded != noon || h.Activated != noon {
		t.Errorf("activated %v, health %+v", r.got, h)
	}
	if h.Sequence != 1 || len(h.Digest) != 64 || h.Restored || h.Stale || h.Expired || h.URL != server.URL+"/b.tar.gz" || h.Name != "org" {
		t.Errorf("health %+v", h)
	}
	server.publish(signed(t, 2))
	r.fetch()
	r.has("r2")
}

func TestRequest(t *testing.T) {
	server := newTestServer(t)
	server.publish(signed(t, 1))
	calls := 0
	r := newRig(t, server.URL, func(c *Config) {
		c.LongPoll = 0
		c.Header = func() (http.Header, error) {
			calls++
			return http.Header{"Authorization": {"Bearer tok-en-1"}, "If-None-Match": {"mine"}}, nil
		}
	})
	r.fetch()
	h := server.last()
	if h.Get("Authorization") != "Bearer tok-en-1" || h.Get("If-None-Match") != "" || h.Get("Prefer") != "modes=snapshot" || h.Get("Accept-Encoding") != "identity" {
		t.Errorf("headers %v", h)
	}
	r.fetch()
	if h := server.last(); calls != 2 || h.Get("If-None-Match") != `"1"` {
		t.Errorf("%d calls, headers %v", calls, h)
	}
}

// A server that knows no conditions sends the same bundle each time.
func TestSameBundleIsNotActivatedAgain(t *testing.T) {
	server := newTestServer(t)
	archive := signed(t, 1)
	server.misbehave(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(archive) })
	r := newRig(t, server.URL)
	for range 3 {
		r.pass(time.Second)
		r.fetch()
	}
	if h := r.Health(); len(r.got) != 1 || h.Contact != noon.Add(3*time.Second) {
		t.Errorf("activated %v, contact %v", r.got, h.Contact)
	}
}

func TestRefused(t *testing.T) {
	other := bundle.SigningKey{ID: "k1", Algorithm: "HS256", PEM: "fedcba9876543210fedcba9876543210"}
	unknown := bundle.SigningKey{ID: "k2", Algorithm: "HS256", PEM: testSecret}
	scoped := bundle.SigningKey{ID: "k1", Algorithm: "HS256", PEM: testSecret, Scope: "elsewhere"}
	good := signed(t, 7)
	for name, row := range map[string]struct {
		archive []byte
		kind    error
		step    string
	}{
		"unsigned":          {plain(t, 7), bundle.ErrUnsigned, ": signature: "},
		"other key":         {signedBy(t, other, plain(t, 7)), bundle.ErrSignature, ": signature: "},
		"unknown key":       {signedBy(t, unknown, plain(t, 7)), bundle.ErrSignature, ": signature: "},
		"other scope":       {signedBy(t, scoped, plain(t, 7)), bundle.ErrSignature, ": signature: "},
		"expired":           {signed(t, 7, expires(noon)), bundle.ErrExpired, ": expiry: "},
		"older":             {signed(t, 4), bundle.ErrReplayed, ": sequence: "},
		"no sequence":       {signed(t, 0), bundle.ErrReplayed, ": sequence: "},
		"the same sequence": {signed(t, 5, named("r5b")), bundle.ErrReplayed, ": sequence: "},
		"truncated":         {good[:len(good)/2], bundle.ErrMalformed, ": format: "},
		"garbage":           {[]byte("no archive"), bundle.ErrMalformed, ": format: "},
	} {
		t.Run(name, func(t *testing.T) {
			server := newTestServer(t)
			r := newRig(t, server.URL)
			server.publish(signed(t, 5))
			r.fetch()
			r.pass(time.Minute)
			server.publish(row.archive)
			err := r.fetch(row.step, `revision "r5" stays active`)
			if !errors.Is(err, row.kind) {
				t.Errorf("%v is not %v", err, row.kind)
			}
			r.has("r5")
			h := r.Health()
			if h.Contact != noon || h.ErrTime != noon.Add(time.Minute) {
				t.Errorf("contact %v, time of the error %v", h.Contact, h.ErrTime)
			}
			r.fetch(row.step) // its tag is not remembered
			server.publish(signed(t, 6))
			r.fetch()
			r.has("r6")
		})
	}
}

func TestLimits(t *testing.T) {
	for name, limits := range map[string]bundle.Limits{"archive": {Archive: 100}, "unpacked": {Unpacked: 100}, "files": {Files: 1}} {
		server := newTestServer(t)
		server.publish(signed(t, 1))
		r := newRig(t, server.URL, func(c *Config) { c.Limits = limits })
		if err := r.fetch(bundle.ErrTooLarge.Error()); !errors.Is(err, bundle.ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A bundle that did not activate is asked for again, and does not count as
// seen: a corrected one may bear its number.
func TestActivationFails(t *testing.T) {
	server := newTestServer(t)
	r := newRig(t, server.URL)
	server.publish(signed(t, 1))
	r.fetch()
	r.refuse(errors.New("rules.rego:3: no such function"))
	server.publish(signed(t, 2))
	r.fetch(": activate: ", `revision "r2"`, "rules.rego:3", `revision "r1" stays active`)
	if h := server.last(); h.Get("If-None-Match") != `"1"` {
		t.Errorf("condition %v", h)
	}
	r.fetch("rules.rego:3")
	if h := server.last(); h.Get("If-None-Match") != `"1"` {
		t.Errorf("condition %v", h)
	}
	r.has("r1")
	r.refuse(nil)
	server.publish(signed(t, 2, named("r2b")))
	r.fetch()
	r.has("r2b")
}

// Bundles of others bear no number: only the source says which is newer.
func TestWithoutSequence(t *testing.T) {
	server := newTestServer(t)
	r := newRig(t, server.URL, unsigned, keptIn(t.TempDir()))
	server.publish(plain(t, 0, named("a")))
	r.fetch()
	server.publish(plain(t, 0, named("b")))
	r.fetch()
	r.has("b")
	server.publish(plain(t, 3))
	r.fetch()
	server.publish(plain(t, 0, named("c")))
	r.fetch(": sequence: ")
	r.has("r3")
}

func TestHealthAges(t *testing.T) {
	server := newTestServer(t)
	r := newRig(t, server.URL, func(c *Config) { c.MaxAge = time.Hour })
	if !r.Health().Stale {
		t.Error("not stale before the first contact")
	}
	server.publish(signed(t, 1, expires(noon.Add(3*time.Hour))))
	r.fetch()
	for _, row := range []struct {
		pass           time.Duration
		stale, expired bool
	}{{time.Hour, false, false}, {time.Second, true, false}, {2 * time.Hour, true, true}, {-4 * time.Hour, true, false}} {
		r.pass(row.pass)
		if h := r.Health(); h.Stale != row.stale || h.Expired != row.expired {
			t.Errorf("at %v: stale %v, expired %v", r.now(), h.Stale, h.Expired)
		}
	}
	r.fetch()
	if r.Health().Stale {
		t.Error("stale after a contact")
	}
}

func TestRestoreWithoutDir(t *testing.T) {
	r := newRig(t, "https://example.com/b")
	if err := r.Restore(t.Context()); !errors.Is(err, fs.ErrNotExist) || r.Health().Err != nil {
		t.Errorf("%v, health %v", err, r.Health().Err)
	}
}
