package guard_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/agents/hook"
)

// surroundings puts a project into the home directory of a desk: a repository, with
// links out of it, beside secrets.
func (d *desk) surroundings() {
	for name, text := range map[string]string{
		"project/src/app.py": "print(1)\n", "project/src/rc.txt": "x\n", "project/docs/a.png": "x", "project/script.py": "print(1)\n", "project/script.sh": "make\n", "project/Makefile": "all:\n",
		"project/.env": "API_KEY=x\n", ".ssh/id_ed25519": "x", ".ssh/id_rsa": "x", ".ssh/config": "x", ".aws/credentials": "x", ".netrc": "x", ".bashrc": "x", "evil/run.sh": "x", "evil/run": "x",
		"project/node_modules/.bin/evil": "x", "other/main.go": "x", "project/.github/workflows/a.yml": "x",
	} {
		d.write(name, text)
	}
	for name, target := range map[string]string{"outlink": d.home, "uplink": "..", "srclink": "src", "etclink": "/etc/passwd", "keylink.txt": "../.ssh/id_ed25519"} {
		if err := os.Symlink(target, filepath.Join(d.project, name)); err != nil {
			d.t.Fatal(err)
		}
	}
	if err := os.Link(filepath.Join(d.home, ".netrc"), filepath.Join(d.project, "hardlink.txt")); err != nil {
		d.t.Fatal(err)
	}
	if out, err := exec.Command("git", "init", "-q", d.project).CombinedOutput(); err != nil {
		d.t.Fatalf("%v: %s", err, out)
	}
}

// An occasion is an event of a file of test data, and what is wanted of it.
type occasion struct{ want, tool, input string }

// occasions reads the lines for the shell and the calls of other tools.
func (d *desk) occasions(agent, kind string) (out []occasion) {
	d.t.Helper()
	shell := map[string]string{"claude": "Bash", "codex": "Bash", "copilot": "Bash", "qwen": "run_shell_command", "gemini": "run_shell_command"}[agent]
	for _, line := range lines(d.t, kind+".txt") {
		want, command, ok := strings.Cut(line, "\t")
		if !ok {
			want, command = "", line
		}
		if want == "zsh" && slices.Contains([]string{"copilot", "gemini", "qwen"}, agent) {
			continue // they run bash, for which it is a plain pattern
		}
		input, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			d.t.Fatal(err)
		}
		out = append(out, occasion{want, shell, string(input)})
	}
	here := strings.NewReplacer("$PROJECT", d.project, "$HOME", d.home)
	for _, line := range lines(d.t, agent+"-"+kind+".jsonl") {
		var of struct {
			Tool  string          `json:"tool_name"`
			Input json.RawMessage `json:"tool_input"`
		}
		if err := json.Unmarshal([]byte(here.Replace(line)), &of); err != nil {
			d.t.Fatal(err)
		}
		out = append(out, occasion{"run", of.Tool, string(of.Input)})
	}
	return out
}

func lines(t *testing.T, name string) (out []string) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "undecided", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if s.Text() != "" && s.Text()[0] != '#' {
			out = append(out, s.Text())
		}
	}
	return out
}

// recorded returns an event as the agent sends it, about another call.
func recorded(t *testing.T, agent, name, dir, mode string, o occasion) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "hook", "testdata", agent, "ask.json"))
	if err != nil {
		t.Fatal(err)
	}
	var event map[string]any
	if err := json.Unmarshal(data, &event); err != nil {
		t.Fatal(err)
	}
	event["hook_event_name"], event["cwd"], event["tool_name"], event["tool_input"] = name, dir, o.tool, json.RawMessage(o.input)
	if mode != "" {
		event["permission_mode"] = mode
	}
	for _, id := range []string{"tool_use_id", "tool_call_id"} {
		if event[id] != nil {
			event[id] = o.tool + o.input // of a call of its own
		}
		if name == "PermissionRequest" {
			delete(event, id)
		}
	}
	event["session_id"] = o.tool + o.input
	if data, err = json.Marshal(event); err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// attendedModes are the modes of the agents in which somebody may be asked, and
// unaskedModes those in which nobody is.
var (
	attendedModes = map[string][]string{"claude": {"default", "acceptEdits", "plan", "auto"}, "codex": {"default", "acceptEdits", "plan"}, "copilot": {""}, "gemini": {""}, "qwen": {"default", "auto-edit", "auto", "plan"}}
	unaskedModes  = map[string][]string{"claude": {"dontAsk", "bypassPermissions", "modeOfTomorrow"}, "codex": {"dontAsk", "bypassPermissions"}, "copilot": nil, "gemini": nil, "qwen": {"yolo", "modeOfTomorrow"}}
)

