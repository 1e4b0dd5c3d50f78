package render

import (
	"fmt"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A Step is what one stage had to say, as JSON. A stage that did not speak
// has neither decision nor why.
type Step struct {
	Stage    policy.Stage     `json:"stage"`
	Spoke    bool             `json:"spoke"`
	Decided  bool             `json:"decided"`
	Decision *policy.Decision `json:"decision"`
	Why      *string          `json:"why"`
	Rules    []Match          `json:"rules"`
}

// A Match is a rule that matched, as JSON. Lost is null for one that decided.
type Match struct {
	Rule     string          `json:"rule"`
	Decision policy.Decision `json:"decision"`
	Source   *string         `json:"source"`
	Lost     *string         `json:"lost"`
}

// A Traced is a verdict with the trace of all stages as JSON.
type Traced struct {
	Verdict
	Stages []Step `json:"stage_trace"`
}

// NewTraced returns the JSON of what was decided, with its trace.
func NewTraced(d Decided) Traced {
	out := Traced{Verdict: NewVerdict(d.Call.ID, &d.Verdict, d.Took), Stages: make([]Step, len(d.Steps))}
	for i, s := range d.Steps {
		out.Stages[i] = Step{Stage: s.Stage, Spoke: s.Spoke, Decided: s.Decided, Why: orNull(s.Why), Rules: newMatches(s.Rules)}
		if s.Spoke {
			out.Stages[i].Decision = &s.Decision
		}
	}
	return out
}

func newMatches(list []policy.Match) []Match {
	out := make([]Match, len(list))
	for i, m := range list {
		out[i] = Match{m.Rule, m.Decision, orNull(m.Origin.String()), orNull(m.Lost)}
	}
	return out
}

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
