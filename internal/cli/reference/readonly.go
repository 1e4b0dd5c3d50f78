package reference

import (
	"fmt"
	"strings"

	facts "github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/render"
)

const readonlyIntro = `These programs are known to read only, with the options, the operands and the sub-commands that are harmless; a command
with anything else is not proved, and so not allowed for that reason. Scripts in Python and JavaScript on the command line have no entry
here: they are allowed if their text shows that they [only read](../workspace.md#files-of-the-project).
` + "`policyctl readonly`" + ` lists them, and ` + "`policyctl readonly PROGRAM`" + ` shows one.

Examples are read with the home ` + "`/home/dev`" + `, and the tests check each of them; nothing is known of the git
configuration there.`

func readonlyPage(table []*facts.Program) document {
	return document{"Programs that only read", readonlyIntro, programs("Programs", "", render.NewPrograms(table))}
}

// programs returns a class with the programs of a table, and one for each
// that has sub-commands.
func programs(name, before string, table []render.Program) []class {
	c := class{name: name}
	var below []class
	for _, p := range table {
		title := before + p.Names[0]
		c.entries = append(c.entries, entry{title, takes(p), program(p)})
		if len(p.Subs) > 0 {
			below = append(below, programs("Sub-commands of "+title, title+" ", p.Subs)...)
		}
	}
	return append([]class{c}, below...)
}

// takes says in few words what is listed of a program.
func takes(p render.Program) string {
	var parts []string
	if len(p.Names) > 1 {
		parts = append(parts, "also "+codes(p.Names[1:]))
	}
	if len(p.Subs) > 0 {
		parts = append(parts, count(len(p.Subs), "sub-command"))
	}
	return strings.Join(append(parts, count(len(p.Options), "option")), "; ")
}

func count(n int, what string) string {
	switch n {
	case 0:
		return "no " + what + "s"
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func program(p render.Program) string {
	var subs []string
	for _, s := range p.Subs {
		subs = append(subs, s.Names...)
	}
	operands := prose(p.Operands)
	if len(subs) > 0 {
		operands = ""
	}
	options := codes(p.Options)
	if options == "" {
		options = "none"
	}
	return join(
		fields(
			"Also", codes(p.Names[1:]),
			"Options", options,
			"Operands", operands,
			"Sub-commands", codes(subs),
			"Needs", needs(p.Git),
			"Source", prose(text(p.Source)),
		),
		examples("Proved:", "sh", p.Proved),
		examples("Not proved:", "sh", p.Not),
	)
}

// needs says when the configuration of the repository matters.
func needs(git *string) string {
	const clean = "a repository whose configuration runs no programs"
	switch {
	case git == nil:
		return ""
	case *git == "always":
		return clean
	}
	return clean + ", with any of the options " + codes(dashed(strings.Fields(*git)))
}

// dashed returns names of options as they are typed.
func dashed(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = facts.Typed(n)
	}
	return out
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
