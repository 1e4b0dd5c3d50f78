package policy

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// The bounds of looking for commands in arguments. What lies beyond asks.
const (
	maxGuises = 64
	maxInside = 16
)

// stranger is a tool that nobody declared.
func stranger(name string) *Tool {
	return &Tool{Name: name, Commands: commandArguments, undeclared: true}
}

// disguise reads what a shell would make of arguments, at any depth.
func (r reader) disguise(fields []string) {
	if len(fields) == 0 || r.guise {
		return
	}
	d := search{reader: r, fields: make(map[string]bool, len(fields))}
	for _, field := range fields {
		name, form, _ := strings.Cut(field, "|")
		d.fields[plainKey(name)] = form == "keys"
	}
	d.object(r.call.Input, nil, 0)
	if d.over {
		r.doubt("the arguments hold too many commands, or nest too deeply: split the call")
	}
}

// plainKey returns a key as tools of all styles may spell it.
func plainKey(key string) string {
	return strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || c == ' ' {
			return -1
		}
		return c
	}, strictjson.Fold(key))
}

// A guise is a line that a shell may make of the arguments of a call.
type guise struct {
	facts
	replies replies
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
