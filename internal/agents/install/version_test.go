package install

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// versioned returns what doctor says about the version of an agent that is
// the program of a script; no script, no program.
func versioned(t *testing.T, agent, lines string) string {
	t.Helper()
	r := installed(t, agent)
	bin := filepath.Join(r.Place.Home, "path")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if lines != "" {
		script(t, filepath.Join(bin, r.Agent.program), lines)
	}
	t.Setenv("PATH", bin)
	var out []string
	for _, f := range Examine(context.Background(), r.Agent, r.Place, Host{good, Version}) {
		if f.Check == "version" {
			out = append(out, string(f.Level)+": "+f.Text+": "+f.Next)
		}
	}
	return strings.Join(out, "\n")
}

func TestVersion(t *testing.T) {
	rows := []struct{ want, agent, script string }{
		{`problem: Claude Code 2.1.294 ignores onFailure: "block", so a call runs when the hook fails: update Claude Code to 2.1.295 or later`, "claude", "echo '2.1.294 (Claude Code)'"},
		{`problem: Claude Code 1.0.999 ignores`, "claude", "echo 1.0.999"},
		{"note: Claude Code 2.1.295 is older than 2.1.330, with which policyctl was tried: update Claude Code", "claude", "echo '2.1.295 (Claude Code)'"},
		{"ok: Claude Code 2.1.330: ", "claude", "echo '2.1.330 (Claude Code)'"},
		{"ok: Amp 0.0.1790142911; policyctl follows", "amp", "echo '0.0.1790142911-g7618fb (released 2026-09-23T05:55:11.000Z)'"},
		{"ok: Claude Code 10.0.0: ", "claude", "echo '10.0.0 (Claude Code)'"},
		{"ok: Codex 0.169.0: ", "codex", "echo codex-cli 0.169.0; echo 'WARNING: 0.1.0' >&2"},
		{"note: Codex 0.99.0 is older than 0.169.0", "codex", "echo codex-cli 0.99.0"},
		{"ok: Copilot CLI 1.0.102: ", "copilot", "echo 'GitHub Copilot CLI 1.0.102.'; echo \"Run 'copilot update'\""},
		{"ok: Qwen Code 0.24.4: ", "qwen", "echo 0.24.4"},
		{"note: claude is not on the search path, so its version is unknown: run doctor where claude can be started", "claude", ""},
		{`note: the version is unknown: qwen prints "hello"`, "qwen", "echo hello"},
		{"note: the version is unknown: codex --version: exit status 3: see that codex --version works", "codex", "exit 3"},
		{"ok: Codex 0.169.0", "codex", `[ "$*" = --version ] && echo codex-cli 0.169.0`},
	}
	for _, row := range rows {
		if got := versioned(t, row.agent, row.script); !strings.HasPrefix(got, row.want) || strings.Contains(got, "\n") {
			t.Errorf("%s: got\n%s, want %s", row.script, got, row.want)
		}
	}
}

// An agent that does not answer is waited for no longer than said.
func TestVersionHangs(t *testing.T) {
	dir := t.TempDir()
	script(t, filepath.Join(dir, "codex"), "exec sleep 600")
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Version(ctx, "codex", ""); err == nil || !strings.Contains(err.Error(), "gave no answer") {
		t.Error(err)
	}
}

// What stands in the project is not started.
func TestVersionInProject(t *testing.T) {
	dir := t.TempDir()
	script(t, filepath.Join(dir, "bin", "codex"), "touch "+filepath.Join(dir, "ran")+"; echo 0.169.0")
	t.Setenv("PATH", filepath.Join(dir, "bin")+":/bin:/usr/bin")
	if _, err := Version(context.Background(), "codex", dir); err == nil || !strings.Contains(err.Error(), "is in the project and is not run") {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("it was started")
	}
	if _, err := Version(context.Background(), "codex-of-nobody", ""); !errors.Is(err, ErrAbsent) {
		t.Error(err)
	}
}
