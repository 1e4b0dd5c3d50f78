package install

import "time"

func windsurf() *Agent {
	shown := object{{"show_output", true}}
	return &Agent{
		Name: "windsurf", Title: "Windsurf",
		home: ".codeium/windsurf",
		locations: []location{
			{scope: Managed, base: inRoot, path: "etc/windsurf/hooks.json", os: "linux"},
			{scope: Managed, base: inRoot, path: "Library/Application Support/Windsurf/hooks.json", os: "darwin"},
			{scope: User, path: "hooks.json"},
			{scope: Project, base: inProject, path: ".windsurf/hooks.json"},
		},
		events: []event{
			{name: "pre_run_command", timeout: long, extra: shown},
			{name: "pre_write_code", timeout: long, extra: shown},
			{name: "pre_read_code", timeout: long, extra: shown},
			{name: "pre_mcp_tool_use", timeout: long, extra: shown},
		},
		flat: true, commandKey: "command", unit: time.Second, untyped: true,
		guarded: true, limited: true,
		program: "windsurf",
	}
}
