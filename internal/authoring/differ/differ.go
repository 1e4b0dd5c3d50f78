// Package differ finds calls that two policies answer differently.
//
// A [Differ] is given calls, recorded ones and those that [Differ.Policy] and
// [Differ.Tables] make up from what the policies say, and its [Report] lists
// every change of a verdict, the loosest first. That none is found does not
// prove that there is none: the report says how many calls were tried.
//
// The package makes no engine, reads no file, and looks for no loops.
package differ

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/replay"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Differ compares two policies, call by call.
type Differ struct {
	ctx      context.Context
	old, new *policy.Engine
	report   Report
	at       map[way]int
	tried    map[string]bool
	mixer    mixer
}

// New returns a differ of two policies.
func New(ctx context.Context, old, new *policy.Engine) *Differ {
	return &Differ{
		ctx: ctx, old: old, new: new, at: make(map[way]int), tried: make(map[string]bool),
		report: Report{
			Old: old.Revision(), New: new.Revision(), Changes: []Change{}, Calls: make(map[Kind]int), Problems: []replay.Problem{},
		},
	}
}

// A Kind says where a call comes from.
type Kind string

// The kinds.
const (
	Recorded Kind = "recorded"
	Example  Kind = "example" // of a rule
	Witness  Kind = "witness" // made up from a rule or a permission
	Table    Kind = "table"   // of a built-in table, or of a tool
)

// A Report is what differs. Its JSON is stable.
type Report struct {
	Old string `json:"old_revision"`
	New string `json:"new_revision"`
	// Calls counts what was tried, by kind.
	Calls map[Kind]int `json:"calls"`
	// Looser, Stricter and Moved count calls; what moves has the same decision
	// for another reason.
	Looser   int      `json:"looser"`
	Stricter int      `json:"stricter"`
	Moved    int      `json:"moved"`
	Changes  []Change `json:"changes"`
	// Problems are what of recordings was not understood.
	Problems []replay.Problem `json:"problems"`
}

// A Change is one way in which verdicts differ.
type Change struct {
	From  Side `json:"from"`
	To    Side `json:"to"`
	Count int  `json:"count"`
	// Samples are the first calls of which that is so.
	Samples []Sample `json:"samples"`
}

// A Side is what counts of a verdict.
type Side struct {
	replay.Side
	// Terms say who is asked, and how; "" for other decisions.
	Terms string `json:"terms,omitempty"`
}

// A Sample is one call.
type Sample struct {
	Kind Kind `json:"kind"`
	// At is the place of a recorded call, and otherwise what the call is made
	// from.
	At   string `json:"at"`
	Text string `json:"text"`
}

type way struct{ from, to Side }

// maxSamples bounds the samples of one change, and maxWays the changes.
const (
	maxSamples = 5
	maxWays    = 10_000
)

// Try compares the verdicts on one call. The sample says what it is.
func (d *Differ) Try(c *policy.Call, s Sample) { d.TryBy(d.old, d.new, c, s) }

// TryBy is Try by engines of the same two policies that know other surroundings.
func (d *Differ) TryBy(old, new *policy.Engine, c *policy.Call, s Sample) {
	d.report.Calls[s.Kind]++
	was, now := d.side(old, c), d.side(new, c)
	if was == now {
		return
	}
	switch {
	case now.Decision > was.Decision:
		d.report.Looser++
	case now.Decision < was.Decision:
		d.report.Stricter++
	default:
		d.report.Moved++
	}
	i, known := d.at[way{was, now}]
	if !known {
		if len(d.at) >= maxWays {
			return // it is counted
		}
		i = len(d.report.Changes)
		d.at[way{was, now}] = i
		d.report.Changes = append(d.report.Changes, Change{From: was, To: now})
	}
	change := &d.report.Changes[i]
	if change.Count++; len(change.Samples) < maxSamples {
		change.Samples = append(change.Samples, s)
	}
}

// side decides a call. What cannot be judged is denied.
func (d *Differ) side(e *policy.Engine, c *policy.Call) Side {
	v, _ := e.Decide(d.ctx, nil, c)
	return Side{replay.Side{Decision: v.Decision, Stage: v.Stage, Rule: v.Rule}, terms(v.Ask)}
}

// Report returns what differs so far: the looser first, then the stricter.
func (d *Differ) Report() *Report {
	slices.SortStableFunc(d.report.Changes, func(a, b Change) int {
		return cmp.Or(
			cmp.Compare(a.weight(), b.weight()), cmp.Compare(b.Count, a.Count),
			cmp.Compare(a.From.Rule, b.From.Rule), cmp.Compare(a.To.Rule, b.To.Rule),
		)
	})
	return &d.report
}

// weight puts allow in place of deny before all, and the same decision last.
func (c *Change) weight() int {
	steps := int(c.From.Decision) - int(c.To.Decision)
	if steps == 0 {
		return 3
	}
	return steps
}

// Same says that no verdict differs.
func (r *Report) Same() bool { return r.Looser+r.Stricter+r.Moved == 0 }

// terms returns the terms of an ask in words.
func terms(a *policy.AskTerms) string {
	if a == nil {
		return ""
	}
	var parts []string
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+" "+value)
		}
	}
	add("approver", a.Approver)
	if a.Quorum > 1 {
		add("quorum", strconv.Itoa(a.Quorum))
	}
	add("and", policy.GroupsText(a.Also))
	add("profile", a.Profile)
	if a.Reviewer {
		parts = append(parts, "a language model may answer")
	}
	add("model", a.Model)
	add("prompt", a.Prompt)
	add("timeout", a.Timeout.String())
	add("on_timeout", a.OnTimeout.String())
	if a.CacheTTL != 0 {
		add("cache_ttl", a.CacheTTL.String())
	}
	if !a.FailClosed {
		parts = append(parts, "fail open")
	}
	if a.EveryTime {
		parts = append(parts, "every time")
	}
	return strings.Join(parts, ", ")
}
