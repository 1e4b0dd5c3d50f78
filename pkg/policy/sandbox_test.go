package policy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// leaving are arguments by which agents ask to leave their sandbox, and
// staying those that say no such thing.
var (
	leaving = []string{
		`"sandbox_permissions":"require_escalated","justification":"x"`, `"sandbox_permissions":"with_additional_permissions"`,
		`"sandbox_permissions":"anything"`, `"sandbox_permissions":["x"]`, `"sandbox_permissions":1`, `"Sandbox_Permissions":"require_escalated"`,
		`"with_escalated_permissions":true`, `"with_escalated_permissions":"true"`, `"additional_permissions":{"network":true}`,
		`"dangerouslyDisableSandbox":true`, `"dangerouslyDisableSandbox":"yes"`, `"dangerouslydisablesandbox":true`, `"dangerou` + "\u017f" + `lyDisableSandbox":true`,
		`"requestSandboxBypass":true`, `"requestUnsandboxedExecution":true`, `"required_permissions":["all"]`, `"elevated":true`,
	}
	staying = []string{
		`"sandbox_permissions":"use_default"`, `"sandbox_permissions":null`, `"sandbox_permissions":""`, `"with_escalated_permissions":false`,
		`"additional_permissions":{}`, `"dangerouslyDisableSandbox":false`, `"requestSandboxBypass":null`, `"required_permissions":[]`,
		`"justification":"to leave the sandbox"`, `"description":"sandbox_permissions: require_escalated"`,
	}
)

// openSettings allow the commands of the tests in every way there is.
func openSettings() map[string]policy.Settings {
	out := make(map[string]policy.Settings)
	with := func(name string, set func(*policy.Settings)) {
		s := policy.Defaults()
		set(&s)
		out[name] = s
	}
	with("proof", func(*policy.Settings) {})
	with("permission", func(s *policy.Settings) {
		s.Permissions = []policy.Permission{{Match: "shell *", Action: policy.Allow}}
	})
	with("byte-equal", func(s *policy.Settings) {
		s.Permissions = []policy.Permission{{Match: "shell ls", Action: policy.Allow}}
	})
	with("allowlist", func(s *policy.Settings) {
		s.AutoAllowReadonly, s.Allowlist = false, []policy.Entry{{Text: "ls"}}
	})
	with("tool policy", func(s *policy.Settings) { s.ToolPolicy.Tools = map[string]policy.Treatment{"shell": policy.Allowed} })
	with("tool policy's default", func(s *policy.Settings) { s.ToolPolicy.Default = policy.Allowed })
	with("auto-approve", func(s *policy.Settings) {
		s.ToolPolicy.Tools = map[string]policy.Treatment{"shell": policy.Supervised}
		s.AutoApprove = []policy.AutoApprove{{Tool: "shell", Command: regexp.MustCompile("^ls$")}}
	})
	with("skip", func(s *policy.Settings) { s.Mode = policy.Skip })
	with("dangerous_only", func(s *policy.Settings) {
		s.Confirm, s.Mode, s.AutoAllowReadonly = policy.DangerousOnly, policy.Auto, false
	})
	return out
}

