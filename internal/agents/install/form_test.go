package install

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/trial/seed"
)

// ran runs the line of an agent's hook as its shell does, and returns what the
// agent sees.
func ran(t *testing.T, shell, line string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(shell, "-c", line)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader("{}"), &out, &errs
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// What the hook answers stays as it is; whatever else happens is a refusal
// that the agent heeds.
func TestFailsClosed(t *testing.T) {
	const missing = "policyctl is missing or failed, so the call is blocked\n"
	rows := []struct {
		name, script, stdout, stderr string
		code                         int
	}{
		{"no opinion", "exit 0", "", "", 0},
		{"an answer", "echo '" + denial + "'", denial + "\n", "", 0},
		{"a refusal", "echo why >&2; exit 2", "", "why\n", 2},
		{"a refusal with an answer", "echo '" + consent + "'; echo why >&2; exit 2", consent + "\n", "why\n", 2},
		{"a failure", "exit 1", "", missing, 2},
		{"a failure after an answer", "echo '" + consent + "'; exit 3", consent + "\n", missing, 2},
		{"killed", "kill -KILL $$", "", missing, 2},
		{"not a program", "", "", missing, 2},
		{"not there", "", "", missing, 2},
	}
	a := lookup(t, "codex") // that of Qwen Code has the same form
	for _, shell := range []string{"/bin/sh", "/bin/bash", "/usr/bin/zsh"} {
		if _, err := os.Stat(shell); err != nil {
			continue
		}
		for _, limiter := range []string{"", Limiter(context.Background())} {
			for _, row := range rows {
				path := filepath.Join(t.TempDir(), "it's", "policyctl")
				if script(t, path, row.script); row.name == "not a program" {
					put(t, path, "")
					_ = os.Chmod(path, 0o644)
				}
				if row.name == "not there" {
					path += "/gone"
				}
				r := Request{Agent: a, Command: quote(path) + " hook codex", Limiter: limiter}
				stdout, stderr, code := ran(t, shell, r.line(a.events[0], short))
				if row.stderr == missing && strings.HasSuffix(stderr, missing) {
					stderr = missing // the shell has its own word before it
				}
				if stdout != row.stdout || stderr != row.stderr || code != row.code {
					t.Errorf("%s in %s, %s: %q %q %d", row.name, shell, limiter, stdout, stderr, code)
				}
			}
		}
	}
}

// A closed terminal and an interrupt reach the shell too, which outlives them:
// agents let the call run when it is gone without an exit code of 2.
func TestShielded(t *testing.T) {
	seed.Slow(t)
	dir := t.TempDir()
	path := script(t, filepath.Join(dir, "policyctl"), "touch "+dir+"/waits; sleep 1; echo why >&2; exit 2")
	for _, limiter := range []string{"", Limiter(context.Background())} {
		for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM} {
			_ = os.Remove(dir + "/waits")
			r := Request{Agent: lookup(t, "qwen"), Command: path + " hook qwen", Limiter: limiter}
			cmd := exec.Command("/bin/sh", "-c", r.line(r.Agent.events[0], short))
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
				if _, err := os.Stat(dir + "/waits"); err == nil {
					break
				}
			}
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != 2 {
				t.Errorf("%v, %q: %v", sig, limiter, cmd.ProcessState)
			}
		}
	}
}

// A hook that hangs, with what it has started, is ended before the agent has
// lost patience, with an exit code that blocks.
func TestHangs(t *testing.T) {
	seed.Slow(t)
	limiter := Limiter(context.Background())
	if limiter == "" {
		t.Skip("no program timeout")
	}
	path := script(t, filepath.Join(t.TempDir(), "policyctl"), "trap '' TERM\nsleep 60")
	for _, name := range []string{"codex", "qwen", "copilot"} {
		r := Request{Agent: lookup(t, name), Command: path + " hook " + name, Limiter: limiter}
		begin := time.Now()
		_, _, code := ran(t, "/bin/sh", r.line(r.Agent.events[0], spare+time.Second))
		if took := time.Since(begin); took > 30*time.Second || code == 0 || r.Agent.guarded && code != 2 {
			t.Errorf("%s: %d after %s", name, code, took)
		}
	}
}

