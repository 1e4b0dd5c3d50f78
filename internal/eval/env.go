package eval

import (
	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// surround tells the scope of the line what its surroundings hold.
func (r *reader) surround(sc *scope) {
	for _, v := range r.env.Vars {
		sc.set(r, v.Name, v.Value)
	}
	sc.stdin = r.env.Input
	if r.env.Background {
		sc.place |= command.Background
	}
}

// inherited returns the variables of the environment as the assignments of a
// command that stands at a place. What changes nothing but how programs print is
// none.
func (r *reader) inherited(at int) (out []command.Assign) {
	for _, v := range r.env.Vars {
		if !program.HarmlessVariable(v.Name) {
			out = append(out, command.Assign{Name: v.Name, Value: v.Value, Span: shell.Span{From: at, To: at}})
		}
	}
	return out
}
