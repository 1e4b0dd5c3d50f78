package bundles

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A subscription that is changed or removed while others go on ends: it is
// asked for no more, gets no decisions, and cannot withdraw the policy.
func TestChangedSubscription(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1)
	r.publish("/moved", 2)
	c := r.client(Following)
	old := r.source("acme", func(s *config.BundleSource) {
		s.LogURL, s.MaxAge, s.MinDelay, s.MaxDelay = r.url+"/old", time.Hour, 5*time.Millisecond, 5*time.Millisecond
	})
	r.counts(one(c, old), "r1")
	c.Log(policy.Shell("ls", "/w"), &policy.Verdict{}, 0)
	before := c.Stamp()
	moved := r.source("acme", func(s *config.BundleSource) { s.URL, s.LogURL = r.url+"/moved", r.url+"/new" })
	r.until("the bundle of the new address", func() bool { return one(c, moved).Revision == "r2" })
	r.until("the decision of before", func() bool { return strings.Contains(r.report("/old"), `"ls"`) })
	if c.Stamp() == before || len(c.Healths()) != 1 {
		t.Errorf("%d subscriptions, %s", len(c.Healths()), c.Stamp())
	}
	time.Sleep(50 * time.Millisecond) // a request may be under way
	asked := r.requests()
	time.Sleep(50 * time.Millisecond)
	if now := r.requests(); now != asked {
		t.Errorf("%d requests after the end", now-asked)
	}
	r.turn(true)
	r.pass(2 * time.Hour)
	if c.Withdrawn() {
		t.Error("the bundle of before withdraws the policy")
	}
	c.Log(policy.Shell("make", "/w"), &policy.Verdict{}, 0)
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if strings.Contains(r.report("/old"), `"make"`) || !strings.Contains(r.report("/new"), `"make"`) {
		t.Errorf("old collector: %s, new: %s", r.report("/old"), r.report("/new"))
	}
}

func TestNoSubscriptionLeft(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1)
	c := r.client(Following)
	r.counts(one(c, r.source("acme")), "r1")
	if c.Bundles(nil, nil); len(c.Healths()) != 0 {
		t.Errorf("left is %v", c.Healths())
	}
	r.counts(one(c, r.source("acme")), "r1")
}

// A key that is put in place or exchanged counts without a restart.
func TestChangedKey(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1)
	r.write("key", public(other))
	c, acme := r.client(Following), r.source("acme")
	if b := one(c, acme); b.Err == nil || !strings.Contains(b.Err.Error(), "signature") {
		t.Errorf("signed by another: %v", b.Err)
	}
	step := func(do func()) {
		t.Helper()
		before := c.Stamp()
		if do(); c.Stamp() == before {
			t.Error("the change does not show")
		}
	}
	step(func() { os.Remove(r.path("key")) })
	if b := one(c, acme); b.Err == nil || !strings.Contains(b.Err.Error(), "put the public key") {
		t.Errorf("no key: %v", b.Err)
	}
	step(func() { r.write("key", private(org)) })
	if b := one(c, acme); b.Err == nil || !strings.Contains(b.Err.Error(), "the key is private") {
		t.Errorf("a private key: %v", b.Err)
	}
	step(func() { r.write("key", public(org)) })
	r.counts(one(c, acme), "r1")
}

// A clock that was set back does not keep the server from being asked.
func TestClockSetBack(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1)
	r.pass(48 * time.Hour)
	r.counts(one(r.client(Fetching), r.source("acme")), "r1")
	r.pass(-48 * time.Hour)
	r.publish("/acme", 2)
	r.counts(one(r.client(Once), r.source("acme")), "r2")
}

// Once the server gave a bundle that counts, one on disk that does not is no
// trouble any more.
func TestUnkeptIsOver(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1)
	acme := r.source("acme", func(s *config.BundleSource) { s.MinDelay, s.MaxDelay = 5*time.Millisecond, 5*time.Millisecond })
	kept := one(r.client(Fetching), acme).Digest
	r.write("state/bundles/acme/"+kept+".tar.gz", "something else")
	c := r.client(Following)
	if b := one(c, acme); b.Trouble == "" || strings.Count(b.Trouble, "was changed after it was kept") != 1 {
		t.Errorf("%q", b.Trouble)
	}
	r.until("the next answer", func() bool { return c.Healths()[0].Err == nil })
}
