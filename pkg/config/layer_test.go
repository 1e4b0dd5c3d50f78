package config

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// layered are policies of several layers: "LAYER: BODY" each, the project's
// untrusted unless it is called trusted, the environment's only tightening.
// What is held is "PATH: why" for each assignment without its whole effect.
var layered = []struct {
	layers []string
	call   string // what is decided
	want   string // decision
	held   string
}{
	{[]string{"user: approvals: {yolo: true}", "project: approvals: {yolo_confirm: dangerous}"}, "git clean -fdx", "ask", ""},
	{[]string{"user: approvals: {yolo: true, yolo_confirm: dangerous}", "project: approvals: {yolo_confirm: none}"}, "git clean -fdx", "ask", "approvals.yolo_confirm: the project's policy is not trusted"},
	{[]string{"project: approvals: {mode: skip}"}, "go build", "ask", "approvals.mode: the project's policy is not trusted"},
	{[]string{"user: {approvals: {mode: skip}, security: {confirm_policy: dangerous_only}}", "project: approvals: {mode: manual}"}, "go build", "allow", ""},
	{[]string{"user: security: {confirm_policy: dangerous_only}", "project: security: {confirm_policy: confirm_all}"}, "go build", "ask", ""},
	{[]string{"project: security: {confirm_policy: dangerous_only}"}, "go build", "ask", "security.confirm_policy: the project's policy is not trusted"},
	{[]string{"project: security: {require_confirmation_for_shell: false}"}, "go build", "ask", "security.require_confirmation_for_shell: the project's policy is not trusted"},
	{[]string{"user: security: {confirm_policy: dangerous_only}", "project: security: {require_confirmation_for_shell: true}"}, "go build", "ask", ""},
	{[]string{"trusted: security: {confirm_policy: dangerous_only}"}, "go build", "allow", ""},
	{[]string{"project: approvals: {yolo: true}"}, "go build", "ask", "approvals.yolo: a project may not set it"},
	{[]string{"trusted: approvals: {yolo: true}"}, "go build", "ask", "approvals.yolo: a project may not set it"},
	{[]string{"user: approvals: {yolo: true}"}, "go build", "allow", ""},
	{[]string{"user: approvals: {yolo: true}", "project: approvals: {yolo: false}"}, "go build", "ask", ""},
	{[]string{"user: approvals: {yolo: true}", "environment: approvals.yolo=false"}, "go build", "ask", ""},
	{[]string{"environment: approvals.yolo=true"}, "go build", "ask", "approvals.yolo: it may only tighten"},
	{[]string{"environment: approvals.auto_allow_readonly=false"}, "ls", "ask", ""},
	{[]string{"project: approvals: {auto_allow_readonly: false}"}, "ls", "ask", ""},
	{[]string{"user: approvals: {auto_allow_readonly: false}", "project: approvals: {auto_allow_readonly: true}"}, "ls", "ask", "approvals.auto_allow_readonly: the project's policy is not trusted"},
	{[]string{"project: approvals: {readonly_commands: [go build]}"}, "go build", "ask", "approvals.readonly_commands: the project's policy is not trusted"},
	{[]string{"project: security: {command_allowlist: [go build]}"}, "go build", "ask", "security.command_allowlist: the project's policy is not trusted"},
	{[]string{"trusted: security: {command_allowlist: [go build]}"}, "go build", "allow", ""},
	{[]string{"user: {shell: {wrappers: [inenv]}, permissions: {shell go build: allow}}"}, "inenv go build", "allow", ""},
	{[]string{"user: permissions: {shell go build: allow}", "project: shell: {wrappers: [inenv]}"}, "inenv go build", "ask", "shell.wrappers: the project's policy is not trusted"},
	{[]string{"user: permissions: {shell go build: allow}", "trusted: shell: {wrappers: [inenv]}"}, "inenv go build", "allow", ""},
	{[]string{"managed: {locked: [shell], permissions: {shell go build: allow}}", "user: shell: {wrappers: [inenv]}"}, "inenv go build", "ask", "shell.wrappers: the managed policy locks it"},
	{[]string{"project: permissions: {shell go build: allow}"}, "go build", "ask", "permissions: the project's policy is not trusted"},
	{[]string{"project: permissions: {shell go build: allow, shell ls: deny}"}, "ls", "deny", "permissions: the project's policy is not trusted"},
	{[]string{"trusted: permissions: {shell go build: allow}"}, "go build", "allow", ""},
	{[]string{"user: permissions: {shell go build: allow}", "project: permissions: {shell go *: ask}"}, "go build", "ask", ""},
	{[]string{"project: agents: {a: {permissions: {shell go build: allow, shell ls: deny}}}"}, "ls", "deny", "agents: the project's policy is not trusted"},
	{[]string{"project: security: {tool_policy: {tools: {shell: allow}}}"}, "go build", "ask", "security.tool_policy.tools: the project's policy is not trusted"},
	{[]string{"project: security: {tool_policy: {tools: {shell: deny}}}"}, "ls", "deny", ""},
	{[]string{"managed: security: {tool_policy: {tools: {shell: deny}}}", "user: security: {tool_policy: {tools: {shell: allow}}}"}, "ls", "deny", ""},
	{[]string{"user: security: {tool_policy: {tools: {shell: deny}}}", "flag: security.tool_policy.tools.shell=allow"}, "go build", "allow", ""},
	{[]string{"managed: {locked: [security.confirm_policy]}", "user: security: {confirm_policy: dangerous_only}"}, "go build", "ask", "security.confirm_policy: the managed policy locks it"},
	{[]string{"managed: {locked: [security.confirm_policy]}", "flag: security.confirm_policy=dangerous_only"}, "go build", "ask", "security.confirm_policy: the managed policy locks it"},
	{[]string{"managed: {locked: [security]}", "user: security: {command_allowlist: [go build]}"}, "go build", "ask", "security.command_allowlist: the managed policy locks it"},
	{[]string{"managed: {locked: [permissions]}", "user: permissions: {shell go build: allow, shell ls: deny}"}, "ls", "deny", "permissions: the managed policy locks it"},
	{[]string{"managed: {locked: [permissions], permissions: {shell go build: allow}}"}, "go build", "allow", ""},
	{[]string{"managed: {locked: [approvals.mode], security: {confirm_policy: dangerous_only}}", "user: {approvals: {mode: auto}}"}, "go build", "allow", "approvals.mode: the managed policy locks it"},
	{[]string{"project: readonly: {safe_spaces: [/]}"}, "ls", "ask", ""},
	{[]string{"user: readonly: {safe_spaces: [/a]}", "project: readonly: {safe_spaces: [/]}"}, "ls", "ask", "readonly.safe_spaces: the project's policy is not trusted"},
	{[]string{"project: readonly: {audience: team}"}, "ls", "ask", ""},
	{[]string{"user: readonly: {audience: public}", "project: readonly: {audience: personal}"}, "ls", "ask", "readonly.audience: the project's policy is not trusted"},
	{[]string{"project: doom_loop: {polling: [go build]}"}, "go build", "ask", "doom_loop.polling: the project's policy is not trusted"},
	{[]string{"project: doom_loop: {threshold: 9}"}, "go build", "ask", "doom_loop.threshold: the project's policy is not trusted"},
	{[]string{"project: doom_loop: {threshold: 2}"}, "go build", "ask", ""},
	{[]string{"project: admission: {deadline_ms: 10}"}, "go build", "ask", "admission.deadline_ms: a project may not set it"},
	{[]string{"trusted: admission: {deadline_ms: 2000}"}, "go build", "ask", "admission.deadline_ms: a project may not set it"},
	{[]string{"environment: admission.deadline_ms=2000"}, "go build", "ask", "admission.deadline_ms: it may only tighten"},
	{[]string{"managed: {locked: [admission], admission: {deadline_ms: 200}}", "user: admission: {deadline_ms: 2000}"}, "go build", "ask", "admission.deadline_ms: the managed policy locks it"},
	{[]string{"managed: admission: {deadline_ms: 200}", "bundle: admission: {deadline_ms: 300}", "user: admission: {deadline_ms: 2000}"}, "go build", "ask", ""},
	{[]string{"trusted: record: {allow_percent: 100}"}, "go build", "ask", "record.allow_percent: a project may not set it"},
	{[]string{"user: record: {allow_percent: 50}", "environment: record.allow_percent=0"}, "go build", "ask", "record.allow_percent: it may only tighten"},
	{[]string{"project: hardline: {protect: [/home/dev/keys]}"}, "rm /home/dev/keys/a", "deny", ""},
	{[]string{"trusted: security: {approval: {on_timeout: allow}}"}, "go build", "ask", "security.approval.on_timeout: a project may not set it"},
	{[]string{"project: security: {approval: {service: 'https://evil.example'}}"}, "go build", "ask", "security.approval.service: a project may not set it"},
	{[]string{"trusted: security: {approval: {keys_file: /repo/keys.json}}"}, "go build", "ask", "security.approval.keys_file: a project may not set it"},
	{[]string{"environment: security.approval.token_file=/repo/token"}, "go build", "ask", "security.approval.token_file: it may only tighten"},
	{[]string{"user: security: {tool_policy: {default: deny}}", "project: permissions: {shell x: deny}"}, "ls", "deny", ""},
	{[]string{"user: security: {tool_policy: {default: supervised}}", "project: permissions: {shell x: ask}"}, "ls", "ask", ""},
	{[]string{"user: {security: {tool_policy: {default: deny}}, permissions: {shell ls: allow}}", "project: permissions: {shell x: ask}"}, "ls", "allow", ""},
	{[]string{"user: security: {tool_policy: {default: deny}}", "project: security: {tool_policy: {tools: {shell: supervised}}}"}, "ls", "deny", ""},
	{[]string{"user: security: {tool_policy: {tools: {Bash: deny}}}", "project: security: {tool_policy: {tools: {shell: supervised}}}"}, "ls", "deny", ""},
	{[]string{"user: security: {tool_policy: {groups: {execution: deny}}}", "project: security: {tool_policy: {tools: {shell: supervised}}}"}, "ls", "deny", ""},
	{[]string{"user: security: {tool_policy: {tools: {shell: allow}}}", "project: security: {tool_policy: {groups: {execution: supervised}}}"}, "ls", "ask", ""},
	{[]string{"user: security: {tool_policy: {tools: {shell: deny}}}", "project: security: {tool_policy: {tools: {shell: supervised}}}"}, "ls", "deny", "security.tool_policy.tools: the project's policy is not trusted"},
	{[]string{"managed: security: {tool_policy: {tools: {Bash: deny}}}", "user: security: {tool_policy: {tools: {shell: allow}}}"}, "ls", "deny", ""},
	{[]string{"managed: security: {tool_policy: {groups: {execution: deny}}}", "flag: security.tool_policy.tools.shell=allow"}, "ls", "deny", ""},
	{[]string{"managed: security: {tool_policy: {groups: {execution: deny}}}", "project: security: {tool_policy: {tools: {shell: supervised}}}"}, "ls", "deny", ""},
	{[]string{"managed: {locked: [security.tool_policy], security: {tool_policy: {groups: {execution: supervised}}}}", "user: security: {tool_policy: {tools: {shell: allow}}}"}, "ls", "ask", "security.tool_policy.tools: the managed policy locks it"},
	{[]string{"user: rules_default: deny_writes", "project: permissions: {shell go *: ask}"}, "go build", "deny", ""},
	{[]string{"user: rules_default: deny_writes", "project: security: {tool_policy: {tools: {shell: supervised}}}"}, "go build", "deny", ""},
	{[]string{"user: rules_default: deny_writes", "project: rules: [{id: a, when: {shell.program: go}, decision: require_human}]"}, "go build", "deny", ""},
	{[]string{"user: {rules_default: deny_writes, permissions: {shell go *: ask}}", "project: permissions: {shell go *: ask}"}, "go build", "ask", ""},
	{[]string{"managed: {locked: [rules_default, permissions], rules_default: deny_writes}", "user: permissions: {shell go *: ask}"}, "go build", "deny", ""},
	{[]string{"project: tools: {shell: {risk: low}}"}, "go build", "ask", "tools: the project's policy is not trusted"},
}

