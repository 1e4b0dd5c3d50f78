package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/replay"
)

// TestProgress shows that a long replay tells how far it is, not too often,
// and leaves nothing behind.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out)
	p.show(replay.Progress{Pass: 1})
	if p.clear(); out.Len() > 0 {
		t.Errorf("not a terminal: %q", out.String())
	}
	p.out = &out
	p.show(replay.Progress{Pass: 1})
	if p.clear(); out.Len() > 0 {
		t.Errorf("short work: %q", out.String())
	}
	p.begin = time.Now().Add(-time.Minute)
	p.show(replay.Progress{Pass: 1, Files: 2, Total: 9, Calls: 30})
	p.show(replay.Progress{Pass: 2, Files: 3, Total: 9, Calls: 40})
	p.clear()
	if got, want := out.String(), "\r\x1b[Kreading: 2 of 9 files, 30 calls\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

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
	code := Run(ctx, Process{
		Args: []string{"replay", "--no-config", name}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &problems,
		Getenv: func(string) string { return "" }, Getwd: func() (string, error) { return "/w", nil },
	})
	if code != exitFailure || !strings.HasPrefix(out.String(), "interrupted: what follows is not all\n") ||
		problems.String() != "policyctl: interrupted: the report covers 0 of 1 files\n" {
		t.Errorf("exit code %d\n%s\n%s", code, out.String(), problems.String())
	}
}
