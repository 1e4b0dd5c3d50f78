package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/policyctl/policyctl/pkg/policy"
)

// assignments are those that work.
var assignments = []struct {
	in   string
	want func(s *policy.Settings)
}{
	{"approvals.mode=skip", func(s *policy.Settings) { s.Mode = policy.Skip; s.Undecided = policy.UndecidedAsk }},
	{"approvals.auto_allow_readonly= false ", func(s *policy.Settings) { s.AutoAllowReadonly = false }},
	{"security.confirm_policy=dangerous_only", func(s *policy.Settings) { s.Confirm = policy.DangerousOnly }},
	{"security.require_confirmation_for_shell=false", func(s *policy.Settings) { s.Confirm = policy.DangerousOnly; s.Undecided = policy.UndecidedAsk }},
	{"security.command_allowlist=[just fmt, \"a=b\"]", func(s *policy.Settings) {
		flag := policy.Origin{Layer: "flag", File: "--set"}
		s.Allowlist = []policy.Entry{{Text: "just fmt", Origin: flag}, {Text: "a=b", Origin: flag}}
	}},
	{"security.tool_policy.tools.shell=deny", func(s *policy.Settings) {
		s.ToolPolicy.Tools = map[string]policy.Treatment{"shell": policy.Denied}
		s.ToolPolicy.Origins = map[string]policy.Origin{"tool_policy.tools.shell": {Layer: "flag", File: "--set"}}
	}},
	{"doom_loop.polling=[gh run view]", func(s *policy.Settings) { s.Polling = []string{"gh run view"} }},
	{"doom_loop.threshold=4", func(s *policy.Settings) { s.DoomLimits.Threshold = 4 }},
}

// set applies one assignment of a command line.
func set(base policy.Settings, assignment string) (policy.Settings, error) {
	l, err := Load(base, Assign(Flag, "--set", assignment, Everything))
	return l.Settings, err
}

func TestSet(t *testing.T) {
	for _, tc := range assignments {
		want := policy.Defaults()
		tc.want(&want)
		got, err := set(policy.Defaults(), tc.in)
		if diff := cmp.Diff(want, got, byText); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", tc.in, err, diff)
		}
	}
}

// misassignments are those that do not.
var misassignments = []struct{ in, want string }{
	{"approvals.mode", `--set: "approvals.mode" is not an assignment on one line: write KEY=VALUE`},
	{"approvals.mode=auto\nx", `--set: "approvals.mode=auto\nx" is not an assignment on one line: write KEY=VALUE`},
	{"", `--set: "" is not an assignment on one line: write KEY=VALUE`},
	{"=auto", `--set: unknown key "": one of version, locked, approvals, security, permissions, agents, rules, rules_default, shell, readonly, doom_loop, bundles, admission, record, hardline, tools`},
	{"mode=auto", `--set: unknown key "mode" (did you mean approvals.mode?)`},
	{"approval.mode=auto", `--set: unknown key "approval" (did you mean security.approval?)`},
	{"security.confirm_polcy=confirm_all", `--set: unknown key "security.confirm_polcy" (did you mean security.confirm_policy?)`},
	{"security=confirm_all", `--set: security must be a mapping, not the text "confirm_all"`},
	{"approvals.mode=", `--set: approvals.mode has no value: give it text, or leave it out`},
	{"approvals.mode=skp", `--set: unknown mode "skp": one of manual, auto, skip, observe (did you mean skip?)`},
	{"approvals.yolo=yes", `--set: approvals.yolo must be true or false, not the text "yes"`},
	{"doom_loop.polling=ls", `--set: doom_loop.polling must be a list, not the text "ls": write ["ls"]`},
	{"doom_loop.polling=[ls", `--set: not YAML: did not find expected ',' or ']': a bracket is not closed`},
	{"doom_loop.polling=[&a ls, *a]", "--set: anchors are not supported: remove &a, and repeat the value where it is due\n--set: aliases are not supported: repeat the value"},
	{"security.tool_policy.tools. shell=deny", `--set: a key of security.tool_policy.tools must not begin or end with a blank: remove it from " shell"`},
	{"tools={x: {aliases: [Bash]}}", `--set: "Bash" is a name of the tool shell already`},
}

func TestSetProblems(t *testing.T) {
	for _, tc := range misassignments {
		s, err := set(policy.Defaults(), tc.in)
		if err == nil || err.Error() != tc.want {
			t.Errorf("%s\n got %v\nwant %s", tc.in, err, tc.want)
		}
		if diff := cmp.Diff(policy.Settings{}, s, byText); diff != "" {
			t.Errorf("%s: settings beside an error: %s", tc.in, diff)
		}
	}
}
