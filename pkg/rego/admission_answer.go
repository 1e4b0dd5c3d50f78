package rego

import (
	"fmt"
	"slices"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/policy"
)

// verdicts turns the entries for one call into an answer for the chain.
type verdicts struct {
	in      *policy.Input
	origin  policy.Origin
	entries []entry // by decision and id
	strict  []entry // for the programs as they are written
}

// check reports whether an entry is about a command that does not exist.
func (v *verdicts) check() error {
	for i := range v.entries {
		e := &v.entries[i]
		if e.command < v.commands() {
			continue
		}
		return fmt.Errorf("the document %s: the entry %q is about command %d of a call that has %d: take the index from input.commands",
			e.decision, e.id, e.command, v.commands())
	}
	return nil
}

func (v *verdicts) commands() int {
	if v.in.Line == nil {
		return 0
	}
	return len(v.in.Line.Commands)
}

// answer answers a line command by command; what is about the line stands
// beside the first of them.
func (v *verdicts) answer() policy.Answer {
	if v.commands() == 0 {
		return v.whole()
	}
	parts := make([]policy.Answer, v.commands())
	for i := range parts {
		parts[i] = v.part(i)
	}
	return policy.Answer{Parts: parts}
}

// whole answers a call without simple commands. Nothing allows a line that
// cannot be read.
func (v *verdicts) whole() policy.Answer {
	var out []policy.Answer
	var others []policy.Match
	for i := range v.entries {
		e := &v.entries[i]
		if e.decision == policy.Allow && v.in.Line != nil {
			others = append(others, v.lost(e, "it is a line without a command that can be read"))
			continue
		}
		out = append(out, v.say(e))
	}
	return v.combined(out, others)
}

// part answers the simple command at an index.
func (v *verdicts) part(i int) policy.Answer {
	var out []policy.Answer
	var others []policy.Match
	for k := range v.entries {
		e := &v.entries[k]
		switch {
		case e.decision != policy.Allow:
			if e.command == i || e.command < 0 && i == 0 {
				out = append(out, v.say(e))
			}
		case e.command >= 0 && e.command != i:
		default:
			if why := v.barrier(e, i); why != "" {
				others = append(others, v.lost(e, why))
				continue
			}
			out = append(out, v.say(e))
		}
	}
	return v.combined(out, others)
}

// barrier says why an entry may not allow a command, "" where it may.
func (v *verdicts) barrier(e *entry, i int) string {
	if v.in.Line.Problem != nil {
		return "the line cannot be read"
	}
	if why := v.in.Barrier(i); why != "" {
		return why
	}
	if named(v.in, i) || slices.ContainsFunc(v.strict, func(s entry) bool {
		return s.decision == policy.Allow && s.id == e.id && s.command == e.command
	}) {
		return ""
	}
	return "its program is not one that a bare name leads to, and the policy does not allow it as it is written"
}

// combined makes one answer of several. The chain reads those in More first.
func (v *verdicts) combined(list []policy.Answer, others []policy.Match) policy.Answer {
	if !v.in.Explain {
		others = nil
	}
	if len(list) == 0 {
		return policy.Answer{Silent: true, Others: others}
	}
	last := len(list) - 1
	out := list[last]
	out.More, out.Others = list[:last:last], others
	return out
}

// say makes an answer of an entry. What is about a whole line marks all of it.
func (v *verdicts) say(e *entry) policy.Answer {
	out := policy.Answer{Decision: e.decision, Certain: true, Rule: e.id, Why: e.reason, Origin: v.origin}
	if e.command < 0 && v.in.Line != nil {
		out.Whole = true
		out.Span = &shell.Span{From: 0, To: len(v.in.Line.Source)}
	}
	if e.decision == policy.Ask {
		t := e.terms
		t.FailClosed, t.Rule = true, e.id
		if v.origin.Layer != "" {
			t.Rule = v.origin.Layer + "/" + e.id
		}
		out.Ask, out.Binding = &t, true
	}
	return out
}

func (v *verdicts) lost(e *entry, why string) policy.Match {
	return policy.Match{Rule: e.id, Decision: e.decision, Origin: v.origin, Lost: why}
}
