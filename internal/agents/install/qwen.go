package install

import "time"

func qwen() *Agent {
	return &Agent{
		Name: "qwen", Title: "Qwen Code",
		home: ".qwen", comments: true,
		locations: []location{
			{scope: Managed, base: inRoot, path: "etc/qwen-code/settings.json", examined: true},
			{scope: User, path: "settings.json"},
			{scope: Project, base: inProject, path: ".qwen/settings.json"},
		},
		events:  []event{{name: "PreToolUse", timeout: short}, {name: "PermissionRequest", timeout: long}, turn},
		matcher: "*", commandKey: "command", timeoutKey: "timeout", unit: time.Millisecond,
		switches: []offSwitch{
			{keys: []string{"disableAllHooks"}, off: true},
			{keys: []string{"hooksConfig", "enabled"}},
			{keys: []string{"tools", "executionSandbox"}, off: true},
		},
		guarded: true, limited: true,
		program: "qwen", tried: version{0, 24, 4},
		flags:     []string{"qwen --bare", "qwen --safe-mode"},
		variables: []string{"QWEN_CODE_SIMPLE", "QWEN_CODE_SAFE_MODE"},
		envIn:     []Scope{Managed, User, Project}, dotenv: true,
		dropsManaged: true,
	}
}