// The forms that are known, and what doctor says of them.
func TestForms(t *testing.T) {
	const bin = "BIN hook qwen"
	const refuse = ` || { echo "policyctl is missing" >&2; exit 2; }`
	const fails = "home/.qwen/settings.json works, but if policyctl is missing or crashes, the call runs"
	const hangs = "home/.qwen/settings.json works, but if policyctl hangs, the call runs"
	rows := []struct {
		level Level
		want  string
		line  string
	}{
		{Note, fails, bin},
		{Note, hangs, bin},
		{Note, hangs, bin + guard},
		{Note, hangs, bin + refuse},
		{Note, fails, "LIMITER -k 2 596 " + bin},
		{OK, "PreToolUse: home/.qwen/settings.json runs", "LIMITER -k 2 596 " + bin + guard},
		{OK, "PreToolUse: home/.qwen/settings.json runs", "LIMITER -k 2 596 " + bin + refuse},
		{OK, "ls may run", "LIMITER -k 2 596 " + bin + refuse},
		{Problem, "ends the hook after 25s, though it may need 25s", "LIMITER -k 2 25 " + bin + guard},
		{Problem, "ends the hook after 9m56s, though it may need 10m5s", "LIMITER -k 2 596 " + bin + " --wait 600s" + guard},
		{Problem, "ends a hook that hangs only after 10m0s, when the call may run already", "LIMITER -k 2 598 " + bin + guard},
		{Problem, "no such file or directory", "/gone/timeout -k 2 596 " + bin + guard},
		{Problem, "adds something to the command", "LIMITER 596 " + bin + guard},
		{Problem, "adds something to the command", bin + " || { echo missing >&2; exit 2; }"},
		{Problem, "adds something to the command", bin + ` || { echo "missing" >&2; exit 0; }`},
		{Problem, "adds something to the command", bin + ` || { echo "$(touch x)" >&2; exit 2; }`},
		{Problem, "adds something to the command", bin + ` || true || { echo "missing" >&2; exit 2; }`},
		{Problem, "adds something to the command", bin + ` || { echo "missing"; exit 2; }`},
	}
	for _, row := range rows {
		r := installed(t, "qwen")
		want := r.line(r.Agent.events[0], short)
		line := strings.NewReplacer("BIN hook qwen", r.Command, "LIMITER", r.Limiter).Replace(row.line)
		path := settings(t, r)
		put(t, path, strings.Replace(get(t, path), strings.Trim(compact(want), `"`), strings.Trim(compact(line), `"`), 1))
		if got := told(r, row.level, good); !strings.Contains(got, row.want) {
			t.Errorf("%s: got\n%s, want %s", row.line, got, row.want)
		}
		if n := apply(t, Install, r); n != 1 && line != want || !strings.Contains(get(t, path), strings.Trim(compact(want), `"`)) || strings.Count(get(t, path), "hook qwen") != len(r.Agent.events) {
			t.Errorf("%s: %d changes\n%s", row.line, n, get(t, path))
		}
		put(t, path, strings.Replace(get(t, path), strings.Trim(compact(want), `"`), strings.Trim(compact(line), `"`), 1))
		if apply(t, Uninstall, r); has(t, path, "hook qwen") {
			t.Errorf("%s: uninstall leaves %s", row.line, get(t, path))
		}
	}
}

// Each event in which a failing hook would let a call run has the form; a turn
// has not, since its refusal would refuse what the user says.
func TestFormOfEvents(t *testing.T) {
	for _, a := range agents() {
		r := request(a, newPlace(t))
		for _, e := range a.events {
			line := r.line(e, e.timeout)
			if guarded := strings.HasSuffix(line, guard); guarded != (a.guarded && e.asks()) {
				t.Errorf("%s %s: %s", a.Name, e.name, line)
			}
			if limited := strings.HasPrefix(strings.TrimPrefix(line, shield), "/usr/bin/timeout -k 2 "); limited != (a.limited && e.asks()) {
				t.Errorf("%s %s: %s", a.Name, e.name, line)
			}
		}
	}
}

func TestLimiter(t *testing.T) {
	path, err := exec.LookPath("timeout")
	if err != nil || !strings.HasPrefix(path, "/usr/bin/") {
		t.Skip("no program timeout where it usually stands")
	}
	if got := Limiter(context.Background()); got != "/usr/bin/timeout" {
		t.Errorf("%q, though %s works", got, path)
	}
}
