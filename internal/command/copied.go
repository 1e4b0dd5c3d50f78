package command

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// MentionsProgram reports whether a word may name a program of the machine.
func MentionsProgram(c *Command) bool {
	for i := range c.Words[1:] {
		if w := &c.Words[i+1]; slices.ContainsFunc(w.Values, func(v string) bool { return mentionsOne(v) }) {
			return true
		}
	}
	for i := range c.Redirects {
		if rd := &c.Redirects[i]; rd.Reads() && mentionsOne(rd.Target.Text()) {
			return true
		}
	}
	return slices.ContainsFunc(c.Dir.Values, func(d string) bool { return slices.Contains(program.Dirs(), d) })
}

func mentionsOne(text string) bool {
	return strings.Contains(text, "bin/") || strings.Contains(text, "policyctl")
}
