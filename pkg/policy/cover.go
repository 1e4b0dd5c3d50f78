package policy

import (
	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/program"
)

// allow marks a command as allowed, unless it is.
func (ps *parts) allow(i int, c cover) {
	if ps.list[i].stage == StageNone {
		ps.list[i].cover = c
	}
}

// allowGlue marks what does nothing but hold other commands together.
func (ps *parts) allowGlue() {
	for i := range ps.list {
		if ps.list[i].stage == StageNone && (ps.isGlue(i) || ps.startsAllowed(i)) {
			ps.list[i].cover = cover{stage: StageRules, why: "it only groups other commands"}
		}
	}
}

// isGlue reports whether a command does nothing but hold others together: the
// heads of loops and tests, harmless assignments, and transparent wrappers
// whose payload is judged on its own.
func (ps *parts) isGlue(i int) bool {
	p, c := &ps.list[i], &ps.facts.line.Commands[i]
	if !p.hasGlue {
		p.hasGlue = true
		p.glue = (isSyntax(c) || isTransparent(ps.facts.line, i)) && ps.onlyHolds(c)
	}
	return p.glue
}

// startsAllowed reports whether a shell or a runner of packages does nothing but start what
// is judged on its own, and a rule allows a part of that.
func (ps *parts) startsAllowed(i int) bool {
	for k := i + 1; k < len(ps.list); k++ {
		if ps.facts.line.Commands[k].Parent == i && ps.list[k].rule != "" {
			return ps.starts(i) && ps.onlyHolds(&ps.facts.line.Commands[i])
		}
	}
	return false
}

// onlyHolds reports whether a command that holds others does nothing beside.
func (ps *parts) onlyHolds(c *command.Command) bool {
	return ps.facts.barrier(c, nil) == "" && !writesFile(c) && (len(c.Redirects) == 0 || ps.facts.risks().sensitiveRead(c) == "")
}

// starts reports whether a command does nothing but start what the line names, and what
// is judged on its own: a shell with a text, or a runner of packages of the project, without
// options, which may lead elsewhere.
func (ps *parts) starts(i int) bool {
	l := ps.facts.line
	c := &l.Commands[i]
	isRunner := (c.Args.Payload > 0 || c.Is(program.IsRunner)) && len(c.Args.Options) == 0
	if !isRunner && !c.Is(program.IsShell) || !hasPayload(l, i) {
		return false
	}
	s := ps.facts.site()
	return s != nil && s.prover.Starts(l, i)
}

// risk says what keeps a command from being allowed with the one that runs it: a
// dangerous pattern or a secret.
func (ps *parts) risk(i int) string {
	for _, d := range ps.dangers(i) {
		return "it " + d.Rule.Why
	}
	c := &ps.facts.line.Commands[i]
	if c.Secret {
		return "a variable's name suggests a secret"
	}
	none := &prefix{names: noName}
	why := none.namesSecret(ps.facts, c)
	c.Effects(func(e command.Effect) bool {
		switch {
		case why != "" || e.Kind != command.Reads:
		case c.Context == program.Local:
			why = none.readsSecret(ps.facts, e)
		case !e.Target.Known(), e.Recursive: // elsewhere names alone tell of secrets
			why = "it reads an unknown file"
		}
		return why == ""
	})
	return why
}

func writesFile(c *command.Command) bool {
	found := false
	c.Effects(func(e command.Effect) bool {
		found = (e.Kind == command.Writes || e.Kind == command.Deletes) && !e.Target.KeepsNothing()
		return !found
	})
	return found
}

// isSyntax reports whether a command is no program but a part of the shell's
// language.
func isSyntax(c *command.Command) bool {
	if len(c.Words) == 0 {
		for _, a := range c.Assigns {
			if a.Steers {
				return false
			}
		}
		return true
	}
	switch c.Construct() {
	case "for", "case", "((", "let", "[[", "time":
		return true
	}
	return false
}

// isTransparent reports whether a command is a wrapper that changes nothing about
// what its payload may do, or a call of a function whose body is judged.
func isTransparent(l *eval.Line, i int) bool {
	c := &l.Commands[i]
	if c.Function {
		return hasPayload(l, i)
	}
	p := program.Lookup(c.Name)
	return p != nil && p.Transparent && c.Identified() && c.Args.Payload > 0 &&
		hasPayload(l, i) && !c.Args.Unlisted && !c.Args.Open
}

func hasPayload(l *eval.Line, i int) bool {
	for k := i + 1; k < len(l.Commands); k++ {
		if l.Commands[k].Parent == i {
			return true
		}
	}
	return false
}

// union returns the allow of a line of which every command is allowed, and
// the stage that allowed the weakest.
func (ps *parts) union() *opinion {
	if len(ps.list) == 0 {
		return nil
	}
	var last *cover
	where := 0
	for i := range ps.list {
		c := &ps.list[i].cover
		if c.stage == StageNone {
			return nil
		}
		if last == nil || c.stage > last.stage || last.rule == "" && c.rule != "" && c.stage == last.stage {
			last, where = c, i
		}
	}
	if last.stage == StageRules && last.rule == "" {
		return nil
	}
	o := ps.facts.say(opinion{decision: Allow, stage: last.stage, rule: last.rule, why: last.why, origin: last.origin, parts: ps.verdict()})
	if last.stage != StageReadonly {
		o.span = new(ps.facts.line.Commands[where].Span)
	}
	return o
}

// verdict returns what allowed each command of a line, nil where it was the same
// for all: the verdict itself then says so.
func (ps *parts) verdict() []Part {
	same := true
	for i := range ps.list {
		c := &ps.list[i].cover
		same = same && c.stage == ps.list[0].stage && c.rule == ps.list[0].rule
	}
	if same {
		return nil
	}
	out := make([]Part, 0, len(ps.list))
	for i := range ps.list {
		c := &ps.list[i].cover
		out = append(out, Part{ps.facts.line.Commands[i].Span, c.stage, c.rule, c.why, c.origin})
	}
	return out
}
