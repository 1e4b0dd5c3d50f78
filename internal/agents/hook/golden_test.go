package hook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/pkg/policy"
)

var update = flag.Bool("update", false, "write the golden files")

// engine decides as a policy with a rule of each sort.
func engine(t testing.TB) func(context.Context, *hook.Event) (policy.Verdict, error) {
	t.Helper()
	s := policy.Defaults()
	s.Permissions = []policy.Permission{
		{Match: "shell git push *", Action: policy.Deny, Origin: policy.Origin{Layer: "user", File: "policy.yaml", Line: 3}},
		{Match: "shell npm test *", Action: policy.Allow},
		{Match: "shell terraform *", Action: policy.Ask},
		{Match: "shell python3 *", Action: policy.Allow},
		{Match: "apply_patch src/*", Action: policy.Allow},
		{Match: "mcp__docs__get", Action: policy.Allow},
		{Match: "shell npm run e2e", Action: policy.Allow, OutsideSandbox: true},
	}
	e, err := policy.New(s, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return func(ctx context.Context, ev *hook.Event) (policy.Verdict, error) {
		if ev.NewTurn {
			return policy.Verdict{}, nil
		}
		c := ev.Call
		c.Home, c.OS = "/home/dev", "linux"
		return e.Decide(ctx, nil, &c)
	}
}

// headless is the environment of claude -p.
func headless(name string) string {
	return map[string]string{"CLAUDE_CODE_SESSION_ATTENDED": "0"}[name]
}

// ran is what the agent sees of a hook.
type ran struct {
	code        int
	out, stderr string
}

func run(a *hook.Agent, data []byte, h hook.Host) ran {
	var out, stderr bytes.Buffer
	h.Stdin, h.Stdout, h.Stderr = bytes.NewReader(data), &out, &stderr
	code := hook.Run(context.Background(), a, h)
	return ran{code, out.String(), stderr.String()}
}

// TestGolden compares the answers to events as agents send them, byte by
// byte. A golden file is standard output; a file .stderr beside it says that
// the exit code is 2, and holds standard error.
func TestGolden(t *testing.T) {
	decide := engine(t)
	for _, name := range own() {
		a, _ := hook.Lookup(name)
		events, err := filepath.Glob(filepath.Join("testdata", name, "*.json"))
		if err != nil || len(events) < 15 {
			t.Fatalf("%s: %d events, %v", name, len(events), err)
		}
		for _, path := range events {
			h := hook.Host{Decide: decide}
			if strings.Contains(path, "headless") {
				h.Getenv = headless
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, strings.TrimSuffix(path, ".json"), run(a, data, h))
		}
	}
}

// own are the agents that have test data of their own; all are in the table of contracts.
func own() (out []string) {
	for _, name := range hook.Names() {
		if info, err := os.Stat(filepath.Join("testdata", name)); err == nil && info.IsDir() {
			out = append(out, name)
		}
	}
	return out
}

func golden(t *testing.T, base string, got ran) {
	t.Helper()
	refused := ""
	if got.code == 2 {
		refused = got.stderr
	}
	if *update {
		write(t, base+".golden", got.out)
		os.Remove(base + ".stderr")
		if got.code == 2 {
			write(t, base+".stderr", refused)
		}
		return
	}
	out, err := os.ReadFile(base + ".golden")
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := os.ReadFile(base + ".stderr")
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(out), got.out); d != "" {
		t.Errorf("%s: standard output:\n%s", base, d)
	}
	if d := cmp.Diff(string(stderr), refused); d != "" {
		t.Errorf("%s: standard error:\n%s", base, d)
	}
	if refused == "" && got.code != 0 {
		t.Errorf("%s: exit code %d", base, got.code)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestSchema checks every golden answer against what the agent accepts; one
// key more and Codex drops the answer.
func TestSchema(t *testing.T) {
	for _, name := range own() {
		files, err := filepath.Glob(filepath.Join("testdata", name, "*.golden"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no golden files, %v", name, err)
		}
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if why := invalid(name, data); why != "" {
				t.Errorf("%s: %s: %s", path, why, data)
			}
		}
	}
}

// heeds reports whether an agent heeds a decision.
func heeds(agent, word string) bool { return slices.Contains(strings.Fields(hook.Heeded[agent]), word) }

// forms are the agents whose answers are not those of Claude Code.
var forms = map[string]func(agent string, out []byte) string{
	"gemini": invalidPlain, "opencode": invalidPlain, "kilo": invalidPlain, "pi": invalidPlain, "amp": invalidPlain, "goose": invalidPlain, "crush": invalidPlain,
	"cursor": invalidFlat, "cline": invalidCancel,
	"windsurf": invalidOutput, "kiro": invalidOutput,
}

// invalid says what is wrong with what an agent is sent, "" if nothing is.
func invalid(agent string, out []byte) string {
	if len(out) == 0 {
		return ""
	}
	if invalid, ok := forms[agent]; ok {
		return invalid(agent, out)
	}
	var m struct {
		SystemMessage      *string `json:"systemMessage"`
		HookSpecificOutput *struct {
			HookEventName            string  `json:"hookEventName"`
			PermissionDecision       *string `json:"permissionDecision"`
			PermissionDecisionReason string  `json:"permissionDecisionReason"`
			Decision                 *struct {
				Behavior string `json:"behavior"`
				Message  string `json:"message"`
			} `json:"decision"`
		} `json:"hookSpecificOutput"`
	}
	d := json.NewDecoder(bytes.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return err.Error()
	}
	o := m.HookSpecificOutput
	switch {
	case d.More() || !bytes.HasSuffix(out, []byte("}\n")):
		return "more than one object and a line feed"
	case o == nil && m.SystemMessage != nil && agent != "copilot":
		return "" // a note alone
	case o == nil:
		return "no hookSpecificOutput"
	case m.SystemMessage != nil && agent == "copilot":
		return "a systemMessage"
	case o.HookEventName == "PreToolUse" && (o.PermissionDecision == nil || o.Decision != nil):
		return "no permissionDecision"
	case o.HookEventName == "PreToolUse":
		if word := *o.PermissionDecision; !heeds(agent, word) {
			return "the decision " + word
		} else if word == "deny" && strings.TrimSpace(o.PermissionDecisionReason) == "" {
			return "no reason"
		}
	case o.HookEventName != "PermissionRequest" || o.Decision == nil || o.PermissionDecision != nil || agent == "copilot":
		return "neither event"
	case o.Decision.Behavior != "allow" && (o.Decision.Behavior != "deny" || o.Decision.Message == ""):
		return "no behavior, or no message"
	}
	return ""
}

// strict decodes one object and a line feed without a key that the form does not have.
func strict(out []byte, into any) string {
	d := json.NewDecoder(bytes.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err.Error()
	}
	if d.More() || !bytes.HasSuffix(out, []byte("}\n")) {
		return "more than one object and a line feed"
	}
	return ""
}

// invalidPlain says what is wrong with a decision at the top of an answer.
func invalidPlain(agent string, out []byte) string {
	var m struct{ SystemMessage, Decision, Reason *string }
	switch why := strict(out, &m); {
	case why != "":
		return why
	case m.SystemMessage != nil && agent != "gemini":
		return "a systemMessage"
	case m.Decision == nil && m.SystemMessage != nil && m.Reason == nil:
		return "" // a note alone
	case m.Decision == nil || !heeds(agent, *m.Decision):
		return "no decision that it heeds"
	case *m.Decision != "allow" && (m.Reason == nil || strings.TrimSpace(*m.Reason) == ""):
		return "no reason"
	}
	return ""
}

// invalidFlat says what is wrong with a permission at the top of an answer.
func invalidFlat(agent string, out []byte) string {
	var m struct {
		Permission string `json:"permission"`
		User       string `json:"user_message"`
		Agent      string `json:"agent_message"`
	}
	switch why := strict(out, &m); {
	case why != "":
		return why
	case !heeds(agent, m.Permission):
		return "no permission that it heeds"
	case m.User == "" || m.Agent == "":
		return "no reason"
	}
	return ""
}

// invalidCancel says what is wrong with what Cline is sent.
func invalidCancel(_ string, out []byte) string {
	var m struct {
		Cancel       bool
		ErrorMessage string
	}
	if why := strict(out, &m); why != "" {
		return why
	}
	if !m.Cancel || m.ErrorMessage == "" {
		return "it cancels nothing, or says no reason"
	}
	return ""
}

// invalidOutput refuses any output.
func invalidOutput(_ string, out []byte) string {
	return "an agent that heeds the exit code alone is sent " + string(out)
}
