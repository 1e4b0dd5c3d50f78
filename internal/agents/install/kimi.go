package install

import "time"

func kimi() *Agent {
	return &Agent{
		Name: "kimi", Title: "Kimi Code",
		home: ".kimi-code",
		locations: []location{
			{scope: User, path: "config.toml", form: hooksTOML},
		},
		events:     []event{{name: "PreToolUse", timeout: short}, turn},
		commandKey: "command", timeoutKey: "timeout", unit: time.Second, most: short, untyped: true,
		guarded: true, limited: true,
		program: "kimi", tried: version{2, 1, 0},
	}
}