func decideJSON(t *testing.T, s policy.Settings, call string) policy.Verdict {
	t.Helper()
	e, err := policy.New(s, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := policy.DecodeCall([]byte(call))
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.Decide(context.Background(), nil, c)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestLeavingTheSandbox shows that nothing that allows a call allows it to
// leave the agent's sandbox.
func TestLeavingTheSandbox(t *testing.T) {
	const form = `{"tool":"Bash","dir":"/repo","home":"/home/dev","input":{"command":"ls",%s}}`
	for name, s := range openSettings() {
		for _, arg := range leaving {
			if v := decideJSON(t, s, fmt.Sprintf(form, arg)); v.Decision != policy.Ask || v.Rule != "outside-sandbox" || !v.Ask.EveryTime || v.Ask.OnTimeout != policy.Deny {
				t.Errorf("%s, %s: %s by %s %s", name, arg, v.Decision, v.Stage, v.Rule)
			}
		}
		for _, arg := range staying {
			if v := decideJSON(t, s, fmt.Sprintf(form, arg)); v.Decision != policy.Allow {
				t.Errorf("%s, %s: %s by %s %s", name, arg, v.Decision, v.Stage, v.Rule)
			}
		}
		if v := decideJSON(t, s, `{"command":"ls","dir":"/repo","outside_sandbox":true}`); v.Decision != policy.Ask {
			t.Errorf("%s, the call says so: %s by %s", name, v.Decision, v.Stage)
		}
		if v := decideJSON(t, s, `{"command":"ls","dir":"/repo","outside_sandbox":false}`); v.Decision != policy.Allow {
			t.Errorf("%s, the call says no: %s by %s", name, v.Decision, v.Stage)
		}
	}
}

// TestPermissionsOutsideTheSandbox shows what a permission that names the
// sandbox decides, and that denies and yolo are as they were.
func TestPermissionsOutsideTheSandbox(t *testing.T) {
	s := policy.Defaults()
	s.Approval.OnTimeout = policy.Allow
	s.Permissions = []policy.Permission{
		{Match: "shell git push *", Action: policy.Allow, OutsideSandbox: true},
		{Match: "shell cd *", Action: policy.Allow},
		{Match: "shell git push --force*", Action: policy.Deny},
		{Match: "shell npm publish *", Action: policy.Ask},
		{Match: "shell npm *", Action: policy.Allow, OutsideSandbox: true},
		{Match: "shell curl *", Action: policy.Deny, OutsideSandbox: true},
		{Match: "shell curl *", Action: policy.Allow},
		{Match: "write out/*", Action: policy.Allow, OutsideSandbox: true},
		{Match: "mcp__x__y", Action: policy.Allow},
	}
	yolo := s
	yolo.Yolo = true
	for _, r := range []struct {
		inside, outside, yolo policy.Decision
		tool, input           string
	}{
		{policy.Allow, policy.Allow, policy.Allow, "Bash", `"command":"git push origin x"`},
		{policy.Allow, policy.Ask, policy.Allow, "Bash", `"command":"cd web && git push"`},
		{policy.Allow, policy.Ask, policy.Allow, "Bash", `"command":"git push | cat"`},
		{policy.Allow, policy.Allow, policy.Allow, "Bash", `"command":"git push && npm ci"`},
		{policy.Deny, policy.Deny, policy.Deny, "Bash", `"command":"git push --force"`},
		{policy.Ask, policy.Ask, policy.Allow, "Bash", `"command":"npm publish"`},
		{policy.Allow, policy.Deny, policy.Deny, "Bash", `"command":"curl https://x.example"`},
		{policy.Deny, policy.Deny, policy.Deny, "Bash", `"command":"rm -rf /"`},
		{policy.Allow, policy.Allow, policy.Allow, "Write", `"file_path":"out/a"`},
		{policy.Allow, policy.Ask, policy.Allow, "Read", `"file_path":"a"`},
		{policy.Allow, policy.Ask, policy.Allow, "mcp__x__y", `"a":"b"`},
	} {
		for _, c := range []struct {
			want policy.Decision
			s    policy.Settings
			more string
		}{{r.inside, s, ""}, {r.outside, s, `,"dangerouslyDisableSandbox":true`}, {r.yolo, yolo, `,"dangerouslyDisableSandbox":true`}} {
			v := decideJSON(t, c.s, fmt.Sprintf(`{"tool":%q,"dir":"/repo","home":"/home/dev","project_dir":"/repo","input":{%s%s}}`, r.tool, r.input, c.more))
			if v.Decision != c.want {
				t.Errorf("%s%s, yolo %v: %s by %s %s, want %s", r.input, c.more, c.s.Yolo, v.Decision, v.Stage, v.Rule, c.want)
			}
			if v.Decision == policy.Ask && c.more != "" && (!v.Ask.EveryTime || v.Ask.OnTimeout != policy.Deny) {
				t.Errorf("%s%s: terms %+v", r.input, c.more, v.Ask)
			}
		}
	}
}

// TestOutsideSandboxInJSON shows that the fact survives the JSON of a call.
func TestOutsideSandboxInJSON(t *testing.T) {
	text, err := policy.EncodeCall(&policy.Call{Tool: "shell", OutsideSandbox: true})
	if err != nil || !json.Valid(text) {
		t.Fatal(err)
	}
	if c, err := policy.DecodeCall(text); err != nil || !c.OutsideSandbox {
		t.Errorf("%s: %+v, %v", text, c, err)
	}
	if _, err := policy.DecodeCall([]byte(`{"command":"ls","outside_sandbox":"yes"}`)); err == nil {
		t.Error("a text is taken for true or false")
	}
}
