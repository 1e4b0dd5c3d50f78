package render

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/support/null"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Meaning is what a permission means, by calls.
type Meaning struct {
	Match  string   `json:"match"`
	Covers []string `json:"covers"`
	Leaves []string `json:"does_not_cover"`
}

// Meaning writes what the permission means that decided; nothing for nil.
func (p *Page) Meaning(m *Meaning) {
	if m == nil {
		return
	}
	p.Heading("what " + yamlText(m.Match) + " means")
	p.indent, p.width = "  ", 16
	p.fields("covers", m.Covers)
	p.fields("does not cover", m.Leaves)
	p.indent, p.width = "", 11
}

// A WhyNot says why no permission decides a call.
type WhyNot struct {
	Decision policy.Decision `json:"decision"`
	Stage    policy.Stage    `json:"stage"`
	Rule     *string         `json:"rule"`
	Why      string          `json:"why"`
	// Commands are those of a line, or one without a text for a call of another tool.
	Commands []NearCommand `json:"commands"`
	Advice   Advice        `json:"advice"`
	// Gains are calls that each alternative of the advice would newly allow.
	Gains [][]string `json:"newly_allows"`
}

// A NearCommand is a command with what allowed it, or with the permissions that come near.
type NearCommand struct {
	Text    string         `json:"text"`
	Allowed *string        `json:"allowed"`
	Near    []policy.Match `json:"near"`
	number  string
}

// NewWhyNot returns the reasons about a call.
func NewWhyNot(d Decided, near [][]policy.Match) *WhyNot {
	out := &WhyNot{Decision: d.Decision, Stage: d.Stage, Rule: null.Of(d.Rule), Why: d.Why, Commands: []NearCommand{}}
	if d.Line == nil {
		for _, list := range near {
			out.Commands = append(out.Commands, NearCommand{Near: list})
		}
		return out
	}
	names := numbers(d.Line.Commands)
	allowed := make(map[int]string)
	for _, t := range d.Commands {
		if t.Allowed != policy.StageNone {
			allowed[t.Index] = strings.TrimSuffix(t.Allowed.String()+": "+t.By, ": ")
		}
	}
	for i, list := range near {
		c := &d.Line.Commands[i]
		row := NearCommand{Text: textOf(d, c), Allowed: null.Of(allowed[i]), Near: list, number: names[i]}
		if row.Allowed != nil && d.Decision != policy.Allow {
			row.Near = []policy.Match{}
		}
		out.Commands = append(out.Commands, row)
	}
	return out
}

func textOf(d Decided, c *command.Command) string { return firstLine(d.Line.Text(c.Span)) }

// WhyNot writes the reasons about a call.
func (p *Page) WhyNot(d Decided, w *WhyNot) {
	p.styled("decision", p.style(bold+colourOf(w.Decision), w.Decision.String()))
	p.field("why", w.Why)
	p.field("stage", w.Stage.String())
	p.field("rule", d.Rule)
	p.field("source", d.Origin.String())
	heading := "permissions that come near"
	if w.Decision == policy.Allow {
		heading = "denials and asks that come near"
	}
	if len(w.Commands) > 0 {
		p.Heading(heading)
	}
	for i := range w.Commands {
		p.nearCommand(&w.Commands[i])
	}
	p.indent, p.width = "", 11
	p.alternatives(w)
}

func (p *Page) nearCommand(c *NearCommand) {
	p.indent = strings.Repeat("  ", strings.Count(c.number, "."))
	if c.Text != "" {
		p.line(p.indent, p.style(bold, pad(c.number, len(c.number)+2)), Plain(c.Text))
	}
	p.indent += "     "
	p.width = 9
	switch {
	case c.Allowed != nil && len(c.Near) == 0:
		p.field("allowed", *c.Allowed)
	case len(c.Near) == 0:
		p.field("", "no permission is about it")
	}
	for _, n := range c.Near {
		p.field(n.Decision.String(), n.Rule+"  "+n.Origin.String())
		p.field("", n.Lost)
	}
}

// alternatives writes the permissions that would cover the call, each with what else it allows.
func (p *Page) alternatives(w *WhyNot) {
	if len(w.Advice.Allow) == 0 {
		p.Advice(w.Advice)
		return
	}
	p.Heading("what would cover it")
	for i, list := range w.Advice.Allow {
		if i > 0 {
			p.line("or")
		}
		for _, match := range list {
			p.line("  ", Plain(yamlText(match)), ": allow")
		}
		p.indent, p.width = "    ", 14
		p.fields("newly allows", orNone(w.Gains[i]))
		p.indent, p.width = "", 11
	}
}

func orNone(list []string) []string {
	if len(list) == 0 {
		return []string{"this call alone"}
	}
	return list
}
