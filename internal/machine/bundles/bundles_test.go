package bundles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/bundle"
	"github.com/policyctl/policyctl/pkg/config"
)

// counts demands that a revision counts, with its policy.
func (r *rig) counts(b layers.Bundle, revision string) {
	r.Helper()
	switch {
	case b.Err != nil:
		r.Fatalf("revision %s does not count: %v", revision, b.Err)
	case b.Revision != revision || b.Digest == "" || len(b.Files) != 1 || b.Files[0].Layer != config.Bundle:
		r.Fatalf("got revision %q with %d files, want %s", b.Revision, len(b.Files), revision)
	case !strings.Contains(string(b.Files[0].Data), "rule-"+revision[1:]):
		r.Fatalf("revision %s has the policy %s", revision, b.Files[0].Data)
	}
}

// refused demands that nothing counts, for a reason.
func (r *rig) refused(b layers.Bundle, why string) {
	r.Helper()
	if b.Err == nil || !strings.Contains(b.Err.Error(), why) || strings.Contains(b.Err.Error(), "\n") {
		r.Errorf("error %v does not say %q on one line", b.Err, why)
	}
	if b.Revision != "" && b.Err == nil || b.Name == "" {
		r.Errorf("a refused bundle: %+v", b)
	}
}

// Each mode asks the server as often as it says.
func TestModes(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1)
	acme := r.source("acme")

	r.refused(one(r.client(Offline), acme), "nothing of it could be loaded yet")
	if n := r.requests(); n != 0 {
		t.Errorf("offline asked %d times", n)
	}
	for _, step := range []struct {
		mode     Mode
		requests int
		passes   time.Duration
		what     string
	}{
		{Once, 1, 0, "nothing is on disk"},
		{Once, 1, 59 * time.Second, "the last contact was just now"},
		{Offline, 1, time.Hour, "what is on disk is old"},
		{Once, 2, time.Hour, "the last contact was long ago"},
		{Once, 2, 0, "there was one just now"},
		{Fetching, 3, 0, "it always asks"},
		{Fetching, 4, 0, "it always asks"},
	} {
		r.pass(step.passes)
		c := r.client(step.mode)
		r.counts(one(c, acme), "r1")
		r.counts(one(c, acme), "r1") // asks no more
		if n := r.requests(); n != step.requests {
			t.Errorf("mode %d, %s: %d requests, want %d", step.mode, step.what, n, step.requests)
		}
	}
}

// The least time between two requests is that of the subscription.
func TestOnceWithMinDelay(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1)
	acme := r.source("acme", func(s *config.BundleSource) { s.MinDelay, s.MaxDelay = time.Hour, 2*time.Hour })
	for i, want := range []int{1, 1, 2} {
		r.counts(one(r.client(Once), acme), "r1")
		if n := r.requests(); n != want {
			t.Errorf("start %d: %d requests, want %d", i, n, want)
		}
		r.pass(40 * time.Minute)
	}
}

// Who follows gets what is published, and tells by the stamp.
func TestFollowing(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1)
	acme := r.source("acme", func(s *config.BundleSource) { s.MinDelay, s.MaxDelay = 5*time.Millisecond, 5*time.Millisecond })
	c := r.client(Following)
	r.counts(one(c, acme), "r1")
	before := c.Stamp()
	r.publish("/acme", 2)
	r.until("the second revision", func() bool { return one(c, acme).Revision == "r2" })
	r.counts(one(c, acme), "r2")
	if c.Stamp() == before {
		t.Error("the stamp stayed")
	}
	r.counts(one(r.client(Offline), acme), "r2") // for hooks
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	r.until("it asks no more after Close", func() bool { // but for what was on its way
		n := r.requests()
		time.Sleep(50 * time.Millisecond)
		return r.requests() == n
	})
}

