package install

import "time"

func cursor() *Agent {
	closed := object{{"failClosed", true}}
	return &Agent{
		Name: "cursor", Title: "Cursor",
		home: ".cursor",
		locations: []location{
			{scope: Managed, base: inRoot, path: "etc/cursor/hooks.json", os: "linux"},
			{scope: Managed, base: inRoot, path: "Library/Application Support/Cursor/hooks.json", os: "darwin"},
			{scope: User, path: "hooks.json"},
			{scope: Project, base: inProject, path: ".cursor/hooks.json"},
		},
		events: []event{
			{name: "preToolUse", timeout: long, extra: closed},
			{name: "beforeShellExecution", timeout: long, extra: closed},
			{name: "beforeMCPExecution", timeout: long, extra: closed},
			{name: "beforeSubmitPrompt", timeout: turn.timeout, tells: true},
		},
		flat: true, commandKey: "command", timeoutKey: "timeout", unit: time.Second, untyped: true, closes: "failClosed",
		top:     object{{"version", 1}},
		program: "cursor-agent",
	}
}
