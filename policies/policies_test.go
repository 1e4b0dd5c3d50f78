package policies_test

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/policies"
)

func TestBaselineLoads(t *testing.T) {
	l, err := config.Load(policy.Defaults(), config.File{Layer: "baseline", Name: "baseline.yaml", Data: policies.Baseline()})
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Warnings) > 0 {
		t.Error(l.Warnings)
	}
	seen := make(map[policy.Decision]int)
	for _, p := range l.Settings.Permissions {
		seen[p.Action]++
		if p.Why == "" {
			t.Errorf("%s: %q has no why", p.Origin, p.Match)
		}
	}
	if seen[policy.Deny] == 0 || seen[policy.Ask] == 0 || seen[policy.Allow] == 0 {
		t.Errorf("decisions: %v", seen)
	}
	if s := l.Settings; s.Mode != policy.Manual || s.Yolo || s.Confirm != policy.ConfirmAll || s.Approval.OnTimeout != policy.Deny {
		t.Errorf("looser than without a policy: %+v", s)
	}
}

func TestBaselineIsACopy(t *testing.T) {
	policies.Baseline()[0] = 'x'
	if policies.Baseline()[0] == 'x' {
		t.Error("a caller changed the policy")
	}
}
