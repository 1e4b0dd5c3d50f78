package install

import (
	_ "embed"
	"time"
)

// askHook is the part that the plugins share, and comes first in each.
//
//go:embed plugins/ask.js
var askHook string

//go:embed plugins/opencode.js
var opencodePlugin string

func opencode() *Agent {
	return &Agent{
		Name: "opencode", Title: "OpenCode",
		home: ".config/opencode",
		locations: []location{
			{scope: User, path: "plugins/policyctl.js", form: ownText},
		},
		events:     []event{{name: "tool_call", timeout: long}},
		commandKey: "command", timeoutKey: "timeout", unit: time.Second, untyped: true,
		own:     askHook + opencodePlugin,
		program: "opencode", tried: version{1, 18, 33},
		flags: []string{"opencode --pure"},
	}
}

func kilo() *Agent {
	a := opencode()
	a.Name, a.Title, a.program, a.tried = "kilo", "Kilo Code", "kilo", version{7, 7, 7}
	a.home, a.flags = ".config/kilo", []string{"kilo --pure"}
	return a
}
