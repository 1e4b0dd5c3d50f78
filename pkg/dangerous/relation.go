package dangerous

import (
	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// The bounds of looking at other commands of a line. What lies beyond is taken
// to be what a rule looks for, so that padding hides nothing.
const (
	maxChain    = 32  // commands of a pipeline
	maxCommands = 256 // commands of a line, where any of them counts
)

// indexOf returns the index of a command of the scene's line.
func indexOf(s *hazard.Scene, c *cmd) int {
	for i := range s.Line.Commands {
		if &s.Line.Commands[i] == c {
			return i
		}
	}
	return -1
}

// feeds reports whether the test holds for a command whose output the command
// reads, be it through others.
func feeds(s *hazard.Scene, c *cmd, test condition) bool {
	list := s.Line.Commands
	for n := 0; c.In(command.Piped); n++ {
		if c.Source < 0 {
			return feedsGroup(s, c, test)
		}
		if n == maxChain {
			return true
		}
		at := c.Source
		c = &list[at]
		if test(c) || test(payload(list, at)) || insertsAt(list, at, c.Span, test) {
			return true
		}
	}
	return false
}

// piped holds for a command that reads what another writes.
func piped(c *cmd) bool { return c.In(command.Piped) }

// feedsGroup is feeds for the output of a group, of which the commands before
// this one may be a part.
func feedsGroup(s *hazard.Scene, c *cmd, test condition) bool {
	for i := indexOf(s, c) - 1; i >= 0; i-- {
		d := &s.Line.Commands[i]
		if d.In(command.Piping) && test(d) {
			return true
		}
		if d.Place&(command.Piping|command.InSubst|command.InPayload) == 0 && d.Parent < 0 {
			return false
		}
	}
	return false
}

// payload returns the innermost command that a wrapper runs from its own
// arguments, or the command itself.
func payload(list []command.Command, at int) *cmd {
	for at+1 < len(list) && list[at].Args.Payload > 0 && list[at+1].Parent == at {
		at++
	}
	return &list[at]
}

// around returns the wrapper that hands its own input to the command, nil if
// there is none.
func around(s *hazard.Scene, c *cmd) *cmd {
	if c.Parent < 0 || s.Line.Commands[c.Parent].Args.Payload == 0 || s.Line.Appended(c) {
		return nil
	}
	return &s.Line.Commands[c.Parent]
}

// inserts reports whether the test holds for a command whose output a part of
// the command's text is, as in $(…) and <(…).
func inserts(s *hazard.Scene, c *cmd, in span, test condition) bool {
	return insertsAt(s.Line.Commands, indexOf(s, c), in, test)
}

func insertsAt(list []command.Command, at int, in span, test condition) bool {
	first := wrapper(list, at)
	for i := first; i < len(list) && belongs(list, i, first); i++ {
		d := &list[i]
		if inSubst(d) && within(d.Span, in) && i != at && !descends(list, i, at) && test(d) {
			return true
		}
	}
	return false
}

func inSubst(c *cmd) bool { return c.In(command.InSubst) }

func within(inner, outer span) bool {
	return outer.From <= inner.From && inner.To <= outer.To
}

// wrapper returns the index of the outermost command among whose arguments
// the command stands: substitutions in them were read behind that one.
func wrapper(list []command.Command, at int) int {
	for p := list[at].Parent; p >= 0 && (list[p].Args.Payload > 0 || list[p].Finds() || list[p].Of("seeks")); p = list[p].Parent {
		at = p
	}
	return at
}

// belongs reports whether the command with index i was read as a part of the one
// with index at: these follow it without a gap.
func belongs(list []command.Command, i, at int) bool {
	return i == at || list[i].Parent >= at || within(list[i].Span, list[at].Span)
}

// descends reports whether the command with index at leads to that with index i.
func descends(list []command.Command, i, at int) bool {
	for p := list[i].Parent; p >= at; p = list[p].Parent {
		if p == at {
			return true
		}
	}
	return false
}

// runs reports whether the test holds for what a command runs in turn.
func runs(s *hazard.Scene, c *cmd, test condition) bool {
	list := s.Line.Commands
	at := indexOf(s, c)
	for i := at + 1; i < len(list) && belongs(list, i, at); i++ {
		if descends(list, i, at) && test(&list[i]) {
			return true
		}
	}
	return false
}

// evaluates reports whether the test holds for a command whose output a shell or
// an interpreter evaluates as its program.
func evaluates(s *hazard.Scene, c *cmd, test condition) bool {
	if c.Args.Program == nil {
		return false
	}
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if o.Spec != nil && o.HasArg && isProgram(o.Spec.Role) && inserts(s, c, o.Arg.Span, test) {
			return true
		}
	}
	for _, o := range c.Args.Operands {
		if !isProgram(o.Role) {
			continue
		}
		span := c.Words[o.At].Span
		if o.Role == program.RoleJoined {
			span.To = c.Words[len(c.Words)-1].Span.To
		}
		if inserts(s, c, span, test) {
			return true
		}
	}
	if readsProgram(c) {
		return feeds(s, c, test) || redirected(s, c, test)
	}
	return completed(s, c) && feeds(s, c, test)
}

