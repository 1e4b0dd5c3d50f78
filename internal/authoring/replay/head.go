package replay

import (
	"context"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A head is what asks in a call: a program with its sub-command as far as the
// grammar of the program goes, or a tool.
type head struct {
	name string // for people
	// match is the permission that allows all of it, "" where none should.
	match string
	// why says why there is no match, runs that it is since a word is run.
	why  string
	runs bool
	// dangerous holds the dangerous patterns that the command has.
	dangerous []string
	// form is what follows the head.
	form string
}

// heads returns what asks in a call that asks, without repetition.
func heads(tools *toolNames, c *policy.Call, x *policy.Explanation) []head {
	if x.Line == nil {
		return []head{toolHead(tools.name(c.Tool))}
	}
	if x.Line.Problem != nil {
		return []head{{name: "(a line that cannot be read)", why: "such a line is never allowed"}}
	}
	var all, glue []head
	for i := range x.Commands {
		t := &x.Commands[i]
		if t.Allowed != policy.StageNone || t.Index >= len(x.Line.Commands) {
			continue
		}
		command := &x.Line.Commands[t.Index]
		h := commandHead(command)
		h.dangerous = t.Dangerous
		if isGlue(command) {
			glue = with(glue, h)
		} else {
			all = with(all, h)
		}
	}
	switch {
	case len(all) > 0:
		return all
	case len(glue) > 0:
		return glue
	}
	return []head{{name: "(a whole line)", why: "each of its commands is allowed alone"}}
}

// with adds a head unless it is there; what is dangerous of either stays.
func with(list []head, h head) []head {
	for i := range list {
		if list[i].name == h.name {
			list[i].dangerous = append(list[i].dangerous, h.dangerous...)
			return list
		}
	}
	return append(list, h)
}

func toolHead(name string) head { return head{name: name, match: name + " *"} }

// isGlue reports whether a command only holds others together.
func isGlue(c *command.Command) bool {
	p := program.Lookup(c.Name)
	return c.Keyword || c.Function || len(c.Words) == 0 && !writes(c) || p != nil && p.Transparent && c.Args.Payload > 0
}

func writes(c *command.Command) bool {
	return slices.ContainsFunc(c.Redirects, func(r command.Redirect) bool {
		v, ok := r.Target.Literal()
		return r.Writes() && !(ok && shell.IsNull(v))
	})
}

func commandHead(c *command.Command) head {
	h := head{name: c.Called()}
	if c.Args.Sub != "" {
		h.name += " " + c.Args.Sub
	}
	switch {
	case len(c.Words) == 0 && writes(c):
		return head{name: "> FILE", why: "a redirection needs the permission to write its file"}
	case len(c.Words) == 0:
		return head{name: "NAME=VALUE", why: "an assignment alone has no permission of its own"}
	case c.Name == "":
		return head{name: "(a program that is unknown)", why: "the program is only known when the line runs"}
	case writes(c):
		return head{name: h.name + " > FILE", why: "a redirection needs the permission to write its file"}
	case c.Opaque != "", c.Args.Payload > 0, runs(c):
		h.why, h.runs = "it runs whatever follows", true
	case c.Args.Sub == "":
		h.why = "it would open the whole program"
	case strings.ContainsAny(h.name, `*?\`):
		h.why = "its words are not plain text"
	default:
		h.match = "shell " + h.name + " *"
		h.form = form(c)
	}
	return h
}

// runs reports whether an argument of a command is a program or code that it runs.
func runs(c *command.Command) bool {
	return slices.ContainsFunc(c.Args.Operands, func(o command.Operand) bool { return isCode(o.Role) }) ||
		slices.ContainsFunc(c.Args.Options, func(o command.Option) bool { return o.Spec != nil && isCode(o.Spec.Role) })
}

func isCode(r program.Role) bool {
	switch r {
	case program.RoleExec, program.RoleText, program.RoleJoined, program.RoleCode, program.RolePayload, program.RoleDashed, program.RoleArgv:
		return true
	}
	return false
}

// form returns the first word after the sub-command.
func form(c *command.Command) string {
	n := c.Args.Verb + len(strings.Fields(c.Args.Sub))
	if n >= len(c.Words) {
		return ""
	}
	v, ok := c.Words[n].Literal()
	if !ok {
		return "…"
	}
	return clip.Text(v, 40)
}

// blame returns what asks in a call that asks. The explanation is only of the
// call itself, whatever came before.
func (l *lane) blame(ctx context.Context, tools *toolNames, c *policy.Call) []head {
	x, err := l.explain(ctx, c)
	if err != nil {
		return nil
	}
	return heads(tools, c, &x)
}

// toolNames knows what policies call a tool.
type toolNames map[string]string

func newToolNames(own []policy.Tool) *toolNames {
	names := make(toolNames)
	for _, t := range slices.Concat(policy.BuiltinTools(), own) {
		for _, alias := range t.Aliases {
			names[alias] = t.Name
		}
		names[t.Name] = t.Name
	}
	return &names
}

func (t *toolNames) name(tool string) string {
	if name, ok := (*t)[tool]; ok {
		return name
	}
	return tool
}
