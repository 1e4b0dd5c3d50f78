package hook

import "github.com/policyctl/policyctl/pkg/policy"

// settle returns the word for a verdict, with the verdict that the texts
// describe.
func (a *Agent) settle(e *Event, v *policy.Verdict) (string, *policy.Verdict) {
	if a.isTyped(e, v) {
		v = typedAsk(v)
	}
	word := a.word(e, v)
	switch {
	case v.Decision != policy.Allow:
	case v.Observed != nil:
		return nothing, v // the agent goes on as if nobody looked on
	case e.tool.asks:
		return nothing, v // nobody but the person answers what the agent asks them
	}
	switch word {
	case silence:
		return nothing, v
	case later:
		if e.Defer {
			return postpone, v
		}
		word = deny
	}
	if word == deny && v.Decision == policy.Ask {
		d := *v
		d.Decision, d.Reason, d.Undecided = policy.Deny, policy.ReasonUnattended, false
		v = &d
	}
	return word, v
}

// isTyped reports whether a verdict would let an agent start a program into which it can
// then type without a hook.
func (a *Agent) isTyped(e *Event, v *policy.Verdict) bool {
	lets := v.Decision == policy.Allow && !e.settled && v.Observed == nil || v.Decision == policy.Ask && v.Undecided
	return lets && a.answers.typed && e.waits()
}

// leaves reports whether the hook has no answer to an ask because it is left to the agent's
// own rules, and not because the agent shows the question itself.
func (a *Agent) leaves(e *Event, v *policy.Verdict) bool {
	if v.Decision != policy.Ask || !v.Undecided || a.isTyped(e, v) {
		return false
	}
	return a.word(e, v) == silence
}

// typedRule is the id of the ask about a program into which something is typed.
const typedRule = "typed-later"

// typedAsk makes an allow the ask about a program into which the agent can
// type without a hook.
func typedAsk(v *policy.Verdict) *policy.Verdict {
	d := *v
	d.Decision, d.Reason, d.Rule, d.Undecided = policy.Ask, policy.ReasonNone, typedRule, false
	d.Why = "it starts a program that does what is typed into it later, which no hook sees"
	return &d
}
