package policy_test

import (
	"os"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// TestPermissionsNameArguments judges calls of tools under permissions that name their
// arguments. A deny and an ask stand beside an allow of every tool.
func TestPermissionsNameArguments(t *testing.T) {
	data, err := os.ReadFile("testdata/arguments.txt")
	if err != nil {
		t.Fatal(err)
	}
	var p policy.Permission
	var e *policy.Engine
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || line[0] == '#':
			continue
		case line[0] != '\t':
			p, e = argumentEngine(t, line)
			continue
		}
		want, text, _ := strings.Cut(line[1:], " ")
		tool, args, _ := strings.Cut(text, " ")
		input, err := policy.DecodeObject([]byte(args))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		v := decide(t, e, nil, &policy.Call{Tool: tool, Input: input, Dir: "/home/dev/project", Home: "/home/dev", ProjectDir: "/home/dev/project"})
		isOurs := v.Decision == p.Action && v.Rule == p.Match
		if isOurs != (want == "hit" || want == "cover") || want == "leave" && v.Decision == policy.Allow {
			t.Errorf("%s %s: %s: want %s, got %s at %s by %q: %s", p.Action, p.Match, text, want, v.Decision, v.Stage, v.Rule, v.Why)
		}
	}
}

func argumentEngine(t *testing.T, line string) (policy.Permission, *policy.Engine) {
	t.Helper()
	line, except, has := strings.Cut(line, " | ")
	action, match, _ := strings.Cut(line, " ")
	p := policy.Permission{Match: match}
	if err := p.Action.UnmarshalText([]byte(action)); err != nil {
		t.Fatal(err)
	}
	if has {
		p.Except = []string{except}
	}
	s := policy.Defaults()
	s.Permissions = []policy.Permission{p}
	if p.Action != policy.Allow {
		s.Permissions = append(s.Permissions, policy.Permission{Match: "mcp__*", Action: policy.Allow}, policy.Permission{Match: "task", Action: policy.Allow})
	}
	e, err := policy.New(s, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p, e
}
