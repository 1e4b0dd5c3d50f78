package policy_test

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// TestInput shows what sources may ask about a call.
func TestInput(t *testing.T) {
	e := engine(t, "allow write /home/dev/project/log", nil)
	for _, r := range []struct {
		command                          string
		reads, destroys, trusted, barred bool
	}{
		{"ls -la", true, false, true, false},
		{"/bin/ls", true, false, true, false},
		{"./ls", false, false, false, false},
		{"rm -rf build", false, true, true, false},
		{"make", false, false, true, false},
		{"FOO=1 make", false, false, true, true},
		{"make > out", false, false, true, true},
		{"make > log", false, false, true, false},
		{"make > /dev/null", false, false, true, false},
		{"$X", false, false, false, true},
		{`bash -c "$X"`, false, false, true, true},
		{"PATH=/tmp", false, false, false, true},
	} {
		in, err := e.Input(call(r.command))
		if err != nil {
			t.Fatal(err)
		}
		if got := in.ReadsOnly(0); got != r.reads {
			t.Errorf("%s: reads only %t", r.command, got)
		}
		if got := in.Destroys(0); got != r.destroys {
			t.Errorf("%s: destroys %t", r.command, got)
		}
		if got := in.Trusted(0); got != r.trusted {
			t.Errorf("%s: trusted %t", r.command, got)
		}
		if got := in.Barrier(0); (got != "") != r.barred {
			t.Errorf("%s: barrier %q", r.command, got)
		}
	}
}

// TestToolReads shows which calls of other tools only read.
func TestToolReads(t *testing.T) {
	e := engine(t, "", nil)
	for _, r := range []struct {
		reads bool
		tool  string
		input map[string]any
	}{
		{true, "Read", map[string]any{"file_path": "x"}},
		{true, "Grep", map[string]any{"pattern": "x"}},
		{false, "Write", map[string]any{"file_path": "x"}},
		{true, "WebFetch", map[string]any{"url": "https://x.example"}},
		{false, "http_request", map[string]any{"url": "https://x.example", "method": "POST"}},
		{true, "http_request", map[string]any{"url": "https://x.example", "method": "get"}},
		{false, "http_request", map[string]any{"url": "https://x.example", "method": 1.0}},
		{false, "http_request", map[string]any{"url": "https://x.example", "body": "x"}},
		{true, "TodoWrite", nil},
		{false, "Frobnicate", nil},
		{false, "mcp__x__y", nil},
	} {
		in, err := e.Input(&policy.Call{Tool: r.tool, Input: r.input})
		if err != nil {
			t.Fatal(err)
		}
		if got := in.ReadsOnly(0); got != r.reads {
			t.Errorf("%s %v: reads only %t", r.tool, r.input, got)
		}
	}
	if new(policy.Input).ReadsOnly(0) || new(policy.Input).Destroys(0) {
		t.Error("an input without an engine reads only, or destroys")
	}
}
