package install

import "time"

func gemini() *Agent {
	return &Agent{
		Name: "gemini", Title: "Gemini CLI",
		home: ".gemini", comments: true,
		locations: []location{
			{scope: Managed, base: inRoot, path: "etc/gemini-cli/settings.json", os: "linux", examined: true},
			{scope: Managed, base: inRoot, path: "Library/Application Support/GeminiCli/settings.json", os: "darwin", examined: true},
			{scope: User, path: "settings.json"},
			{scope: Project, base: inProject, path: ".gemini/settings.json"},
		},
		events: []event{
			{name: "BeforeTool", timeout: short},
			{name: "BeforeAgent", timeout: turn.timeout, tells: true},
		},
		matcher: "*", commandKey: "command", timeoutKey: "timeout", unit: time.Millisecond,
		switches: []offSwitch{{keys: []string{"hooksConfig", "enabled"}}},
		guarded:  true, limited: true,
		program: "gemini", tried: version{0, 61, 0},
		flags:        []string{"GEMINI_RESTRICTED_MODE=true gemini", "GEMINI_CLI_TRUST_WORKSPACE=false gemini"},
		dropsManaged: true,
		folder:       folderTrust{file: "trustedFolders.json", read: trustedByGemini, everywhere: true},
	}
}