// What fails leaves the last good bundle in force, and says so.
func TestTrouble(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 2)
	acme := r.source("acme")
	r.counts(one(r.client(Fetching), acme), "r2")
	for what, row := range map[string]struct {
		why  string
		make func()
	}{
		"server down":    {"503", func() { r.turn(true) }},
		"older":          {"older than one seen before", func() { r.publish("/acme", 1) }},
		"garbage":        {"malformed bundle", func() { r.serve("/acme", []byte("no bundle at all")) }},
		"unsigned":       {"bundle is not signed", func() { r.serve("/acme", unsigned(t)) }},
		"no such file":   {"404", func() { r.serve("/acme", nil) }},
		"failing policy": {"unknown key", func() { r.publish("/acme", 3, holding("version: 1\npermission: {}\n")) }},
		"expired":        {"expired", func() { r.publish("/acme", 3, expires(noon.Add(-time.Hour))) }},
	} {
		t.Run(what, func(t *testing.T) {
			row.make()
			defer r.turn(false)
			c := r.client(Fetching)
			b := one(c, acme)
			r.counts(b, "r2")
			if !strings.Contains(b.Trouble, "bundle acme: the last attempt failed: ") ||
				!strings.Contains(b.Trouble, row.why) || strings.Contains(b.Trouble, "\n") {
				t.Errorf("trouble %q does not say %q", b.Trouble, row.why)
			}
			if h := c.Healths(); len(h) != 1 || h[0].Err == nil || h[0].Revision != "r2" {
				t.Errorf("health %+v", h)
			}
		})
	}
}

func unsigned(t *testing.T) []byte {
	t.Helper()
	archive, err := bundle.Write(&bundle.Bundle{Revision: "r9", Sequence: 9, Roots: []string{"policyctl"}})
	if err != nil {
		t.Fatal(err)
	}
	return archive
}

func holding(policy string) func(*bundle.Bundle) {
	return func(b *bundle.Bundle) { b.Policies[0].Text = policy }
}

func expires(at time.Time) func(*bundle.Bundle) {
	return func(b *bundle.Bundle) { b.Expires = at }
}

// Keys and tokens come from files, which must be there.
func TestFiles(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1)
	r.write("token", "  s3cret\n")
	r.write("other", public(other))
	r.write("huge", strings.Repeat("x", maxSmall+1))
	for _, row := range []struct {
		why  string // "" where the bundle counts
		edit func(*config.BundleSource)
	}{
		{"", func(s *config.BundleSource) {}},
		{"", func(s *config.BundleSource) { s.Keys = map[string]string{"org": "~/key"} }},
		{"", func(s *config.BundleSource) { s.Keys["old"] = r.path("other") }},
		{"", func(s *config.BundleSource) { s.Keys = nil }},
		{"the key org: open " + r.path("none"), func(s *config.BundleSource) { s.Keys["org"] = r.path("none") }},
		{"the key org: read " + r.path("huge") + ": it is larger than 64 KiB", func(s *config.BundleSource) { s.Keys["org"] = r.path("huge") }},
		{"signature", func(s *config.BundleSource) { s.Keys["org"] = r.path("other") }},
		{"org", func(s *config.BundleSource) { s.Keys = map[string]string{"new": r.path("key")} }},
		{"scope", func(s *config.BundleSource) { s.Scope = "prod" }},
		{"", func(s *config.BundleSource) { s.TokenFile = r.path("token") }},
		{"the token: open " + r.path("none"), func(s *config.BundleSource) { s.TokenFile = r.path("none") }},
		{"write https://HOST/PATH", func(s *config.BundleSource) { s.URL = "gopher://example.com" }},
	} {
		r.mu.Lock()
		r.asked = nil
		r.mu.Unlock()
		c := New(Fetching, "", r.dir)
		source := r.source("acme", row.edit)
		b := one(c, source)
		if row.why != "" {
			r.refused(b, row.why)
		} else {
			r.counts(b, "r1")
		}
		if source.TokenFile == r.path("token") && r.asked[0].Header.Get("Authorization") != "Bearer s3cret" {
			t.Errorf("the server was sent %q", r.asked[0].Header)
		}
		if text := fmt.Sprint(b, c.Healths()); strings.Contains(text, "s3cret") {
			t.Errorf("a secret is shown: %s", text)
		}
		c.Close()
	}
}

