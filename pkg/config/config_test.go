package config

import (
	"flag"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/policyctl/policyctl/pkg/doom"
	"github.com/policyctl/policyctl/pkg/own"
	"github.com/policyctl/policyctl/pkg/policy"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// byText compares regular expressions by their text.
var byText = cmp.Options{
	cmp.Comparer(func(a, b *regexp.Regexp) bool {
		return a == b || a != nil && b != nil && a.String() == b.String()
	}),
	cmpopts.IgnoreUnexported(policy.Tool{}),
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// file is a policy whose version stands in line 1.
func file(layer, body string) File {
	return File{Layer: layer, Name: layer, Data: []byte("version: 1\n" + body), Admit: Everything}
}

func load(t *testing.T, base policy.Settings, files ...File) Loaded {
	t.Helper()
	l, err := Load(base, files...)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLoadFull(t *testing.T) {
	at := func(line int) policy.Origin { return policy.Origin{Layer: "user", File: "full.yaml", Line: line} }
	want := policy.Settings{
		Mode:               policy.Auto,
		Yolo:               true,
		YoloConfirm:        policy.ConfirmDangerous,
		Confirm:            policy.DangerousOnly,
		AutoAllowWorkspace: true,
		ProjectCommands:    []policy.Entry{{Text: "go build|test", Origin: at(10)}, {Text: "FILE", Origin: at(10)}},
		ReadonlyCommands:   []policy.Entry{{Text: "bazel query", Origin: at(11)}},
		RemoteReaders:      []policy.Entry{{Text: "gh", Origin: at(71)}, {Text: "loopback", Origin: at(71)}, {Text: "api.example.com", Origin: at(71)}},
		SafeSpaces:         []policy.Entry{{Text: "session", Origin: at(70)}, {Text: "project", Origin: at(70)}, {Text: "~/docs", Origin: at(70)}},
		Audience:           policy.Team,
		Permissions: []policy.Permission{
			{Match: "shell rm *", Action: policy.Deny, Origin: at(36)},
			{Match: "shell git push *", Action: policy.Ask, Except: []string{"shell git push --dry-run *"},
				EveryTime: true, Why: "others see it", Origin: at(37)},
			{Match: "shell RM *", Action: policy.Allow, OutsideSandbox: true, Origin: at(42)},
		},
		Agents: map[string][]policy.Permission{"reviewer": {
			{Match: "write *", Except: []string{"write ~/notes/*"}, Why: "it only reads", Origin: at(47)},
		}},
		Allowlist: []policy.Entry{{Text: "just fmt", Origin: at(16)}},
		ToolPolicy: policy.ToolPolicy{
			Default: policy.Supervised,
			Tools:   map[string]policy.Treatment{"fetch": policy.Denied},
			Groups:  map[string]policy.Treatment{"network": policy.Supervised},
			Origin:  at(18),
			Origins: map[string]policy.Origin{"tool_policy.tools.fetch": at(19), "tool_policy.groups.network": at(20)},
		},
		AutoApprove: []policy.AutoApprove{
			{Tool: "shell", Command: regexp.MustCompile(`^(ls|cat)( |$)`), Origin: at(31)},
			{Tool: "write", Path: regexp.MustCompile(`^/tmp/`), URL: regexp.MustCompile("u"), Args: regexp.MustCompile("a"), Origin: at(33)},
		},
		Approval:   policy.Approval{Timeout: time.Minute, OnTimeout: policy.Allow, NotifyChannel: "slack", Supervisor: "admin", PasskeyAbove: "medium"},
		DoomLimits: doom.Limits{Threshold: 5, Cycles: 6},
		Polling:    []string{"gh run view"},
		Protect:    []string{"~/.config/policyctl", "/etc/policyctl", "/etc/policyctl/approval-keys.json", "~/.config/policyctl/approval.token", "/etc/policyctl/org-2026.pem", "~/.config/acme/token"},
		Own: own.Place{
			Private:  []string{"~/.config/policyctl/approval.token", "~/.config/acme/token"},
			Services: []string{"https://approvals.example.com"},
		},

		FreeAgentFiles:    true,
		DenyWrites:        true,
		AdmissionDeadline: 250 * time.Millisecond,
		RecordAllows:      10,
		Wrappers:          []policy.Entry{{Text: "inenv", Origin: at(134)}},
	}
	got := load(t, policy.Defaults(), File{Layer: User, Name: "full.yaml", Data: read(t, "full.yaml"), Admit: Everything})
	tools := got.Settings.Tools
	got.Settings.Tools = nil
	if diff := cmp.Diff(want, got.Settings, byText); diff != "" {
		t.Error(diff)
	}
	shell, deploy := tools[0], tools[1]
	if shell.Kind != policy.KindShell || !cmp.Equal(shell.Aliases[len(shell.Aliases)-1:], []string{"sh_exec"}) || len(shell.Subject) == 0 {
		t.Errorf("the built-in tool is not extended: %+v", shell)
	}
	if diff := cmp.Diff(policy.Tool{
		Name: "deploy", Kind: policy.KindShell, Risk: policy.Medium, Aliases: []string{"ship"}, Subject: []string{"command"},
		Counts: []string{"command", "target"}, Groups: []string{"machines"}, Origin: at(61),
		Runs: policy.Runs{Dirs: []string{"where"}, Env: []string{"variables"}}, Commands: []string{"note"},
	}, deploy, byText); diff != "" {
		t.Error(diff)
	}
	if got := got.Warnings.Error(); got != "full.yaml:14:35: no effect: security.confirm_policy is dangerous_only (full.yaml:15)" {
		t.Errorf("warnings: %s", got)
	}
}

// A new key must come with an example in full.yaml, which the other tests use.
func TestEveryKeyIsInFull(t *testing.T) {
	text := string(read(t, "full.yaml"))
	for _, k := range Keys() {
		name := k.Path[strings.LastIndexByte(k.Path, '.')+1:]
		if !strings.Contains(text, name+":") || k.About == "" {
			t.Errorf("%s has no example or no description", k.Path)
		}
	}
}

func TestBad(t *testing.T) {
	_, err := Load(policy.Settings{}, File{Layer: User, Name: "bad.yaml", Data: read(t, "bad.yaml"), Admit: Everything})
	if err == nil {
		t.Fatal("no error")
	}
	got := err.Error() + "\n"
	if *update {
		if err := os.WriteFile("testdata/bad.txt", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(read(t, "bad.txt")), got); diff != "" {
		t.Error(diff)
	}
}

func TestProblemsOfAllFilesInOrder(t *testing.T) {
	l, err := Load(policy.Settings{},
		file("z", "agents: 1\nperm: {}"), file("a", "tools: 1"), file("m", `permissions: {"git *": deny}`))
	want := `z:2:9: agents must be a mapping, not the number 1
z:3:1: unknown key "perm" (did you mean permissions?)
a:2:8: tools must be a mapping, not the number 1`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if len(l.Warnings) != 1 || l.Warnings[0].File != "m" {
		t.Errorf("warnings: %v", l.Warnings)
	}
}

func TestManyProblemsAreClipped(t *testing.T) {
	got := strings.Split(problems("version: 1\npermissions:\n"+strings.Repeat("  - x\n", 250)), "\n")
	if last := got[len(got)-1]; len(got) != 101 || last != "p:103:5: and 150 more errors from here on" {
		t.Errorf("%d lines, the last is %s", len(got), last)
	}
}

// layers are pairs of files and what the second does to the first.
var layers = []struct {
	one, two string
	warns    bool
	is       func(s policy.Settings) bool
}{
	{"approvals: {mode: skip}", "approvals: {mode: manual}", false, func(s policy.Settings) bool { return s.Mode == policy.Manual }},
	{"approvals: {mode: skip}", "approvals: {}", false, func(s policy.Settings) bool { return s.Mode == policy.Skip }},
	{"approvals: {auto_allow_readonly: false}", "", false, func(s policy.Settings) bool { return !s.AutoAllowReadonly }},
	{"readonly: {safe_spaces: [project]}", "readonly: {safe_spaces: [/a]}", false, func(s policy.Settings) bool { return len(s.SafeSpaces) == 2 }},
	{"readonly: {audience: public}", "readonly: {audience: team}", false, func(s policy.Settings) bool { return s.Audience == policy.Team }},
	{"approvals: {readonly_commands: [a]}", "approvals: {readonly_commands: [b]}", false, func(s policy.Settings) bool { return len(s.ReadonlyCommands) == 2 }},
	{`permissions: {"shell x *": deny}`, `permissions: {"shell x *": allow}`, false, func(s policy.Settings) bool {
		return len(s.Permissions) == 2 && s.Permissions[0].Action == policy.Deny && s.Permissions[1].Action == policy.Allow
	}},
	{`agents: {b: {permissions: {"shell x *": deny}}}`, `agents: {b: {permissions: {"shell x *": allow}}}`, false, func(s policy.Settings) bool {
		return len(s.Agents["b"]) == 2 && s.Agents["b"][0].Action == policy.Deny
	}},
	{"security: {tool_policy: {tools: {read: deny, edit: deny}}}", "security: {tool_policy: {tools: {read: allow}}}", false, func(s policy.Settings) bool {
		return s.ToolPolicy.Tools["read"] == policy.Allowed && s.ToolPolicy.Tools["edit"] == policy.Denied
	}},
	{"tools: {x: {kind: read, aliases: [a]}}", "tools: {x: {risk: low, aliases: [b]}}", false, func(s policy.Settings) bool {
		return len(s.Tools) == 1 && s.Tools[0].Kind == policy.KindRead && s.Tools[0].Risk == policy.Low && len(s.Tools[0].Aliases) == 2
	}},
	{"security: {confirm_policy: confirm_all}", "security: {require_confirmation_for_shell: false}", true, func(s policy.Settings) bool { return s.Confirm == policy.ConfirmAll }},
	{"security: {require_confirmation_for_shell: false}", "security: {confirm_policy: confirm_all}", true, func(s policy.Settings) bool { return s.Confirm == policy.ConfirmAll }},
	{"security: {require_confirmation_for_shell: true}", "security: {require_confirmation_for_shell: false}", false, func(s policy.Settings) bool { return s.Confirm == policy.DangerousOnly }},
	{`permissions: {"ship *": deny}`, "tools: {deploy: {aliases: [ship]}}", false, func(s policy.Settings) bool { return len(s.Permissions) == 1 }},
}

func TestLayers(t *testing.T) {
	for _, tc := range layers {
		l := load(t, policy.Defaults(), file("one", tc.one), file("two", tc.two))
		if !tc.is(l.Settings) {
			t.Errorf("%s, then %s: %+v", tc.one, tc.two, l.Settings)
		}
		if len(l.Warnings) > 0 != tc.warns {
			t.Errorf("%s, then %s: warnings %v", tc.one, tc.two, l.Warnings)
		}
	}
}

func TestLoadLeavesBaseAlone(t *testing.T) {
	full := File{Layer: User, Name: "full.yaml", Data: read(t, "full.yaml"), Admit: Everything}
	base := load(t, policy.Defaults(), full).Settings
	same := load(t, policy.Defaults(), full).Settings
	load(t, base, full, file("two", "security: {tool_policy: {tools: {fetch: allow, read: deny}}}"))
	if _, err := set(base, "agents={reviewer: {permissions: {shell x: deny}}}"); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(same, base, byText); diff != "" {
		t.Error(diff)
	}
	if got := load(t, base).Settings; !reflect.DeepEqual(got, base) {
		t.Errorf("no file changes %+v", got)
	}
}

func TestRevision(t *testing.T) {
	one, two := file("user", "agents: {}"), file("user", "tools: {}")
	seen := make(map[string]bool)
	for _, files := range [][]File{nil, {one}, {two}, {one, two}, {two, one}, {file("project", "agents: {}")}} {
		l := load(t, policy.Settings{}, files...)
		if again := load(t, policy.Defaults(), files...); again.Revision != l.Revision {
			t.Errorf("%v: revisions %s and %s", files, l.Revision, again.Revision)
		}
		if seen[l.Revision] || len(l.Revision) != 64 {
			t.Errorf("%v: revision %s", files, l.Revision)
		}
		seen[l.Revision] = true
	}
}

// The ranges of the keys are those of the package that keeps the limits.
func TestDoomLimits(t *testing.T) {
	for _, in := range []string{"{threshold: 2}", "{threshold: 64}", "{cycles: 2}", "{cycles: 16}"} {
		if err := load(t, policy.Settings{}, file("p", "doom_loop: "+in)).Settings.DoomLimits.Validate(); err != nil {
			t.Error(err)
		}
	}
	if (doom.Limits{Threshold: 65}).Validate() == nil || (doom.Limits{Cycles: 17}).Validate() == nil {
		t.Error("the limits are wider than the keys")
	}
}