// completed reports whether a part of what the command evaluates is what xargs
// or parallel reads.
func completed(s *hazard.Scene, c *cmd) bool {
	if !s.Line.Appended(c) {
		return false
	}
	for _, o := range c.Args.Operands {
		if isProgram(o.Role) && c.Words[o.At].Open {
			return true
		}
	}
	return false
}

func isProgram(r program.Role) bool {
	return r == program.RoleText || r == program.RoleJoined || r == program.RoleCode || r == program.RoleExec
}

// readsProgram reports whether an interpreter finds its program on the standard
// input.
func readsProgram(c *cmd) bool {
	p := program.Lookup(c.Name)
	if p == nil || c.Function || !program.Interprets(p) || asksHelp(c) {
		return false
	}
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.Spec != nil && o.HasArg && isProgram(o.Spec.Role) {
			return false
		}
	}
	for _, o := range c.Args.Operands {
		if isProgram(o.Role) && !anyValue(c.Words[o.At].Set, func(v string) bool { return v == "-" || shell.IsInput(v) }) {
			return false
		}
	}
	return true
}

// redirected is feeds for a substitution from which the input is redirected.
func redirected(s *hazard.Scene, c *cmd, test condition) bool {
	for i := range c.Redirects {
		if r := &c.Redirects[i]; (r.Reads() || r.Inline()) && inserts(s, c, r.Target.Span, test) {
			return true
		}
	}
	return false
}

// texts calls yield for each text that the command is known to evaluate as
// code of a language that is not the shell's: from its arguments, and from
// its input.
func texts(s *hazard.Scene, c *cmd, yield func(string) bool) {
	if c.Function || asksHelp(c) {
		return
	}
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if o.Spec != nil && o.HasArg && o.Spec.Role == program.RoleCode && !each(o.Arg.Set, yield) {
			return
		}
	}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleCode && !each(c.Words[o.At].Set, yield) {
			return
		}
	}
	inputs(s, c, yield)
}

// inputs calls yield for each text that the command may read from its
// standard input: what is redirected, or what a chain of echo and cat pipes.
func inputs(s *hazard.Scene, c *cmd, yield func(string) bool) {
	at := printer(s, c)
	switch {
	case at == nil:
	case at.Input != nil:
		each(*at.Input, yield)
	default:
		for i := 1; i < len(at.Words); i++ {
			if !each(at.Words[i].Set, yield) {
				return
			}
		}
	}
}

// printer returns the command whose words, or whose input where that is known, a command
// reads from its standard input, nil where there is none.
func printer(s *hazard.Scene, c *cmd) *cmd {
	for at := c; ; {
		switch {
		case at != c && at.How("prints") != "", at.Input != nil:
			return at
		case at != c && at.How("passes") != "all", at.Source < 0:
			return nil
		}
		at = &s.Line.Commands[at.Source]
	}
}

func each(s shell.Set, yield func(string) bool) bool {
	for _, v := range s.Values {
		if !yield(v) {
			return false
		}
	}
	return true
}

// code matches a command that may evaluate a text for which the test holds.
func code(test func(string) bool) matcher {
	return func(s *hazard.Scene, c *cmd) (span, bool) {
		for text := range func(yield func(string) bool) { texts(s, c, yield) } {
			if test(text) {
				return c.Span, true
			}
		}
		return span{}, false
	}
}
