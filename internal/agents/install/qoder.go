package install

import "time"

func qoder() *Agent {
	return &Agent{
		Name: "qoder", Title: "Qoder CLI",
		home: ".qoder",
		locations: []location{
			{scope: User, path: "settings.json"},
			{scope: Project, base: inProject, path: ".qoder/settings.json"},
			{scope: Local, base: inProject, path: ".qoder/settings.local.json"},
		},
		events:  []event{{name: "PreToolUse", timeout: long}, turn},
		matcher: "*", commandKey: "command", timeoutKey: "timeout", unit: time.Second,
		guarded: true, limited: true,
		program: "qodercli", read: version{1, 1, 52},
	}
}
