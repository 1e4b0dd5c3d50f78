package eval

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/script"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/sed"
)

// Scripted returns the lines that code which a command evaluates hands to a shell, or
// runs as words, those to which commands of its own leave, the programs that its options
// name, and what it may run because its words are a command, as far as they are known. What is unknown of them stands there as signs
// that no line has.
func Scripted(c *command.Command, env Env) (out []*Line) {
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if o.Spec == nil || o.Spec.Role != program.RoleExec || !o.HasArg {
			continue
		}
		for _, v := range o.Arg.Values {
			out = append(out, Read(v, env))
		}
	}
	for _, text := range c.Handed() {
		out = append(out, Read(text, env))
	}
	for _, e := range c.Escapes() {
		switch e.Kind {
		case command.Shelled:
			out = append(out, Read(e.Text, env))
		case command.Rough:
			out = handed(out, e.Code(), env)
		}
	}
	for _, code := range c.Code() {
		if code.Program == nil {
			for _, cmd := range sed.Read(code.Text) {
				if cmd.Runs {
					out = append(out, Read(cmd.Text, env))
				}
			}
			continue
		}
		if code.Program != nil {
			out = handed(out, code.Program, env)
		}
	}
	return out
}

// handed adds the lines that a program hands to a shell, or runs as words.
func handed(out []*Line, p *script.Program, env Env) []*Line {
	for i := range p.Calls {
		call := &p.Calls[i]
		if call.Act != script.Runs {
			continue
		}
		var words []string
		for _, v := range call.Values {
			if len(v.Texts) > 0 {
				words = append(words, v.Texts[0])
			}
		}
		switch {
		case len(words) == 0:
		case call.Line || len(words) == 1:
			out = append(out, Read(words[0], env))
		case strings.ContainsAny(words[0], " \t\n"):
			for _, word := range words {
				out = append(out, Read(word, env))
			}
		case shell.Base(words[0]) == shell.Base(words[1]): // execlp("rm", "rm", …)
			out = append(out, Argv(words[1:], env))
		default:
			out = append(out, Argv(words, env))
		}
	}
	return out
}
