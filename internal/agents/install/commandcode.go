package install

import "time"

func commandcode() *Agent {
	return &Agent{
		Name: "commandcode", Title: "Command Code",
		home: ".commandcode",
		locations: []location{
			{scope: User, path: "settings.json"},
		},
		events:     []event{{name: "PreToolUse", timeout: short, extra: object{{"failClosed", true}}}},
		commandKey: "command", timeoutKey: "timeout", unit: time.Second, most: short, closes: "failClosed",
		program: "commandcode", tried: version{1, 64, 0},
	}
}
