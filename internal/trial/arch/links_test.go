package arch_test

import (
	"os/exec"
	"strings"
	"testing"
)

// What is embedded or started for every call does not link the weight of OPA, nor that
// of what counts and exports.
func TestWithoutOPA(t *testing.T) {
	for _, pkg := range []string{"pkg/policy", "pkg/world", "pkg/pattern", "pkg/config", "pkg/approval", "cmd/policyctl-hook"} {
		out, err := exec.Command("go", "list", "-deps", "../../../"+pkg).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if !strings.Contains(string(out), "mvdan.cc/sh") && pkg != "pkg/world" {
			t.Errorf("%s: not what it links: %s", pkg, out)
		}
		for line := range strings.Lines(string(out)) {
			if strings.HasPrefix(line, "github.com/open-policy-agent/") || strings.HasPrefix(line, "go.opentelemetry.io/") {
				t.Errorf("%s links %s", pkg, strings.TrimSpace(line))
			}
		}
	}
}
