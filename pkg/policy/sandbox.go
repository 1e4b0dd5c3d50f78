package policy

import "strings"

// sandboxArguments are the arguments by which agents ask to run a call outside
// their own sandbox, or in a wider one, each with the text that stands for
// inside. A value that says nothing (false, null, empty) means inside too, and
// any other means outside: what an agent makes of it is unknown.
var sandboxArguments = []struct{ name, inside string }{
	{"sandbox_permissions", "use_default"}, // Codex: require_escalated, with_additional_permissions
	{"with_escalated_permissions", ""},     // Codex before that
	{"additional_permissions", ""},         // Codex, Gemini CLI
	{"dangerouslyDisableSandbox", ""},      // Claude Code
	{"requestSandboxBypass", ""},           // Copilot CLI
	{"requestUnsandboxedExecution", ""},    // VS Code
	{"required_permissions", ""},           // Cursor
	{"elevated", ""},                       // OpenClaw
}

// OutsideRule is the id in verdicts of the ask about a call that leaves the
// agent's sandbox.
const OutsideRule = "outside-sandbox"

// LeavesSandbox reports whether the call is to run outside the agent's
// sandbox: the call says so, or one of its arguments, in whatever case lenient
// decoders take the name.
func (c *Call) LeavesSandbox() bool {
	if c.OutsideSandbox {
		return true
	}
	for key, v := range c.Input {
		for i := range sandboxArguments {
			a := &sandboxArguments[i]
			if strings.EqualFold(key, a.name) && !staysInside(v, a.inside) {
				return true
			}
		}
	}
	return false
}

func staysInside(v any, inside string) bool { return isEmpty(v) || v == inside }

// sides are the permissions that apply inside the agent's sandbox, and
// those that apply outside it. An allow holds outside only where it says so; a
// deny or an ask that says so holds nowhere else.
type sides struct{ inside, outside []*permit }

func bySandbox(list []*permit) sides {
	var s sides
	for _, p := range list {
		if p.Action == Allow || !p.OutsideSandbox {
			s.inside = append(s.inside, p)
		}
		if p.Action != Allow || p.OutsideSandbox {
			s.outside = append(s.outside, p)
		}
	}
	return s
}

// leavingTerms are the terms of the ask about a call that leaves the sandbox: time, a
// stored approval and a reviewer that fails are no yes.
func (r *run) leavingTerms() *AskTerms {
	terms := r.e.terms(OutsideRule, true)
	terms.OnTimeout = Deny
	return terms
}

// leaveSandbox answers a call that leaves the agent's sandbox, at stage 5: a
// permission that says so allows it, and nothing else does. A proof, a listed
// prefix or an approval is about what the call does, not about where it runs.
func (r *run) leaveSandbox() *opinion {
	if o := r.allowedOutside(); o != nil {
		return o
	}
	return r.say(opinion{
		decision: Ask, rule: OutsideRule,
		why:     "it may run outside the agent's sandbox, which no permission allows",
		instead: "Run it inside the sandbox, if it works there.",
	})
}

func (r *run) allowedOutside() *opinion {
	if r.line == nil {
		return r.allowedBy(r.allowsCall())
	}
	if o := r.allowedBy(r.equalsLine()); o != nil {
		return o
	}
	if r.barred() {
		return nil
	}
	r.coverByPermissions()
	r.parts.allowGlue()
	return r.parts.union()
}
