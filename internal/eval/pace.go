package eval

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/program"
)

// A pace is how often what has been read so far starts a process and goes on, and how
// often it pauses or leaves.
type pace struct{ starts, stops int }

// spawns reports whether what was read since a pace starts processes in the background,
// and never waits, sleeps or leaves.
func (p *pace) spawns(since pace) bool {
	return p.starts > since.starts && p.stops == since.stops
}

// background counts a statement that the shell does not wait for. What it does itself
// does not hold up what follows.
func (p *pace) background(in program.Context) (ended func()) {
	if in == program.Local {
		p.starts++
	}
	stops := p.stops
	return func() { p.stops = stops }
}

// count counts what a command does to the pace, behind wrappers and in texts that are
// evaluated, too.
func (p *pace) count(c *command.Command) {
	flow := c.How("flow")
	switch {
	case flow == "exit", flow == "break", c.Of("pauses"):
		p.stops++
	case c.How("waits") == "seconds":
		if v, ok := c.Words[len(c.Words)-1].Literal(); len(c.Words) != 2 || !ok || strings.Trim(v, "0.") != "" || v == "" {
			p.stops++
		}
	case c.Context != program.Local:
	case c.Of("forks") && (c.How("forks") != "option" || len(c.Words) > 1 && (c.Words[1].Has("-f") || c.Words[1].Has("--fork"))):
		p.starts++
	}
}
