//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/trial/seed"
)

// A pipe or a device in the place of any file of a person holds no hook up: an
// agent that waits in vain runs the call.
func TestPipes(t *testing.T) {
	seed.Slow(t)
	for _, name := range []string{
		".config/policyctl/policy.yaml", ".config/policyctl/policy.d", ".config/policyctl/policy.d/a.yaml", "key.pem",
		".local/state/policyctl/bundles/acme/state.json", ".local/state/policyctl/bundles/acme/lock", ".local/state/policyctl/trust.json",
		".local/state/policyctl/trust.json.lock", ".local/state/policyctl/grants.json", ".local/state/policyctl/instance",
		".local/state/policyctl/forms", ".local/state/policyctl/sessions", ".local/state/policyctl/decisions",
		".local/state/policyctl/decisions/acme/0000000001.events", ".local/state/policyctl/decisions/acme/write.lock",
		".local/state/policyctl/decisions/acme/cursor", ".local/state/policyctl/decisions/acme/dropped",
	} {
		for kind, put := range map[string]func(file string) error{
			"pipe":   func(file string) error { return syscall.Mkfifo(file, 0o600) },
			"device": func(file string) error { return os.Symlink("/dev/zero", file) },
		} {
			d := newDesk(t, "cat >/dev/null; echo handed over")
			d.subscribe(2)
			d.person("version: 1\nbundles:\n  acme: {url: /b.tar.gz, decision_log_url: 'http://127.0.0.1:1/', keys: {org: " + filepath.Join(d.home, "key.pem") + "}}\n")
			d.file(filepath.Join(d.home, "key.pem"), "x")
			file := filepath.Join(d.home, name)
			if err := os.RemoveAll(file); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := put(file); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			cmd := exec.CommandContext(ctx, d.hook, "claude")
			cmd.Stdin = strings.NewReader(fmt.Sprintf(makeEvent, "s", "make x"))
			out, _ := cmd.CombinedOutput()
			cancel()
			if ctx.Err() == context.DeadlineExceeded || len(out) == 0 {
				t.Errorf("%s as a %s: no answer: %s", name, kind, out)
			}
		}
	}
}
