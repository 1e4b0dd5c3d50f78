// Package preview tells which recorded calls a rule would have matched.
//
// A [Probe] takes the place of the rules in an engine, so that records are
// derived from calls as they are when rules decide. The package decides
// nothing and reads no file.
package preview

import (
	"context"
	"slices"
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
	// Turns are the decisions that would have become others, where that was asked for.
	Turns []Turn `json:"turns,omitempty"`
	// Problems are what of the recordings was not understood.
	Problems []replay.Problem `json:"problems"`
}

// A Turn counts calls of which the decision was one and would have become another.
type Turn struct {
	Was     policy.Decision `json:"was"`
	Becomes policy.Decision `json:"becomes"`
	Calls   int             `json:"calls"`
}

// A Sample is a call that the rule matches.
type Sample struct {
	At        string         `json:"at"`
	Timestamp *time.Time     `json:"timestamp"`
	Session   string         `json:"session"`
	Text      string         `json:"text"`
	Record    *record.Record `json:"record"`
	// Was and Becomes are nil where it was not asked what the decision becomes.
	Was     *policy.Decision `json:"was,omitempty"`
	Becomes *policy.Decision `json:"becomes,omitempty"`
}

// A Probe is a [policy.Source] that has no opinion and notes what one rule
// says of each call. It is not safe for concurrent use.
type Probe struct {
	rule *pattern.Rule
	best pattern.Truth
	// record is one of which that is so.
	record *record.Record
	err    error
	// before and after decide without the rule and with it; nil for neither.
	before, after *policy.Engine
}

// NewProbe returns a probe of a rule.
func NewProbe(r *pattern.Rule) *Probe { return &Probe{rule: r} }

// Compare has [Probe.Run] tell what decisions would become, by engines that decide as it
// is and as it would be.
func (p *Probe) Compare(before, after *policy.Engine) { p.before, p.after = before, after }

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
		truth, inScope := p.Truth(ctx, e, c.Call)
		was, becomes := p.turn(ctx, r, c.Call)
		r.Total++
		switch {
		case truth == pattern.Unknown:
			r.Unknown++
		case truth == pattern.False:
		case !inScope:
			r.OutOfScope++
		default:
			if r.Matched++; len(r.Samples) < samples {
				one := sample(c, p.record)
				one.Was, one.Becomes = was, becomes
				r.Samples = append(r.Samples, one)
			}
		}
	}
	return r, nil
}

// Truth reports whether the rule matches a call, and whether the call is in its scope. A
// call that cannot be read is unknown.
func (p *Probe) Truth(ctx context.Context, e *policy.Engine, c *policy.Call) (t pattern.Truth, inScope bool) {
	p.best, p.record, p.err = pattern.False, nil, nil
	in, err := e.Input(c)
	if err == nil { // also where the floor denies, and asks no source
		_, _ = p.Judge(ctx, in)
	}
	if err != nil || p.err != nil {
		return pattern.Unknown, false
	}
	return p.best, p.rule.Scope.Covers(pattern.Scope(c.Scope))
}

// turn notes what the decision on a call would become.
func (p *Probe) turn(ctx context.Context, r *Report, c *policy.Call) (was, becomes *policy.Decision) {
	if p.before == nil {
		return nil, nil
	}
	old, err := p.before.Explain(ctx, nil, c)
	if err != nil {
		return nil, nil
	}
	now, err := p.after.Explain(ctx, nil, c)
	if err != nil {
		return nil, nil
	}
	if old.Decision != now.Decision {
		i := slices.IndexFunc(r.Turns, func(t Turn) bool { return t.Was == old.Decision && t.Becomes == now.Decision })
		if i < 0 {
			i = len(r.Turns)
			r.Turns = append(r.Turns, Turn{Was: old.Decision, Becomes: now.Decision})
		}
		r.Turns[i].Calls++
	}
	return &old.Decision, &now.Decision
}

func sample(c replay.Recorded, rec *record.Record) Sample {
	s := Sample{At: c.Sample.At, Session: c.Call.Session, Text: c.Sample.Text, Record: rec}
	if !c.Call.Time.IsZero() {
		s.Timestamp = &c.Call.Time
	}
	return s
}
