package layers

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Which approvals need a passkey is not lost with a file that is wrong: all of them do
// then, where it spoke of that.
func TestPasskeyAboveStays(t *testing.T) {
	const low = "security: {approval: {passkey_above: low}}\n"
	for _, c := range []struct {
		want                policy.Threshold
		what, managed, user string
		variable            string
	}{
		{"", "nothing is said", "", "", ""},
		{"low", "the person", "", low, ""},
		{"medium", "a variable", "", "", "security.approval.passkey_above=medium"},
		{"low", "a flag does not loosen what the organisation has locked", "locked: [security.approval.passkey_above]\n" + low, "", "security.approval.passkey_above=medium"},
		{"none", "a variable is stricter", low, "", "security.approval.passkey_above=none"},
		{"none", "a risk that is mistyped", "", "security: {approval: {passkey_above: lwo}}\n", ""},
		{"none", "another key of the file is wrong", "", low + wrong, ""},
		{"none", "of the organisation", low + wrong, "", ""},
		{"", "what is wrong never spoke of it", "", wrong, ""},
		{"low", "what is wrong is elsewhere", low, wrong, ""},
	} {
		tr := newTree(t)
		for name, content := range map[string]string{managedFile: c.managed, userFile: c.user} {
			if content != "" {
				tr.policy(name, content)
			}
		}
		var more []config.File
		if c.variable != "" {
			more = append(more, config.Assign(config.Flag, "--x", c.variable, config.Everything))
		}
		if got := tr.load(more...).Settings.Approval.PasskeyAbove; got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
