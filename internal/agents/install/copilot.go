package install

import "time"

func copilot() *Agent {
	return &Agent{
		Name: "copilot", Title: "Copilot CLI",
		home: ".copilot", homeVariable: "COPILOT_HOME",
		locations: []location{
			{scope: Managed, base: inRoot, path: "etc/github-copilot/policy.d/policyctl.json"},
			{scope: User, path: "hooks/policyctl.json"},
			{scope: Project, base: inProject, path: ".github/hooks/policyctl.json"},
		},
		// The name in this spelling makes the agent speak Claude's protocol.
		events: []event{{name: "PreToolUse", timeout: long}, turn},
		flat:   true, commandKey: "bash", timeoutKey: "timeoutSec", unit: time.Second,
		top: object{{"version", 1}},
		switches: []offSwitch{
			{keys: []string{"disableAllHooks"}, off: true},
			{inHome, "settings.json", []string{"disableAllHooks"}, true},
			{inProject, ".github/copilot/settings.json", []string{"disableAllHooks"}, true},
			{inProject, ".github/copilot/settings.local.json", []string{"disableAllHooks"}, true},
			{inProject, ".claude/settings.json", []string{"disableAllHooks"}, true},
			{inProject, ".claude/settings.local.json", []string{"disableAllHooks"}, true},
		},
		ownFile: true,
		reads:   "claude",
		limited: true, // a hook that fails blocks by itself
		program: "copilot", tried: version{1, 0, 102},
		environ:    []string{"COPILOT_CLI=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.bareRepository", "GIT_CONFIG_VALUE_0=explicit"},
		folder:     folderTrust{file: "config.json", read: trustedByCopilot},
		rootsAlone: true,
	}
}
