package policy

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/own"
	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

// The rules of the asks about policyctl's own state and service.
const (
	ownStateRule   = "own-state"
	ownServiceRule = "own-service"
)

// gatherOwn asks about a call that reads policyctl's own state, or reaches its
// service to do what is not known. The ask survives yolo, no grant answers it,
// and what nobody answers is no: whoever holds the key or a login approves
// their own calls.
func (r *run) gatherOwn() {
	if r.e.own == nil {
		return
	}
	if r.line != nil {
		r.gatherOwnLine(r, true)
		return
	}
	for _, g := range r.guises {
		r.gatherOwnLine(g, false)
	}
	if r.readsOwn() {
		r.add(r.ownAnswer(ownStateRule, nil))
	}
	for _, u := range r.urls() {
		if r.e.own.Request("", u) == own.Unclear || r.e.own.Request("", u) == own.Decides {
			r.add(r.ownAnswer(ownServiceRule, nil))
			return
		}
	}
}

// gatherOwnLine asks about the commands of a line, that of the call or one that a
// shell may make of its arguments.
func (r *run) gatherOwnLine(of *run, spanned bool) {
	state, service := false, false
	for i := range of.line.Commands {
		c := &of.line.Commands[i]
		span, reads := r.e.own.Reads(of.line, i, of.home())
		if !reads {
			reads, span = of.linksToOwn(c), c.Span
		}
		if reads && !state {
			state = true
			r.add(r.ownAnswer(ownStateRule, spanOf(span, spanned)))
		}
		if use := r.e.own.Contact(of.line, i); use >= own.Unclear && !service {
			service = true
			r.add(r.ownAnswer(ownServiceRule, spanOf(c.Span, spanned)))
		}
	}
}

func spanOf(span shell.Span, known bool) *shell.Span {
	if !known {
		return nil
	}
	return &span
}

// linksToOwn reports whether a path that a command reads leads to the state by
// a link of the file system.
func (r *run) linksToOwn(c *shell.Command) bool {
	if r.e.options.World == nil || c.Context != program.Local {
		return false
	}
	found := false
	c.Effects(func(e shell.Effect) bool {
		if e.Kind != shell.Reads && e.Kind != shell.Moves {
			return true
		}
		for _, p := range r.view.Places(e.Dir, e.Target) {
			found = found || p.Real != p.Text && r.e.own.Holds(p.Real)
		}
		if e.Target.Glob && !found {
			reals, _ := r.view.Linked(e.Dir, e.Target)
			for _, real := range reals {
				found = found || r.e.own.Holds(real)
			}
		}
		return !found
	})
	return found
}

// readsOwn reports whether a call of a tool other than the shell names the
// state, or searches above it.
func (r *run) readsOwn() bool {
	paths := r.view.Subjects
	if !r.tool.isFile() {
		paths = nil
	}
	if r.undeclared() || len(r.tool.Operation) > 0 {
		paths = append(paths, r.paths()...)
	}
	for _, u := range r.urls() {
		if rest, ok := strings.CutPrefix(u, "file://"); ok {
			paths = append(paths, strings.TrimPrefix(rest, "localhost"))
		}
	}
	for _, s := range paths {
		p := r.view.Subject(s)
		for _, path := range p.Readings() {
			if r.e.own.Holds(path) {
				return true
			}
		}
	}
	for _, s := range r.view.Looks {
		p := r.view.Subject(s)
		for _, path := range p.Readings() {
			if r.e.own.Holds(path) || r.tool.Name == "grep" && r.e.own.LiesBelow(path) {
				return true
			}
		}
	}
	return false
}

// ownAnswer returns the ask of one of the two rules.
func (r *run) ownAnswer(rule string, span *shell.Span) reply {
	terms := r.e.terms(rule, true)
	terms.OnTimeout = Deny
	why := "it reads what policyctl keeps for itself, such as its keys, tokens and logins, or names it"
	if rule == ownServiceRule {
		why = "it reaches the approval service, and what it does there is not known"
	}
	return reply{command: -1, Answer: Answer{
		Decision: Ask, Certain: true, Rule: rule, Why: why, Span: span, Binding: true, Ask: terms,
	}}
}
