package permission

import (
	"slices"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// Misses returns the first reason why an allow does not mean a command of a line. The option
// that a command lacks tells more than the word that stands in its place.
func (p *Pattern) Misses(in *View, c *command.Command) command.Miss {
	m := p.misses(in, c)
	if m.Kind == command.OtherWord || m.Kind == command.TooShort || m.Kind == command.TooLong {
		if option := p.lacks(in, c); option != "" {
			m.Kind, m.Text = command.NoOption, option
		}
	}
	return m
}

// misses is Misses by the words alone.
func (p *Pattern) misses(in *View, c *command.Command) command.Miss {
	if !p.Names(&in.Tool) || p.path {
		return command.Miss{Kind: command.OtherTool}
	}
	if !p.all {
		if m := p.glob.missesCommand(in, c); m.Kind != command.Covered {
			return m
		}
	}
	for i := range p.except {
		if len(c.Words) > 0 && in.hitsTarget(&p.except[i], c) != None {
			return command.Miss{Kind: command.Excepted, Text: p.except[i].glob.text}
		}
	}
	return command.Miss{}
}

// otherProgram is the reason for a pattern that does not name the program of a command.
func (g *glob) otherProgram(c *command.Command) command.Miss {
	head := shell.Base(g.head)
	if head != "" && (head == shell.Base(c.Path) || program.Resolve(shell.Fold(head)) == c.Name) {
		return command.Miss{Kind: command.OtherName}
	}
	return command.Miss{Kind: command.OtherProgram}
}

// lacks returns the first option that the pattern names and a command does not have, as it is
// written; "" where there is none.
func (p *Pattern) lacks(in *View, c *command.Command) string {
	m := p.reading().meaning
	if m == nil || c.Name == "" || m.inner != nil {
		return ""
	}
	args := m.argumentsOf(c.Words, c)
	for i := range m.options {
		if w := &m.options[i]; w.given(in.Home, c.Words, &args) == None {
			at := slices.IndexFunc(w.names, func(name string) bool { return len(name) > 1 })
			return program.Typed(w.names[max(at, 0)])
		}
	}
	return ""
}
