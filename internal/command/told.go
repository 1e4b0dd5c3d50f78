package command

import "github.com/policyctl/policyctl/internal/lang/shell"

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

// maxSaves bounds the text and the files that are looked for in it.
const maxSaves = 64
