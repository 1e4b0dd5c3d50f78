package config

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// TestToolArguments: a policy says which arguments of its tools move a call, and
// which hold commands.
func TestToolArguments(t *testing.T) {
	l := load(t, policy.Defaults(), file("user", `
approvals: {yolo: true}
tools:
  deploy_box: {kind: shell, subject: [line], dirs: [where], env: [variables]}
  ticket: {kind: mcp, risk: low, commands: []}
  wish: {kind: mcp, risk: low}
  noted: {kind: other, commands: [note]}
`))
	e, err := policy.New(l.Settings, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ want, tool, key, value, also, is string }{
		{"deny", "deploy_box", "line", "rm -rf *", "where", "/"},
		{"deny", "deploy_box", "line", `rm -rf "$X"`, "variables", ""},
		{"deny", "deploy_box", "line", "bash", "stdin", "rm -rf /"},
		{"deny", "deploy_box", "line", "ls", "shell", "/tmp/bash"}, // nobody knows what runs
		{"allow", "deploy_box", "line", "ls", "shell", "bash"},
		{"allow", "deploy_box", "line", "rm -rf *", "workdir", "/"}, // no argument of it
		{"allow", "ticket", "command", "rm -rf /", "", ""},
		{"deny", "wish", "command", "rm -rf /", "", ""},
		{"deny", "noted", "note", "rm -rf /", "", ""},
		{"allow", "noted", "command", "rm -rf /", "", ""},
	} {
		c := &policy.Call{Tool: row.tool, Dir: "/srv/app/x", Input: map[string]any{row.key: row.value}}
		switch row.also {
		case "":
		case "variables":
			c.Input[row.also] = map[string]any{"X": "/"}
		default:
			c.Input[row.also] = row.is
		}
		if v, err := e.Decide(t.Context(), nil, c); err != nil || v.Decision.String() != row.want {
			t.Errorf("%s %v: %s by %s (%s), %v; want %s", row.tool, c.Input, v.Decision, v.Stage, v.Why, err, row.want)
		}
	}
	if _, err := Load(policy.Defaults(), file("user", "tools: {shell: {dirs: [x]}}\n")); err == nil {
		t.Error("a policy takes the built-in shell its directory")
	}
}
