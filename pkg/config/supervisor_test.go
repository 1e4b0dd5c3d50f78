package config

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A supervisor is one name, or each of several, and so is a channel.
func TestSupervisors(t *testing.T) {
	for text, want := range map[string]string{"ann": "ann", "[ann]": "ann", "[ann, bob]": "ann,bob"} {
		l := load(t, policy.Defaults(), file("user", "security: {approval: {supervisor_id: "+text+"}}\n"))
		if got := l.Settings.Approval.Supervisor; got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
		l = load(t, policy.Defaults(), file("user", "security: {approval: {notify_channel: "+text+"}}\n"))
		if got := strings.Join(l.Settings.Approval.Channels(), ","); got != want {
			t.Errorf("%s: channels %q, want %q", text, got, want)
		}
	}
}
