package hook

import "github.com/policyctl/policyctl/pkg/policy"

// settle returns the word for a verdict, with the verdict that the texts
// describe.
func (a *Agent) settle(e *Event, v *policy.Verdict) (string, *policy.Verdict) {
	switch v.Decision {
	case policy.Allow:
		if !e.settled && a.answers.typed && e.waits() {
			return a.question(e, typedAsk(v))
		}
		return a.vouch(e, v), v
	case policy.Ask:
		return a.question(e, v)
	}
	return deny, v
}

// vouch says what an allow becomes. Nothing leaves the call to the agent's
// own rules, which may be stricter.
func (a *Agent) vouch(e *Event, v *policy.Verdict) string {
	switch {
	case e.tool.asks:
		// Nobody but the person answers what the agent asks them.
		return nothing
	case e.Mode == "plan" && v.Stage != policy.StageReadonly:
		// The person wants nothing done yet.
		return nothing
	case a.events.kind(e.Name) == prompt, a.answers.allow:
		return allow
	}
	return nothing
}

// question says what an ask becomes: a dialog of the agent where there is one
// and a person to answer it, else a denial.
func (a *Agent) question(e *Event, v *policy.Verdict) (string, *policy.Verdict) {
	dialog := a.events.kind(e.Name) == prompt || e.tool.asks
	switch {
	case e.Attended && dialog:
		// The agent shows its own dialog when nothing is said.
		return nothing, v
	case e.Attended && a.answers.ask:
		return ask, v
	case e.Defer && e.headless && a.answers.postpone && !dialog:
		return postpone, v
	}
	d := *v
	d.Decision, d.Reason = policy.Deny, policy.ReasonUnattended
	return deny, &d
}

// typedRule is the id of the ask about a program into which something is typed.
const typedRule = "typed-later"

// typedAsk makes an allow the ask about a program into which the agent can
// type without a hook.
func typedAsk(v *policy.Verdict) *policy.Verdict {
	d := *v
	d.Decision, d.Reason, d.Rule = policy.Ask, policy.ReasonNone, typedRule
	d.Why = "it starts a program that does what is typed into it later, which no hook sees"
	return &d
}
