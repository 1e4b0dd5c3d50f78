package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/cli"
	"github.com/policyctl/policyctl/internal/cli/console"
)

// TestReplayInterrupted shows that an interrupted replay says that it is not
// all.
func TestReplayInterrupted(t *testing.T) {
	name := filepath.Join(t.TempDir(), "r.jsonl")
	if err := os.WriteFile(name, []byte(`{"command":"ls"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	var out, problems bytes.Buffer
	code := cli.Run(ctx, console.Process{
		Args: []string{"replay", "--no-config", name}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &problems,
		Getenv: func(string) string { return "" }, Getwd: func() (string, error) { return "/w", nil },
	})
	if code != console.ExitFailure || !strings.HasPrefix(out.String(), "interrupted: what follows is not all\n") ||
		problems.String() != "policyctl: interrupted: the report covers 0 of 1 files\n" {
		t.Errorf("exit code %d\n%s\n%s", code, out.String(), problems.String())
	}
}