// A bundle that nobody confirmed for too long counts no more, until its server
// is back.
func TestStale(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1)
	acme := r.source("acme", func(s *config.BundleSource) {
		s.MaxAge, s.MinDelay, s.MaxDelay = time.Hour, 5*time.Millisecond, 5*time.Millisecond
	})
	c := r.client(Following)
	r.counts(one(c, acme), "r1")
	if c.Withdrawn() {
		t.Error("withdrawn at once")
	}
	before := c.Stamp()
	r.turn(true)
	r.until("a failure", func() bool { return c.Healths()[0].Err != nil })
	r.pass(61 * time.Minute)
	r.refused(one(c, acme), "its server was not reached since 2026-05-04T12:00:00Z, which is longer than max_age 1h0m0s")
	if !c.Withdrawn() || c.Stamp() == before {
		t.Error("not withdrawn")
	}
	r.refused(one(r.client(Offline), acme), "longer than max_age")
	r.turn(false)
	r.until("the server to be asked again", func() bool { return one(c, acme).Err == nil })
	r.counts(one(c, acme), "r1")
	if c.Withdrawn() || c.Stamp() != before {
		t.Error("still withdrawn")
	}
}

// A bundle that expires counts no more, in this process or another.
func TestExpired(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1, expires(noon.Add(time.Hour)))
	acme := r.source("acme")
	c := r.client(Once)
	r.counts(one(c, acme), "r1")
	before := c.Stamp()
	r.pass(2 * time.Hour)
	r.refused(one(c, acme), "its revision r1 has expired")
	if !c.Withdrawn() || c.Stamp() == before {
		t.Error("not withdrawn")
	}
	later := r.client(Offline)
	r.refused(one(later, acme), "expired")
	if b := one(later, acme); len(b.Files) == 0 {
		t.Error("what it denied is lost")
	}
}

// Subscriptions keep their order and do not depend on each other.
func TestTwo(t *testing.T) {
	r := newRig(t)
	r.publish("/zeta", 1)
	r.publish("/acme", 2)
	list := []config.BundleSource{r.source("zeta"), r.source("lost", func(s *config.BundleSource) { s.MaxAge = time.Hour }), r.source("acme")}
	c := r.client(Fetching)
	got := c.Bundles(list, nil)
	r.counts(got[0], "r1")
	r.refused(got[1], "404")
	r.counts(got[2], "r2")
	var names []string
	for _, h := range c.Healths() {
		names = append(names, h.Name)
	}
	if strings.Join(names, " ") != "acme lost zeta" {
		t.Errorf("healths of %s", names)
	}
	if c.Withdrawn() {
		t.Error("a bundle that never counted is withdrawn")
	}
	again := r.client(Offline).Bundles(list, nil)
	r.counts(again[0], "r1")
	r.counts(again[2], "r2")
}

// The bundle of a flag is for one run, and a client without state keeps
// nothing.
func TestNotKept(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1)
	flagged := r.source("acme", func(s *config.BundleSource) { s.Origin.Layer = config.Flag })
	r.counts(one(r.client(Once), flagged), "r1")
	stateless := New(Once, "", r.dir)
	r.counts(one(stateless, r.source("acme")), "r1")
	stateless.Close()
	if _, err := os.Stat(r.path("state")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was kept: %v", err)
	}
}

// A directory of state that cannot be written is said, and nothing counts.
func TestNoState(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1)
	r.write("state", "a file is in the way")
	r.refused(one(r.client(Once), r.source("acme")), "not a directory")
}

// A kept bundle that was changed does not count.
func TestTamperedOnDisk(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1)
	acme := r.source("acme")
	digest := one(r.client(Once), acme).Digest
	r.write("state/bundles/acme/"+digest+".tar.gz", "something else")
	r.refused(one(r.client(Offline), acme), "was changed after it was kept")
	c := r.client(Fetching)
	r.counts(one(c, acme), "r1") // from the server
	if h := c.Healths()[0]; h.Err == nil || !strings.Contains(h.Err.Error(), "was changed after it was kept") {
		t.Errorf("nobody hears of it: %v", h.Err)
	}
}
