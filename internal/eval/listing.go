package eval

import (
	"strings"

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

// isGroup reports whether a command holds others whose output is its own.
func isGroup(c syntax.Command) bool {
	switch c.(type) {
	case *syntax.Block, *syntax.Subshell, *syntax.IfClause, *syntax.ForClause, *syntax.WhileClause, *syntax.CaseClause:
		return true
	}
	return false
}

// lastOf returns the statement whose output is that of a group or a chain with
// only silent commands before it; the statement itself for others.
func (s *scope) lastOf(st *syntax.Stmt) *syntax.Stmt {
	for range shell.MaxNesting {
		if !shell.IsPlain(st) {
			return st
		}
		list := []*syntax.Stmt(nil)
		switch c := st.Cmd.(type) {
		case *syntax.Block:
			list = c.Stmts
		case *syntax.Subshell:
			list = c.Stmts
		case *syntax.BinaryCmd:
			if c.Op != syntax.AndStmt {
				return st
			}
			list = []*syntax.Stmt{c.X, c.Y}
		}
		if len(list) == 0 || !s.silent(list[:len(list)-1]) {
			return st
		}
		st = list[len(list)-1]
	}
	return st
}

// groupLister returns the index of the command that lists absolute paths, or the
// names of a directory, and whose output is that of a group; -1 for others.
func (r *reader) groupLister(from int, s *syntax.Stmt, sc *scope) int {
	last := sc.lastOf(s)
	if _, ok := last.Cmd.(*syntax.CallExpr); !ok || last == s || r.last < from || r.line.Commands[r.last].Variant {
		return -1
	}
	i := r.line.writer(r.last)
	out := r.listing(i, 0)
	for _, v := range out.Values {
		if !out.Names && !strings.HasPrefix(v, "/") {
			return -1
		}
	}
	if len(out.Values) == 0 {
		return -1
	}
	return i
}

// noteGroup keeps the text that a group writes to a file by the redirections of
// command i, which stand behind it.
func (r *reader) noteGroup(i, from int, sc *scope) {
	c := &r.line.Commands[i]
	for k := range c.Redirects {
		if rd := &c.Redirects[k]; c.Context == program.Local && rd.Writes() && (rd.Fd == "" || rd.Fd == "1") {
			r.disk.write(&r.line.Commands[i], rd.Target.Set, r.groupOutput(from, sc), strings.HasSuffix(rd.Op, ">>"))
		}
	}
}
