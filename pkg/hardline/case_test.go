package hardline_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/pkg/hardline"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// TestCase deletes and writes paths in another case than usual.
func TestCase(t *testing.T) {
	rows := []struct {
		denied   bool
		os, line string
	}{
		{true, "darwin", "rm -rf /USERS"},
		{true, "darwin", "rm -rf /users/Dev"},
		{true, "darwin", "rm -rf /system/library"},
		{true, "darwin", "rm -rf /ETC"},
		{true, "darwin", "rm -rf /LIBRARY/*"},
		{true, "windows", "rm -rf /C/windows"},
		{true, "darwin", "echo x > /Users/dev/.CONFIG/policyctl/policy.yaml"},
		{false, "darwin", "rm -rf /USERS/dev/project/build"},
		{false, "linux", "rm -rf /ETC"},
		{false, "linux", "echo x > /Users/dev/.CONFIG/policyctl/policy.yaml"},
		{false, "", "rm -rf /Home/dev/x"},
	}
	for _, r := range rows {
		s := &hazard.Scene{
			Line: eval.Read(r.line, eval.Env{Dir: "/Users/dev/project", Home: "/Users/dev"}), Home: "/Users/dev", OS: r.os,
			Protect: []string{"/Users/dev/.config/policyctl"},
		}
		if f, ok := hardline.Match(s); ok != r.denied {
			t.Errorf("%s on %q: denied is %v (%v), want %v", r.line, r.os, ok, f.Rule, r.denied)
		}
	}
	s := &hazard.Scene{OS: "darwin", Protect: []string{"/Users/dev/.config/policyctl"}}
	if _, ok := hardline.MatchWrite(s, "/Users/dev/.Config/policyctl/policy.yaml"); !ok {
		t.Error("a protected file may be written in another case")
	}
	for os, want := range map[string]bool{"darwin": true, "linux": false} {
		if _, ok := hardline.MatchWrite(&hazard.Scene{OS: os}, "/DEV/SDA"); ok != want {
			t.Errorf("%s: a device in another case is denied: %v", os, ok)
		}
	}
}
