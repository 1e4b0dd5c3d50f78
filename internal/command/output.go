package command

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// MaxOutput bounds the text that is followed from one command to another.
const MaxOutput = shell.MaxSource

// keepsOutput reports whether what a command prints goes to the standard output
// that it was given, and whether that is known.
func (c *Command) KeepsOutput() (kept, known bool) {
	own := -1
	for k := range c.Redirects {
		if rd := &c.Redirects[k]; rd.Fd == "1" || rd.Fd == "" && (rd.Writes() && rd.Op != "<>" || rd.Op == ">&") {
			if own >= 0 {
				return false, false // zsh writes to both
			}
			own = k
		}
	}
	if own < 0 {
		return true, true
	}
	rd := &c.Redirects[own]
	to, ok := rd.Target.Literal()
	switch {
	case !ok, rd.Op == "<>":
		return false, false
	case rd.Op == ">&" && to == "2":
		return false, !slices.ContainsFunc(c.Redirects[:own], func(before Redirect) bool { return before.Fd == "2" })
	case rd.Op == ">&" && !rd.Writes():
		return to == "1", to == "1" || to == "-"
	}
	return false, to == "/dev/null" || !strings.HasPrefix(to, "/dev/") && !strings.HasPrefix(to, "/proc/")
}

// mayFail reports whether a redirection may fail, so that its command does not
// run: it opens a file, or copies a descriptor that not every command has.
func (rd Redirect) MayFail() bool {
	if rd.Inline() {
		return false
	}
	to, ok := rd.Target.Literal()
	if isDescriptor(rd.Target.Set) && (rd.Op == ">&" || rd.Op == "<&") {
		return to != "0" && to != "1" && to != "2" && to != "-"
	}
	return !ok || to != "/dev/null" || rd.Op == "<>"
}
