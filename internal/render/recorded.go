package render

import (
	"fmt"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A Recorded is a decision on record, whole.
type Recorded struct {
	Logged
	Stage, Rule, Source, Reason, Session, ApprovedBy string
	// Record is its number in the audit log, 0 for none.
	Record int64
}

// Recorded writes a decision on record: the decision and why first, then what decided.
func (p *Page) Recorded(r Recorded) {
	colour := red
	var d policy.Decision
	if d.UnmarshalText([]byte(r.Decision)) == nil {
		colour = colourOf(d)
	}
	p.styled("decision", p.style(bold+colour, Plain(r.Decision)))
	p.field("why", r.Why)
	p.field("call", r.Call)
	p.field("when", r.Time.Format("2006-01-02 15:04:05 -07:00"))
	agent := r.Agent
	if r.Session != "" {
		agent += ", session " + r.Session
	}
	p.field("agent", agent)
	p.field("project", r.Project)
	p.field("stage", r.Stage)
	p.field("rule", r.Rule)
	p.field("source", r.Source)
	if r.Reason != policy.ReasonNone.String() {
		p.field("reason", r.Reason)
	}
	p.field("approved", r.ApprovedBy)
	p.field("id", r.ID)
	if r.Record > 0 {
		p.field("record", fmt.Sprintf("%d of the audit log", r.Record))
	} else {
		p.field("record", "not yet chained")
	}
}

// Again writes what the policy of now says of a recorded call.
func (p *Page) Again(d policy.Decision, a Advice) {
	p.styled("now", p.style(bold+colourOf(d), d.String()))
	p.Advice(a)
}
