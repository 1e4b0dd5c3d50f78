package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/cli"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/policies"
)

// Each pack passes its tests, which reach all of its rules, and nothing is found
// wrong with it.
func TestPacks(t *testing.T) {
	for _, pack := range policies.Names() {
		policy := "../../policies/" + pack + "/policy.yaml"
		for _, tc := range []struct {
			want string
			args []string
		}{
			{"cases, all passed", []string{"test", "--min-coverage", "100", policy, "../../policies/" + pack + "/policy_test.yaml"}},
			{"1 file, no problems", []string{"check", policy}},
		} {
			var out, problems bytes.Buffer
			p := process(strings.NewReader(""), &out, tc.args...)
			p.Stderr = &problems
			if code := cli.Run(t.Context(), p); code != console.ExitAllow || !strings.Contains(out.String(), tc.want) {
				t.Errorf("%s: %s: exit code %d\n%s%s", pack, tc.args[0], code, out.String(), problems.String())
			}
		}
	}
}
