package install

import "time"

func grok() *Agent {
	return &Agent{
		Name: "grok", Title: "Grok Build",
		home: ".grok",
		locations: []location{
			{scope: User, path: "hooks/policyctl.json"},
		},
		events:     []event{{name: "PreToolUse", timeout: long}, turn},
		commandKey: "command", timeoutKey: "timeout", unit: time.Second,
		guarded: true, limited: true, ownFile: true,
		reads: "claude", readsUser: true,
		program: "grok", tried: version{1, 0, 41},
	}
}
