package render

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// Verdict writes a verdict: the decision, why and what to do, and then what
// decided.
func (p *Page) Verdict(d Decided) {
	p.styled("decision", p.style(bold+colourOf(d.Decision), d.Decision.String()))
	p.field("why", d.Why)
	p.subject(d)
	p.field("message", d.Message())
	p.field("approval", approval(d.Ask))
	p.field("asked by", askers(d.Ask))
	if d.Undecided {
		p.field("undecided", "nothing but the lack of a permission asks, so the policy leaves it to an agent that has permissions of its own")
	}
	if d.Observed != nil {
		p.field("observed", observed(&d))
	}
	var hooks []string
	for _, h := range d.Hook {
		hooks = append(hooks, h.String())
	}
	p.fields("hook", hooks)
	p.fields("allowed", parts(d))
	p.field("stage", d.Stage.String())
	p.field("rule", d.Rule)
	p.field("source", d.Origin.String())
	if d.Decision != policy.Allow || d.Observed != nil && *d.Observed != policy.Allow {
		p.field("risk", d.Risk.String())
		p.fields("dangerous", dangers(d))
	}
	if d.Decision == policy.Deny {
		p.field("reason", d.Reason.String())
	}
	p.field("revision", d.Revision[:min(12, len(d.Revision))])
	for _, b := range d.Bundles {
		p.field("bundle", b.Name+" "+b.Revision+aged(b.Contact, time.Now()))
	}
	p.fields("note", d.Notes)
	if d.Took > 0 {
		p.field("took", fmt.Sprintf("%.1f µs", float64(d.Took)/float64(time.Microsecond)))
	}
}

// observed says what a policy that only observes says of a call.
func observed(d *Decided) string {
	said := d.Observed.String()
	switch {
	case d.Decision == policy.Deny:
		return "this denial holds, although the policy only observes: it is, or may be, one of your organisation"
	case *d.Observed == policy.Allow:
		return "the policy only observes; it allows this call"
	}
	return "the policy only observes, so the call runs: without that the answer would be " + said
}

// Project writes in which project the call is made.
func (p *Page) Project(d Decided) {
	p.field("project", cmp.Or(d.Call.ProjectDir, "none: neither an agent nor a repository names one for "+d.Call.Dir+"; --project-dir does"))
}

// aging is the age from which a bundle is probably kept current by nobody.
const aging = 2 * 24 * time.Hour

// aged says how old a bundle is whose server was reached last at a time; ""
// for one that is recent.
func aged(contact, now time.Time) string {
	age := now.Sub(contact)
	if contact.IsZero() || age < aging {
		return ""
	}
	return fmt.Sprintf(", confirmed %d days ago: see policyctl status", int(age/(24*time.Hour)))
}

// subject writes what the call would do: its command with the part that
// decided, or its arguments.
func (p *Page) subject(d Decided) {
	if d.Line == nil {
		p.field("tool", d.Call.Tool)
		p.field("input", arguments(d.Call.Input))
		return
	}
	name := "command"
	for _, e := range excerpt(d.Line.Source, d.Span, p.room()) {
		p.styled(name, e.text)
		if e.marks != "" {
			p.styled("", p.style(bold+colourOf(d.Decision), e.marks))
		}
		name = ""
	}
}

// room is how many columns a line of a command may have.
func (p *Page) room() int {
	if p.Width <= 0 {
		return maxColumns
	}
	return min(maxColumns, max(leastWidth, p.Width-len(p.indent)-p.width))
}

// arguments returns the input of a call as short JSON.
func arguments(input map[string]any) string {
	var b strings.Builder
	if err := NewLine(&b).Encode(input); err != nil {
		return ""
	}
	text := []rune(strings.TrimSpace(b.String()))
	if len(text) > maxColumns {
		return string(text[:maxColumns]) + "…"
	}
	return string(text)
}

// approval says who may answer an ask, and what happens if nobody does.
func approval(a *policy.AskTerms) string {
	if a == nil {
		return ""
	}
	who := cmp.Or(a.Who(), "anyone who may approve")
	for _, detail := range []string{a.Profile, a.Model} {
		if detail != "" {
			who += " " + detail
		}
	}
	text := fmt.Sprintf("by %s; without an answer in %s: %s", who, a.Timeout, a.OnTimeout)
	if a.EveryTime {
		text += "; every time"
	}
	return text
}

// askers names the rules that ask, "" for one, which is that of the verdict.
func askers(a *policy.AskTerms) string {
	if a == nil {
		return ""
	}
	return strings.Join(a.Rules, ", ")
}

// dangers says which dangerous patterns match beside the rule that decided.
func dangers(d Decided) []string {
	var out []string
	for _, g := range d.Dangers {
		text := g.Rule
		if g.Rule != d.Rule {
			text += ": it " + g.Why
		}
		out = append(out, text)
	}
	return out
}

// parts says what allowed each command of a line.
func parts(d Decided) []string {
	var out []string
	for _, p := range d.Parts {
		by := p.Why
		if p.Rule != "" {
			by = p.Rule
		}
		text := firstLine(d.Line.Text(p.Span)) + ": " + p.Stage.String() + ", " + by
		if at := p.Origin.String(); at != "" {
			text += " (" + at + ")"
		}
		out = append(out, text)
	}
	return out
}
