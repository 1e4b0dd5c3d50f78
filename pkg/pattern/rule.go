package pattern

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// A Rule is one rule of a [Set].
type Rule struct {
	ID    string
	Label string
	// Scope narrows the calls to which the rule applies.
	Scope    Scope
	Priority int
	Disabled bool
	When     Condition
	// Source is the "when" as it was written, for people and for export.
	Source   document.Node
	Decision Decision
	// Reason is a clause for people, of a deny.
	Reason   string
	Examples Examples
	Origin   policy.Origin
}

// A Scope names a plugin, a profile and an integration; "" means any.
type Scope struct {
	Plugin, Profile, Integration string
}

// Covers reports whether a rule with the scope applies to a call with another.
func (s Scope) Covers(call Scope) bool {
	return (s.Plugin == "" || s.Plugin == call.Plugin) &&
		(s.Profile == "" || s.Profile == call.Profile) &&
		(s.Integration == "" || s.Integration == call.Integration)
}

// Specificity weighs a scope: integration 4, profile 2, plugin 1.
func (s Scope) Specificity() int {
	n := 0
	for i, part := range []string{s.Plugin, s.Profile, s.Integration} {
		if part != "" {
			n += 1 << i
		}
	}
	return n
}

// A Verb is what a rule decides. The zero value denies.
type Verb uint8

// The verbs.
const (
	Deny Verb = iota
	RequireHuman
	RequireLLM
	Allow
)

var verbNames = [...]string{"deny", "require_human", "require_llm", "allow"}

// String returns the verb as rules write it.
func (v Verb) String() string { return verbNames[v] }

// UnmarshalText accepts exactly the four names.
func (v *Verb) UnmarshalText(text []byte) error {
	for i, name := range verbNames {
		if name == string(text) {
			*v = Verb(i)
			return nil
		}
	}
	return &policy.NameError{What: "decision", Name: string(text), Valid: verbNames[:]}
}

// Decision returns what the verb means in the chain.
func (v Verb) Decision() policy.Decision {
	switch v {
	case Deny:
		return policy.Deny
	case Allow:
		return policy.Allow
	}
	return policy.Ask
}

// A Decision is what a rule decides, and on which terms somebody is asked.
type Decision struct {
	Verb Verb
	// Approver names the plugin that asks, "" for the default. Profile is one that
	// [CheckProfile] accepts.
	Approver, Profile string
	// Quorum is how many of the approvers must approve, of require_human; 0 stands for
	// one.
	Quorum int
	// Timeout and OnTimeout are of require_human.
	Timeout   time.Duration
	OnTimeout policy.Decision
	// The rest is of require_llm.
	Model, Prompt string
	CacheTTL      time.Duration
	// FailOpen allows where the reviewer fails; it must be said explicitly.
	FailOpen bool
}

// DefaultProfile is the only profile of approvers.
const DefaultProfile = "default"

// CheckProfile refuses a profile of an approver, except the default and "": approvers
// have no others, and who names one believes that it narrows who decides.
func CheckProfile(name string) error {
	if name == "" || name == DefaultProfile {
		return nil
	}
	return fmt.Errorf("approvers have no profile %s, so that it would change nothing: leave it out, and name in approver who decides, such as {plugin: NAME}", clip.Quote(name))
}

// Examples are records that a rule must and must not match.
type Examples struct {
	Match, NoMatch []*record.Record
}

// before orders rules: priority, then specificity, both descending, then id.
func before(a, b *Rule) int {
	return cmp.Or(
		cmp.Compare(b.Priority, a.Priority),
		cmp.Compare(b.Scope.Specificity(), a.Scope.Specificity()),
		cmp.Compare(a.ID, b.ID),
	)
}

// sorted returns the enabled rules in the order in which they are asked.
func sorted(rules []*Rule) []*Rule {
	out := slices.DeleteFunc(slices.Clone(rules), func(r *Rule) bool { return r.Disabled })
	slices.SortStableFunc(out, before)
	return out
}
