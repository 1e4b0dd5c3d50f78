package hook_test

import (
	"context"
	"testing"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/pkg/policy"
)

// While a policy observes, an agent goes on as if it had no hook, also about calls that the
// policy allows; a denial that holds is one all the same.
func TestObservedIsSilent(t *testing.T) {
	said := []policy.Decision{policy.Allow, policy.Ask, policy.Deny}
	for _, name := range hook.Names() {
		a, _ := hook.Lookup(name)
		for i := range said {
			v := policy.Verdict{Decision: policy.Allow, Reason: policy.ReasonNone, Why: "x", Observed: &said[i]}
			decide := func(context.Context, *hook.Event) (policy.Verdict, error) { return v, nil }
			if got := run(a, a.Sample("bash", "s", "/w"), hook.Host{Decide: decide}); got.code != 0 || got.out != "" {
				t.Errorf("%s, %s: %+v", name, said[i], got)
			}
			v.Decision, v.Reason = policy.Deny, policy.ReasonPermissionRule
			got := run(a, a.Sample("bash", "s", "/w"), hook.Host{Decide: decide})
			if say, _, err := a.Heard([]byte(got.out), []byte(got.stderr), got.code); say != "deny" || err != nil {
				t.Errorf("%s, held: %q, %v", name, say, err)
			}
		}
	}
}
