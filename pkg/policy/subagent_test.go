package policy_test

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// TestSubagentPermissions: a subagent has the permissions of its type, those of its agent
// and those of all.
func TestSubagentPermissions(t *testing.T) {
	s := policy.Defaults()
	s.Permissions = []policy.Permission{{Match: "shell make *", Action: policy.Allow}, {Match: "shell make deploy *", Action: policy.Deny}}
	s.Agents = map[string][]policy.Permission{
		"claude":         {{Match: "shell npm test *", Action: policy.Allow}, {Match: "shell npm install *", Action: policy.Deny}},
		"claude/Explore": {{Match: "shell make clean *", Action: policy.Deny}, {Match: "shell pytest *", Action: policy.Allow}},
	}
	e, err := policy.New(s, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct{ agent, subagent, command, want string }{
		{"claude", "Explore", "make clean", "deny"},
		{"claude", "Explore", "make build", "allow"},
		{"claude", "Explore", "make deploy", "deny"},
		{"claude", "Explore", "npm test", "allow"},
		{"claude", "Explore", "npm install x", "deny"},
		{"claude", "Explore", "pytest -q", "allow"},
		{"claude", "", "make clean", "allow"},
		{"claude", "", "pytest -q", "ask"},
		{"claude", "Plan", "pytest -q", "ask"},
		{"claude", "Plan", "npm test", "allow"},
		{"codex", "Explore", "pytest -q", "ask"},
		{"codex", "Explore", "npm install x", "ask"},
		{"", "Explore", "make clean", "allow"},
		{"claude/Explore", "", "make clean", "deny"}, // however it is told
		{"claude", "explore", "pytest -q", "ask"},
	} {
		c := policy.Shell(r.command, "/p")
		c.Agent, c.Subagent = r.agent, r.subagent
		if v := decide(t, e, nil, c); v.Decision.String() != r.want {
			t.Errorf("%s/%s: %s: want %s, got %s by %q: %s", r.agent, r.subagent, r.command, r.want, v.Decision, v.Rule, v.Why)
		}
	}
}

// TestDelegation: starting a subagent changes nothing by itself where the calls of
// subagents are decided too, and no argument chooses where or with which rights it works.
func TestDelegation(t *testing.T) {
	type in = map[string]any
	for _, r := range []struct {
		tool  string
		input in
		want  policy.Decision
	}{
		{"Agent", in{"description": "x", "prompt": "find the cause", "subagent_type": "Explore"}, policy.Allow},
		{"Agent", in{"description": "x", "prompt": "find the cause", "subagent_type": "Explore", "model": "haiku", "run_in_background": true}, policy.Allow},
		{"Task", in{"description": "x", "prompt": "y"}, policy.Allow},
		{"task", in{"agent_type": "explore", "prompt": "y", "description": "x", "mode": "background"}, policy.Allow},
		{"spawn_agent", in{"message": "x", "agent_type": "worker", "fork_context": true}, policy.Allow},
		{"close_agent", in{"target": "a1"}, policy.Allow},
		{"wait_agent", in{"ids": []any{"a1"}, "timeout_ms": 1000.0}, policy.Allow},
		{"ListMcpResourcesTool", in{}, policy.Allow},
		{"list_mcp_resources", in{"server": "docs", "cursor": "2"}, policy.Allow},
		{"list_mcp_resource_templates", in{"server": "docs"}, policy.Allow},
		{"Agent", in{"description": "x", "prompt": "y", "mode": "bypassPermissions"}, policy.Ask},
		{"Agent", in{"description": "x", "prompt": "y", "mode": []any{"background"}}, policy.Ask},
		{"Agent", in{"description": "x", "prompt": "y", "Mode": "bypassPermissions"}, policy.Ask},
		{"Agent", in{"description": "x", "prompt": "y", "isolation": "remote"}, policy.Ask},
		{"Agent", in{"description": "x", "prompt": "y", "isolation": "worktree"}, policy.Ask},
		{"Agent", in{"description": "x", "prompt": "y", "cwd": "/etc"}, policy.Ask},
		{"Agent", in{"description": "x", "prompt": "y", "team_name": "t"}, policy.Ask},
		{"Agent", in{"description": "x", "prompt": "y", "permission_mode": "default"}, policy.Ask},
		{"Agent", in{"description": "x", "prompt": "y", "host": "h"}, policy.Ask},
		{"Agent", in{"description": "x", "prompt": "y", "allowed_tools": []any{"Bash"}}, policy.Ask},
		{"spawn_agent", in{"message": "x", "sandbox_mode": "danger-full-access"}, policy.Ask},
		{"collaborationspawn_agent", in{"message": "x", "task_name": "y", "fork_turns": "none"}, policy.Allow},
		{"collaborationspawn_agent", in{"message": "x", "task_name": "y", "cwd": "/tmp"}, policy.Ask},
		{"collaborationfollowup_task", in{"message": "x", "target": "y"}, policy.Allow},
		{"collaborationsend_message", in{"message": "x", "target": "y"}, policy.Allow},
		{"collaborationinterrupt_agent", in{"target": "y"}, policy.Allow},
		{"read_mcp_resource", in{"server": "docs", "uri": "file:///etc/passwd"}, policy.Ask},
	} {
		e, err := policy.New(policy.Defaults(), policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := &policy.Call{Tool: r.tool, Input: r.input, Dir: "/p", ProjectDir: "/p", Home: "/home/dev", Agent: "claude", GuardsSubagents: true}
		v := decide(t, e, nil, c)
		if v.Decision != r.want || v.Decision == policy.Allow && v.Stage != policy.StageMode {
			t.Errorf("%s %v: want %s, got %s at %s: %s", r.tool, r.input, r.want, v.Decision, v.Stage, v.Why)
		}
		if r.tool == "Agent" || r.tool == "Task" || r.tool == "task" || r.tool == "spawn_agent" || r.tool == "close_agent" {
			if c.GuardsSubagents = false; decide(t, e, nil, c).Decision != policy.Ask {
				t.Errorf("%s %v is not asked about although nobody decides what the subagent does", r.tool, r.input)
			}
		}
	}
}

// TestDelegationIsOverruled: what a policy says of the tool comes first.
func TestDelegationIsOverruled(t *testing.T) {
	call := &policy.Call{Tool: "Agent", Input: map[string]any{"prompt": "x", "description": "y"}, Agent: "claude", GuardsSubagents: true}
	for want, set := range map[policy.Decision]func(*policy.Settings){
		policy.Ask:  func(s *policy.Settings) { s.Permissions = []policy.Permission{{Match: "task", Action: policy.Ask}} },
		policy.Deny: func(s *policy.Settings) { s.ToolPolicy.Tools = map[string]policy.Treatment{"task": policy.Denied} },
	} {
		s := policy.Defaults()
		set(&s)
		e, err := policy.New(s, policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if v := decide(t, e, nil, call); v.Decision != want {
			t.Errorf("want %s, got %s at %s: %s", want, v.Decision, v.Stage, v.Why)
		}
	}
}
