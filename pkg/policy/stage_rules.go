package policy

import (
	"cmp"
	"slices"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// rules is stage 5.
func (r *run) rules() (*opinion, error) {
	if o := r.replies.asked(&r.trace); o != nil {
		r.trace.outdone(&r.facts)
		return o, nil
	}
	if r.leaves {
		return r.leaveSandbox(), nil
	}
	for i := range r.replies.list {
		a := &r.replies.list[i]
		if a.Decision == Allow && a.Certain && a.command < 0 && !r.barred() {
			r.trace.note(a.match())
			return r.say(opinion{decision: Allow, rule: a.Rule, why: a.Why, span: a.Span, origin: a.Origin}), nil
		}
	}
	if r.line == nil {
		return r.allowedBy(r.allowsCall()), nil
	}
	if o := r.allowedBy(r.equalsLine()); o != nil {
		return o, nil
	}
	if r.barred() {
		return nil, nil
	}
	r.coverByRules()
	return r.parts.union(), nil
}

// asked returns the ask that comes first of those that nothing discharges, which
// verdicts name. Its terms are those of all: see [run.joint].
func (r *replies) asked(t *trace) *opinion {
	var first *reply
	for i := range r.list {
		a := &r.list[i]
		if a.asks() && !a.Beside && (first == nil || a.before(first)) && !r.discharged(a) {
			first = a
		}
	}
	if first == nil {
		return nil
	}
	t.note(first.match())
	o := opinion{decision: Ask, rule: first.Rule, why: first.Why, instead: first.instead, span: first.Span, origin: first.Origin, ask: r.termsOf(first)}
	if d := r.insteadOf(first); d != nil {
		o.rule, o.why, o.span, o.instead, o.origin = d.rule, d.why, d.span, d.instead, Origin{}
	}
	return r.say(o)
}

// insteadOf returns the first dangerous pattern of the line where an answer is
// only that a rule may match, which explains less; nil else.
func (r *replies) insteadOf(a *reply) *opinion {
	isOpaque := func(c command.Command) bool { return c.Opaque != "" }
	switch {
	case a.Certain, a.Rule == failedRule, r.line == nil:
		return nil
	case a.permission == nil && !slices.ContainsFunc(r.line.Commands, isOpaque):
		return nil // a rule of a source that says which of its fields is unknown
	}
	for i := range r.commands() {
		if o := r.parts.danger(i); o != nil {
			return o
		}
	}
	return nil
}

// before reports whether an ask comes before another: of two with the same turn the
// one for which more people must approve, and then what is certain.
func (a *reply) before(b *reply) bool {
	switch {
	case a.turn() != b.turn():
		return a.turn() < b.turn()
	case a.quorum() != b.quorum():
		return a.quorum() > b.quorum()
	}
	return a.Certain && !b.Certain
}

func (a *reply) quorum() int {
	if a.Ask == nil {
		return 1
	}
	return max(1, a.Ask.Quorum)
}

// turn says which of several asks comes first: that of the organisation before one
// of the person, and this before one of a project.
func (a *reply) turn() int {
	switch {
	case a.last:
		return 3
	case a.Binding:
		return 0
	case a.Origin.Tightens:
		return 2
	}
	return 1
}

// barred reports whether the line can never be allowed: it cannot be read, the
// shells that may run it read it differently, or it hides text from a reader.
func (f *facts) barred() bool {
	return len(f.doubts) > 0 || f.unreadable() != nil || f.line != nil && (f.line.Divergence != nil || len(f.line.Oddities) > 0)
}

// unreadable says why a part of the line could not be read, nil where all of it was.
func (f *facts) unreadable() *shell.Problem {
	if f.line == nil {
		return nil
	}
	return f.line.Unreadable()
}

// equalsLine returns the permission without wildcards that is the line itself,
// nil if there is none.
func (f *facts) equalsLine() *permit {
	return f.allowing(func(p *permit) bool { return f.line.Problem == nil && p.Equals(&f.view) })
}

// allowsCall returns the permission that allows a call of a tool other than the
// shell, nil if there is none.
func (f *facts) allowsCall() *permit {
	return f.allowing(func(p *permit) bool { return p.CoversCall(&f.view) })
}

// allowing returns the first allow that does what is asked for.
func (f *facts) allowing(does func(*permit) bool) *permit {
	for _, p := range f.permissions() {
		if p.Action == Allow && does(p) {
			return p
		}
	}
	return nil
}

// allowedBy returns the allow of the call by a permission, nil without one.
func (r *run) allowedBy(p *permit) *opinion {
	if p == nil {
		return nil
	}
	r.trace.note(p.match())
	return r.say(opinion{decision: Allow, rule: p.Match, why: p.Why, origin: p.Origin})
}

// coverByRules marks the commands that a permission, a tool policy or a source
// allows.
func (r *run) coverByRules() {
	for k := range r.replies.list {
		if a := &r.replies.list[k]; a.Decision == Allow && a.Certain && a.command >= 0 {
			r.parts.allow(a.command, cover{StageRules, a.Rule, a.Why, a.Origin})
		}
	}
	r.coverByPermissions()
	r.coverHandedDown()
	r.parts.allowGlue()
}

// coverByPermissions marks the commands that a permission allows.
func (r *run) coverByPermissions() {
	for i := range r.line.Commands {
		if p := r.parts.permit(i); p != nil {
			r.trace.allowing(&r.facts, i)
			r.parts.allow(i, cover{StageRules, p.Match, p.Why, p.Origin})
			r.coverPayload(i, p)
		} else if c := &r.line.Commands[i]; c.Keyword && hasPayload(r.line, i) {
			if p := r.allowing(func(p *permit) bool { return p.Inner(c.Name) != nil }); p != nil {
				r.coverPayload(i, p)
			}
		}
	}
}

// coverHandedDown marks the commands that would be proved to only read without the assignments
// that a wrapper hands down to them, where a permission allows these.
func (r *run) coverHandedDown() {
	for i := range r.line.Commands {
		c := &r.line.Commands[i]
		if c.Parent < 0 || len(c.Assigns) == 0 || len(c.Words) == 0 || r.parts.list[i].stage != StageNone || !r.e.settings.AutoAllowReadonly {
			continue
		}
		bare := *c
		bare.Assigns = nil
		p := r.handingDown(c)
		if p != nil && r.parts.proofAs(r.parts.plainProofIn, i, bare).Proved {
			r.parts.allow(i, cover{StageRules, p.Match, p.Why, p.Origin})
		}
	}
}

// handingDown returns a permission that allows what wrappers assign for a command; nil where
// it has other assignments that are not harmless.
func (r *run) handingDown(c *command.Command) (by *permit) {
	for i := range c.Assigns {
		p := r.handsDown(c, &c.Assigns[i])
		if p == nil && !program.HarmlessVariable(c.Assigns[i].Name) {
			return nil
		}
		by = cmp.Or(p, by)
	}
	return by
}

// coverPayload marks what the command with an index runs, where the permission that
// allows this one says so: it spells what a wrapper runs, or a star of it stands for
// whatever a runner of packages starts here.
func (r *run) coverPayload(i int, p *permit) {
	inner := p.Inner("")
	if c := &r.line.Commands[i]; inner == nil && (c.Is(program.IsShell) || c.Is(program.IsTransparent) || !r.parts.starts(i)) {
		return
	}
	for k := i + 1; k < len(r.line.Commands); k++ {
		c := &r.line.Commands[k]
		if c.Parent != i || inner != nil && !inner.Covers(&r.view, c) || r.barrier(c, inner) != "" {
			continue
		}
		if why := r.parts.risk(k); why != "" {
			r.trace.note(Match{Rule: p.Match, Decision: Allow, Origin: p.Origin, Lost: why})
			continue
		}
		r.parts.allow(k, cover{StageRules, p.Match, p.Why, p.Origin})
	}
}
