package guard_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/policyctl/policyctl/internal/agents/guard"
	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/trail"
)

// subscribed gives every subscription a bundle that says nothing.
type subscribed struct{}

func (subscribed) Stamp() string   { return "" }
func (subscribed) Withdrawn() bool { return false }
func (subscribed) Bundles(list []config.BundleSource, _ layers.Union) (out []layers.Bundle) {
	for _, s := range list {
		out = append(out, layers.Bundle{Name: s.Name, Revision: "r7", Files: []config.File{{
			Layer: config.Bundle, Name: "bundle " + s.Name, Data: []byte("version: 1\n"), Admit: config.Everything,
		}}})
	}
	return out
}

const collecting = "bundles: {acme: {url: /b, decision_log_url: 'https://logs.example.com'}, quiet: {url: /q}}\n"

func shellEvent(command string) *hook.Event {
	return &hook.Event{Call: policy.Call{Agent: "claude", Session: "s", Tool: "shell", Dir: "/w", Input: map[string]any{"command": command}}}
}

// Each decision of a hook is in the spool of a subscription with a collector
// once, without its secrets.
func TestHooksLog(t *testing.T) {
	d := newDesk(t, collecting)
	g := d.guard()
	g.Place.Bundler = subscribed{}
	e := shellEvent("curl -u ann:hunter2secret https://example.com")
	if _, err := g.Decide(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Review(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	if err := g.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	turn, err := spool.Of(g.Place.State, "acme").Ship()
	if err != nil {
		t.Fatal(err)
	}
	events, err := turn.Next()
	if err != nil || len(events) != 1 {
		t.Fatalf("%d events (%v)", len(events), err)
	}
	text := string(events[0])
	for _, want := range []string{`"decision":"ask"`, `"bundles":{"acme":{"revision":"r7"},"quiet":{"revision":"r7"}}`, `"id":"`, `"version":"`, `"timer_server_handler_ns"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if strings.Contains(text, "hunter2secret") {
		t.Errorf("a secret is logged: %s", text)
	}
	if _, err := os.Stat(filepath.Join(g.Place.State, "decisions", "quiet")); err == nil {
		t.Error("something is logged for no collector")
	}
}

// A disk that cannot take the decision, or not now, is said after it is told.
func TestHooksThatCannotLog(t *testing.T) {
	d := newDesk(t, collecting)
	g := d.guard()
	g.Place.Bundler = subscribed{}
	d.write(".local/state/policyctl/decisions", "a file")
	v, err := g.Decide(t.Context(), shellEvent("ls"))
	if err != nil || v.Decision != policy.Allow {
		t.Fatalf("%s (%v)", v.Decision, err)
	}
	if err := g.Settle(t.Context()); err == nil || !strings.Contains(err.Error(), "this decision is missing in a log") {
		t.Errorf("%v", err)
	}
	if err := g.Settle(t.Context()); err != nil {
		t.Errorf("said twice: %v", err)
	}
	if err := os.Remove(filepath.Join(g.Place.State, "decisions")); err != nil {
		t.Fatal(err)
	}
	dir := spool.Of(g.Place.State, "acme").Dir()
	d.write(".local/state/policyctl/decisions/acme/x", "")
	l := flock.New(filepath.Join(dir, "write.lock"))
	if ok, err := l.TryLock(); !ok || err != nil {
		t.Fatal(err)
	}
	if _, err := g.Decide(t.Context(), shellEvent("ls")); err != nil { // it is told while the lock is held
		t.Fatal(err)
	}
	begin := time.Now()
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := g.Settle(t.Context()); err != nil && time.Since(begin) < 100*time.Millisecond {
		t.Errorf("%v", err)
	}
}

// answer has a hook answer an event of an agent, and returns what is on record then. An id
// that the answer names is that of the record.
func answer(t *testing.T, g *guard.Guard, agent, event string) []audit.Entry {
	t.Helper()
	a, ok := hook.Lookup(agent)
	if !ok {
		t.Fatal(agent)
	}
	var out, errs strings.Builder
	hook.Run(t.Context(), a, hook.Host{Stdin: strings.NewReader(event), Stdout: &out, Stderr: &errs, Decide: g.Decide, Told: g.Told})
	if err := g.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	turn, err := spool.Verdicts(g.Place.State).Ship()
	if err != nil {
		t.Fatal(err)
	}
	defer turn.Close()
	lines, err := turn.Next()
	if err != nil {
		t.Fatal(err)
	}
	var found []audit.Entry
	for _, line := range lines {
		e, err := trail.Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, e)
	}
	if err := turn.Done(len(lines)); err != nil {
		t.Fatal(err)
	}
	named := slices.Compact(whyID.FindAllString(out.String(), -1))
	if judged := len(found) > 0 && found[0].Decision == "deny" && found[0].Reason != "error"; judged && len(named) != 1 {
		t.Errorf("the denial does not name its record: %s", out.String())
	}
	for _, n := range named {
		if len(found) != 1 || !strings.HasPrefix(found[0].Detail[trail.ID], strings.TrimPrefix(n, "policyctl why ")) {
			t.Errorf("%s is not what is on record: %+v", n, found)
		}
	}
	return found
}

// whyID is how an answer names a record.
var whyID = regexp.MustCompile("policyctl why [0-9a-f]{8}")

// Each denial and each ask is on record once, as the agent is told, and allows as
// far as the policy says.
func TestHooksRecord(t *testing.T) {
	event := func(name, mode, command string) string {
		return fmt.Sprintf(`{"hook_event_name":%q,"session_id":"s","permission_mode":%q,"cwd":"/w","tool_name":"Bash","tool_use_id":"toolu_1","tool_input":{"command":%q}}`, name, mode, command)
	}
	for _, row := range []struct {
		want, policy, agent, event string
	}{
		{"deny hardline hardline Bash /w", "", "claude", event("PreToolUse", "default", "rm -rf /")},
		{"ask none confirm Bash /w", "", "claude", event("PreToolUse", "default", "make")},
		{"deny unattended confirm Bash /w", "", "claude", event("PreToolUse", "dontAsk", "make")},
		{"", "", "claude", event("PreToolUse", "default", "ls")},
		{"allow none readonly Bash /w", "record: {allow_percent: 100}\n", "claude", event("PreToolUse", "default", "ls")},
		{"", "", "claude", event("PermissionRequest", "default", "make")}, // the question again
		{"", "", "claude", `{"hook_event_name":"Stop","session_id":"s"}`},
		{"deny error none  ", "", "claude", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":5}`},
		{"deny hardline hardline run_shell_command /w", "", "qwen", strings.Replace(event("PermissionRequest", "default", "rm -rf /"), `"Bash"`, `"run_shell_command"`, 1)},
	} {
		g := newDesk(t, row.policy).guard()
		var got []string
		for _, e := range answer(t, g, row.agent, row.event) {
			got = append(got, strings.Join([]string{e.Decision, e.Reason, e.Stage, e.Tool, e.Dir}, " "))
			if want := fmt.Sprintf("uid:%d", os.Getuid()); e.Actor != want || e.Agent != row.agent || e.Detail["via"] != "hook" || e.Detail[trail.Took] == "" && e.Reason != "error" {
				t.Errorf("%+v", e)
			}
		}
		if strings.Join(got, "|") != row.want {
			t.Errorf("%s: on record is %q, want %q", row.event, got, row.want)
		}
	}
}

// closed is an output that nobody reads.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, os.ErrClosed }

// An answer that cannot be told is a denial, and is on record as one.
func TestHooksRecordWhatIsTold(t *testing.T) {
	g := newDesk(t, "record: {allow_percent: 100}\n").guard()
	a, _ := hook.Lookup("claude")
	event := `{"hook_event_name":"PreToolUse","session_id":"s","permission_mode":"default","cwd":"/w","tool_name":"Bash","tool_input":{"command":"ls"}}`
	code := hook.Run(t.Context(), a, hook.Host{Stdin: strings.NewReader(event), Stdout: closed{}, Stderr: io.Discard, Decide: g.Decide, Told: g.Told})
	if err := g.Settle(t.Context()); err != nil || code != 2 {
		t.Fatal(code, err)
	}
	files, _ := filepath.Glob(filepath.Join(g.Place.State, "verdicts", "*.events"))
	if len(files) != 1 {
		t.Fatal(files)
	}
	text, _ := os.ReadFile(files[0])
	if strings.Count(string(text), `"kind":"verdict"`) != 1 || !strings.Contains(string(text), `"decision":"deny","decided_by":"policy","reason":"error"`) {
		t.Errorf("on record is %s", text)
	}
}

// What an approval service decided stands beside the decision, and no secret
// reaches the disk.
func TestHooksRecordApprovals(t *testing.T) {
	const secret = "ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2"
	g := newDesk(t, "record: {allow_percent: 100}\n").guard()
	e := shellEvent("GH_TOKEN=" + secret + " make")
	v, err := g.Decide(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	v.Decision, v.Reason = policy.Allow, policy.ReasonNone
	g.Told(e, hook.Outcome{Verdict: v, By: "token:ann", Request: "req_1", Receipt: "rcp_1"})
	if err := g.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(g.Place.State, "verdicts", "*"))
	text := ""
	for _, f := range files {
		data, _ := os.ReadFile(f)
		text += string(data)
	}
	for _, want := range []string{`"approved_by":"token:ann"`, `"request":"req_1"`, `"receipt":"rcp_1"`, `"masked":"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if strings.Contains(text, secret) {
		t.Errorf("a secret is on the disk: %s", text)
	}
}

// A spool that is full loses its oldest decisions, counts them, and changes no answer.
func TestHooksRecordWhenFull(t *testing.T) {
	d := newDesk(t, "")
	g := d.guard()
	d.write(".local/state/policyctl/verdicts/0000000001.events", strings.Repeat("x", 64<<20-1)+"\n")
	e := shellEvent("rm -rf /")
	v, err := g.Decide(t.Context(), e)
	if err != nil || v.Decision != policy.Deny {
		t.Fatalf("%s (%v)", v.Decision, err)
	}
	g.Told(e, hook.Outcome{Verdict: v})
	if err := g.Settle(t.Context()); err != nil {
		t.Error(err)
	}
	s := spool.Verdicts(g.Place.State)
	if n, lost := s.Lost(spool.Displaced), s.Lost(spool.Dropped); n != 1 || lost != 0 {
		t.Errorf("%d gave way and %d found no room, want 1 and 0", n, lost)
	}
	if n, err := s.Waiting(); n != 1 || err != nil {
		t.Errorf("%d wait (%v), want the new one", n, err)
	}
}

// BenchmarkTold is what a hook does after its answer.
func BenchmarkTold(b *testing.B) {
	e := shellEvent("git push --force origin main")
	g := &guard.Guard{Place: layers.Place{State: b.TempDir()}, Now: time.Now}
	for b.Loop() {
		g.Told(e, hook.Outcome{})
		_ = g.Settle(b.Context())
	}
}
