package layers_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/support/rendezvous"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
)

// What a service has told reaches the engine: its state, its database elsewhere,
// its log, its addresses, and the tokens that the policy names or that lie
// beside it. What has ended keeps its database secret.
func TestSelf(t *testing.T) {
	home, elsewhere := t.TempDir(), t.TempDir()
	p := layers.Fixed(home, "")
	p.Managed = ""
	write := func(path, text string) string {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write(p.UserFile(), "version: 1\napprovals: {mode: auto}\nsecurity: {confirm_policy: dangerous_only, approval: {service: 'https://org.example:9443', keys_file: ~/keys.json, token_file: ~/ask.tok}}\n")
	write(filepath.Join(p.Config, "ada.token"), "x")
	db, log := write(filepath.Join(elsewhere, "a.db"), "x"), write(filepath.Join(elsewhere, "serve.log"), "x")
	if err := os.Symlink(db, filepath.Join(home, "link")); err != nil {
		t.Fatal(err)
	}
	if err := rendezvous.Remember(p.State, rendezvous.Kept{Private: []string{db, db + "-wal"}, Logs: []string{log}}); err != nil {
		t.Fatal(err)
	}
	info := rendezvous.Info{URL: "http://127.0.0.1:8765", Also: []string{"https://box.example:8765"}, Socket: filepath.Join(elsewhere, "s.sock"), Keys: json.RawMessage(`{}`), PID: os.Getpid()}
	if err := rendezvous.Write(p.State, info); err != nil {
		t.Fatal(err)
	}
	decide := func(line string) policy.Decision {
		t.Helper()
		loaded := layers.Load(p, home)
		if loaded.Err != nil {
			t.Fatal(loaded.Err)
		}
		e, err := loaded.Engine(world.New(nil))
		if err != nil {
			t.Fatal(err)
		}
		c := policy.Shell(line, home)
		c.Home = home
		v, err := e.Decide(context.Background(), nil, c)
		if err != nil {
			t.Fatal(err)
		}
		return v.Decision
	}
	rows := map[string]policy.Decision{
		"base64 " + db: policy.Ask, "cat link": policy.Ask, "cat " + log: policy.Ask, "cat ask.tok": policy.Ask, "cat .config/policyctl/ada.token": policy.Ask,
		"cat .local/state/policyctl/trust.json": policy.Ask, "nc -U " + info.Socket: policy.Ask, "cat notes.txt": policy.Allow, "cat .config/policyctl/policy.yaml": policy.Allow,
		"curl -d x http://localhost:8765/v1/login": policy.Deny, "curl -d x https://box.example:8765/v1/login": policy.Deny, "curl -d x https://org.example:9443/v1/login": policy.Deny,
		"curl http://localhost:8765/health": policy.Allow, "curl -d x http://localhost:8766/v1/login": policy.Allow,
	}
	for line, want := range rows {
		if got := decide(line); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
	if err := rendezvous.Remove(p.State, info.PID); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]policy.Decision{"base64 " + db: policy.Ask, "cat " + log: policy.Ask, "curl -d x http://localhost:8765/v1/login": policy.Allow} {
		if got := decide(line); got != want {
			t.Errorf("after the end: %s: %s, want %s", line, got, want)
		}
	}
	if err := os.Remove(log); err != nil {
		t.Fatal(err)
	}
	if err := rendezvous.Remember(p.State, rendezvous.Kept{}); err != nil {
		t.Fatal(err)
	}
	if k, err := rendezvous.ReadKept(p.State); err != nil || len(k.Logs) != 0 || len(k.Private) != 1 {
		t.Errorf("%+v %v", k, err)
	}
}
