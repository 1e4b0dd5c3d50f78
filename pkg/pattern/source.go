package pattern

import (
	"context"
	"sync"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// A Source answers calls by the rules of one set. It is safe for concurrent
// use.
type Source struct {
	set *Set
	// lines has the rules that may answer for a command of a shell line,
	// denials those that deny or ask.
	lines, denials func() *Set
	needs          record.Needs
	rated          bool // some rule looks at rates
	// by evaluates the rules; nil for the set itself. places are the positions
	// of the rules.
	by     Evaluator
	places map[*Rule]int
	// forms stand for the set where its rules are read as they are needed.
	forms forms
}

// An Evaluator finds out which rules of a set are in scope and match a record,
// and which may match or do: ascending positions in [Set.Ordered]. It must be
// safe for concurrent use.
type Evaluator interface {
	Truths(ctx context.Context, r *record.Record, scope Scope, in *Input) (sure, maybe []int, err error)
}

// NewSourceBy returns a source that answers as that of [NewSource] would, but
// leaves it to another to evaluate the rules of the set.
func NewSourceBy(s *Set, by Evaluator) *Source {
	out := NewSource(s)
	out.by, out.places = by, make(map[*Rule]int, len(s.Ordered()))
	for i, r := range s.Ordered() {
		out.places[r] = i
	}
	return out
}

// NewSource returns a source of answers for a chain. Each layer of a policy
// wants one of its own, so that an allow of one cannot override a deny of
// another: the chain takes deny over ask over allow.
func NewSource(s *Set) *Source {
	out := &Source{set: s}
	for _, rule := range s.Ordered() {
		out.needs |= needsOf(&rule.When)
	}
	out.rated = looksAtRates(out.needs)
	out.lines = sync.OnceValue(func() *Set { return s.without(neverOfCommand) })
	out.denials = sync.OnceValue(func() *Set { return s.without(allows) })
	return out
}

// Rules returns the rules of the source, also those that are disabled. A form keeps only
// those that are enabled, and one that cannot be read is left out. They must not be changed.
func (s *Source) Rules() []*Rule {
	if s.set != nil {
		return s.set.Rules()
	}
	var out []*Rule
	for _, p := range s.forms {
		for i := range p.len() {
			if r, err := p.rule(int32(i)); err == nil {
				out = append(out, r)
			}
		}
	}
	return out
}

func allows(r *Rule) bool { return r.Decision.Verb == Allow }

// without returns the set without some rules, itself where there are none.
func (s *Set) without(drop func(*Rule) bool) *Set {
	var kept []*Rule
	for _, r := range s.Ordered() {
		if !drop(r) {
			kept = append(kept, r)
		}
	}
	if len(kept) == len(s.Ordered()) {
		return s
	}
	return NewSet(kept)
}

// neverOfCommand reports whether a rule can never allow a simple command.
func neverOfCommand(r *Rule) bool { return r.Decision.Verb == Allow && !r.AllowsCommands() }

// Judge answers a call. A shell line is answered command by command. The error
// is that of a record that the call brings along, or of the evaluator.
func (s *Source) Judge(ctx context.Context, in *policy.Input) (policy.Answer, error) {
	if s.forms.len() == 0 && (s.set == nil || len(s.set.Ordered()) == 0) {
		return policy.Answer{Silent: true}, nil
	}
	parts, err := shared(in, s.needs)
	if err != nil {
		return policy.Answer{}, err
	}
	j := sourceCall{ctx: ctx, s: s, in: in, scope: Scope(in.Call.Scope), input: Input{Now: in.Call.Time}}
	j.count(parts)
	if in.Line == nil || len(parts) == 0 || parts[0].Command < 0 {
		out := j.answer(parts)
		return out, j.err
	}
	out := policy.Answer{Parts: make([]policy.Answer, len(in.Line.Commands))}
	for from := 0; from < len(parts); {
		i, to := parts[from].Command, from+1
		for to < len(parts) && parts[to].Command == i {
			to++
		}
		out.Parts[i] = j.answer(parts[from:to])
		from = to
	}
	return out, j.err
}

// A derivation is what the sources of one call share.
type derivation struct {
	parts []record.Part
	needs record.Needs
}

// shared returns the records of a call, which are made once as long as no
// source needs more than those before it.
func shared(in *policy.Input, n record.Needs) ([]record.Part, error) {
	d, ok := in.Derived.(*derivation)
	if ok && n&^d.needs == 0 {
		return d.parts, nil
	}
	if ok {
		n |= d.needs
	}
	parts, err := record.Derive(in, n)
	if err == nil {
		in.Derived = &derivation{parts, n}
	}
	return parts, err
}
