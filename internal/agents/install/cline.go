package install

import (
	_ "embed"
	"time"
)

//go:embed plugins/cline.sh
var clineScript string

func cline() *Agent {
	return &Agent{
		Name: "cline", Title: "Cline",
		home: ".cline",
		locations: []location{
			{scope: User, path: "hooks/PreToolUse", form: ownText},
			{scope: Project, base: inProject, path: ".cline/hooks/PreToolUse", form: ownText},
		},
		events:     []event{{name: "tool_call", timeout: 2 * time.Minute}},
		commandKey: "command", timeoutKey: "timeout", unit: time.Second, most: 2 * time.Minute, untyped: true,
		limited: true,
		own:     clineScript,
		program: "cline", tried: version{3, 0, 65},
	}
}
