package reviewer

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/approval"
)

// TestTable tries every pair of scores under every ceiling.
func TestTable(t *testing.T) {
	const yes, ask, no = approval.ReviewApproved, approval.ReviewPeople, approval.ReviewDenied
	// By risk and authorization, under the ceilings none, low, medium and high.
	want := map[Risk]map[Authorization][4]string{
		Low: {
			Unknown: {ask, yes, yes, yes}, Vague: {ask, yes, yes, yes}, Implied: {ask, yes, yes, yes}, Clear: {ask, yes, yes, yes},
		},
		Medium: {
			Unknown: {ask, ask, yes, yes}, Vague: {ask, ask, yes, yes}, Implied: {ask, ask, yes, yes}, Clear: {ask, ask, yes, yes},
		},
		High: {
			Unknown: {ask, ask, ask, ask}, Vague: {ask, ask, ask, ask}, Implied: {ask, ask, ask, yes}, Clear: {ask, ask, ask, yes},
		},
		Critical: {
			Unknown: {no, no, no, no}, Vague: {no, no, no, no}, Implied: {no, no, no, no}, Clear: {no, no, no, no},
		},
	}
	used := map[row]bool{}
	for risk := Low; risk <= Critical; risk++ {
		for a := Unknown; a <= Clear; a++ {
			for ceiling := NoRisk; ceiling <= High; ceiling++ {
				got, why := outcomeOf(risk, a, ceiling)
				if got != want[risk][a][ceiling] || why == "" {
					t.Errorf("risk %s, authorization %s, max_risk %s: %s because %q, want %s", risk, a, ceiling, got, why, want[risk][a][ceiling])
				}
			}
			for _, row := range table {
				if row.risk == risk && row.from <= a && a <= row.to {
					used[row] = true
				}
			}
		}
	}
	if len(used) != len(table) {
		t.Errorf("%d of %d rows are used", len(used), len(table))
	}
	if got, _ := outcomeOf(NoRisk, Clear, High); got != ask {
		t.Errorf("no risk at all: %s", got)
	}
}

// A model can make a risk higher than the policy has it, and never lower.
func TestRaised(t *testing.T) {
	for _, row := range []struct {
		model  Risk
		policy string
		want   Risk
	}{
		{Low, "low", Low}, {Low, "medium", Low}, {Low, "high", High}, {Low, "", High}, {Low, "critical", High}, {Medium, "low", Medium},
		{Critical, "low", Critical}, {Critical, "high", Critical}, {High, "medium", High},
	} {
		if got := raised(row.model, row.policy); got != row.want {
			t.Errorf("the model says %s and the policy %q: %s, want %s", row.model, row.policy, got, row.want)
		}
	}
}
