package reference

import (
	"github.com/policyctl/policyctl/internal/lang/shell"
)

const syntaxIntro = `Shells disagree about what a line runs. A line is allowed, by a rule or because it only reads, only if every shell that
may run it reads it alike, or refuses it as a whole. A call may say which shell that is (` + "`shell`" + ` in JSON, or several:
` + "`bash|zsh`" + `); a call that does not is held to all of bash, dash, zsh, ash of BusyBox, mksh and ksh93. Syntax that is not on
this page is relied on in no shell. The gate runs generated lines in all six and compares what they run with what was read.`

func syntaxPage(list []shell.Construct) document {
	return document{"Shell syntax", syntaxIntro, grouped(list, construct)}
}

func construct(c shell.Construct) (string, entry) {
	class, instead := "In the shells that are named", ""
	if c.Shells == shell.EveryShell {
		class = "In every shell"
	}
	if c.Instead != "" {
		instead = "In every shell: " + prose(c.Instead) + "."
	}
	shells := c.Shells.String()
	if shells == "" {
		shells = "none"
	}
	return class, entry{c.ID, prose(c.Why), join(fields("Example", code(c.Example), "Shells", shells, "Why", prose(c.Why)), instead)}
}
