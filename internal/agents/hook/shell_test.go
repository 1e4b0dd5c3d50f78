package hook_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/agents/hook"
)

// A command is read as the shell does that the agent starts, as far as that is known.
func TestShellOfCall(t *testing.T) {
	for _, r := range []struct{ agent, shell, want string }{
		{"claude", "/usr/bin/fish", "bash|zsh"}, // it starts nothing else
		{"opencode", "/bin/zsh", "zsh"}, {"opencode", "/usr/bin/bash", "bash"}, {"opencode", "", ""},
		{"opencode", "/usr/bin/fish", "bash|sh"}, {"kilo", "/usr/bin/nu", "bash|sh"},
		{"opencode", `C:\Program Files\PowerShell\pwsh.exe`, "pwsh"}, {"opencode", "/opt/xonsh", "xonsh"}, // which asks
		{"pi", "/bin/zsh", "bash|sh"}, {"amp", "/bin/zsh", "bash|sh"}, {"crush", "/bin/zsh", "bash"}, {"kimi", "/bin/zsh", ""},
	} {
		e := read(t, r.agent, sampleOf(t, r.agent), func(name string) string { return map[string]string{"SHELL": r.shell}[name] })
		if e.Call.Shell != r.want {
			t.Errorf("%+v: %q", r, e.Call.Shell)
		}
	}
}

func sampleOf(t *testing.T, name string) string {
	t.Helper()
	a, ok := hook.Lookup(name)
	if !ok {
		t.Fatalf("no agent %s", name)
	}
	return string(a.Sample("ls", "s", "/w"))
}