// With the install lines of the README and no policy, the hook of an agent asks about
// at most two of what agents run all day, and denies what the floor denies.
func TestEverydayIsLeftToTheAgent(t *testing.T) {
	d := newDesk(t, "")
	d.surroundings()
	for agent := range attendedModes {
		all := d.occasions(agent, "everyday")
		if len(all) < 31 {
			t.Fatalf("%s: %d events, want 31", agent, len(all))
		}
		for _, mode := range attendedModes[agent] {
			asked := 0
			for _, o := range all {
				got := said(t, d.askAs(agent, recorded(t, agent, "PreToolUse", d.project, mode, o)))
				refused := got == "ask" || got == "deny"
				switch {
				case o.want == "deny" && got != "deny", o.want == "run" && refused, o.want == "ask" && !refused:
					t.Errorf("%s in %q: %s %s is answered %s, want %s", agent, mode, o.tool, o.input, got, o.want)
				case o.want == "ask":
					asked++
				}
			}
			if asked > 2 {
				t.Errorf("%s in %q asks about %d of %d", agent, mode, asked, len(all))
			}
		}
		for _, mode := range attendedModes[agent] {
			for _, o := range all {
				if agent == "copilot" || agent == "gemini" {
					break // it shows no hook its dialog
				}
				got := said(t, d.askAs(agent, recorded(t, agent, "PermissionRequest", d.project, mode, o)))
				if want := o.want == "deny"; (got == "deny") != want || got == "ask" {
					t.Errorf("the dialog of %s in %q: %s %s is answered %s", agent, mode, o.tool, o.input, got)
				}
			}
		}
		for _, mode := range unaskedModes[agent] {
			for _, o := range all {
				if got := said(t, d.askAs(agent, recorded(t, agent, "PreToolUse", d.project, mode, o))); got == "ask" {
					t.Errorf("%s in %q: %s %s is answered %s", agent, mode, o.tool, o.input, got)
				}
			}
		}
	}
}

// Nothing that is dangerous, sensitive, unreadable or unknown is left to an agent, in no
// mode, also where the person leaves to it what they can.
func TestNothingGraveIsLeftToTheAgent(t *testing.T) {
	for _, policy := range []string{"", "approvals: {undecided: agent, undecided_modes: [headless, dontAsk, bypassPermissions, yolo]}\n"} {
		d := newDesk(t, policy)
		d.surroundings()
		for agent := range attendedModes {
			all := d.occasions(agent, "grave")
			if len(all) < 60 {
				t.Fatalf("%s: %d events, want 60", agent, len(all))
			}
			modes := attendedModes[agent][:1]
			if policy != "" {
				modes = append(slices.Clone(modes), unaskedModes[agent]...)
			}
			for _, mode := range modes {
				for _, o := range all {
					event := recorded(t, agent, "PreToolUse", d.project, mode, o)
					if got := said(t, d.askAs(agent, event)); got != "ask" && got != "deny" {
						t.Errorf("%s in %q: %s %s is answered %s", agent, mode, o.tool, o.input, got)
					}
				}
			}
		}
	}
}

// The hook of each agent leaves the same shell commands to it, and none that is grave. pi
// has no rules of its own to which anything could be left.
func TestEveryAgentIsLeftTheSame(t *testing.T) {
	d := newDesk(t, "")
	d.surroundings()
	heard := func(a *hook.Agent, command string) string {
		var stdout, stderr bytes.Buffer
		event := a.Sample(command, command, d.project)
		if a.Name == "cursor" { // which asks in the second event of a shell command
			event, _ = json.Marshal(map[string]string{"hook_event_name": "beforeShellExecution", "conversation_id": command, "command": command, "cwd": d.project})
		}
		code := hook.Run(t.Context(), a, hook.Host{Stdin: bytes.NewReader(event), Stdout: &stdout, Stderr: &stderr, Decide: d.guard().Decide})
		said, _, err := a.Heard(stdout.Bytes(), stderr.Bytes(), code)
		if err != nil {
			t.Errorf("%s, %s: %v", a.Name, command, err)
		}
		return said
	}
	for _, name := range hook.Names() {
		if attendedModes[name] != nil {
			continue // above
		}
		a, _ := hook.Lookup(name)
		for _, kind := range []string{"everyday", "grave"} {
			for _, line := range lines(t, kind+".txt") {
				want, command, ok := strings.Cut(line, "\t")
				if !ok {
					want, command = "", line
				}
				got := heard(a, command)
				refused := got == "ask" || got == "deny"
				if want == "zsh" || (name == "pi" || name == "amp") && kind == "everyday" {
					continue
				}
				if kind == "grave" && !refused || kind == "everyday" && refused != (want == "deny" || want == "ask") {
					t.Errorf("%s: %s is answered %q", name, command, got)
				}
			}
		}
	}
}