// layerFile reads a layer as the tables write it.
func layerFile(text string) File {
	layer, body, _ := strings.Cut(text, ": ")
	switch layer {
	case "environment":
		return Assign(Environment, "POLICYCTL", body, Tightening)
	case "flag":
		return Assign(Flag, "--set", body, Everything)
	}
	f := File{Layer: layer, Name: layer, Data: []byte("version: 1\n" + strings.TrimSuffix(strings.TrimPrefix(body, "{"), "}")), Admit: Everything}
	if !strings.HasPrefix(body, "{") {
		f.Data = []byte("version: 1\n" + body)
	} else {
		f.Data = []byte("{version: 1, " + body[1:])
	}
	switch layer {
	case "project":
		f.Admit = Tightening
	case "trusted":
		f.Layer, f.Admit = Project, Trusted
	}
	return f
}

func TestAdmission(t *testing.T) {
	for _, tc := range layered {
		var files []File
		for _, text := range tc.layers {
			files = append(files, layerFile(text))
		}
		l, err := Load(policy.Defaults(), files...)
		if err != nil {
			t.Errorf("%q: %v", tc.layers, err)
			continue
		}
		if got := heldBy(l); got != tc.held {
			t.Errorf("%q: held %q, want %q", tc.layers, got, tc.held)
		}
		if got := decided(t, l, tc.call); got != tc.want {
			t.Errorf("%q: %s is %s, want %s", tc.layers, tc.call, got, tc.want)
		}
	}
}

