package guard_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/agents/guard"
	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
)

// A desk is the machine of a person with a project.
type desk struct {
	t             *testing.T
	home, project string
	environ       []string
	started       string // where the agent was started, "" if it does not say
}

// asking is a policy that leaves nothing to agents.
const asking = "approvals: {undecided: ask}\n"

func newDesk(t *testing.T, policy string) *desk {
	home := t.TempDir()
	d := &desk{t: t, home: home, project: filepath.Join(home, "project")}
	d.write("project/README.md", "x")
	if policy != "" {
		d.write(".config/policyctl/policy.yaml", "version: 1\n"+policy)
	}
	return d
}

func (d *desk) write(name, text string) {
	d.t.Helper()
	path := filepath.Join(d.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// guard returns the guard of a new process.
func (d *desk) guard() *guard.Guard {
	place := layers.Fixed(d.home, "")
	place.Managed, place.Project = filepath.Join(d.home, "managed"), d.started
	env := append([]string{"HOME=" + d.home}, d.environ...)
	return &guard.Guard{Place: place, Environ: env, World: world.New(env), Now: time.Now}
}

// ask sends an event through a new process, as an agent would.
func (d *desk) ask(event string) string {
	d.t.Helper()
	return d.askAs("claude", event)
}

func (d *desk) askAs(name, event string) string {
	d.t.Helper()
	agent, _ := hook.Lookup(name)
	if call, _ := agent.Events(); call != "PreToolUse" {
		event = strings.Replace(event, `"hook_event_name":"PreToolUse"`, `"hook_event_name":"`+call+`"`, 1)
	}
	g := d.guard()
	var stdout, stderr bytes.Buffer
	code := hook.Run(context.Background(), agent, hook.Host{Stdin: strings.NewReader(event), Stdout: &stdout, Stderr: &stderr, Decide: g.Decide})
	if code != 0 || stderr.Len() > 0 {
		d.t.Fatalf("%s: exit code %d, %s", event, code, &stderr)
	}
	return stdout.String()
}

// call is the event before a shell command.
func (d *desk) call(id, command string) string {
	return d.event("PreToolUse", "s", id, command)
}

func (d *desk) event(name, session, id, command string) string {
	data, err := json.Marshal(map[string]any{
		"hook_event_name": name, "session_id": session, "tool_use_id": id, "cwd": d.project, "permission_mode": "default",
		"tool_name": "Bash", "tool_input": map[string]any{"command": command},
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return string(data)
}

// said returns the decision of an answer, "nothing" for none.
func said(t *testing.T, answer string) string {
	t.Helper()
	if answer == "" {
		return "nothing"
	}
	var a struct {
		Plain  any `json:"decision"`
		Output struct {
			Permission string `json:"permissionDecision"`
			Decision   struct {
				Behavior string `json:"behavior"`
			} `json:"decision"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(answer), &a); err != nil {
		t.Fatalf("%s: %v", answer, err)
	}
	if plain, ok := a.Plain.(string); ok {
		return plain
	}
	return a.Output.Permission + a.Output.Decision.Behavior
}

func TestDecide(t *testing.T) {
	for _, tc := range []struct{ want, policy, project, env, command string }{
		{"allow", "", "", "", "ls"},
		{"nothing", "", "", "", "npm test"},
		{"ask", "approvals: {undecided: ask}", "", "", "npm test"},
		{"ask", "", "approvals: {undecided: ask}", "", "npm test"},
		{"ask", "", "", "POLICYCTL_APPROVALS_UNDECIDED=ask", "npm test"},
		{"ask", "approvals: {undecided: ask}", "", "POLICYCTL_APPROVALS_UNDECIDED=agent", "npm test"},
		{"deny", "", "", "", "rm -rf ~"},
		{"allow", "permissions: {shell npm test: allow}", "", "", "npm test"},
		{"deny", "permissions: {shell git push *: deny}", "", "", "git push origin main"},
		{"ask", asking, "permissions: {shell npm test: allow}", "", "npm test"},
		{"deny", "permissions: {shell npm test: allow}", "permissions: {shell npm *: deny}", "", "npm test"},
		{"ask", asking, "", "POLICYCTL_APPROVALS_YOLO=true", "npm test"},
		{"ask", "", "", "POLICYCTL_APPROVALS_MODE=skip", "npm test"},
		{"ask", "", "", "POLICYCTL_APPROVALS_AUTO_ALLOW_READONLY=false", "ls"},
		{"deny", "approvals: {yolo: true}", "", "", "rm -rf ~/.config/policyctl"},
		{"deny", "approvals: {yolo: true}", "", "", "echo x > ~/.local/state/policyctl/trust.json"},
		{"deny", "approvals: {yolo: true}", "", "", "policyctl trust ."},
		{"allow", "approvals: {yolo: true}", "", "", "npm test"},
		{"ask", "approvals: {mode: nonsense}", "", "", "ls"},
		{"ask", "permissions: {shell ls: allow}", "nonsense: 1", "", "ls"},
		{"deny", "approvals: {mode: nonsense}", "", "", "rm -rf /"},
	} {
		d := newDesk(t, tc.policy)
		if tc.project != "" {
			d.write("project/.policyctl/policy.yaml", "version: 1\n"+tc.project)
		}
		if tc.env != "" {
			d.environ = []string{tc.env}
		}
		if got := said(t, d.ask(d.call("1", tc.command))); got != tc.want {
			t.Errorf("%q, project %q, %s: %s is %s, want %s", tc.policy, tc.project, tc.env, tc.command, got, tc.want)
		}
	}
}

// noMake denies a program, and a directory.
const noMake = `rules:
  - {id: no-make, when: {shell.program: make}, decision: deny, reason: not here}
  - {id: secret, when: {shell.dir: /srv/secret}, decision: deny, reason: not there}`

// TestCallsElsewhere: the hook judges a call where its arguments say, and a
// tool of any name by the command that it is given.
func TestCallsElsewhere(t *testing.T) {
	for _, tc := range []struct{ want, policy, tool, input string }{
		{"deny", "approvals: {yolo: true}", "run_shell_command", `{"command":"rm -rf *","directory":"/"}`},
		{"deny", "approvals: {yolo: true}", "run_shell_command", `{"command":"rm -rf *","dir_path":"../../../../../../../.."}`},
		{"deny", "approvals: {yolo: true}", "run_shell_command", `{"command":"rm -rf *","workdir":"/"}`},
		{"ask", "", "run_shell_command", `{"command":"cat credentials","directory":"~/.aws"}`},
		{"ask", "", "run_shell_command", `{"command":"ls","directory":7}`},
		{"allow", "", "run_shell_command", `{"command":"ls","directory":"."}`},
		{"ask", "", "run_shell_command", `{"command":"ls","env":{"LD_PRELOAD":"/tmp/x.so"}}`},
		{"deny", "approvals: {yolo: true}", "mcp__x__exec", `{"command":"rm -rf /"}`},
		{"deny", "approvals: {yolo: true}", "mcp__x__exec", `{"params":{"cmd":"rm -rf *","cwd":"/"}}`},
		{"deny", "permissions: {shell git push *: deny}\napprovals: {yolo: true}", "mcp__x__exec", `{"command":"git push"}`},
		{"deny", "approvals: {yolo: true}\n" + noMake, "mcp__x__exec", `{"command":"make x"}`},
		{"deny", "approvals: {yolo: true}\n" + noMake, "run_shell_command", `{"command":"ls","directory":"/srv/secret"}`},
		{"allow", "approvals: {yolo: true}\n" + noMake, "run_shell_command", `{"command":"ls","directory":"/srv/open"}`},
		{"allow", "approvals: {yolo: true}", "mcp__x__note", `{"text":"rm -rf /"}`},
		{"ask", "", "mcp__x__exec", `{"command":"ls"}`},
	} {
		d := newDesk(t, tc.policy)
		event := strings.Replace(d.call("1", "ls"), `"tool_input":{"command":"ls"}`, `"tool_input":`+tc.input, 1)
		event = strings.Replace(event, `"tool_name":"Bash"`, `"tool_name":"`+tc.tool+`"`, 1)
		if !strings.Contains(event, tc.tool) || !strings.Contains(event, tc.input) {
			t.Fatal(event)
		}
		if got := said(t, d.ask(event)); got != tc.want {
			t.Errorf("%q: %s %s is %s, want %s", tc.policy, tc.tool, tc.input, got, tc.want)
		}
	}
}

// TestBesideWrong shows that neither a project nor the environment takes away
// what others deny by being wrong, nor where asks go.
func TestBesideWrong(t *testing.T) {
	const user = "permissions: {shell curl *: deny, shell npm test: allow}\n" +
		"security: {approval: {service: 'https://approve.test', keys_file: /etc/keys.json, supervisor_id: boss}}\n"
	for what, spoil := range map[string]func(d *desk){
		"a variable":        func(d *desk) { d.environ = []string{"POLICYCTL_APPROVALS_MODE=garbage"} },
		"a project":         func(d *desk) { d.write("project/.policyctl/policy.yaml", "version: 1\nnope: 1\n") },
		"a project's link":  func(d *desk) { d.write("project/.policyctl/policy.yaml/x", "") },
		"the project above": func(d *desk) { d.write(".policyctl/policy.yaml", "") },
		"both": func(d *desk) {
			d.environ = []string{"POLICYCTL_DOOM_LOOP_THRESHOLD=x"}
			d.write("project/.policyctl/policy.yaml", "version: 2\n")
		},
	} {
		for _, tc := range []struct{ want, managed, user, command string }{
			{"deny", "", user, "curl example.com"},
			{"ask", "", user, "npm test"},
			{"ask", "", user, "ls"},
			{"deny", "", user, "rm -rf ~"},
			{"deny", "permissions: {shell npm *: deny}", user, "npm test"},
			{"deny", "permissions: {shell npm *: deny}", user, "curl example.com"},
			{"deny", "permissions: {shell curl *: deny}", "", "curl example.com"},
			{"deny", "", "approvals: {yolo: true}\n" + user, "curl example.com"},
			{"ask", "", "approvals: {yolo: true}\n" + user, "npm test"},
			{"ask", "", "approvals: {mode: skip}\n" + user, "npm run x"},
			{"deny", "", "approvals: {mode: skip}\n" + user, `sh -c "$X"`},
			{"ask", "", "nope: 1\n" + user, "curl example.com"},
			{"deny", "nope: 1", user, "curl example.com"},
			{"deny", "permissions: {shell curl *: deny}", "nope: 1\n" + user, "curl example.com"},
		} {
			d := newDesk(t, tc.user)
			if tc.managed != "" {
				d.write("managed/policy.yaml", "version: 1\n"+tc.managed)
			}
			spoil(d)
			if got := said(t, d.ask(d.call("1", tc.command))); got != tc.want {
				t.Errorf("%s is wrong, managed %q, %q: %s is %s, want %s", what, tc.managed, tc.user, tc.command, got, tc.want)
			}
		}
		d := newDesk(t, user)
		spoil(d)
		g := d.guard()
		e := &hook.Event{Call: policy.Call{Tool: "shell", Input: map[string]any{"command": "ls"}, Dir: d.project, Session: "s"}}
		if s := g.Service(e); s.URL != "https://approve.test" || s.KeysFile != "/etc/keys.json" {
			t.Errorf("%s is wrong: the service is %+v", what, s)
		}
		if v, err := g.Decide(context.Background(), e); err != nil || v.Rule != "policy" || v.Ask.Approver != "boss" {
			t.Errorf("%s is wrong: %+v, %v", what, v, err)
		}
	}
}

// TestLoop shows that a session outlives the processes, that one id counts
// once, and that subagents and other sessions have histories of their own.
func TestLoop(t *testing.T) {
	d := newDesk(t, "permissions: {shell make: allow}")
	steps := []struct{ want, event string }{
		{"allow", d.call("1", "make")},
		{"allow", d.call("1", "make")},
		{"allow", d.event("PermissionRequest", "s", "", "make")},
		{"allow", d.call("2", "make")},
		{"allow", d.event("PermissionRequest", "s", "", "make")},
		{"allow", d.event("PreToolUse", "other", "3", "make")},
		{"allow", subagent("a1", d.call("4", "make"))},
		{"deny", d.call("5", "make")},
		{"deny", d.event("PermissionRequest", "s", "", "make")},
		{"allow", d.call("6", "ls")},
		{"allow", d.call("7", "make")},
	}
	for i, s := range steps {
		if got := said(t, d.ask(s.event)); got != s.want {
			t.Errorf("step %d: %s, want %s: %s", i, got, s.want, s.event)
		}
	}
}

// subagent makes an event that of a subagent.
func subagent(id, event string) string {
	return strings.Replace(event, "{", fmt.Sprintf(`{"agent_id":%q,`, id), 1)
}

func TestNewTurn(t *testing.T) {
	d := newDesk(t, "permissions: {shell make: allow}")
	for i := range 2 {
		d.ask(d.call(fmt.Sprint(i), "make"))
	}
	if got := d.ask(`{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":"/","prompt":"again"}`); got != "" {
		t.Errorf("an answer to what the user says: %s", got)
	}
	if got := said(t, d.ask(d.call("9", "make"))); got != "allow" {
		t.Errorf("the same call after the user spoke is %s", got)
	}
}

// TestDamagedState shows that a history that cannot be read is set aside, and
// that the person is told.
func TestDamagedState(t *testing.T) {
	d := newDesk(t, "permissions: {shell make: allow}")
	d.ask(d.call("1", "make"))
	files, err := filepath.Glob(filepath.Join(d.home, ".local/state/policyctl/sessions/*.json"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	for _, text := range []string{"{", "", `{"version":9}`, strings.Repeat("x", 1<<20)} {
		if err := os.WriteFile(files[0], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		answer := d.ask(d.call("2", "make"))
		if said(t, answer) != "allow" || !strings.Contains(answer, "history of the session could not be read") {
			t.Errorf("%.20q: %s", text, answer)
		}
	}
	if aside, _ := filepath.Glob(files[0] + ".invalid-*"); len(aside) == 0 {
		t.Error("nothing is set aside")
	}
}

// TestManyProcesses shows that no call is lost between processes that use one
// session at once.
func TestManyProcesses(t *testing.T) {
	d := newDesk(t, "permissions: {shell make: allow}")
	var wg sync.WaitGroup
	results := make([]string, 12)
	for i := range results {
		wg.Go(func() { results[i] = said(t, d.ask(d.call(fmt.Sprint(i), "make"))) })
	}
	wg.Wait()
	allowed := 0
	for _, r := range results {
		if r == "allow" {
			allowed++
		}
	}
	if allowed != 2 {
		t.Errorf("%d of 12 equal calls are allowed, want 2: %v", allowed, results)
	}
}

// TestUnwritableState shows that a call is decided although nothing can be
// kept, and that every agent is told that loops are not looked for.
func TestUnwritableState(t *testing.T) {
	for _, name := range hook.Names() {
		a, _ := hook.Lookup(name)
		told := func(d *desk, command string) string {
			var out bytes.Buffer
			hook.Run(context.Background(), a, hook.Host{Stdin: bytes.NewReader(a.Sample(command, "s", d.project)), Stdout: &out, Stderr: &out, Decide: d.guard().Decide})
			return out.String()
		}
		d := newDesk(t, "permissions: {shell make *: deny}")
		d.write(".local/state/policyctl", "a file")
		if got := told(d, "frob it"); !strings.Contains(got, "loop detection is off") && name != "cursor" { // which is told in its second event
			t.Errorf("%s: %s", name, got)
		}
		if got := told(newDesk(t, ""), "ls"); strings.Contains(got, "loop") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestInvalidPolicySaysWhy(t *testing.T) {
	d := newDesk(t, "aprovals: {}")
	answer := d.ask(d.call("1", "ls"))
	for _, want := range []string{"policy.yaml:2:1", "did you mean approvals?", "policyctl check"} {
		if !strings.Contains(answer, want) {
			t.Errorf("no %q in %s", want, answer)
		}
	}
}

// TestProjectOfSession shows that the policy of the project in which an agent
// was started applies wherever it goes, and only tightens.
func TestProjectOfSession(t *testing.T) {
	d := newDesk(t, "")
	d.write("project/.policyctl/policy.yaml", "version: 1\npermissions: {shell ls *: deny, shell make: allow}\n")
	d.started = d.project
	elsewhere := func(command string) string {
		return strings.Replace(d.call("", command), d.project, d.home, 1)
	}
	if got := said(t, d.ask(elsewhere("ls /tmp"))); got != "deny" {
		t.Errorf("outside of the project ls is %s", got)
	}
	if got := said(t, d.ask(elsewhere("make"))); got != "ask" {
		t.Errorf("outside of the project make is %s", got)
	}
}

// TestApprovals shows that what a person has approved counts in hooks, and
// that they are told where it cannot be used.
func TestApprovals(t *testing.T) {
	d := newDesk(t, asking)
	store := grant.NewStore(filepath.Join(d.home, ".local/state/policyctl"), time.Now)
	if _, err := store.Add(grant.Entry{Verb: "npm test", Dir: d.project, Scope: grant.Here, Tool: "shell", By: "test"},
		grant.Entry{Verb: "make", Dir: d.project, Scope: grant.Session, Tool: "shell", Agent: "claude", Conversation: "s", By: "test"}); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ want, event string }{
		{"allow", d.call("1", "npm test")},
		{"allow", d.event("PreToolUse", "other", "2", "npm test")},
		{"allow", d.call("3", "make")},
		{"ask", d.event("PreToolUse", "other", "4", "make")},
		{"allow", subagent("a1", d.call("12", "make"))},
		{"ask", subagent("a1", d.event("PreToolUse", "other", "13", "make"))},
		{"ask", subagent("s", d.event("PreToolUse", "other", "14", "make"))},
		{"ask", d.event("PreToolUse", "s/a1", "15", "make")},
		{"ask", d.call("5", "cd .. && npm test")},
		{"ask", d.call("6", "npm run x")},
		{"deny", d.call("7", "policyctl approvals trust-verb 'npm run' --anywhere")},
		{"deny", d.call("8", "policyctl approvals revoke 'npm test anywhere'")},
		{"ask", d.call("9", "policyctl approvals list")},
		{"deny", d.call("10", "echo {} > "+filepath.Join(d.home, ".local/state/policyctl/grants.json"))},
	} {
		if got := said(t, d.ask(tc.event)); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.event, got, tc.want)
		}
	}
	d.write(".local/state/policyctl/grants.json", `{"version":1}`)
	answer := d.ask(d.call("11", "npm test"))
	if said(t, answer) != "ask" || !strings.Contains(answer, "grants.json.v1.bak") {
		t.Errorf("with approvals of version 1: %s", answer)
	}
}

// TestReview shows that a second look at a call counts nothing, with an id and
// without one.
func TestReview(t *testing.T) {
	d := newDesk(t, "permissions: {shell make: allow}")
	agent, _ := hook.Lookup("claude")
	for _, id := range []string{"1", ""} {
		place := layers.Fixed(d.home, "")
		place.Managed = ""
		g := &guard.Guard{Place: place, World: world.New(nil), Now: time.Now}
		e, err := agent.Read([]byte(d.event("PreToolUse", "review"+id, id, "make")), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			decide := g.Review
			if i == 0 {
				decide = g.Decide
			}
			if v, err := decide(context.Background(), e); err != nil || v.Decision != policy.Allow {
				t.Errorf("id %q, look %d: %s, %v", id, i, v.Decision, err)
			}
		}
	}
}

// TestWorkspaceThroughLinks shows that work in the project covers no file that
// decides what runs, by whatever link it is reached.
func TestWorkspaceThroughLinks(t *testing.T) {
	d := newDesk(t, "approvals: {auto_allow_workspace: true}")
	d.write("project/.git/hooks/x.sample", "")
	d.write("project/src/a.go", "")
	for name, to := range map[string]string{"git": ".git", "hooks": ".git/hooks", "source": "src"} {
		if err := os.Symlink(to, filepath.Join(d.project, name)); err != nil {
			t.Fatal(err)
		}
	}
	write := func(id, file string) string {
		return fmt.Sprintf(`{"session_id":"s","cwd":%q,"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":%q,"content":"x"},"tool_use_id":%q}`, d.project, file, id)
	}
	for i, s := range []struct{ want, file string }{
		{"ask", "git/hooks/pre-commit"},
		{"ask", "hooks/pre-commit"},
		{"ask", "git/x"},
		{"ask", "~root/.bashrc"},
		{"ask", "file:" + d.home + "/.bashrc"},
		{"allow", "source/b.go"},
		{"allow", "src/hooks/b.go"},
	} {
		if got := said(t, d.ask(write(fmt.Sprint("w", i), s.file))); got != s.want {
			t.Errorf("%s: %s, want %s", s.file, got, s.want)
		}
	}
	for i, s := range []struct{ want, line string }{
		{"ask", "cp src/a.go git/hooks/pre-commit"},
		{"ask", "echo x > hooks/pre-commit"},
		{"allow", "cp src/a.go source/c.go"},
	} {
		if got := said(t, d.ask(d.call(fmt.Sprint("l", i), s.line))); got != s.want {
			t.Errorf("%s: %s, want %s", s.line, got, s.want)
		}
	}
}

// TestWorkspace shows that a session has one project, whatever directory a call
// names later, and remembers the files that it has made.
func TestWorkspace(t *testing.T) {
	d := newDesk(t, "approvals: {auto_allow_workspace: true}")
	elsewhere := t.TempDir()
	here, there := d.call("1", "echo a > made.txt"), func(id, command string) string {
		return strings.ReplaceAll(strings.ReplaceAll(d.call(id, command), d.project, elsewhere), "PROJECT", d.project)
	}
	if got := said(t, d.ask(here)); got != "allow" {
		t.Errorf("a new file: %s", got)
	}
	for name, text := range map[string]string{"made.txt": "a", "notes.txt": "mine"} {
		if err := os.WriteFile(filepath.Join(d.project, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i, s := range []struct{ want, event string }{
		{"allow", d.call("2", "echo b > made.txt")},
		{"nothing", d.call("3", "echo b > notes.txt")},
		{"ask", there("4", "echo a > made.txt")},
		{"allow", there("5", "echo b > PROJECT/made.txt")},
		{"nothing", d.event("PreToolUse", "other", "6", "echo b > made.txt")},
	} {
		if got := said(t, d.ask(s.event)); got != s.want {
			t.Errorf("step %d: %s, want %s: %s", i, got, s.want, s.event)
		}
	}
}
