package command

import (
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// Orders are what the text of a command's own commands tells it: to write some files,
// and to leave to the shell.
type orders struct {
	saves   []Effect
	escapes []Escape
	wrote   []Written
	// here are the paths of this machine that operands name as those of a host.
	here map[string]string
	// worktree is what the configuration of git names as the directory to work on.
	worktree shell.Set
}

// A Told is what tells a command what to do beside its words.
type Told struct {
	// Home is the home directory of who runs the line.
	Home string
	// Input returns what is known of the text on the standard input.
	Input func() shell.Set
	// Group returns what is known of that text where several commands print it, each a
	// part.
	Group func() []shell.Set
}

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

// Wrote returns the files that the command writes, as far as their texts are known.
func (c *Command) Wrote() []Written {
	if c.orders == nil {
		return nil
	}
	return c.orders.wrote
}

// AddWritten notes a file with the text that the command writes to it.
func (c *Command) AddWritten(path, text string) {
	orders := c.order()
	orders.wrote = append(orders.wrote, Written{path, text})
}

// A Written is a file with the text that a command writes to it.
type Written struct{ Path, Text string }

// WorkTree returns the directory on which the configuration, as far as the line tells
// it, has git work, as it is meant from the command's own; it is empty for none.
func (c *Command) WorkTree() shell.Set {
	if c.orders == nil {
		return shell.Set{}
	}
	return c.orders.worktree
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

// order returns the orders of the command, to add to them.
func (c *Command) order() *orders {
	if c.orders == nil {
		c.orders = &orders{}
	}
	return c.orders
}

// here returns the path of this machine that an operand names as that of a host.
func (c *Command) here(operand string) (path string, ok bool) {
	if c.orders == nil {
		return "", false
	}
	path, ok = c.orders.here[operand]
	return path, ok
}

// saved returns the files that the command is told to write.
func (c *Command) saved() []Effect {
	if c.orders == nil {
		return nil
	}
	return c.orders.saves
}

// save notes a file that the command is told to write.
func (c *Command) save(path string, dir shell.Set, at shell.Span) {
	if orders := c.order(); len(orders.saves) < maxSaves {
		orders.saves = append(orders.saves, Effect{Kind: Writes, Target: shell.Set{Values: []string{path}}, Dir: dir, Span: at})
	}
}
