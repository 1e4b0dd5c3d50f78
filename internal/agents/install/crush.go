package install

import "time"

func crush() *Agent {
	return &Agent{
		Name: "crush", Title: "Crush",
		home: ".config/crush",
		locations: []location{
			{scope: User, path: "crush.json"},
		},
		events:   []event{{name: "PreToolUse", timeout: long, extra: object{{"name", "policyctl"}}}},
		comments: true,
		flat:     true, commandKey: "command", timeoutKey: "timeout", unit: time.Second, untyped: true,
		guarded: true, limited: true,
		program: "crush", read: version{0, 96, 1},
	}
}
