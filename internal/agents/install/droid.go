package install

import "time"

func droid() *Agent {
	return &Agent{
		Name: "droid", Title: "Factory Droid",
		home: ".factory",
		locations: []location{
			{scope: Managed, base: inRoot, path: "etc/factory/settings.json", os: "linux", pins: "hooksDisabled"},
			{scope: Managed, base: inRoot, path: "Library/Application Support/Factory/settings.json", os: "darwin", pins: "hooksDisabled"},
			{scope: User, path: "settings.json"},
			{scope: Project, base: inProject, path: ".factory/settings.json"},
		},
		events:  []event{{name: "PreToolUse", timeout: long}, turn},
		matcher: "*", commandKey: "command", timeoutKey: "timeout", unit: time.Second,
		guarded: true, limited: true,
		program: "droid", tried: version{0, 215, 0},
		flags:    []string{"droid --settings FILE", "FACTORY_RUNTIME_SETTINGS_PATH=FILE droid"},
		hides:    "hooks.json",
		switches: []offSwitch{{keys: []string{"hooks", "hooksDisabled"}, off: true}},
		managedOnly: []offSwitch{{inRoot, "etc/factory/settings.json", []string{"allowManagedHooksOnly"}, true},
			{inRoot, "Library/Application Support/Factory/settings.json", []string{"allowManagedHooksOnly"}, true}},
	}
}
