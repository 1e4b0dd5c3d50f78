package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/pkg/policy"
)

const (
	denial  = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`
	consent = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`
)

// good answers as a hook should, in the form of the agent that the line names.
func good(_ context.Context, line string, _ []string, stdin []byte) (Ran, error) {
	var out, told bytes.Buffer
	_, name, _ := strings.Cut(line, "policyctl hook ")
	name, _, _ = strings.Cut(name, " ")
	protocol, _ := hook.Lookup(name)
	code := hook.Run(context.Background(), protocol, hook.Host{
		Stdin: bytes.NewReader(stdin), Stdout: &out, Stderr: &told,
		Decide: func(_ context.Context, e *hook.Event) (policy.Verdict, error) {
			if slices.Contains([]any{e.Call.Input["command"], e.Call.Input["command_line"]}, any("rm -rf ~")) {
				return policy.Verdict{Reason: policy.ReasonPermissionRule, Why: "no"}, nil
			}
			return policy.Verdict{Decision: policy.Allow, Reason: policy.ReasonNone}, nil
		},
	})
	return Ran{out.Bytes(), told.Bytes(), code}, nil
}

// installed returns a place in which the hook of an agent is installed in the
// user's settings.
func installed(t *testing.T, agent string) Request {
	t.Helper()
	r := request(lookup(t, agent), newPlace(t))
	var err error
	program := binary(t, filepath.Join(r.Place.Home, "bin", "policyctl"))
	if r.Command, err = CommandLine(r.Agent, program, program); err != nil {
		t.Fatal(err)
	}
	r.Limiter = binary(t, filepath.Join(r.Place.Home, "bin", "timeout"))
	r.Trust = agent == "codex"
	apply(t, Install, r)
	return r
}

// current says the version with which an agent was tried.
func current(_ context.Context, program, _ string) (string, error) {
	for _, a := range agents() {
		if a.program == program {
			return program + " " + a.tried.String(), nil
		}
	}
	return "", ErrAbsent
}

// told returns the findings of a level, one a line, without the paths of the
// test.
func told(r Request, level Level, run Runner) string {
	var b strings.Builder
	for _, f := range Examine(context.Background(), r.Agent, r.Place, Host{run, current}) {
		if f.Level == level && f.Check != "flags" {
			fmt.Fprintf(&b, "%s: %s\n", f.Check, f.Text)
		}
		if (f.Next == "") != (f.Level == OK) {
			fmt.Fprintf(&b, "no next step: %s\n", f.Text)
		}
	}
	return strings.ReplaceAll(b.String(), filepath.Dir(r.Place.Home)+"/", "")
}

