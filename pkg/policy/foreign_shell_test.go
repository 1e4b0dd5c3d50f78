package policy_test

import (
	"os"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// TestForeignShells shows that the floor looks at a line for a shell that cannot be
// read, whichever name the shell has, and leaves what only resembles a catastrophe.
func TestForeignShells(t *testing.T) {
	text, err := os.ReadFile("../../testdata/foreign/lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	e := engine(t, "", nil)
	freely := engine(t, "", yolo)
	names := map[string][]string{"pwsh": {"pwsh", "powershell", "bash|pwsh"}, "nu": {"nu"}, "fish": {"fish", "fish|zsh"}, "cmd": {"cmd"}}
	lines := 0
	for row := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimRight(row, "\n"), " · ", 3)
		if len(parts) < 3 || strings.HasPrefix(row, "#") {
			continue
		}
		lines++
		for _, name := range names[parts[0]] {
			call := &policy.Call{Tool: "shell", Input: map[string]any{"command": parts[2]}, Dir: "/home/dev/project", Home: "/home/dev", OS: "linux", Shell: name}
			v := decide(t, e, nil, call)
			if got := v.Decision.String(); got != parts[1] || got == "deny" && v.Stage != policy.StageHardline {
				t.Errorf("%s: got %s %s (%s), want %s: %s", name, v.Decision, v.Stage, v.Rule, parts[1], parts[2])
			}
			if v := decide(t, freely, nil, call); (v.Stage == policy.StageHardline) != (parts[1] == "deny") {
				t.Errorf("%s under yolo: got %s %s (%s): %s", name, v.Decision, v.Stage, v.Rule, parts[2])
			}
		}
	}
	if lines < 250 {
		t.Errorf("%d lines, want at least 250", lines)
	}
}

// TestForeignTools shows the same for tools that say for which shell a line is.
func TestForeignTools(t *testing.T) {
	e := engine(t, "", nil)
	for _, tc := range []struct {
		want, tool string
		input      map[string]any
	}{
		{"deny", "PowerShell", map[string]any{"command": `Remove-Item -Recurse -Force C:\`}},
		{"deny", "powershell", map[string]any{"command": "Get-ChildItem / | Remove-Item -Recurse"}},
		{"deny", "powershell", map[string]any{"command": "rm -rf /"}},
		{"deny", "shell", map[string]any{"command": "ls / | each { |f| rm -r $f.name }", "shell": "nu"}},
		{"deny", "run_in_terminal", map[string]any{"command": "for f in /*; rm -rf $f; end", "shell": "fish"}},
		{"deny", "PowerShell", map[string]any{"command": "if ($true) {\r\n  Remove-Item -Recurse -Force C:\\\r\n}"}},
		{"ask", "PowerShell", map[string]any{"command": `Remove-Item -Recurse -Force .\bin`}},
		{"ask", "powershell", map[string]any{"command": "Get-Process node | Stop-Process"}},
		{"ask", "shell", map[string]any{"command": "rm -r build", "shell": "nu"}},
	} {
		v := decide(t, e, nil, &policy.Call{Tool: tc.tool, Input: tc.input, Dir: "/home/dev/project", Home: "/home/dev", OS: "linux"})
		if v.Decision.String() != tc.want {
			t.Errorf("%s: got %s %s (%s), want %s: %v", tc.tool, v.Decision, v.Stage, v.Rule, tc.want, tc.input)
		}
	}
}

// TestForeignDenials shows that denials by text look at such a line, and that nothing
// allows it for that.
func TestForeignDenials(t *testing.T) {
	e := engine(t, "deny shell rm *|deny shell Remove-Item *|allow shell ls *|allow shell *", nil)
	for _, tc := range []struct{ want, shell, line string }{
		{"deny", "fish", "rm -rf build"},
		{"deny", "pwsh", "rm -r build"},
		{"deny", "powershell", "Remove-Item build"},
		{"deny", "pwsh", "if ($x) { Remove-Item build }"},
		{"deny", "cmd", "rm -rf build"},
		{"deny", "nu", "echo x; rm build"},
		{"deny", "pwsh|bash", "echo x; rm build"},
		{"ask", "fish", "ls -l"},
		{"ask", "pwsh", "Get-ChildItem"},
		{"ask", "nu", "ls | length"},
	} {
		v := decide(t, e, nil, &policy.Call{Tool: "shell", Input: map[string]any{"command": tc.line}, Dir: "/home/dev/project", Home: "/home/dev", Shell: tc.shell})
		if v.Decision.String() != tc.want {
			t.Errorf("%s: got %s %s (%s), want %s: %s", tc.shell, v.Decision, v.Stage, v.Rule, tc.want, tc.line)
		}
	}
}
