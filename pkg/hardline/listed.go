package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/shell"
)

// killsListed says whether kill is given the ids of all processes that ps
// lists, or that a pattern for every name finds.
func killsListed(s *hazard.Scene, c *shell.Command) bool {
	if hasWord(c, "-0", "-l", "-L") { // asks whether they run
		return false
	}
	for i := range s.Line.Commands {
		w := &s.Line.Commands[i]
		if isInside(w, c) && listsAll(s, w) {
			if onlyPasses(s, c) {
				return true
			}
			break
		}
	}
	for at := c.Source; at >= 0; at = s.Line.Commands[at].Source {
		switch w := &s.Line.Commands[at]; {
		case listsAll(s, w):
			return true
		case !passes(w):
			return false
		}
	}
	return false
}

// isInside says whether a command stands in a substitution in the words of
// another. In text that is evaluated, the span of both is all of that text.
func isInside(w, c *shell.Command) bool {
	return w != c && w.In(shell.InSubst) && w.Span.From >= c.Span.From && w.Span.To <= c.Span.To
}

// listsAll says whether a command prints the ids of all processes, or of all
// that the user runs.
func listsAll(s *hazard.Scene, c *shell.Command) bool {
	switch c.Name {
	case "pgrep":
		return everyName(c) || c.Args.Has("u", "U") && len(c.Args.Operands) == 0 && ownUser(s, c)
	case "ps":
		return anyWord(c.Words[1:], func(v string) bool {
			v = strings.TrimPrefix(v, "-")
			return v == "A" || strings.HasPrefix(v, "e") && strings.Trim(v, "eflopid") == "" || strings.HasPrefix(v, "aux") || v == "ax"
		}) && !hasWord(c, "-p", "-C", "-G", "--ppid", "--pid")
	}
	return false
}

// passes are the programs that hand every line on; awk does so by a program
// that prints a field.
func passes(c *shell.Command) bool {
	switch c.Name {
	case "xargs", "tr", "sort", "cat", "kill":
		return true
	case "tail":
		return anyWord(c.Words[1:], func(v string) bool { return strings.Contains(v, "+") })
	case "awk", "gawk", "mawk":
		for _, o := range c.Args.Operands {
			if v, _ := c.Words[o.At].Literal(); o.Role == shell.RoleCode {
				v = strings.TrimPrefix(strings.ReplaceAll(v, " ", ""), "NR>1")
				return v == "{print$2}" || v == "{print$1}"
			}
		}
	}
	return false
}

// onlyPasses says whether the substitutions in a command do so.
func onlyPasses(s *hazard.Scene, c *shell.Command) bool {
	for i := range s.Line.Commands {
		w := &s.Line.Commands[i]
		if isInside(w, c) && !passes(w) && !listsAll(s, w) {
			return false
		}
	}
	return true
}

// deviceLists are the programs that print the names of devices.
const deviceLists = "$(findmnt $(lsblk $(blkid"

// listedDevice says whether a word, or what xargs appends to a command, is a
// device that another program names.
func listedDevice(s *hazard.Scene, c *shell.Command) bool {
	for i := range c.Words[1:] {
		for list := range strings.FieldsSeq(deviceLists) {
			if w := &c.Words[i+1]; w.Open && spells(s, w.Span, list) {
				return true
			}
		}
	}
	if c.Parent < 0 || c.Source < 0 || s.Line.Commands[c.Parent].Name != "xargs" {
		return false
	}
	return contains("lsblk findmnt blkid", s.Line.Commands[c.Source].Name)
}
