package policy_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// TestSteers decides lines that set what later commands run, where what runs is
// allowed by permissions, by the allowlist or by nothing: PATH, a prompt or an alias
// is never a part of what was allowed. What such a variable runs reaches the floor.
func TestSteers(t *testing.T) {
	names := strings.Fields("ls cat git echo sleep read printf mapfile readarray getopts export declare typeset local readonly let exec wait set unset shift test select true : command builtin env man make eval print vared integer float " +
		"repeat foreach for nameref sysread getln zstyle zparseopts strftime zstat shopt break false umask while grep gofmt head wc time coproc exit return")
	permits := engine(t, "allow shell "+strings.Join(names, " *|allow shell ")+" *", nil)
	listed := engine(t, "", func(s *policy.Settings) {
		for _, n := range names {
			s.Allowlist = append(s.Allowlist, policy.Entry{Text: n})
		}
	})
	bare, free := engine(t, "", nil), engine(t, "deny shell rm *", yolo)
	for _, l := range corpusFile(t, "../../testdata/steers/lines.txt") {
		c := call(l.command)
		c.Shell, _, _ = strings.Cut(l.id, "-")
		if c.Shell == "all" {
			c.Shell = ""
		}
		if l.want == "deny hardline" {
			if v := decide(t, free, nil, c); brief(v) != l.want {
				t.Errorf("%s: under yolo %s: %s", l.id, brief(v), l.command)
			}
			c.Input = map[string]any{"command": strings.ReplaceAll(l.command, "rm -rf /", "rm -r sub")}
			if v := decide(t, free, nil, c); v.Decision != policy.Deny {
				t.Errorf("%s: what is denied hides from the permission: %s: %s", l.id, brief(v), l.command)
			}
			continue
		}
		if v := decide(t, permits, nil, c); brief(v) != l.want {
			t.Errorf("%s: got %s (%s: %s), want %s: %s", l.id, brief(v), v.Rule, v.Why, l.want, l.command)
		}
		for name, e := range map[string]*policy.Engine{"the allowlist": listed, "no permission": bare} {
			if v := decide(t, e, nil, c); v.Decision == policy.Allow && l.want == "ask confirm" {
				t.Errorf("%s: %s allows it: %s: %s", l.id, name, brief(v), l.command)
			}
		}
	}
}
