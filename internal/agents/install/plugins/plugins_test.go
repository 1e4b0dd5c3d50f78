// Package plugins_test runs the tests of the plugins, which are in the language
// of the clients that load them.
package plugins_test

import (
	"os/exec"
	"testing"

	"github.com/policyctl/policyctl/internal/trial/sandbox"
)

func TestPlugins(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		sandbox.Need(t, "node is not installed")
	}
	cmd := exec.Command(node, "--test")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("node --test: %v\n%s", err, out)
	}
}
