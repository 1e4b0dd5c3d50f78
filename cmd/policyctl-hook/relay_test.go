package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/agents/guard"
	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/agents/lifeline"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/internal/support/rendezvous"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/world"
)

// relaying makes the test binary the hook of Claude Code for a home directory.
const relaying = "TEST_RELAY_HOME"

// relayed is run with a home directory of its own.
func relayed(home string) int {
	ctx, stop := lifeline.Watch(context.Background(), os.Stdout)
	defer stop()
	place := layers.Fixed(home, "")
	place.Managed = ""
	g := &guard.Guard{Place: place, World: world.New(nil), Now: time.Now}
	agent, _ := hook.Lookup("claude")
	if !formed(g) {
		handOver(agent.Name, 0)
	}
	r := &relay{agent: agent.Name, guard: g}
	wait, _ := time.ParseDuration(os.Getenv("TEST_RELAY_WAIT"))
	code := hook.Run(ctx, agent, hook.Host{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Wait: wait, Decide: g.Decide, Refer: r.refer, Told: g.Told,
	})
	settle(g)
	return code
}

// A desk is a hook with a policyctl beside it and a service on the machine.
type desk struct {
	t          testing.TB
	hook, home string
}

func newDesk(t testing.TB, script string) *desk {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	d := &desk{t, filepath.Join(dir, "policyctl-hook"), t.TempDir()}
	if err := os.Link(self, d.hook); err != nil {
		binary, err := os.ReadFile(self)
		if err == nil {
			err = os.WriteFile(d.hook, binary, 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if script != "" {
		if err := os.WriteFile(filepath.Join(dir, "policyctl"), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv(relaying, d.home)
	t.Setenv("CLAUDE_CODE_SESSION_ATTENDED", "0")
	return d
}

// serve tells the hook of a service.
func (d *desk) serve() {
	d.t.Helper()
	err := rendezvous.Write(layers.Fixed(d.home, "").State, rendezvous.Info{Socket: "/s", Keys: json.RawMessage("{}"), PID: 1})
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) ask(command string) (stdout, stderr string, code int) {
	d.t.Helper()
	return start(d.t, asked(command), d.hook)
}

// asked is an event about a command.
func asked(command string) string {
	return `{"hook_event_name":"PreToolUse","session_id":"s","tool_use_id":"1","cwd":"/","permission_mode":"default","tool_name":"Bash","tool_input":{"command":"` + command + `"}}`
}

const yes = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`

// What asks is answered by the policyctl beside the hook where there is a
// service: its output and exit code are passed on as they are, if agents heed
// them.
func TestRelay(t *testing.T) {
	const denied, none = `"permissionDecision":"deny"`, ""
	for _, tc := range []struct {
		want, note, command, script string
		code                        int
		serves                      bool
	}{
		{yes, none, "npm test", "cat >/dev/null; echo '" + yes + "'", 0, true},
		{none, none, "npm test", "exit 0", 0, true},
		{none, "no: a reason", "npm test", "echo 'no: a reason' >&2; exit 2", 2, true},
		{denied, none, "npm test", "echo '" + yes + "'", 0, false},
		{denied, "no such file", "npm test", "", 0, true},
		{denied, "exit code 1: boom", "npm test", "echo x >&2; echo boom >&2; exit 1", 0, true},
		{denied, "printed no answer", "npm test", "echo '{not json'", 0, true},
		{denied, "printed no answer", "npm test", "echo usage", 0, true},
		{denied, "printed no answer", "npm test", "echo '" + yes + yes + "'", 0, true},
		{denied, "printed no answer", "npm test", "exit 2", 0, true},
		{denied, "printed no answer", "npm test", "echo '" + yes + "'; echo no >&2; exit 2", 0, true},
		{denied, "nobody was asked", "npm test", "head -c 3000000 /dev/zero", 0, true},
		{denied, "exit code -1", "npm test", "kill -9 $$", 0, true},
		{denied, none, "rm -rf ~", "echo '" + yes + "'", 0, true},
		{`"permissionDecision":"allow"`, none, "ls", "echo no >&2; exit 2", 0, true},
	} {
		d := newDesk(t, tc.script)
		if tc.serves {
			d.serve()
		}
		stdout, stderr, code := d.ask(tc.command)
		if code != tc.code || !strings.Contains(stdout, tc.want) || tc.want == none && stdout != "" || !strings.Contains(stderr, tc.note) {
			t.Errorf("%s, %q: exit code %d, %q, %q", tc.command, tc.script, code, stdout, stderr)
		}
		// What the other program answers is for it to put on record.
		record, err := spool.Verdicts(layers.Fixed(d.home, "").State).Waiting()
		if want := strings.Count(tc.want, denied); err != nil || record != want {
			t.Errorf("%s, %q: %d decisions are on record, want %d (%v)", tc.command, tc.script, record, want, err)
		}
	}
}

// The other program gets the event as it was, is told that it was decided, and
// ends before the hook does.
func TestRelayedEvent(t *testing.T) {
	d := newDesk(t, `echo "$@" >&2; cat >&2; exit 2`)
	d.serve()
	_, stderr, _ := d.ask("npm  test")
	if !strings.HasPrefix(stderr, "hook claude --decided --wait 18.") && !strings.HasPrefix(stderr, "hook claude --decided --wait 19") ||
		!strings.Contains(stderr, `"command":"npm  test"}}`) {
		t.Error(stderr)
	}
}

// A policy that names a service is reason enough to ask.
func TestRelayOfNamedService(t *testing.T) {
	d := newDesk(t, "echo '"+yes+"'")
	file := filepath.Join(d.home, ".config", "policyctl", "policy.yaml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("version: 1\nsecurity: {approval: {service: 'https://a.example', keys_file: /k}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if stdout, stderr, _ := d.ask("npm test"); stdout != yes+"\n" {
		t.Errorf("%q, %q", stdout, stderr)
	}
}

// The hook ends in time whatever the other program does.
func TestRelayWatchdog(t *testing.T) {
	seed.Slow(t)
	d := newDesk(t, "trap '' TERM; exec sleep 40")
	d.serve()
	t.Setenv("TEST_RELAY_WAIT", "3s")
	begin := time.Now()
	stdout, stderr, code := d.ask("npm test")
	if took := time.Since(begin); took > 30*time.Second || code != 0 || !strings.Contains(stdout, `"permissionDecision":"deny"`) || !strings.Contains(stdout, "nobody decided in time") {
		t.Errorf("exit code %d after %s: %q %q", code, took, stdout, stderr)
	}
}

// A signal to the hook alone is answered with a denial, and passed on to the
// other program, which takes its request back.
func TestRelayEnds(t *testing.T) {
	d := newDesk(t, `cd "$(dirname "$0")"; trap 'touch ended; exit' TERM; touch waits; while :; do sleep 0.1; done`)
	d.serve()
	dir := filepath.Dir(d.hook)
	for _, end := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGUSR1} {
		cmd := exec.Command(d.hook)
		var out, errs bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(asked("npm test")), &out, &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		appears(t, filepath.Join(dir, "waits"))
		_ = cmd.Process.Signal(end)
		if err := cmd.Wait(); err != nil || !strings.Contains(out.String(), `"permissionDecision":"deny"`) {
			t.Errorf("%s: %v: %s%s", end, err, out.String(), errs.String())
		}
		appears(t, filepath.Join(dir, "ended"))
	}
}

// appears waits for a file, and removes it.
func appears(t *testing.T, file string) {
	t.Helper()
	for range 200 {
		if os.Remove(file) == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("no %s", file)
}

func TestParse(t *testing.T) {
	for _, tc := range []struct {
		want string
		args []string
	}{
		{"", []string{"claude"}},
		{"", []string{"claude", "--wait", "580s"}},
		{`--wait "x" is not a duration such as 580s`, []string{"claude", "--wait", "x"}},
		{"--wait 0s: it must be between 1s and 24h0m0s", []string{"claude", "--wait", "0s"}},
		{"--wait -5s: it must be between 1s and 24h0m0s", []string{"claude", "--wait", "-5s"}},
		{"name one agent whose event is on standard input: " + agents, []string{"claude", "--wait"}},
		{"name one agent whose event is on standard input: " + agents, []string{"--wait", "5s", "claude"}},
	} {
		_, _, err := parse(tc.args)
		if got := errText(err); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.args, got, tc.want)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
