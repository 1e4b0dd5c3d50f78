//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/trial/seed"
)

// A waiting hook is a process whose ask is at the service.
type waiting struct {
	*office
	cmd    *exec.Cmd
	out    bytes.Buffer
	stderr bytes.Buffer
	id     string // of its request
}

// wait starts a hook, or a program that starts it, and returns once its
// request stands.
func (o *office) wait(agent, command string, stdout io.Writer, instead ...string) *waiting {
	o.Helper()
	w := &waiting{office: o}
	w.cmd = o.command("hook", agent, "--wait", "50s")
	if len(instead) > 0 {
		w.cmd.Path, w.cmd.Args = instead[0], instead[1:]
	}
	if stdout == nil {
		stdout = &w.out
	}
	w.cmd.Env = append(w.cmd.Env, "CLAUDE_CODE_SESSION_ATTENDED=0")
	w.cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":%[1]q,"cwd":"/w","permission_mode":"default","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":%[1]q}}`, command))
	w.cmd.Stdout, w.cmd.Stderr = stdout, &w.stderr
	if err := w.cmd.Start(); err != nil {
		o.Fatal(err)
	}
	o.Cleanup(func() { _ = w.cmd.Process.Kill() })
	for range 100 {
		for _, line := range strings.Split(strings.TrimSpace(o.must("requests", "list", "--json")), "\n") {
			var r struct{ ID, State, Session string }
			if err := json.Unmarshal([]byte(line), &r); err == nil && r.Session == command && r.State == "PENDING" {
				w.id = r.ID
				return w
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	o.Fatalf("%s asked nobody: %s%s", command, w.out.String(), w.stderr.String())
	return nil
}

// gone reports whether the request was taken back, within some seconds.
func (w *waiting) gone() bool {
	w.Helper()
	for range 60 {
		if strings.Contains(w.must("requests", "show", w.id, "--json"), `"state":"CANCELLED"`) {
			return true
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

// endings are the signals that end or halt a process and can be caught.
var endings = []syscall.Signal{
	syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM,
	syscall.SIGVTALRM, syscall.SIGXCPU, syscall.SIGIO, syscall.SIGSYS, syscall.SIGABRT, syscall.SIGTRAP,
	syscall.SIGILL, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGSEGV, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU,
	syscall.SIGSTKFLT, syscall.SIGPWR, 35, 64,
}

// A signal ends a waiting hook with a denial that the agent understands, and
// takes the request back: an agent runs the call where a hook dies without an
// answer.
func TestHookSignals(t *testing.T) {
	seed.Slow(t)
	o := newOffice(t)
	o.open()
	for _, agent := range []string{"qwen", "codex", "claude"} {
		for _, s := range endings {
			if agent != "qwen" && s != syscall.SIGHUP {
				continue
			}
			w := o.wait(agent, fmt.Sprintf("make %s-%d", agent, s), nil)
			if err := w.cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			err := w.cmd.Wait()
			if err != nil || !strings.Contains(w.out.String(), `"permissionDecision":"deny","permissionDecisionReason":"Nobody answered in time`) ||
				!json.Valid(w.out.Bytes()) || strings.Contains(w.out.String()+w.stderr.String(), "failed") {
				t.Errorf("%s, %s: %v: %s%s", agent, s, err, w.out.String(), w.stderr.String())
			}
			if !w.gone() {
				t.Errorf("%s, %s: the request stands", agent, s)
			}
		}
	}
}

// What an agent or a terminal sends to everybody does not end the wait.
func TestHookHarmlessSignals(t *testing.T) {
	o := newOffice(t)
	o.open()
	w := o.wait("qwen", "make on", nil)
	for _, s := range []syscall.Signal{syscall.SIGPIPE, syscall.SIGCHLD, syscall.SIGWINCH, syscall.SIGXFSZ, syscall.SIGCONT, syscall.SIGURG, syscall.SIGPROF} {
		_ = w.cmd.Process.Signal(s)
	}
	time.Sleep(time.Second)
	if out, stderr, code := o.run(o.login+"\n", "requests", "approve", w.id, "--login"); code != 0 {
		t.Fatal(out, stderr)
	}
	if err := w.cmd.Wait(); err != nil || !strings.Contains(w.out.String(), `"permissionDecision":"allow"`) {
		t.Errorf("%v: %s%s", err, w.out.String(), w.stderr.String())
	}
}

// A hook whose agent was killed takes its request back, whether the agent
// started it itself or by a shell that lives on.
func TestHookOutlivesAgent(t *testing.T) {
	o := newOffice(t)
	o.open()
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(o.home, "policyctl"))
	}
	if err != nil {
		t.Fatal(err)
	}
	w := o.wait("qwen", "make parent", nil, "/bin/sh", "sh", "-c", `exec 3<&0; ./policyctl hook qwen --wait 50s <&3 & wait`)
	if err := w.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if !w.gone() {
		t.Error("the parent is gone, and the request stands")
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	w = o.wait("qwen", "make reader", write)
	write.Close()
	read.Close()
	if !w.gone() {
		t.Error("nobody reads the answer, and the request stands")
	}
	if err := w.cmd.Wait(); w.cmd.ProcessState.ExitCode() != 2 || w.stderr.Len() == 0 {
		t.Errorf("%v: %s", err, w.stderr.String())
	}
}
