package render

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/learn"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Learnt writes the permissions that would have given so many answers at least.
func (p *Page) Learnt(r *learn.Report, least int) {
	p.field("calls", fmt.Sprintf("%d; the outcome of %d is known", r.Calls, r.Answered))
	if len(r.Proposals) == 0 {
		p.Text(fmt.Sprintf("Nothing is proposed: no calls that ask have something in common and were answered the same way %d times.", least))
	}
	for i := range r.Proposals {
		p.proposal(&r.Proposals[i])
	}
	if len(r.Refused) > 0 {
		p.Heading("not proposed")
		for _, f := range r.Refused {
			p.line(right(f.Answers, 6), "  ", Plain(f.Match), ": ", short(f.Why))
		}
	}
	if len(r.Proposals) > 0 {
		p.line()
		p.Text("To accept one, add --accept '" + r.Proposals[0].Match + "'.")
	}
	p.problems(r.Problems)
}

func (p *Page) proposal(o *learn.Proposal) {
	p.Heading(yamlText(o.Match) + ": " + o.Action.String())
	n := plural(o.Answers, "call")
	switch {
	case o.Action == policy.Deny:
		n += " that people denied"
	case o.Ran == 0:
		n += " that people approved"
	case o.Ran == o.Answers:
		n += " that ran"
	default:
		n += fmt.Sprintf(", %d approved and %d that ran", o.Answers-o.Ran, o.Ran)
	}
	p.field("answers", n+": "+list(o.Examples, o.Answers))
	if o.Also > 0 {
		p.field("also", plural(o.Also, "call")+" with an unknown outcome: "+list(o.AlsoExamples, o.Also))
	}
	if len(o.Opens) > 0 {
		p.field("opens", "also, not recorded: "+list(o.Opens, len(o.Opens)))
	}
	if o.Outside != "" {
		p.field("not", short(o.Outside))
	}
	for _, ask := range o.Asks {
		p.field("with", yamlText(ask)+": ask")
	}
}

// list shows examples of so many.
func list(examples []string, of int) string {
	out := make([]string, 0, len(examples)+1)
	for _, e := range examples {
		out = append(out, short(e))
	}
	if of > len(examples) && len(examples) > 1 {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}
