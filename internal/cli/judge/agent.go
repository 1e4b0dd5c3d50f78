package judge

import (
	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/policy"
)

// hooked returns what the hook of the agent of a call would say about a verdict, none
// where the agent is no known one.
func hooked(c *policy.Call, v *policy.Verdict) (out []render.HookAnswer) {
	a, ok := hook.Lookup(c.Agent)
	if !ok {
		return nil
	}
	for _, w := range a.Words(c, v) {
		out = append(out, render.HookAnswer{Agent: a.Title, Says: w.Says, Modes: w.Modes})
	}
	return out
}
