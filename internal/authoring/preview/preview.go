// Package preview tells which recorded calls a rule would have matched.
//
// A [Probe] takes the place of the rules in an engine, so that records are
// derived from calls as they are when rules decide. The package decides
// nothing and reads no file.
package preview

import (
	"context"
	"time"

	"github.com/policyctl/policyctl/internal/authoring/replay"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// Bounds of what a preview looks at and shows.
const (
	MaxLookback = 500
	MaxSamples  = 20
)

// A Report is what a rule would have matched. Its JSON is stable.
type Report struct {
	Rule string `json:"rule"`
	// Matched counts calls that the rule matches in its scope, OutOfScope those
	// that it matches elsewhere, and Unknown those of which it cannot be said.
	Matched    int `json:"matched"`
	OutOfScope int `json:"out_of_scope"`
	Unknown    int `json:"unknown"`
	// Total is the number of calls that were looked at.
	Total   int      `json:"total"`
	Samples []Sample `json:"samples"`
	// Problems are what of the recordings was not understood.
	Problems []replay.Problem `json:"problems"`
}

// A Sample is a call that the rule matches.
type Sample struct {
	At        string         `json:"at"`
	Timestamp *time.Time     `json:"timestamp"`
	Session   string         `json:"session"`
	Text      string         `json:"text"`
	Record    *record.Record `json:"record"`
}

// A Probe is a [policy.Source] that has no opinion and notes what one rule
// says of each call. It is not safe for concurrent use.
type Probe struct {
	rule *pattern.Rule
	best pattern.Truth
	// record is one of which that is so.
	record *record.Record
	err    error
}

// NewProbe returns a probe of a rule.
func NewProbe(r *pattern.Rule) *Probe { return &Probe{rule: r} }

// Judge notes what the rule says of a call.
func (p *Probe) Judge(_ context.Context, in *policy.Input) (policy.Answer, error) {
	parts, err := record.Derive(in, record.Everything)
	if p.err = err; err != nil {
		return policy.Answer{Silent: true}, nil
	}
	values := pattern.Input{Now: in.Call.Time}
	for _, part := range parts {
		if t := p.rule.When.Eval(part.Record, &values); t > p.best {
			p.best, p.record = t, part.Record
		}
	}
	return policy.Answer{Silent: true}, nil
}

// Run shows the rule of a probe to calls, in order. The engine knows the tools.
func (p *Probe) Run(ctx context.Context, e *policy.Engine, calls []replay.Recorded, samples int) (*Report, error) {
	r := &Report{Rule: p.rule.ID, Samples: []Sample{}, Problems: []replay.Problem{}}
	for _, c := range calls {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p.best, p.record, p.err = pattern.False, nil, nil
		in, err := e.Input(c.Call)
		if err == nil { // also where the floor denies, and asks no source
			_, _ = p.Judge(ctx, in)
		}
		r.Total++
		switch {
		case err != nil || p.err != nil || p.best == pattern.Unknown:
			r.Unknown++
		case p.best == pattern.False:
		case !inScope(p.rule.Scope, c.Call.Scope):
			r.OutOfScope++
		default:
			if r.Matched++; len(r.Samples) < samples {
				r.Samples = append(r.Samples, sample(c, p.record))
			}
		}
	}
	return r, nil
}

// inScope reports whether a rule with the scope applies to a call with another.
func inScope(rule pattern.Scope, call policy.Scope) bool {
	return (rule.Plugin == "" || rule.Plugin == call.Plugin) &&
		(rule.Profile == "" || rule.Profile == call.Profile) &&
		(rule.Integration == "" || rule.Integration == call.Integration)
}

func sample(c replay.Recorded, rec *record.Record) Sample {
	s := Sample{At: c.Sample.At, Session: c.Call.Session, Text: c.Sample.Text, Record: rec}
	if !c.Call.Time.IsZero() {
		s.Timestamp = &c.Call.Time
	}
	return s
}
