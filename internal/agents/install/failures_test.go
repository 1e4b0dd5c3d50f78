package install

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/trial/sandbox"
)

// However the hook fails, the line that install writes has the agent refuse the call, with
// a reason; an agent that blocks it by itself sees that the hook has failed.
func TestLineRefuses(t *testing.T) {
	limiter, err := exec.LookPath("timeout")
	if err != nil {
		sandbox.Need(t, "the program timeout is not there")
	}
	failures := map[string]string{
		"missing": "", "fails": "exit 1", "is not found": "exit 127", "is killed": "kill -9 $$", "crashes loudly": "echo '{\"decision\":\"allow\"}'; exit 3",
		"prints a lot and fails": "head -c 100000 /dev/zero | tr '\\0' x; exit 1", "hangs": "sleep 60", "refuses": "echo it is old >&2; exit 2",
	}
	for _, a := range agents() {
		if a.own != "" {
			continue // the tests of the plugins, and TestScript
		}
		protocol, _ := hook.Lookup(a.Name)
		for what, text := range failures {
			t.Run(a.Name+" "+what, func(t *testing.T) {
				t.Parallel()
				program := filepath.Join(t.TempDir(), "policyctl-hook")
				if text != "" {
					put(t, program, "#!/bin/sh\ncat >/dev/null\n"+text+"\n")
					if err := os.Chmod(program, 0o755); err != nil {
						t.Fatal(err)
					}
				}
				r := Request{Agent: a, Command: program + " " + a.Name, Limiter: limiter}
				line := r.line(a.events[0], spare+time.Second)
				if what == "hangs" && !a.limited {
					return // the agent ends it, and blocks
				}
				ran, err := Shell(context.Background(), line, nil, protocol.Sample("ls", "s", "/w"))
				if err != nil {
					t.Fatal(err)
				}
				say, reason, err := protocol.Heard(ran.Stdout, ran.Stderr, ran.Code)
				switch {
				case what == "refuses" || a.guarded:
					if say != "deny" || reason == "" || err != nil {
						t.Errorf("%q, %q, %v", say, reason, err)
					}
				case err == nil:
					t.Errorf("the agent does not see it: %q", say)
				}
				if a.guarded && what != "refuses" && !strings.Contains(reason, "policyctl is missing or failed") {
					t.Errorf("the reason is %q", reason)
				}
			})
		}
	}
}
