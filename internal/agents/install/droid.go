package install

import "time"

func droid() *Agent {
	return &Agent{
		Name: "droid", Title: "Factory Droid",
		home: ".factory",
		locations: []location{
			{scope: User, path: "settings.json"},
			{scope: Project, base: inProject, path: ".factory/settings.json"},
		},
		events:  []event{{name: "PreToolUse", timeout: long}, turn},
		matcher: "*", commandKey: "command", timeoutKey: "timeout", unit: time.Second,
		guarded: true, limited: true,
		program: "droid", read: version{0, 225, 1},
		hides: "hooks.json",
	}
}
