package policy_test

import (
	"slices"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// The risks that need a passkey, by the threshold: a stricter one needs it for all that a
// looser one does.
func TestThreshold(t *testing.T) {
	risks := []string{"", "unknown", "low", "medium", "high"}
	before := []bool{false, false, false, false, false}
	for _, row := range []struct {
		threshold policy.Threshold
		want      []bool
	}{
		{"", []bool{false, false, false, false, false}},
		{"medium", []bool{true, true, false, false, true}},
		{"low", []bool{true, true, false, true, true}},
		{policy.AllRequests, []bool{true, true, true, true, true}},
		{"mistyped", []bool{true, true, true, true, true}},
	} {
		var got []bool
		for _, risk := range risks {
			got = append(got, row.threshold.Needs(risk))
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%q: %v, want %v", row.threshold, got, row.want)
		}
		for i := range got {
			if before[i] && !got[i] {
				t.Errorf("%q is looser than the one before at %q", row.threshold, risks[i])
			}
		}
		before = got
	}
	if got := policy.Thresholds(); !slices.Equal(got, []string{"medium", "low", "none"}) || policy.Threshold("x").Strictness() <= policy.AllRequests.Strictness() {
		t.Errorf("%v", got)
	}
}
