package policy

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/dangerous"
)

// Input returns what the sources of the engine are shown of a call, for tools
// that look at rules without deciding. The error says that the call cannot be
// judged.
func (e *Engine) Input(c *Call) (*Input, error) {
	f := &facts{e: e, call: c}
	if err := (reader{f}).prepare(); err != nil {
		return nil, err
	}
	return f.input(), nil
}

func (f *facts) input() *Input {
	if f.in.facts == nil {
		f.in = Input{
			Call: f.call, Tool: f.tool, Line: f.line, Subjects: f.view.Subjects,
			Audience: f.audience(), Explain: f.explained, facts: f,
			Deadline: f.e.settings.AdmissionDeadline,
		}
	}
	return &f.in
}

// ReadsOnly reports whether the simple command at an index only reads, wherever
// that is. For a call of another tool it ignores the index and reports whether
// the tool only reads. Without an engine it is false.
func (in *Input) ReadsOnly(i int) bool {
	f := in.facts
	if f == nil {
		return false
	}
	if f.line == nil {
		return f.toolReads()
	}
	p := f.parts.proof(i)
	return p.Proved || p.Outside
}

// Prints reports whether the simple command at an index only reads, apart from
// what it writes to the files that its redirections open. Without an engine it is
// false.
func (in *Input) Prints(i int) bool {
	f := in.facts
	if f == nil || f.line == nil {
		return false
	}
	c := f.line.Commands[i]
	c.Redirects = nil
	return f.parts.provedAs(f.parts.proofIn, i, c)
}

// toolReads reports whether a call of a tool other than the shell changes
// nothing.
func (f *facts) toolReads() bool {
	switch f.tool.Kind {
	case KindRead, KindSearch:
		return true
	case KindFetch:
		switch m, ok := f.call.Input["method"]; {
		case !ok, m == nil:
			return f.call.Input["body"] == nil
		default:
			text, _ := m.(string)
			return strings.EqualFold(text, "GET") || strings.EqualFold(text, "HEAD")
		}
	case KindOther:
		return f.tool.Risk == Low
	}
	return false
}

// Dangers returns the ids of the dangerous patterns that the simple command at
// an index matches, in the order of [dangerous.Rules], never nil. More says that
// what is unknown of the command may match further ones. Without an engine,
// and for a call of another tool, it says that nothing is known.
func (in *Input) Dangers(i int) (ids []string, more bool) {
	ids = []string{}
	if in.facts == nil || in.facts.line == nil {
		return ids, true
	}
	for _, f := range in.facts.parts.dangers(i) {
		ids = append(ids, f.Rule.ID)
	}
	return ids, dangerous.Undecided(&in.facts.line.Commands[i])
}

// Danger returns why a person should look at the simple command at an index
// first: what the first of its dangerous patterns says, "" for none. Without an
// engine, and for a call of another tool, it says that nothing is known.
func (in *Input) Danger(i int) string {
	if in.facts == nil || in.facts.line == nil {
		return "is not judged by an engine"
	}
	for _, f := range in.facts.parts.dangers(i) {
		return f.Rule.Why
	}
	return ""
}

// Destroys reports whether the simple command at an index matches a dangerous
// pattern that deletes. Without an engine it is false.
func (in *Input) Destroys(i int) bool {
	if in.facts == nil || in.facts.line == nil {
		return false
	}
	for _, f := range in.facts.parts.dangers(i) {
		switch f.Rule.Class {
		case "delete", "database":
			return true
		}
	}
	return false
}

// Barrier says why no rule may allow the simple command at an index, whatever
// its words: "" where one may. A redirection to a file, for one, needs a
// permission that allows to write it.
func (in *Input) Barrier(i int) string {
	c := &in.Line.Commands[i]
	switch {
	case in.facts == nil:
		return "the call is judged without an engine"
	case c.Function:
		return "the line itself defines this function or alias"
	case len(c.Words) > 0 && c.Path == "":
		return "its program is unknown"
	}
	return in.facts.barrier(c, nil)
}

// Trusted reports whether the program of the simple command at an index is a bare
// name, or lies where bare names lead: then its base name identifies it for
// allowing.
func (in *Input) Trusted(i int) bool {
	return in.Line.Commands[i].Identified()
}
