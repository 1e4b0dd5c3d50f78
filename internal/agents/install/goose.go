package install

import "time"

func goose() *Agent {
	return &Agent{
		Name: "goose", Title: "Goose",
		home: ".agents",
		locations: []location{
			{scope: User, path: "plugins/policyctl/hooks/hooks.json"},
			{scope: Project, base: inProject, path: ".agents/plugins/policyctl/hooks/hooks.json"},
		},
		events: []event{
			{name: "PreToolUse", timeout: long, extra: object{{"on_failure", "block"}}},
			turn,
		},
		commandKey: "command", timeoutKey: "timeout", unit: time.Second, closes: "on_failure",
		beside:  []companion{{"../plugin.json", `{"name": "policyctl", "version": "1.0.0", "description": "Ask policyctl before each call"}` + "\n"}},
		program: "goose",
	}
}
