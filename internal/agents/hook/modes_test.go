package hook

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// Each row of the table has a word for each verdict that its agent heeds, denials deny,
// and what is undecided is never answered looser than an ask.
func TestTable(t *testing.T) {
	var unasked []string
	for _, a := range agents {
		for i := range a.modes {
			m := &a.modes[i]
			for _, words := range []string{m.call, m.dialog} {
				list := strings.Fields(words)
				if len(list) != len(columnNames) || list[denies] != "deny" {
					t.Errorf("%s, %s: %q", a.Name, m.names, words)
					continue
				}
				for _, w := range list {
					if words == m.call && !heeded(a.Name, w) || words == m.dialog && w != "allow" && w != "deny" && w != "-" && !(a.answers.form == formFlat && w == "ask") {
						t.Errorf("%s, %s: %q", a.Name, m.names, w)
					}
				}
				if list[opens] == "allow" || list[asks] == "allow" || !m.asks && (list[opens] == "-" || list[asks] == "-" || list[asks] == "ask") {
					t.Errorf("%s, %s: %q", a.Name, m.names, words)
				}
			}
			if names := strings.Fields(m.names); !m.asks && !m.headless {
				unasked = append(unasked, names[:len(names)-1]...)
			}
		}
		if last := a.modes[len(a.modes)-1]; !strings.HasSuffix(last.names, "*") {
			t.Errorf("%s has no row for other modes", a.Name)
		}
	}
	for _, name := range policy.UnaskedModes()[1:] {
		if !slices.Contains(unasked, name) {
			t.Errorf("no agent has the mode %s", name)
		}
	}
	for _, name := range unasked {
		if !slices.Contains(policy.UnaskedModes(), name) {
			t.Errorf("the policy cannot name the mode %s", name)
		}
	}
}

// heeded reports whether an agent heeds a word of the table.
func heeded(agent, word string) bool {
	switch word {
	case silence:
		return true
	case later:
		word = postpone
	}
	words := strings.Fields(strings.ReplaceAll(Heeded[agent], "block", deny))
	return slices.Contains(words, word)
}

// What is left to the agent goes to no approval service, and what is denied because
// nobody is asked does.
func TestUndecidedIsNotReferred(t *testing.T) {
	v := policy.Verdict{Decision: policy.Ask, Reason: policy.ReasonNone, Stage: policy.StageConfirm, Undecided: true}
	for _, tc := range []struct {
		agent, event, mode string
		left, referred     bool
	}{
		{"claude", "PreToolUse", "default", true, false},
		{"claude", "PermissionRequest", "default", true, false},
		{"claude", "PreToolUse", "dontAsk", false, true},
		{"codex", "PreToolUse", "default", true, false},
		{"codex", "PermissionRequest", "default", true, false},
		{"codex", "PreToolUse", "bypassPermissions", false, true},
		{"copilot", "PreToolUse", "", true, false},
		{"qwen", "PreToolUse", "auto-edit", true, false},
		{"qwen", "PermissionRequest", "default", true, false},
		{"qwen", "PreToolUse", "yolo", false, true},
	} {
		a, _ := Lookup(tc.agent)
		referred := false
		var out strings.Builder
		event := `{"hook_event_name":"` + tc.event + `","session_id":"s","cwd":"/w","permission_mode":"` + tc.mode + `","tool_name":"Bash","tool_input":{"command":"make"}}`
		Run(t.Context(), a, Host{
			Stdin: strings.NewReader(event), Stdout: &out, Stderr: io.Discard, Wait: MinWait,
			Decide: func(context.Context, *Event) (policy.Verdict, error) { return v, nil },
			Refer: func(_ context.Context, in Ask) (Outcome, error) {
				referred = true
				return Outcome{Verdict: in.Verdict}, nil
			},
		})
		if referred != tc.referred || (out.String() == "") != tc.left {
			t.Errorf("%+v: referred %v, %s", tc, referred, out.String())
		}
	}
}

// Nothing that types later is left to an agent whose typing no hook sees.
func TestTypedIsNotLeft(t *testing.T) {
	a, _ := Lookup("codex")
	v := &policy.Verdict{Decision: policy.Ask, Undecided: true}
	for command, want := range map[string]string{"python3": deny, "bash": deny, "make": nothing} {
		e := &Event{Name: "PreToolUse", Mode: "default", Call: policy.Call{Tool: "Bash", Input: map[string]any{"command": command}}}
		if got, said := a.settle(e, v); got != want || said.Undecided != (want == nothing) {
			t.Errorf("%s: %q", command, got)
		}
	}
}
