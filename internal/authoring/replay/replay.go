// Package replay decides recorded tool calls once more: it reads what agents
// and policyctl itself have recorded, lets engines judge each call in the order
// in which it was made, and counts what a person would have been asked.
//
// [Run] reads [Input]s as streams, in one of the formats of [Format], and
// returns a [Report]. What it does not understand is a [Problem] with its place
// and never silently left out.
//
// The package makes no engine, writes nothing, and runs nothing of what was
// recorded. It does not know the files of the past: only what the recordings
// say.
package replay

import (
	"context"
	"slices"

	"github.com/policyctl/policyctl/pkg/policy"
)

// Options say how recordings are judged.
type Options struct {
	// Policy decides the calls, and each of Against is compared with it.
	Policy  Policy
	Against []Rival
	// With returns the policy with more permissions. nil tries none.
	With func(...policy.Permission) (Policy, error)
	// Complete gives a call what its recording does not say, whose file is named;
	// nil gives nothing. It is called for one call after the other.
	Complete func(c *policy.Call, recording string)
	// Tools are the tools of the policy beside the built-in ones.
	Tools []policy.Tool
	// Progress is told now and then how far the work is; nil tells nobody.
	Progress func(Progress)
}

// A Policy decides calls. What a project adds to it applies to the calls that are
// made there.
type Policy struct {
	// Engine decides calls if Local is nil, and speaks for all engines where no call
	// is meant.
	*policy.Engine
	// Local returns the engine that decides a call. It is safe for concurrent use.
	Local func(*policy.Call) *policy.Engine
}

// Of returns the engine that decides a call.
func (p Policy) Of(c *policy.Call) *policy.Engine {
	if p.Local == nil {
		return p.Engine
	}
	return p.Local(c)
}

// A Rival is another policy for the same calls.
type Rival struct {
	Name   string
	Engine *policy.Engine
}

// A Progress is how far a run is.
type Progress struct {
	// Pass is 1, or 2 while permissions are tried.
	Pass         int
	Files, Total int // files that are read, of all
	// Read are the bytes that are read, Size those of all files, which is less
	// where a stream is read.
	Read, Size int64
	Calls      int
}

// Run reads all inputs in order and returns what it found. When the context
// ends, the report is of what was read until then and says so. The error is
// one of trying permissions; nothing in a recording is an error.
func Run(ctx context.Context, inputs []Input, o Options) (*Report, error) {
	first := newTally(&o)
	stopped := first.read(ctx, inputs)
	r := first.report(len(inputs))
	switch {
	case stopped:
		r.Interrupted, r.Untried = true, interrupted
		return r, nil
	case o.With == nil:
		return r, nil
	}
	t, err := newTrial(&o, first)
	if err != nil {
		return r, err
	}
	switch {
	case len(t.candidates) == 0:
		t.tell(r)
	case slices.ContainsFunc(inputs, func(in Input) bool { return !in.again() }):
		r.Untried = "the standard input is too long to be read twice: write it to a file first"
	case t.read(ctx, inputs):
		r.Interrupted, r.Untried = true, interrupted
	default:
		t.tell(r)
	}
	return r, nil
}

const interrupted = "interrupted"
