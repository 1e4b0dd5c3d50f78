package pattern

import (
	"cmp"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/record"
)

// A Tried is a rule that was asked about a record, in an explanation.
type Tried struct {
	Rule *Rule
	// Result reports whether the rule matched. A rule that did not is listed only
	// where it could not be evaluated or is out of scope.
	Result Truth
	// Lost says why the rule does not decide; "" for the one that does.
	Lost string
}

// Explain returns the rules that match a record or cannot be evaluated, in the
// order in which they are asked, with the reason why those lost that do not
// decide. It evaluates every rule, and agrees with [Set.Decide].
func (s *Set) Explain(r *record.Record, scope Scope, in *Input) []Tried {
	decided := s.Decide(r, scope, in)
	var out []Tried
	for _, rule := range s.all {
		if rule.Disabled && rule.When.Eval(r, in) != False {
			out = append(out, Tried{rule, rule.When.Eval(r, in), "it is disabled"})
		}
	}
	var first *Rule // that matched
	for _, rule := range s.rules {
		t := Tried{Rule: rule, Result: rule.When.Eval(r, in)}
		if t.Result == False {
			continue
		}
		if rule != decided.Rule {
			t.Lost = t.why(scope, first, &decided)
		}
		if first == nil && t.Result == True && rule.Scope.Covers(scope) {
			first = rule
		}
		out = append(out, t)
	}
	return out
}

// why says why a rule that does not decide lost. first is the one before it
// that matched.
func (t *Tried) why(scope Scope, first *Rule, decided *Match) string {
	switch {
	case !t.Rule.Scope.Covers(scope):
		return t.Rule.Scope.outside(scope)
	case first != nil:
		return "the rule " + first.ID + " comes before it: " + ahead(first, t.Rule)
	case t.Result == Unknown && t.Rule.Decision.Verb == Allow:
		return "it cannot be evaluated, and what allows must be certain"
	case decided.Rule == nil:
		return "it cannot be evaluated"
	}
	return "the rule " + decided.Rule.ID + " is as strict or stricter: " + decided.Decision.String()
}

// outside says which part of a scope does not cover that of a call.
func (s Scope) outside(call Scope) string {
	for _, part := range []struct{ name, want, got string }{
		{"plugin", s.Plugin, call.Plugin},
		{"profile", s.Profile, call.Profile},
		{"integration", s.Integration, call.Integration},
	} {
		if part.want != "" && part.want != part.got {
			return "it is for the " + part.name + " " + clip.Quote(part.want) + ", and the call is of " + cmp.Or(part.got, "none")
		}
	}
	return ""
}

// ahead says by what a rule comes before another.
func ahead(first, second *Rule) string {
	switch {
	case first.Priority != second.Priority:
		return "its priority is higher"
	case first.Scope.Specificity() != second.Scope.Specificity():
		return "its scope is narrower"
	}
	return "its id sorts first"
}
