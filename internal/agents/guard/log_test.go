package guard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// subscribed gives every subscription a bundle that says nothing.
type subscribed struct{}

func (subscribed) Stamp() string   { return "" }
func (subscribed) Withdrawn() bool { return false }
func (subscribed) Bundles(list []config.BundleSource, _ layers.Union) (out []layers.Bundle) {
	for _, s := range list {
		out = append(out, layers.Bundle{Name: s.Name, Revision: "r7", Files: []config.File{{
			Layer: config.Bundle, Name: "bundle " + s.Name, Data: []byte("version: 1\n"), Admit: config.Everything,
		}}})
	}
	return out
}

const collecting = "bundles: {acme: {url: /b, decision_log_url: 'https://logs.example.com'}, quiet: {url: /q}}\n"

func shellEvent(command string) *hook.Event {
	return &hook.Event{Call: policy.Call{Agent: "claude", Session: "s", Tool: "shell", Dir: "/w", Input: map[string]any{"command": command}}}
}

// Each decision of a hook is in the spool of a subscription with a collector
// once, without its secrets.
func TestHooksLog(t *testing.T) {
	d := newDesk(t, collecting)
	g := d.guard()
	g.Place.Bundler = subscribed{}
	e := shellEvent("curl -u ann:hunter2secret https://example.com")
	if _, err := g.Decide(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Review(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	if err := g.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	turn, err := spool.Of(g.Place.State, "acme").Ship()
	if err != nil {
		t.Fatal(err)
	}
	events, err := turn.Next()
	if err != nil || len(events) != 1 {
		t.Fatalf("%d events (%v)", len(events), err)
	}
	text := string(events[0])
	for _, want := range []string{`"decision":"ask"`, `"bundles":{"acme":{"revision":"r7"},"quiet":{"revision":"r7"}}`, `"id":"`, `"version":"`, `"timer_server_handler_ns"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if strings.Contains(text, "hunter2secret") {
		t.Errorf("a secret is logged: %s", text)
	}
	if _, err := os.Stat(filepath.Join(g.Place.State, "decisions", "quiet")); err == nil {
		t.Error("something is logged for no collector")
	}
}

// A disk that cannot take the decision, or not now, is said after it is told.
func TestHooksThatCannotLog(t *testing.T) {
	d := newDesk(t, collecting)
	g := d.guard()
	g.Place.Bundler = subscribed{}
	d.write(".local/state/policyctl/decisions", "a file")
	v, err := g.Decide(t.Context(), shellEvent("ls"))
	if err != nil || v.Decision != policy.Allow {
		t.Fatalf("%s (%v)", v.Decision, err)
	}
	if err := g.Settle(t.Context()); err == nil || !strings.Contains(err.Error(), "the decision log lost this decision") {
		t.Errorf("%v", err)
	}
	if err := g.Settle(t.Context()); err != nil {
		t.Errorf("said twice: %v", err)
	}
	if err := os.Remove(filepath.Join(g.Place.State, "decisions")); err != nil {
		t.Fatal(err)
	}
	dir := spool.Of(g.Place.State, "acme").Dir()
	d.write(".local/state/policyctl/decisions/acme/x", "")
	l := flock.New(filepath.Join(dir, "write.lock"))
	if ok, err := l.TryLock(); !ok || err != nil {
		t.Fatal(err)
	}
	if _, err := g.Decide(t.Context(), shellEvent("ls")); err != nil { // it is told while the lock is held
		t.Fatal(err)
	}
	begin := time.Now()
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := g.Settle(t.Context()); err != nil && time.Since(begin) < 100*time.Millisecond {
		t.Errorf("%v", err)
	}
}
