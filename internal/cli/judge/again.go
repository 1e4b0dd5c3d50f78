package judge

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Again decides a recorded call again, under the policy that applies now where it was
// made, and returns what would allow it. It knows no calls before it.
func Again(ctx context.Context, p *console.Process, c *policy.Call) (render.Decided, render.Advice, error) {
	var here CallFlags
	if err := here.Resolve(p); err != nil {
		return render.Decided{}, render.Advice{}, err
	}
	local, err := NewLocal(p, &effective.Flags{FlagSet: new(pflag.FlagSet), World: here.Surroundings()}, c.Dir)
	if err != nil {
		return render.Decided{}, render.Advice{}, err
	}
	here.Complete(c, "")
	eff := local.of(c)
	x, _, err := explained(eff, ctx, c, false)
	if err != nil {
		return render.Decided{}, render.Advice{}, err
	}
	d := render.Decided{Call: c, Explanation: x}
	return d, advise(ctx, eff, d), nil
}
