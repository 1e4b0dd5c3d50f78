package view_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/service/view"
	"github.com/policyctl/policyctl/pkg/approval"
)

// One act approves what is known to be of less than a high risk, as the service judges it
// where it has, and nothing else.
func TestSecondAct(t *testing.T) {
	for _, row := range []struct{ asked, judged, want string }{
		{"low", "", ""}, {"medium", "", ""}, {"high", "low", ""},
		{"high", "", view.HighRisk}, {"critical", "", view.HighRisk}, {"", "", view.HighRisk}, {"Low", "", view.HighRisk}, {"low", "high", view.HighRisk},
	} {
		r := &approval.Request{Asked: approval.Asked{Risk: row.asked}}
		if row.judged != "" {
			r.Judged = &approval.Judged{Risk: row.judged}
		}
		if got := view.SecondAct(r); got != row.want {
			t.Errorf("asked %q, judged %q: %q", row.asked, row.judged, got)
		}
	}
}