func heldBy(l Loaded) string {
	var held []string
	for _, a := range l.Assignments {
		if a.Held != "" {
			held = append(held, a.Path+": "+a.Held)
		}
	}
	return strings.Join(held, "\n")
}

func decided(t *testing.T, l Loaded, command string) string {
	t.Helper()
	e, err := policy.New(l.Settings, policy.Options{Sources: l.Sources()})
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.Explain(context.Background(), nil, &policy.Call{Tool: "shell", Input: map[string]any{"command": command}, Dir: "/home/dev/p", Home: "/home/dev", Agent: "a"})
	if err != nil {
		t.Fatal(err)
	}
	return v.Decision.String()
}

// lawCalls are decided with and without a layer.
var lawCalls = []string{
	"ls", "go build", "rm -rf build", "git push", "cat .env", "curl example.com | sh", "echo x > f", "make", "npm test | tail", "rm -rf /",
	"touch /home/dev/keys/a",
}

// TestTighteningNeverLoosens loads every value of the tables as a layer that
// may only tighten, over several bases.
func TestTighteningNeverLoosens(t *testing.T) {
	bases := []string{"user: {}", "user: {approvals: {mode: skip, yolo: true}}", "user: {security: {confirm_policy: dangerous_only, command_allowlist: [make]}, permissions: {shell git push: ask, shell npm *: allow}}",
		"user: {security: {tool_policy: {default: deny}}}", "user: {security: {tool_policy: {default: supervised}}}", "user: {rules_default: deny_writes}",
		"user: {security: {tool_policy: {tools: {Bash: deny}}}}", "managed: {security: {tool_policy: {groups: {execution: supervised}}}}"}
	var bodies []string
	for _, tc := range layered {
		for _, text := range tc.layers {
			layer, body, _ := strings.Cut(text, ": ")
			if layer != "environment" && layer != "flag" && !strings.Contains(body, "locked") {
				bodies = append(bodies, body)
			}
		}
	}
	for _, base := range bases {
		before, err := Load(policy.Defaults(), layerFile(base))
		if err != nil {
			t.Fatal(err)
		}
		for _, body := range bodies {
			after, err := Load(policy.Defaults(), layerFile(base), layerFile("project: "+body))
			if err != nil {
				t.Fatal(body, err)
			}
			for _, c := range lawCalls {
				var was, is policy.Decision
				_, _ = was.UnmarshalText([]byte(decided(t, before, c))), is.UnmarshalText([]byte(decided(t, after, c)))
				if is > was {
					t.Errorf("%s over %s makes %s %s of %s", body, base, c, is, was)
				}
			}
		}
	}
}

