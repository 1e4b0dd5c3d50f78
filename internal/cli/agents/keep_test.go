package agents

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/agents/install"
	"github.com/policyctl/policyctl/internal/cli/bundle"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
)

// doctor says of a bundle that was never loaded that it allows nothing, and of
// a subscription without a job that none keeps it current.
func TestDoctorBundles(t *testing.T) {
	home := t.TempDir()
	place := layers.Place{Home: home, Managed: filepath.Join(home, "managed"), Config: filepath.Join(home, "config"), State: filepath.Join(home, "state")}
	p := &console.Process{Getenv: func(string) string { return "" }}
	if got := bundleFindings(p, place); len(got) != 0 {
		t.Errorf("without a subscription: %v", got)
	}
	if kept(p, place) {
		t.Fatal("this machine has a job of policyctl, which the test takes for one of its own")
	}
	if err := os.MkdirAll(place.Config, 0o700); err != nil {
		t.Fatal(err)
	}
	policy := "version: 1\nbundles: {acme: {url: https://127.0.0.1:1/acme.tar.gz}}\n"
	if err := os.WriteFile(filepath.Join(place.Config, "policy.yaml"), []byte(policy), 0o600); err != nil {
		t.Fatal(err)
	}
	said := func() string {
		var b strings.Builder
		for _, f := range bundleFindings(p, place) {
			if f.Level == install.OK || f.Next == "" {
				t.Errorf("%+v, want a problem or a note with a next step", f)
			}
			b.WriteString(f.Text + "\n")
		}
		return b.String()
	}
	const none = "no job of the system keeps the bundles current"
	if got := said(); !strings.Contains(got, "the bundle acme allows nothing") || !strings.Contains(got, none) {
		t.Errorf("%q", got)
	}
	k := bundle.Keeper(p, place, 0)
	k.Root = false
	for _, f := range k.Files() {
		if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := said(); strings.Contains(got, none) {
		t.Errorf("with a job: %q", got)
	}
}
