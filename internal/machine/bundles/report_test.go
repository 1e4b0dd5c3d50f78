package bundles

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Decisions reach the collector, without their secrets and with the revision
// of the bundle, at the latest when the client is closed.
func TestLog(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1)
	c := r.client(Following)
	for _, b := range c.Bundles([]config.BundleSource{
		r.source("acme", func(s *config.BundleSource) { s.LogURL = r.url + "/logs" }),
		r.source("quiet", func(s *config.BundleSource) { s.URL = r.url + "/acme" }),
	}, nil) {
		r.counts(b, "r1")
	}

	call := policy.Shell("curl -H 'Authorization: Bearer "+strings.Repeat("a1B2", 9)+"' https://example.com", "/w")
	c.Log(call, &policy.Verdict{Decision: policy.Ask, Bundles: []policy.Bundle{{Name: "acme", Revision: "r1"}}}, time.Millisecond)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	var got []struct {
		Path    string
		Result  struct{ Decision string }
		Bundles map[string]struct{ Revision string }
		Labels  map[string]string
	}
	text := r.report("/logs")
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if len(got) != 1 || got[0].Path != "policyctl/decision" || got[0].Result.Decision != "ask" ||
		got[0].Bundles["acme"].Revision != "r1" || got[0].Labels["app"] != "policyctl" {
		t.Errorf("the collector got %s", text)
	}
	if strings.Contains(text, "a1B2a1B2") || !strings.Contains(text, "[redacted ") {
		t.Errorf("a secret is shown: %s", text)
	}
}

// Only who follows logs: a hook waits for no collector.
func TestOthersDoNotLog(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1)
	acme := r.source("acme", func(s *config.BundleSource) { s.LogURL, s.StatusURL = r.url+"/logs", r.url+"/status" })
	for _, mode := range []Mode{Fetching, Once, Offline} {
		c := r.client(mode)
		r.counts(one(c, acme), "r1")
		c.Log(policy.Shell("ls", "/w"), &policy.Verdict{}, 0)
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if r.report("/logs")+r.report("/status") != "" {
		t.Error("something was sent")
	}
}

// A collector that takes nothing is said at the end.
func TestLostDecisions(t *testing.T) {
	seed.Slow(t)
	r := newRig(t)
	r.publish("/acme", 1)
	c := r.client(Following)
	r.counts(one(c, r.source("acme", func(s *config.BundleSource) { s.LogURL = "http://127.0.0.1:1/logs" })), "r1")
	c.Log(policy.Shell("ls", "/w"), &policy.Verdict{}, 0)
	if err := c.Close(); err == nil || !strings.Contains(err.Error(), "bundle acme: decision log: ") {
		t.Errorf("the loss is not said: %v", err)
	}
}

// A status says which revision is active, and what went wrong since.
func TestStatus(t *testing.T) {
	r := newRig(t)
	r.publish("/acme", 1)
	r.write("token", "s3cret")
	c := r.client(Following)
	one(c, r.source("acme", func(s *config.BundleSource) {
		s.StatusURL, s.TokenFile, s.MinDelay, s.MaxDelay = r.url+"/status", r.path("token"), 5*time.Millisecond, 5*time.Millisecond
	}))
	r.until("the first status", func() bool { return strings.Contains(r.report("/status"), `"active_revision":"r1"`) })
	if text := r.report("/status"); strings.Contains(text, "bundle_error") || strings.Contains(text, "s3cret") {
		t.Errorf("the status says %s", text)
	}
	r.mu.Lock()
	if got := r.tokens["/status"]; got != "Bearer s3cret" {
		t.Errorf("the status was sent as %q", got)
	}
	r.mu.Unlock()
	r.turn(true)
	r.until("the failure", func() bool { return strings.Contains(r.report("/status"), "bundle_error") })
	if text := r.report("/status"); !strings.Contains(text, `"active_revision":"r1"`) || !strings.Contains(text, "503") {
		t.Errorf("the status says %s", text)
	}
}
