package policy

import (
	"fmt"
	"slices"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/permission"
)

// A permit is a [Permission] ready for matching.
type permit struct {
	Permission
	*permission.Pattern
}

func (e *Engine) compile(list []Permission, errs *[]error) []*permit {
	var out []*permit
	for _, p := range list {
		pattern, err := permission.Compile(p.Match, p.Except, e.patternTool)
		if err != nil {
			*errs = append(*errs, fmt.Errorf("%spermission %q: %w", at(p.Origin), p.Match, err))
			continue
		}
		if why := permission.Mistake(p.Match, e.tools.pattern); why != "" && p.Action != Allow {
			*errs = append(*errs, fmt.Errorf("%spermission %q: %s", at(p.Origin), p.Match, why))
			continue
		}
		if p.Why == "" {
			p.Why = fmt.Sprintf("the permission %q says %s", p.Match, p.Action)
		}
		out = append(out, &permit{p, pattern})
	}
	return out
}

func at(o Origin) string {
	if s := o.String(); s != "" {
		return s + ": "
	}
	return ""
}

// permissions returns what applies to the agent of the call, on its side of
// the sandbox.
func (f *facts) permissions() []*permit {
	s, ok := f.e.agents[f.call.Agent+"/"+f.call.Subagent]
	if !ok {
		s, ok = f.e.agents[f.call.Agent]
	}
	if !ok {
		s = f.e.permits
	}
	if f.leaves {
		return s.outside
	}
	return s.inside
}

// allowsCommand reports whether an allow covers a command of the line, and
// nothing keeps it from allowing it.
func (f *facts) allowsCommand(p *permit, c *command.Command) bool {
	return p.Covers(&f.view, c) && f.barrier(c, p.Pattern) == ""
}

// barrier says why a pattern that covers the words of a command does not allow
// it: what it evaluates is unknown, an assignment is neither harmless nor
// spelt in the pattern, or a file it redirects to may not be written. A nil
// pattern spells no assignment.
func (f *facts) barrier(c *command.Command, pattern *permission.Pattern) string {
	switch {
	case c.Opaque != "":
		return c.Opaque
	case c.Doubt != "":
		return c.Doubt
	}
	if pattern != nil {
		if why := pattern.Door(&f.view, c); why != "" {
			return why
		}
	}
	if runsInput(c) {
		return "it runs code from its input, which the pattern cannot match"
	}
	for i := range c.Assigns {
		a := &c.Assigns[i]
		isCovered := pattern != nil && pattern.CoversAssign(c, a) || f.handsDown(c, a) != nil
		if !program.HarmlessVariable(a.Name) && !isCovered && (len(c.Words) > 0 || a.Steers) {
			return "the assignment to " + a.Name + " is not part of the pattern"
		}
	}
	for i := range c.Redirects {
		rd := &c.Redirects[i]
		if rd.Writes() && !rd.Target.KeepsNothing() && !f.writeAllowed(c.Dir, rd.Target.Set) {
			return "the redirection writes a file, and no permission allows that"
		}
	}
	return ""
}

// handsDown returns the permission that allows an assignment of a command which is an argument
// of a wrapper around it, as of env; nil for any other.
func (f *facts) handsDown(c *command.Command, a *command.Assign) *permit {
	v, ok := a.Value.Literal()
	for i := c.Parent; ok && !a.Steers && i >= 0; i = f.line.Commands[i].Parent {
		w := &f.line.Commands[i]
		if !w.Is(program.IsTransparent) || len(w.Words) == 0 {
			return nil
		}
		if !slices.ContainsFunc(w.Words[1:], func(word shell.Word) bool { return word.Has(a.Name + "=" + v) }) {
			continue
		}
		if by := f.allowing(func(p *permit) bool { return p.Covers(&f.view, w) && p.CoversAssign(w, a) }); by != nil {
			return by
		}
	}
	return nil
}

// runsInput reports whether an interpreter runs what it reads.
func runsInput(c *command.Command) bool {
	p := program.Lookup(c.Name)
	if p == nil || p.Input != program.RoleCode || c.Input == nil && c.Source < 0 && !c.In(command.Piped) {
		return false
	}
	for _, o := range c.Args.Operands {
		switch o.Role {
		case program.RoleExec:
			return c.Words[o.At].Has("-")
		case program.RoleCode:
			return false
		}
	}
	for i := range c.Args.Options {
		if s := c.Args.Options[i].Spec; s != nil && (s.Role == program.RoleCode || s.Role == program.RoleExec) {
			return false
		}
	}
	return true
}

// writeAllowed reports whether a permission allows writing to a file.
func (f *facts) writeAllowed(dir, s shell.Set) bool {
	if !s.Known() || dir.Open {
		return false
	}
	for _, at := range f.view.Places(dir, s) {
		if f.allowing(func(p *permit) bool { return p.CoversWrite(&f.view, &at) }) == nil {
			return false
		}
	}
	return len(s.Values) > 0
}
