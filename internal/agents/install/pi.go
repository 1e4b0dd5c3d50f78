package install

import (
	_ "embed"
	"time"
)

// confirm is the part of the plugins that ask the person themselves.
//
//go:embed plugins/confirm.js
var confirm string

//go:embed plugins/pi.ts
var piExtension string

func pi() *Agent {
	return &Agent{
		Name: "pi", Title: "pi",
		home: ".pi/agent", homeVariable: "PI_CODING_AGENT_DIR",
		locations: []location{
			{scope: User, path: "extensions/policyctl.ts", form: ownText},
		},
		events:     []event{{name: "tool_call", timeout: long}},
		commandKey: "command", timeoutKey: "timeout", unit: time.Second, untyped: true,
		own:     askHook + confirm + piExtension,
		program: "pi", tried: version{1, 6, 0},
		flags: []string{"pi --no-extensions"},
	}
}
