package install

import "time"

func claude() *Agent {
	return &Agent{
		Name: "claude", Title: "Claude Code",
		home: ".claude", homeVariable: "CLAUDE_CONFIG_DIR",
		locations: []location{
			{scope: Managed, base: inRoot, path: "etc/claude-code/managed-settings.json", os: "linux"},
			{scope: Managed, base: inRoot, path: "Library/Application Support/ClaudeCode/managed-settings.json", os: "darwin"},
			{scope: User, path: "settings.json"},
			{scope: Project, base: inProject, path: ".claude/settings.json"},
			{scope: Local, base: inProject, path: ".claude/settings.local.json"},
		},
		events: []event{
			// A hook that fails otherwise lets the call run.
			{name: "PreToolUse", timeout: short, extra: object{{"onFailure", "block"}, {"statusMessage", "policyctl"}}},
			{name: "PermissionRequest", timeout: long, extra: object{{"statusMessage", "policyctl: waiting for approval"}}},
			turn,
		},
		matcher: "*", commandKey: "command", timeoutKey: "timeout", unit: time.Second, closes: "onFailure",
		switches: []offSwitch{{keys: []string{"disableAllHooks"}, off: true}},
		managedOnly: []offSwitch{{inRoot, "etc/claude-code/managed-settings.json", []string{"allowManagedHooksOnly"}, true},
			{inRoot, "Library/Application Support/ClaudeCode/managed-settings.json", []string{"allowManagedHooksOnly"}, true}},
		program: "claude", tried: version{2, 1, 330},
		needs:     lack{version{2, 1, 295}, `ignores onFailure: "block", so a call runs when the hook fails`},
		environ:   []string{"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ATTENDED=1"},
		flags:     []string{"claude --bare", "claude --safe-mode", "claude --setting-sources project", `claude --settings '{"disableAllHooks": true}'`},
		variables: []string{"CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"},
		envIn:     []Scope{Managed, User},
		folder:    folderTrust{file: ".claude.json", atHome: true, read: trustedByClaude, asks: true},
	}
}
