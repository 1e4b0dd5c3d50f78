package install

import "time"

func auggie() *Agent {
	return &Agent{
		Name: "auggie", Title: "Auggie",
		home: ".augment",
		locations: []location{
			{scope: Managed, base: inRoot, path: "etc/augment/settings.json"},
			{scope: User, path: "settings.json"},
			{scope: Project, base: inProject, path: ".augment/settings.json"},
			{scope: Local, base: inProject, path: ".augment/settings.local.json"},
		},
		events:     []event{{name: "PreToolUse", timeout: long}},
		commandKey: "command", timeoutKey: "timeout", unit: time.Millisecond,
		guarded: true, limited: true,
		program: "auggie", read: version{0, 36, 0},
	}
}
