package install

import "time"

func codex() *Agent {
	return &Agent{
		Name: "codex", Title: "Codex",
		home: ".codex", homeVariable: "CODEX_HOME",
		locations: []location{
			{scope: Managed, base: inRoot, path: "etc/codex/requirements.toml", form: requirements},
			{scope: Managed, base: inRoot, path: "etc/codex/hooks.json", examined: true},
			{scope: Managed, base: inRoot, path: "etc/codex/config.toml", form: configTOML, examined: true},
			{scope: Managed, base: inRoot, path: "etc/codex/managed_config.toml", form: configTOML, examined: true},
			{scope: User, path: "hooks.json"},
			{scope: Project, base: inProject, path: ".codex/hooks.json"},
		},
		events: []event{
			{name: "PreToolUse", timeout: short, extra: object{{"statusMessage", "policyctl"}}},
			{name: "PermissionRequest", timeout: long},
			turn,
		},
		commandKey: "command", timeoutKey: "timeout", unit: time.Second,
		trusts: true, guarded: true, limited: true,
		program: "codex", tried: version{0, 169, 0},
		flags: []string{"codex --disable hooks", "codex -c features.hooks=false", "codex exec --ignore-user-config"},
		switches: []offSwitch{
			{inHome, "config.toml", []string{"features", "hooks"}, false}, {inHome, "config.toml", []string{"features", "codex_hooks"}, false},
			{inProject, ".codex/config.toml", []string{"features", "hooks"}, false}, {inProject, ".codex/config.toml", []string{"features", "codex_hooks"}, false},
			{inRoot, "etc/codex/requirements.toml", []string{"features", "hooks"}, false},
		},
		managedOnly: []offSwitch{{inRoot, "etc/codex/requirements.toml", []string{"allow_managed_hooks_only"}, true}},
		folder:      folderTrust{file: "config.toml", read: trustedByCodex},
	}
}
