package backend

import (
	"context"
	"maps"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// ofProgram returns the verdict on a proved program, for which the engine answered v.
// Whatever it denies stays denied, and what a rule asks stays asked. An allow counts only
// if a rule or a permission made it, and if more than the client's own words speak for it:
// the client is trusted to have proved the program, or the allow is for this very text.
// Everything else asks, as a program does that no rule mentions.
func (j *Judge) ofProgram(ctx context.Context, e *policy.Engine, c *policy.Call, v policy.Verdict) policy.Verdict {
	out := j.program(e)
	switch {
	case v.Decision == policy.Deny, v.Decision == policy.Ask && v.Rule != "":
		return v
	case v.Decision != policy.Allow || v.Stage != policy.StageRules:
		return out
	case c.Input["prover"] == true, isPinned(ctx, e, c):
		return v
	}
	out.Why = v.Rule + " would allow it, but the contract is the word of its client: " +
		"pin program.sha256 in the rule, or give the client a token with the scope prove"
	return out
}

// isPinned reports whether an allow holds for one text alone: with any digit of the hash
// changed, the engine does not allow. Who sends a hash without its text pins nothing.
func isPinned(ctx context.Context, e *policy.Engine, c *policy.Call) bool {
	hash, _ := c.Input["program_sha256"].(string)
	if _, has := c.Input["program_bytes"]; !has || hash == "" {
		return false
	}
	other := *c
	other.Input = maps.Clone(c.Input)
	for i := range hash {
		digit := "0"
		if hash[i] == '0' {
			digit = "1"
		}
		other.Input["program_sha256"] = hash[:i] + digit + hash[i+1:]
		if v, err := e.Review(ctx, nil, &other); err != nil || v.Decision == policy.Allow {
			return false
		}
	}
	return true
}

// program returns the verdict on a program that no rule mentions: it asks.
func (j *Judge) program(e *policy.Engine) policy.Verdict {
	terms := e.Terms()
	return policy.Verdict{
		Decision: policy.Ask, Stage: policy.StageConfirm, Reason: policy.ReasonNone, Rule: "program",
		Why: "a program needs an approval", Ask: &terms, Revision: e.Revision(),
	}
}

// isProgram reports whether a call stands for a proved program.
func isProgram(c *policy.Call) bool { return c.Tool == approval.KindContract }
