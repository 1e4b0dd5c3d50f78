package approval_test

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A title says what runs, whatever form the command has, and nothing in it hides.
func TestTitleOf(t *testing.T) {
	for _, tc := range []struct {
		tool  string
		input map[string]any
		want  string
	}{
		{"shell", map[string]any{"command": "make\n deploy"}, "shell: make deploy"},
		{"shell", map[string]any{"command": []any{"sh", "-c", "./steal  all"}}, "shell: sh -c ./steal all"},
		{"exec_command", map[string]any{"cmd": []any{"make"}}, "exec_command: make"},
		{"shell", map[string]any{"command": "rm\u3164x\u2800\u200b\ufe0fy"}, "shell: rm\ufffdx\ufffd\ufffd\ufffdy"},
		{"to\u202eol", nil, "to\ufffdol"},
		{"shell", map[string]any{"command": "echo ทดสอบที่นี่"}, "shell: echo ทดสอบที่นี่"},
		{"write", map[string]any{"content": "x", "file_path": "/a"}, "write: /a"},
	} {
		if got := approval.TitleOf(&policy.Call{Tool: tc.tool, Input: tc.input}); got != tc.want {
			t.Errorf("%s %v: %q, want %q", tc.tool, tc.input, got, tc.want)
		}
	}
}
