package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/policyctl/policyctl/internal/trial/seed"
)

// TestFaults bounds the pages that a hook touches, against those of a program that
// does nothing. More than half of a start is spent on them, and unlike time their
// number hardly changes with what else the machine does.
func TestFaults(t *testing.T) {
	seed.Slow(t)
	hook, nothing := build(t)
	repository := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", repository).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	call := fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":"faults","cwd":%q,"tool_name":"Bash","tool_input":{"command":"git status && ls -la"}}`, repository)
	base := faults(t, "", nothing)
	for _, tc := range []struct {
		name, event string
		most        float64
	}{
		{"an event that wants no answer", `{"hook_event_name":"SessionStart","session_id":"s"}`, 3},
		{"a call that is decided and stored", call, 4.8},
	} {
		got := faults(t, tc.event, hook, "claude") / base
		t.Logf("%s: %.2f", tc.name, got)
		if got > tc.most {
			t.Errorf("%s takes %.2f times the page faults of an empty program, want at most %.1f", tc.name, got, tc.most)
		}
	}
}

// faults returns the least page faults of some runs of a program.
func faults(t *testing.T, event, program string, args ...string) float64 {
	t.Helper()
	least := int64(0)
	for range 30 {
		cmd := exec.Command(program, args...)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off") // on a busy machine the runtime would start more threads
		cmd.Stdin = strings.NewReader(event)
		if _, err := cmd.Output(); err != nil {
			t.Fatal(err)
		}
		if n := cmd.ProcessState.SysUsage().(*syscall.Rusage).Minflt; least == 0 || n < least {
			least = n
		}
	}
	return float64(least)
}
