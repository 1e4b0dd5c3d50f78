package eval

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/program"
)

// spawn notes an endless loop that starts processes, unless it runs elsewhere.
func (r *reader) spawn(from, to syntax.Pos, sc *scope) {
	if sc.context == program.Local {
		r.line.Spawns = append(r.line.Spawns, Spawn{"an endless loop starts processes in the background", r.text.span(from, to)})
	}
}
