package install

import (
	_ "embed"
	"time"
)

//go:embed plugins/amp.ts
var ampPlugin string

func amp() *Agent {
	return &Agent{
		Name: "amp", Title: "Amp",
		home: ".config/amp",
		locations: []location{
			{scope: User, path: "plugins/policyctl.ts", form: ownText},
			{scope: Project, base: inProject, path: ".amp/plugins/policyctl.ts", form: ownText},
		},
		events:     []event{{name: "tool_call", timeout: long}},
		commandKey: "command", timeoutKey: "timeout", unit: time.Second, untyped: true,
		own:     askHook + confirm + ampPlugin,
		program: "amp", read: version{0, 0, 1790142911},
		flags: []string{"PLUGINS=off amp"},
	}
}
