package policy_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// TestPrivilege decides what runs with the rights of another user where little
// else asks: catastrophes are denied however they reach it, a program that only
// prints runs.
func TestPrivilege(t *testing.T) {
	calm := engine(t, "", func(s *policy.Settings) { s.Confirm = policy.DangerousOnly })
	free := engine(t, "allow shell *", func(s *policy.Settings) { s.Yolo = true })
	asks := map[string]bool{
		"echo x | sudo tee notes.txt": true, "sudo -n true": true, "machinectl shell web /bin/rm -rf /": true,
	}
	for _, l := range corpusFile(t, "../../testdata/privilege.txt") {
		v, y := decide(t, calm, nil, call(l.command)), decide(t, free, nil, call(l.command))
		if !strings.HasPrefix(l.id, "tame-") {
			if v.Stage != policy.StageHardline || y.Stage != policy.StageHardline {
				t.Errorf("%s: %s, under yolo %s: %s", l.id, brief(v), brief(y), l.command)
			}
			continue
		}
		if (v.Decision != policy.Allow) != asks[l.command] || y.Decision != policy.Allow {
			t.Errorf("%s: %s %s, under yolo %s: %s", l.id, brief(v), v.Rule, brief(y), l.command)
		}
	}
}