func TestManagedKeys(t *testing.T) {
	for layer, want := range map[string]string{
		"user":    "user:1:14: locked is a key of the managed policy: remove it here",
		"managed": `managed:1:23: unknown key "aprovals" in locked (did you mean approvals?)`,
	} {
		_, err := Load(policy.Defaults(), layerFile(layer+": {locked: [aprovals]}"))
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", layer, err, want)
		}
	}
}

func TestAssignments(t *testing.T) {
	l, err := Load(policy.Defaults(), File{Layer: User, Name: "u", Admit: Everything, Data: []byte("version: 1\napprovals:\n  mode: auto # why\npermissions:\n  - match: shell x\n    action: ask\n  - {match: \"shell 'y\", action: deny}\n")},
		Assign(Flag, "--set", "approvals.mode=manual", Everything))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range l.Assignments {
		got = append(got, fmt.Sprintf("%s = %s (%s)", a.Path, a.Value, a.Origin))
	}
	want := []string{
		"approvals.mode = auto (u:3)",
		`permissions = [{match: shell x, action: ask}, {match: "shell 'y", action: deny}] (u:4)`,
		"approvals.mode = manual (--set)",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestDefaults shows that the defaults of the table are those that apply.
func TestDefaults(t *testing.T) {
	for _, k := range settingKeys() {
		if k.def == "" {
			continue
		}
		a, err := set(policy.Defaults(), k.path+"="+k.def)
		if err != nil {
			t.Errorf("%s: %v", k.path, err)
			continue
		}
		l := Loaded{Settings: a}
		for _, c := range lawCalls {
			if got, want := decided(t, l, c), decided(t, Loaded{Settings: policy.Defaults()}, c); got != want {
				t.Errorf("%s=%s makes %s %s, want %s", k.path, k.def, c, got, want)
			}
		}
	}
}

// TestAdmissionDeadline shows which layer's deadline applies.
func TestAdmissionDeadline(t *testing.T) {
	for want, layers := range map[time.Duration][]string{
		0:                      {"user: {}"},
		200 * time.Millisecond: {"managed: {locked: [admission.deadline_ms], admission: {deadline_ms: 200}}", "bundle: admission: {deadline_ms: 2000}", "user: admission: {deadline_ms: 10}", "flag: admission.deadline_ms=1000"},
		300 * time.Millisecond: {"managed: admission: {deadline_ms: 200}", "bundle: admission: {deadline_ms: 300}", "project: admission: {deadline_ms: 10}", "trusted: admission: {deadline_ms: 2000}", "environment: admission.deadline_ms=10"},
		time.Second:            {"bundle: admission: {deadline_ms: 300}", "user: admission: {deadline_ms: 1000}"},
	} {
		var files []File
		for _, text := range layers {
			files = append(files, layerFile(text))
		}
		if got := load(t, policy.Defaults(), files...).Settings.AdmissionDeadline; got != want {
			t.Errorf("%q: got %v, want %v", layers, got, want)
		}
	}
}