// What is left to the agent is denied where it asks nobody, unless the person has named
// the mode, and a project cannot.
func TestModesThatAskNobody(t *testing.T) {
	const all = "undecided_modes: [headless, dontAsk, bypassPermissions, yolo]"
	for _, tc := range []struct{ want, policy, agent, mode, project string }{
		{"nothing", "", "claude", "default", ""},
		{"deny", "", "claude", "bypassPermissions", ""},
		{"deny", "", "claude", "dontAsk", ""},
		{"nothing", "undecided_modes: [bypassPermissions]", "claude", "bypassPermissions", ""},
		{"deny", "undecided_modes: [bypassPermissions]", "claude", "dontAsk", ""},
		{"deny", all, "claude", "modeOfTomorrow", ""},
		{"deny", "undecided: ask, " + all, "claude", "bypassPermissions", ""},
		{"deny", "", "claude", "bypassPermissions", all},
		{"ask", "", "claude", "default", "undecided: ask"},
		{"deny", "", "codex", "bypassPermissions", ""},
		{"nothing", all, "codex", "bypassPermissions", ""},
		{"deny", "", "qwen", "yolo", ""},
		{"nothing", "undecided_modes: [yolo]", "qwen", "yolo", ""},
		{"ask", "mode: manual", "claude", "default", ""},
	} {
		d := newDesk(t, "approvals: {"+tc.policy+"}\n")
		d.surroundings()
		if tc.project != "" {
			d.write("project/.policyctl/policy.yaml", "version: 1\napprovals: {"+tc.project+"}\n")
		}
		tool := map[bool]string{true: "run_shell_command", false: "Bash"}[tc.agent == "qwen"]
		o := occasion{tool: tool, input: `{"command":"make"}`}
		if got := said(t, d.askAs(tc.agent, recorded(t, tc.agent, "PreToolUse", d.project, tc.mode, o))); got != tc.want {
			t.Errorf("%+v: %s", tc, got)
		}
	}
}

// In claude -p nobody answers, so that what is undecided is denied, unless headless is
// named, and in a mode that asks nobody this one too.
func TestHeadlessUndecided(t *testing.T) {
	for _, tc := range []struct{ want, policy, mode string }{
		{"deny", "", "default"}, {"nothing", "undecided_modes: [headless]", "default"}, {"deny", "undecided_modes: [headless]", "bypassPermissions"},
		{"deny", "undecided_modes: [bypassPermissions]", "bypassPermissions"}, {"nothing", "undecided_modes: [headless, bypassPermissions]", "bypassPermissions"},
	} {
		d := newDesk(t, "approvals: {"+tc.policy+"}\n")
		d.surroundings()
		agent, _ := hook.Lookup("claude")
		var stdout strings.Builder
		hook.Run(t.Context(), agent, hook.Host{
			Stdin:  strings.NewReader(recorded(t, "claude", "PreToolUse", d.project, tc.mode, occasion{tool: "Bash", input: `{"command":"make"}`})),
			Stdout: &stdout, Stderr: io.Discard, Decide: d.guard().Decide,
			Getenv: func(name string) string { return map[string]string{"CLAUDE_CODE_SESSION_ATTENDED": "0"}[name] },
		})
		if got := said(t, stdout.String()); got != tc.want {
			t.Errorf("%+v: %s", tc, stdout.String())
		}
	}
}

// A layer that is wrong, and one of an organisation, leave nothing to an agent.
func TestNothingIsLeftUnderAnOrganisation(t *testing.T) {
	for _, tc := range []struct{ want, user, project, managed string }{
		{"nothing", "", "", ""},
		{"ask", "", "", "version: 1\n"},
		{"ask", "", "", "version: 1\nnonsense: 1\n"},
		{"nothing", "", "", "version: 1\napprovals: {undecided: agent}\n"},
		{"nothing", "version: 1\napprovals: {undecided: agent}\n", "", "version: 1\n"},
		{"ask", "version: 1\napprovals: {undecided: agent}\n", "", "version: 1\nlocked: [approvals.undecided]\n"},
		{"ask", "version: 1\nnonsense: 1\n", "", ""},
		{"ask", "", "version: 1\nnonsense: 1\n", ""},
	} {
		d := newDesk(t, "")
		d.surroundings()
		for name, text := range map[string]string{".config/policyctl/policy.yaml": tc.user, "project/.policyctl/policy.yaml": tc.project, "managed/policy.yaml": tc.managed} {
			if text != "" {
				d.write(name, text)
			}
		}
		if got := said(t, d.ask(d.call("1", "make"))); got != tc.want {
			t.Errorf("%+v: %s", tc, got)
		}
	}
}

// What is left to the agent is on record, and counted by the guard against loops.
func TestUndecidedIsRecordedAndCounted(t *testing.T) {
	d := newDesk(t, "")
	d.surroundings()
	g := d.guard()
	found := answer(t, g, "claude", d.call("1", "make"))
	if len(found) != 1 || found[0].Decision != "ask" || found[0].Detail["undecided"] != "agent" {
		t.Errorf("on record is %+v", found)
	}
	got := ""
	for _, id := range []string{"2", "3", "4"} {
		got = d.ask(d.call(id, "make"))
	}
	if said(t, got) != "deny" || !strings.Contains(got, "repeats") {
		t.Errorf("the fourth time: %s", got)
	}
	found = answer(t, d.guard(), "claude", strings.Replace(d.event("PreToolUse", "other", "9", "make"), `"default"`, `"dontAsk"`, 1))
	if len(found) != 1 || found[0].Decision != "deny" || found[0].Detail["undecided"] != "" {
		t.Errorf("on record is %+v", found)
	}
}