func TestHealthy(t *testing.T) {
	for _, name := range Names() {
		r := installed(t, name)
		if got := told(r, Problem, good) + told(r, Note, good); got != "" {
			t.Errorf("%s:\n%s", name, got)
		}
		if got := told(r, OK, good); strings.Count(got, "\n") != len(r.Agent.events)+5 {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// What is wrong with settings, by what is exchanged in healthy ones.
func TestProblems(t *testing.T) {
	rows := []struct{ want, agent, from, to string }{
		{"PreToolUse: home/.claude/settings.json lets the hook take 9s; when that is over the call may run, so it must be 30s at least", "claude", `"timeout": 600`, `"timeout": 9`},
		{"so it must be 30s at least", "claude", `"timeout": 600`, `"timeout": 29`},
		{"so it must be 10m10s at least", "claude", ` hook claude"`, ` hook claude --wait 600s"`},
		{"lets the hook take an unknown time", "claude", `"timeout": 600,`, ``},
		{"lets the hook take an unknown time", "claude", `"timeout": 600,`, `"timeout": "600",`},
		{"lets the hook take an unknown time", "claude", `"timeout": 600,`, `"timeout": -600,`},
		{"lets the hook take an unknown time", "claude", `"timeout": 600,`, `"timeout": 1e300,`},
		{"lets the hook take 600ms", "qwen", `"timeout": 600000`, `"timeout": 600`},
		{"lets the hook take 5s", "copilot", `"timeoutSec": 3600`, `"timeoutSec": 5`},
		{`has no onFailure: "block", so a call runs when the hook fails`, "claude", `"onFailure": "block",`, ``},
		{`has no onFailure: "block"`, "claude", `"onFailure": "block"`, `"onFailure": "continue"`},
		{`asks policyctl only about tools that match "Bash"`, "claude", `"matcher": "*"`, `"matcher": "Bash"`},
		{`has a hook of type prompt, which does not start its command`, "claude", `"type": "command"`, `"type": "prompt"`},
		{`:5:20: the matcher must be a string`, "claude", `"matcher": "*"`, `"matcher": []`},
		{`adds something to the command of the hook, which may swallow its answer: `, "claude", ` hook claude"`, ` hook claude || true"`},
		{`gives the hook "async" and "if", which policyctl does not write`, "claude", `"type": "command",`, `"type": "command", "if": "Bash(git *)", "async": true,`},
		{"PreToolUse: Claude Code does not ask policyctl", "claude", `"PreToolUse"`, `"PostToolUse"`},
		{"PermissionRequest: Claude Code does not ask policyctl", "claude", `"PermissionRequest"`, `"Stop"`},
		{"PreToolUse: Claude Code does not ask policyctl", "claude", ` hook claude`, ` hook codex`},
		{"no such file or directory", "claude", "/bin/policyctl", "/gone/policyctl"},
		{"names the binary \"policyctl\" without its full path", "claude", `"command": "`, `"command": "policyctl hook claude", "was": "`},
		{"switches: home/.claude/settings.json has disableAllHooks: true, which turns hooks off", "claude", "{", `{"disableAllHooks": true,`},
		{"switches: home/.qwen/settings.json has hooksConfig.enabled: false", "qwen", "{", `{"hooksConfig": {"enabled": false},`},
		{"settings: home/.claude/settings.json:1:2: this is a comment", "claude", "{", "{// x"},
		{"settings: home/.claude/settings.json:1:2: not JSON: invalid character ']'", "claude", "{", "{]"},
		{"trust: Codex trusts an older form of the hook for PreToolUse", "codex", `"timeout": 600`, `"timeout": 601`},
		{"trust: Codex does not trust the hook for PreToolUse", "codex", `"PreToolUse": [`, `"PreToolUse": [{"hooks": []},`},
		{"the hook is installed 2 times, so each call is decided 2 times: in home/.claude/settings.json", "claude", `"PreToolUse": [`, `"PreToolUse": [{"hooks": [{"command": "/x/policyctl hook claude"}]},`},
	}
	for _, row := range rows {
		r := installed(t, row.agent)
		path := settings(t, r)
		text := get(t, path)
		put(t, path, strings.Replace(text, row.from, row.to, 1))
		if got := told(r, Problem, good); !strings.Contains(got, row.want) || got == "" || get(t, path) == text {
			t.Errorf("%s: got\n%s, want %s", row.to, got, row.want)
		}
	}
}

// What is wrong elsewhere.
func TestProblemsAround(t *testing.T) {
	rows := []struct{ level, want, agent, path, text string }{
		{"problem", "project/.claude/settings.json has disableAllHooks: true", "claude", "project/.claude/settings.json", `{"disableAllHooks": true}`},
		{"problem", "project/.claude/settings.local.json has disableAllHooks: true", "claude", "project/.claude/settings.local.json", `{"disableAllHooks": true}`},
		{"problem", "root/etc/claude-code/managed-settings.json has disableAllHooks: true", "claude", "root/etc/claude-code/managed-settings.json", `{"disableAllHooks": true}`},
		{"problem", "home/.copilot/settings.json has disableAllHooks: true", "copilot", "home/.copilot/settings.json", `{/* jsonc */"disableAllHooks": true}`},
		{"problem", "home/.codex/config.toml has features.codex_hooks = false, which turns hooks off", "codex", "home/.codex/config.toml", "[features]\ncodex_hooks = false\n"},
		{"problem", "home/.codex/config.toml has features.hooks = false, which turns hooks off", "codex", "home/.codex/config.toml", "features.hooks = false\n"},
		{"problem", "home/.codex/config.toml has features.hooks = false, which turns hooks off", "codex", "home/.codex/config.toml", "features = { hooks = false }\n"},
		{"note", "home/.codex/config.toml has hooks too", "codex", "home/.codex/config.toml", "hooks.Stop = []\n"},
		{"problem", "the hook is installed 2 times, so each call is decided 2 times: in home/.claude/settings.json and project/.claude/settings.json", "claude", "project/.claude/settings.json", `{"hooks":{"PreToolUse":[{"hooks":[{"command":"/x/policyctl hook claude"}]}]}}`},
		{"problem", `the binary project/policyctl is in the project`, "claude", "project/.claude/settings.json", `{"hooks":{"PreToolUse":[{"hooks":[{"command":"PROJECT/policyctl hook claude"}]}]}}`},
		{"note", "answer: project/policyctl hook claude is not tried", "claude", "project/.claude/settings.json", `{"hooks":{"PreToolUse":[{"hooks":[{"command":"PROJECT/policyctl hook claude"}]}]}}`},
		{"problem", "managed-settings.json allows only hooks of the organisation, so yours does not run", "claude", "root/etc/claude-code/managed-settings.json", `{"allowManagedHooksOnly": true}`},
		{"note", "another hook of PreToolUse may change a call after policyctl has judged it: project/.claude/settings.json: fix", "claude", "project/.claude/settings.json", `{"hooks":{"PreToolUse":[{"hooks":[{"command":"fix"}]}]}}`},
		{"note", "project/.claude/settings.json: https://x", "claude", "project/.claude/settings.json", `{"hooks":{"PreToolUse":[{"hooks":[{"type":"http","url":"https://x"}]}]}}`},
		{"note", "Copilot CLI runs the hook of Claude Code in project/.claude/settings.json too", "copilot", "project/.claude/settings.json", `{"hooks":{"PreToolUse":[{"hooks":[{"command":"/x/policyctl hook claude"}]}]}}`},
		{"note", "home/.codex/config.toml has hooks too", "codex", "home/.codex/config.toml", "[[hooks.PreToolUse]]\n"},
		{"note", "home/.copilot/hooks/other.json: fix", "copilot", "home/.copilot/hooks/other.json", `{"hooks":{"PreToolUse":[{"bash":"fix"}]}}`},
		{"problem", "project/.github/hooks/off.json has disableAllHooks: true", "copilot", "project/.github/hooks/off.json", `{"disableAllHooks":true}`},
		{"problem", "project/.claude/settings.json:1:11: hooks must be an object", "claude", "project/.claude/settings.json", `{"hooks": 1}`},
	}
	for _, row := range rows {
		r := installed(t, row.agent)
		if strings.HasSuffix(row.path, "config.toml") {
			if got := told(r, OK, good); !strings.Contains(got, "nothing turns hooks off") {
				t.Error(got)
			}
		}
		put(t, filepath.Join(filepath.Dir(r.Place.Home), row.path), strings.ReplaceAll(row.text, "PROJECT", r.Place.Dir))
		binary(t, filepath.Join(r.Place.Dir, "policyctl"))
		if got := told(r, Level(row.level), good); !strings.Contains(got, row.want) {
			t.Errorf("got\n%s, want %s", got, row.want)
		}
	}
}

func TestDisabledInCodex(t *testing.T) {
	r := installed(t, "codex")
	config := filepath.Join(r.Place.Home, ".codex", "config.toml")
	put(t, config, get(t, config)+"[features]\nhooks = true\n")
	if got := told(r, Problem, good); got != "" {
		t.Error(got)
	}
	put(t, config, strings.Replace(get(t, config), "trusted_hash", "enabled = false\ntrusted_hash", 1))
	if got := told(r, Problem, good); got != "trust: home/.codex/config.toml disables the hook for PreToolUse\n" {
		t.Error(got)
	}
}

// In the home directory the settings of a project are those of the user, and
// programs of the user may stand below it.
func TestAtHome(t *testing.T) {
	r := installed(t, "claude")
	r.Place.Dir = r.Place.Home
	if got := told(r, Problem, good); got != "" {
		t.Error(got)
	}
	link := filepath.Join(filepath.Dir(r.Place.Home), "link")
	if err := os.Symlink(r.Place.Home, link); err != nil {
		t.Fatal(err)
	}
	r.Place.Dir = link
	if got := told(r, Problem, good); got != "" {
		t.Error(got)
	}
}

// What hooks answer. Both events get the same answer.
func TestAnswers(t *testing.T) {
	rows := []struct {
		level Level
		want  string
		out   string
		code  int
		err   error
	}{
		{Problem, "answer: rm -rf ~ is NOT denied: the hook does not guard anything\n", "", 0, nil},
		{Problem, "rm -rf ~ is NOT denied", consent, 0, nil},
		{Problem, "rm -rf ~ is NOT denied", "{}", 0, nil},
		{Problem, "rm -rf ~ is NOT denied", strings.ReplaceAll(denial, "deny", "ask"), 0, nil},
		{Note, "even ls is asked about", strings.ReplaceAll(denial, "deny", "ask"), 0, nil},
		{Problem, "even ls is answered with deny: no\n", denial, 0, nil},
		{OK, "rm -rf ~ is denied", denial, 0, nil},
		{Problem, "rm -rf ~ is denied without a reason", strings.ReplaceAll(denial, `"no"`, `""`), 0, nil},
		{Problem, "the hook does not answer about rm -rf ~: it prints something else than an answer", denial + denial, 0, nil},
		{Problem, "it prints something else than an answer", denial + " x", 0, nil},
		{Problem, `it prints something else than an answer: "hello"`, "hello", 0, nil},
		{Problem, "it prints something else than an answer", "[]", 0, nil},
		{Problem, "the hook does not answer about rm -rf ~: it refuses without a reason", "", 2, nil},
		{Problem, "the hook does not answer about ls: it broke", denial, 0, errors.New("it broke")},
	}
	r := installed(t, "claude")
	for _, row := range rows {
		run := func(context.Context, string, []string, []byte) (Ran, error) {
			return Ran{[]byte(row.out), nil, row.code}, row.err
		}
		if got := told(r, row.level, run); !strings.Contains(got, row.want) {
			t.Errorf("%s %d: got\n%s, want %s", row.out, row.code, got, row.want)
		}
	}
}

// Each event is one line of JSON with a session of its own, and the command
// line is that of the settings.
func TestEvents(t *testing.T) {
	for _, name := range Names() {
		r := installed(t, name)
		sessions := map[any]bool{}
		want := r.line(r.Agent.events[0], r.Agent.events[0].timeout)
		run := func(_ context.Context, line string, environ []string, stdin []byte) (Ran, error) {
			protocol, _ := hook.Lookup(name)
			e, err := protocol.Read(stdin, nil)
			if err != nil || strings.Count(string(stdin), "\n") != 1 {
				t.Fatalf("%s: %v", stdin, err)
			}
			sessions[e.Call.Session] = true
			if line != want || !slices.Equal(environ, r.Agent.environ) || e.Name != r.Agent.events[0].name || e.Call.Dir != r.Place.Dir {
				t.Errorf("%s gets %s", line, stdin)
			}
			return Ran{}, nil
		}
		Examine(context.Background(), r.Agent, r.Place, Host{run, current})
		if len(sessions) != 3 {
			t.Errorf("%s: sessions %v", name, sessions)
		}
	}
}

// Nothing but a line that install writes is started.
func TestNotStarted(t *testing.T) {
	for _, line := range []string{"BIN hook claude; touch x", "BIN hook claude || true", "./policyctl hook claude", "BIN hook claude $(touch x)"} {
		r := installed(t, "claude")
		path := settings(t, r)
		put(t, path, strings.ReplaceAll(get(t, path), r.Command, strings.ReplaceAll(line, "BIN", strings.TrimSuffix(r.Command, " hook claude"))))
		got := told(r, Note, func(context.Context, string, []string, []byte) (Ran, error) {
			t.Errorf("%s is started", line)
			return Ran{}, nil
		})
		if !strings.Contains(got, "is not tried") {
			t.Errorf("%s: %s", line, got)
		}
	}
}

func TestShell(t *testing.T) {
	ctx := context.Background()
	if ran, err := Shell(ctx, "cat; echo no >&2; exit 3", nil, []byte("in")); string(ran.Stdout) != "in" || string(ran.Stderr) != "no\n" || ran.Code != 3 || err != nil {
		t.Errorf("%+v %v", ran, err)
	}
	if _, err := Shell(ctx, "head -c 2000000 /dev/zero", nil, nil); err == nil {
		t.Error("an answer of 2 MB is read")
	}
	ctx, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	begin := time.Now()
	if _, err := Shell(ctx, "sleep 60", nil, nil); err == nil || time.Since(begin) > 30*time.Second {
		t.Errorf("%v after %s", err, time.Since(begin))
	}
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Error(err)
	}
}
