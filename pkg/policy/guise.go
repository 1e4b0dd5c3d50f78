package policy

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/permission"
)

// The bounds of looking for commands in arguments. What lies beyond asks.
const (
	maxGuises = 64
	maxInside = 16
)

// stranger is a tool that nobody declared.
func stranger(name string) *Tool {
	return &Tool{Name: name, Commands: commandArguments, undeclared: true, guessed: true}
}

// disguise reads what a shell would make of arguments, at any depth.
func (r reader) disguise(fields []string) {
	if len(fields) == 0 || r.guise {
		return
	}
	d := search{reader: r, fields: make(map[string]bool, len(fields))}
	for _, field := range fields {
		name, form, _ := strings.Cut(field, "|")
		d.fields[permission.PlainKey(name)] = form == "keys"
	}
	d.object(r.call.Input, nil, 0)
	if d.over {
		r.doubt("the arguments hold too many commands, or nest too deeply: split the call")
	}
}

// foreign adds the lines by which the floor and denials look at one for a shell that
// cannot be read: as it is, and as each shell that it may be for is told to run it.
func (r reader) foreign(text, shells string) {
	d := search{reader: r}
	add := func(command any) *guise {
		c := *r.call
		c.Tool, c.Shell, c.Input = "shell", "", map[string]any{"command": command}
		return d.guiseOf(c)
	}
	if g := add(text); g != nil && isNoLine(g) {
		d.guises = d.guises[:len(d.guises)-1]
	}
	for _, words := range shell.ToldTo(shells, text) {
		list := make([]any, len(words))
		for i, w := range words {
			list[i] = w
		}
		add(list)
	}
}

// A guise is a line that a shell may make of the arguments of a call.
type guise struct {
	facts
	replies replies
}

// maxRan bounds the lines run by texts on the line about which sources are asked.
const maxRan = 64

// gatherRan gathers what sources deny and ask of the lines that texts on the line run,
// as if these were calls of their own.
func (r *replies) gatherRan() error {
	if len(r.e.options.Sources) == 0 || len(r.parts.ran) == 0 {
		return nil
	}
	asked := make(map[string]bool)
	for i := range r.parts.ran {
		line := r.parts.ran[i].Line
		if line.Problem != nil || len(line.Commands) == 0 || asked[line.Source] {
			continue
		}
		if asked[line.Source] = true; len(asked) > maxRan {
			r.add(reply{command: -1, Answer: Answer{Decision: Ask, Rule: "too-many", Why: "code on the line runs more commands than rules are asked about"}})
			return nil
		}
		if err := r.gatherOf(line.Source); err != nil {
			return err
		}
	}
	return nil
}

// gatherOf gathers what sources deny and ask of a line as a call of its own.
func (r *replies) gatherOf(line string) error {
	c := *r.call
	c.Tool, c.Input, c.Record = "shell", map[string]any{"command": line}, nil
	g := &guise{facts: facts{e: r.e, location: location{guise: true, moved: c, counting: r.counting}}}
	g.call, g.replies.facts, g.replies.ctx, g.replies.session = &g.moved, &g.facts, r.ctx, r.session
	if (reader{&g.facts}).prepare() != nil || g.line == nil {
		return nil
	}
	if err := g.replies.gatherSources(); err != nil {
		return err
	}
	for _, a := range g.replies.list {
		if a.Decision != Allow {
			a.command, a.inside, a.Span = -1, true, nil // where the text stands is no place of a command
			r.add(a)
		}
	}
	return nil
}

// gatherGuises gathers what denies the lines that a shell may make of the
// arguments.
func (r *replies) gatherGuises() error {
	for _, g := range r.guises {
		of := &g.replies
		of.ctx = r.ctx
		of.gatherPermissions()
		of.gatherToolPolicy()
		if err := of.gatherSources(); err != nil {
			return err
		}
	}
	return nil
}
