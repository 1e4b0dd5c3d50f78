package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// TakesOrders reports whether the program has commands of its own, in its words or in
// what it reads, or takes what else [Command.Obey] looks for.
func (c *Command) TakesOrders() bool {
	p, read := c.Row(), c.Args.Program
	switch {
	case p == nil:
		return c.isStranger()
	case !c.Function && (p.Saves != "" || p.Commands != nil || p.Rough || p.Behind != "" || program.IsForeign(p)):
		return true
	}
	return read != nil && (read.Is("", "patches") || program.NamesAway(p))
}

// Obey reads what the command is told in the text of its own commands: that of its words,
// of its input and of its script.
func (c *Command) Obey(told Told) {
	switch p := c.Row(); {
	case p == nil:
		c.obeyStranger(&told)
	case !c.Function:
		c.obeySaves(p, &told)
		c.obeyEscapes(p, &told)
	}
	if c.Args.Program != nil {
		c.obeyPatch(&told)
		c.noteHere(told.Home)
	}
}

// SetWorkTree notes the directory that settings of git name as the one to work on, of
// which the first counts. It is meant from the directory of the repository.
func (c *Command) SetWorkTree(settings []shell.Word) {
	for _, s := range settings {
		for _, v := range s.Values {
			name, path, ok := strings.Cut(v, "=")
			if !ok || !strings.EqualFold(name, "core.worktree") || path == "" {
				continue
			}
			if !strings.HasPrefix(path, "/") {
				path = ".git/" + path
			}
			c.order().worktree = shell.Set{Values: []string{path}, Open: s.Open}
			return
		}
	}
}
