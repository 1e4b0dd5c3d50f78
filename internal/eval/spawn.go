package eval

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/program"
)

// A pace is how often what has been read so far starts a process and goes on, and how
// often it pauses or leaves.
type pace struct{ starts, stops int }

// spawns reports whether what was read since a pace starts processes in the background,
// and never waits, sleeps or leaves.
func (r *reader) spawns(since pace) bool {
	return r.pace.starts > since.starts && r.pace.stops == since.stops
}

// background counts a statement that the shell does not wait for. What it does itself
// does not hold up what follows.
func (r *reader) background(sc *scope) (ended func()) {
	if sc.context == program.Local {
		r.pace.starts++
	}
	stops := r.pace.stops
	return func() { r.pace.stops = stops }
}

// paces counts what a command does to the pace, behind wrappers and in texts that are
// evaluated, too.
func (r *reader) paces(c *command.Command) {
	flow := c.How("flow")
	switch {
	case flow == "exit", flow == "break", c.Of("pauses"):
		r.pace.stops++
	case c.How("waits") == "seconds":
		if v, ok := c.Words[len(c.Words)-1].Literal(); len(c.Words) != 2 || !ok || strings.Trim(v, "0.") != "" || v == "" {
			r.pace.stops++
		}
	case c.Context != program.Local:
	case c.Of("forks") && (c.How("forks") != "option" || len(c.Words) > 1 && (c.Words[1].Has("-f") || c.Words[1].Has("--fork"))):
		r.pace.starts++
	}
}

// spawn notes an endless loop that starts processes, unless it runs elsewhere.
func (r *reader) spawn(from, to syntax.Pos, sc *scope) {
	if sc.context == program.Local {
		r.line.Spawns = append(r.line.Spawns, Spawn{"an endless loop starts processes in the background", r.text.span(from, to)})
	}
}
