package policy

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/weburl"
	"github.com/policyctl/policyctl/pkg/own"
)

// The rules of the asks about policyctl's own state and service.
const (
	ownStateRule   = "own-state"
	ownServiceRule = "own-service"
)

// The ownAsks are the asks about policyctl itself.
type ownAsks struct{ *replies }

// gatherOwn asks about a call that reads policyctl's own state, or reaches its
// service to do what is unknown. The ask survives yolo, no grant answers it,
// and what nobody answers is no: whoever holds the key or a login approves
// their own calls.
func (o ownAsks) gatherOwn() {
	if o.e.own == nil {
		return
	}
	if o.line != nil {
		o.gatherOwnLine(o.facts, true)
	}
	if o.line == nil || o.line.Foreign() {
		for _, g := range o.guises {
			o.gatherOwnLine(&g.facts, false)
		}
	}
	if o.line != nil {
		return
	}
	if o.readsOwn() {
		o.add(o.ownAnswer(ownStateRule, nil))
	}
	for _, u := range o.args().urls() {
		if o.e.own.Request("", u) == own.Unclear || o.e.own.Request("", u) == own.Decides {
			o.add(o.ownAnswer(ownServiceRule, nil))
			return
		}
	}
}

// gatherOwnLine asks about the commands of a line, that of the call or one that a
// shell may make of its arguments.
func (o ownAsks) gatherOwnLine(of *facts, spanned bool) {
	state, service := false, false
	for i := range of.line.Commands {
		c := &of.line.Commands[i]
		span, reads := o.e.own.Reads(of.line, i, of.home())
		if !reads {
			reads, span = linksToOwn(of, c), c.Span
		}
		if reads && !state {
			state = true
			o.add(o.ownAnswer(ownStateRule, spanOf(span, spanned)))
		}
		if use := o.e.own.Contact(of.line, i); use >= own.Unclear && !service {
			service = true
			o.add(o.ownAnswer(ownServiceRule, spanOf(c.Span, spanned)))
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
// a link of the file system, or one that it names by the number of a process.
func linksToOwn(f *facts, c *command.Command) bool {
	if c.Context != program.Local {
		return false
	}
	found := false
	look := func(e command.Effect) bool {
		reads := e.Kind == command.Reads || e.Kind == command.Moves
		for _, p := range f.view.Places(e.Dir, e.Target) {
			found = found || isOwnProcess(f, p.Text) || reads && p.Real != p.Text && f.e.own.Holds(p.Real)
		}
		if reads && e.Target.Glob && !found {
			reals, _ := f.view.Linked(e.Dir, e.Target)
			for _, real := range reals {
				found = found || f.e.own.Holds(real)
			}
		}
		return !found
	}
	if c.Effects(look); !found {
		c.CodeEffects(f.home(), look)
	}
	return found
}

// isOwnProcess reports whether a path names the open files or the memory of a process
// by its number that is policyctl, or of which the world does not know that.
func isOwnProcess(f *facts, path string) bool {
	id, ok := own.Process(path)
	if !ok || strings.Trim(id, "0123456789") != "" {
		return false
	}
	world, ok := f.e.options.World.(ProcessWorld)
	if !ok {
		return false // paths count as they are written
	}
	name, known := world.Process(id)
	return !known || strings.HasPrefix(name, "policyctl")
}

// readsOwn reports whether a call of a tool other than the shell names the
// state, or searches above it.
func (o ownAsks) readsOwn() bool {
	paths := o.view.Subjects
	if !o.tool.isFile() {
		paths = nil
	}
	if o.args().undeclared() || len(o.tool.Operation) > 0 {
		paths = append(paths, o.args().paths()...)
	}
	for _, u := range o.args().urls() {
		if path, ok := weburl.File(u); ok {
			paths = append(paths, path)
		}
	}
	for _, s := range paths {
		if at := o.view.Subject(s); slices.ContainsFunc(at.Readings(), o.e.own.Holds) {
			return true
		}
	}
	for _, s := range o.view.Looks {
		p := o.view.Subject(s)
		for _, path := range p.Readings() {
			if o.e.own.Holds(path) || o.tool.Name == "grep" && o.e.own.LiesBelow(path) {
				return true
			}
		}
	}
	return false
}

// ownAnswer returns the ask of one of the two rules.
func (o ownAsks) ownAnswer(rule string, span *shell.Span) reply {
	terms := o.e.terms(rule, true)
	terms.OnTimeout = Deny
	why := "it reads or names policyctl's own files, such as keys, tokens and logins"
	if rule == ownServiceRule {
		why = "it reaches the approval service, and what it does there is unknown"
	}
	return reply{command: -1, Answer: Answer{
		Decision: Ask, Certain: true, Rule: rule, Why: why, Span: span, Binding: true, Ask: terms,
	}}
}
