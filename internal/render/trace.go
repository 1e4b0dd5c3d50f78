package render

import (
	"fmt"

	"github.com/policyctl/policyctl/pkg/policy"
)

// Stages writes what each stage had to say, as a table in which an arrow
// points at the one that decided.
func (p *Page) Stages(steps []policy.Step) {
	p.Heading("stages")
	rows := make([][]string, len(steps))
	for i, s := range steps {
		mark, decision := " ", "-"
		if s.Decided {
			mark = ">"
		}
		if s.Spoke {
			decision = s.Decision.String()
		}
		rows[i] = []string{fmt.Sprintf("%s %d", mark, i+1), s.Stage.String(), decision, s.Why}
	}
	p.Table(rows)
	p.Rules(steps)
}

// Rules writes the rules that matched, in the order of the stages.
func (p *Page) Rules(steps []policy.Step) {
	var rows [][]string
	for _, s := range steps {
		for _, m := range s.Rules {
			rows = append(rows, []string{s.Stage.String(), m.Decision.String(), m.Rule, outcome(m)})
		}
	}
	if len(rows) > 0 {
		p.Heading("rules that matched")
		p.Table(rows)
	}
}

// outcome says where a rule was written and whether it decided.
func outcome(m policy.Match) string {
	text := m.Origin.String()
	if m.Lost == "" {
		return text
	}
	if text != "" {
		text += "; "
	}
	return text + "lost: " + m.Lost
}
