// Package sandbox gives tests namespaces in which the lines that they run can
// reach nothing: no network, no process, and no file but those that a test puts
// there. What a line may do inside of them is for the test to limit.
package sandbox

import (
	"context"
	"os"
	"os/exec"
	"testing"
)

// Nobody is the user, and the group, that runs lines.
const Nobody = 65534

// Need skips a test where why is not "", because something is missing there;
// in CI it fails.
func Need(t testing.TB, why string) {
	t.Helper()
	switch {
	case why == "":
	case os.Getenv("CI") != "":
		t.Fatalf("lines cannot run here: %s", why)
	default:
		t.Skipf("lines cannot run here: %s", why)
	}
}

// Missing says what a machine lacks for [Command] and for running the
// programs, "" if nothing.
func Missing(programs ...string) string {
	if os.Getuid() != 0 {
		return "the test needs root, to make namespaces"
	}
	for _, name := range append([]string{"unshare", "sh"}, programs...) {
		if _, err := exec.LookPath(name); err != nil {
			return name + " is not installed"
		}
	}
	return ""
}

// Command returns the command that runs a script for sh, as root, in
// namespaces of its own. In the script $0 is the first argument and "$@" are
// the others. All of it ends with the command.
func Command(ctx context.Context, script string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, "unshare", append([]string{"--mount", "--net", "--pid", "--ipc", "--uts",
		"--fork", "--kill-child", "--mount-proc", "sh", "-c", script}, args...)...)
}
