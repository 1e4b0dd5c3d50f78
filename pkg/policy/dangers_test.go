package policy_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// TestDangers decides testdata/dangers.txt where only what is dangerous asks.
func TestDangers(t *testing.T) {
	e := engine(t, "", func(s *policy.Settings) { s.Confirm = policy.DangerousOnly })
	for _, l := range corpusFile(t, "../../testdata/dangers.txt") {
		want := policy.Ask
		if strings.HasPrefix(l.id, "tame-") {
			want = policy.Allow
		}
		if v := decide(t, e, nil, call(l.command)); v.Decision != want {
			t.Errorf("%s: got %s (%s: %s), want %s: %s", l.id, brief(v), v.Rule, v.Why, want, l.command)
		}
	}
}
