package shell

import (
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/script"
)

// A Code is text in a language other than that of a shell which a command
// evaluates.
type Code struct {
	Text string
	Span Span
	// Program is what was read of the text; nil in the language of sed.
	Program *script.Program
	// Input says that it is the input of the command, which then has no other.
	Input bool
}

// codes are those of a command, read when they are first asked for.
type codes struct {
	sync.Once
	home string
	list []Code
}

// Code returns the texts in other languages that the command evaluates and that
// are known: a file that the line wrote, options, operands, or the input. They
// are read once.
func (c *Command) Code() []Code {
	if c.code == nil {
		return nil
	}
	c.code.Do(func() { c.code.list = c.readCode(c.code.home) })
	return c.code.list
}

// noteCode notes which commands of a line evaluate code.
func (l *Line) noteCode(home string) {
	for i := range l.Commands {
		if c := &l.Commands[i]; c.Args.Program != nil && program.Evaluates(c.Args.Program) {
			c.code = &codes{home: home}
		}
	}
}

func (c *Command) readCode(home string) (out []Code) {
	language := c.Args.Program.Language
	env := script.Env{Home: home, Variables: c.codeVariables(language)}
	add := func(values []string, span Span) {
		for _, v := range values {
			code := Code{Text: v, Span: span}
			if language != program.Sed {
				code.Program = script.Read(v, language, env)
			}
			out = append(out, code)
		}
	}
	given := c.Script != nil // the program comes from elsewhere than the input
	if given {
		add(c.Script.Values, c.Span)
	}
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.Spec != nil && o.Spec.Role == program.RoleCode && o.HasArg {
			given = true
			add(o.Arg.Values, o.Arg.Span)
		}
	}
	for _, o := range c.Args.Operands {
		switch w := &c.Words[o.At]; o.Role {
		case program.RoleCode:
			given = true
			add(w.Values, w.Span)
		case program.RoleExec:
			given = given || !w.Has("-")
		}
	}
	if c.Input != nil && !given {
		add(c.Input.Values, c.Span)
		for i := range out {
			out[i].Input = true
		}
	}
	return out
}

// codeVariables returns what -v of AWK sets before its program.
func (c *Command) codeVariables(language program.Language) map[string]string {
	if language != program.AWK {
		return nil
	}
	var out map[string]string
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if !o.Is("v") {
			continue
		}
		v, ok := o.Arg.Literal()
		if name, value, set := strings.Cut(v, "="); ok && set {
			if out == nil {
				out = map[string]string{}
			}
			out[name] = value
		}
	}
	return out
}
