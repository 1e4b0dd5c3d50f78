package eval

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// groupOutput returns the text that the commands of a group print, one after the
// other: those read from index from on that are not part of another command. It
// is open, for some may not run, and empty where one of them prints what is not
// known.
func (r *reader) groupOutput(from int, sc *scope) shell.Set {
	text := ""
	piped := make(map[int]bool) // into another command of the group
	for k := from; k < len(r.line.Commands); k++ {
		piped[r.line.Commands[k].Source] = true
	}
	for k := from; k < len(r.line.Commands); k++ {
		c := &r.line.Commands[k]
		if c.Parent < sc.parent {
			break
		}
		if piped[k] || c.Parent != sc.parent || c.In(command.InSubst) && sc.place&command.InSubst == 0 || c.Keyword || len(c.Words) == 0 || program.OfKind(c.Name, "quiet") {
			continue
		}
		out := r.output(k, 0)
		if len(out.Values) != 1 || len(text) > command.MaxOutput {
			return shell.Set{Open: true}
		}
		text += out.Values[0]
	}
	if text == "" {
		return shell.Set{Open: true}
	}
	return shell.Set{Values: []string{text}, Open: true}
}

// isGroup reports whether a command holds others whose output is its own.
func isGroup(c syntax.Command) bool {
	switch c.(type) {
	case *syntax.Block, *syntax.Subshell, *syntax.IfClause, *syntax.ForClause, *syntax.WhileClause, *syntax.CaseClause:
		return true
	}
	return false
}

// keepsOutput reports whether what a statement prints goes where its output goes.
func keepsOutput(s *syntax.Stmt) bool {
	for _, rd := range s.Redirs {
		switch rd.Op {
		case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		default:
			return false
		}
	}
	return !s.Background && !s.Negated && !s.Coprocess && !s.Disown
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
