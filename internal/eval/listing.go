package eval

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// listing returns the paths that command i prints, as patterns: those that
// find, ls and their like list, through filters that leave most of them. It is
// open and empty for what prints other things.
func (r *reader) listing(i, depth int) shell.Set {
	none := shell.Set{Open: true}
	if i < 0 || depth > 8 {
		return none
	}
	c := &r.line.Commands[i]
	switch {
	case c.Finds():
		return c.AllFound()
	case c.Of("flat"):
		if n := len(c.Args.Operands); n == 1 {
			if w := &c.Words[c.Args.Operands[0].At]; r.disk.has(&r.line.Commands[i], w.Set) {
				return shell.Patterns([]shell.Word{*w}) // a file, and no directory
			}
		}
		return command.Listed(c)
	case c.Of("given"):
		if shell.Globbed(c.Words[1:]) {
			return shell.Patterns(c.Words[1:])
		}
	case c.How("path") == "names":
		if n := len(c.Args.Operands); n > 0 {
			return command.NamesOf(c.Words[c.Args.Operands[n-1].At].Set)
		}
	case c.How("sets") == "completions":
		return command.Completed(c)
	case c.Of("trees"):
		if c.Args.Has("f") && c.Args.Has("i") {
			return command.Below(c)
		}
	case c.Of("columns"):
		if c.Source >= 0 && c.Input == nil && r.line.Commands[c.Source].Of("sizes") && command.SecondColumn(c) {
			return command.Below(&r.line.Commands[c.Source])
		}
	case c.How("devices") == "blocks":
		return command.BlockDevices(c)
	case c.Of("passes") && c.How("passes") != "words", program.LanguageOf(c.Name) == program.AWK:
		if out := c.Produced(); len(out.Values) > 0 {
			return out
		}
		if c.Source >= 0 && c.Input == nil && r.line.Commands[c.Source].Of("sizes") && command.SecondColumn(c) {
			return command.Below(&r.line.Commands[c.Source])
		}
		if c.Input == nil && c.OnlyFilters() {
			return command.Passed(c, r.listing(c.Source, depth+1))
		}
	}
	if to := r.line.payload(i); to >= 0 {
		return r.listing(to, depth+1)
	}
	return c.Produced()
}

// lister returns the index of the command that a statement ends with if that
// lists paths, -1 if not. from is the index of the statement's first command.
func (r *reader) lister(from int, s *syntax.Stmt, sc *scope) int {
	i := r.feeder(from, s)
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && shell.IsPipe(b.Op) && shell.IsPlain(s) && r.tail >= from {
		i = r.tail
	}
	if len(r.listing(i, 0).Values) == 0 {
		return r.groupLister(from, s, sc)
	}
	return i
}
