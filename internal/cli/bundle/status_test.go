package bundle_test

import (
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/cli/bundle"
)

// The age of a bundle is told in days, and what to do about one that nothing
// keeps current.
func TestBundleAge(t *testing.T) {
	for _, c := range []struct {
		age         time.Duration
		table, says string
	}{
		{time.Minute, "reached 1m0s ago", ""},
		{23 * time.Hour, "reached 23h0m0s ago", ""},
		{52 * 24 * time.Hour, "reached 52 days ago", "hooks decide by the bundle acme as it was 52 days ago"},
	} {
		then, age, revision := time.Now(), c.age.Seconds(), "r1"
		row := bundle.Row{Name: "acme", Revision: &revision, Downloaded: &then, Contact: &then, Age: &age}
		if got := row.Old(); got != c.says {
			t.Errorf("%v: %q", c.age, got)
		}
		if got := strings.Join(bundle.Table([]bundle.Row{row})[0], " "); !strings.Contains(got, c.table) {
			t.Errorf("%v: %q", c.age, got)
		}
	}
}
