package eval

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// subst reads the commands of a substitution and returns its output where it
// can be known.
func (x *expansion) subst(c *syntax.CmdSubst) shell.Set {
	r := x.r
	sub := *x.sc
	sub.place = (sub.place | command.InSubst | command.InSubshell) &^ (command.Piped | command.Piping)
	sub.source, sub.stdin = -1, nil
	n := len(c.Stmts)
	if n == 0 {
		return shell.Set{Values: []string{""}}
	}
	r.stmts(c.Stmts[:n-1], &sub)
	last := len(r.line.Commands)
	r.stmt(c.Stmts[n-1], &sub)
	if c.TempFile || c.ReplyVar || !sub.silent(c.Stmts[:n-1]) {
		return shell.Set{Open: true}
	}
	out := r.stmtOutput(c.Stmts[n-1], last, &sub)
	if s := c.Stmts[n-1]; isGroup(s.Cmd) && shell.IsPlain(s) {
		out = r.groupOutput(last, &sub)
	}
	if i := r.lister(last, c.Stmts[n-1], &sub); i >= 0 {
		out = r.listing(i, 0)
		r.finds++
	}
	out.Open = out.Open || mayEnd(c.Stmts)
	out.Values = append([]string(nil), out.Values...)
	for i, v := range out.Values {
		out.Values[i] = strings.TrimRight(strings.ReplaceAll(v, "\x00", ""), "\n")
	}
	return out
}

func (x *expansion) procSubst(p *syntax.ProcSubst) {
	r := x.r
	sub := *x.sc
	sub.place = (sub.place | command.InSubst | command.InSubshell) &^ (command.Piped | command.Piping)
	sub.source, sub.stdin = -1, nil
	if p.Op == syntax.CmdOut {
		sub.place |= command.OutSubst
		sub.stdin = r.writtenTo(x.cmd, x.sc)
	}
	from := len(r.line.Commands)
	r.stmts(p.Stmts, &sub)
	x.raw("/dev/fd/", false)
	x.cur.frozen = true
	x.cur.set.Open = true
	x.cur.set.Values = nil
	text := procText{span: x.span, out: shell.Set{Open: true}}
	if p.Op == syntax.CmdIn && len(p.Stmts) == 1 {
		text.out = r.stmtOutput(p.Stmts[0], from, &sub)
		if i := r.lister(from, p.Stmts[0], &sub); i >= 0 {
			text.out = r.listing(i, 0)
		}
	}
	r.substs = append(r.substs, text)
}

// nested reads the substitutions below a node whose own value is not needed.
func (x *expansion) nested(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			x.subst(n)
			return false
		case *syntax.ProcSubst:
			x.procSubst(n)
			return false
		case *syntax.ParamExp:
			x.promptExpansion(n)
		}
		return true
	})
}

func (x *expansion) nestedPart(p syntax.WordPart) { x.nested(p) }

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

// mayEnd reports whether a shell may end before it comes to the last of the
// statements, or to what that runs: an expansion fails there, such as ${x?}, a
// division by zero, or for zsh a pattern that matches nothing.
func mayEnd(list []*syntax.Stmt) (found bool) {
	look := func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			return false // it ends alone
		case *syntax.ParamExp, *syntax.ArithmExp, *syntax.ExtGlob:
			found = true
		case *syntax.Lit:
			found = found || strings.ContainsAny(n.Value, "*?[~")
		}
		return !found
	}
	last := list[len(list)-1]
	for _, s := range list[:len(list)-1] {
		syntax.Walk(s, look)
	}
	if c, ok := last.Cmd.(*syntax.CallExpr); ok {
		for _, as := range c.Assigns {
			syntax.Walk(as, look)
		}
	}
	return found
}

// writtenTo returns what command i writes to >(…), nil where that is unknown.
// The command is not read to its end yet.
func (r *reader) writtenTo(i int, sc *scope) *shell.Set {
	c := &r.line.Commands[i]
	out := shell.Set{Open: true}
	for k := range c.Words[:min(len(c.Words), maxWrapped)] { // a wrapper may stand before it
		name, _ := c.Words[k].Literal()
		switch program.KindOf(shell.Base(name), "output") {
		case "words":
			out = command.Echoed(c.Words[k+1:])
		case "format":
			out = command.Printed(c.Words[k+1:])
		case "file":
			if out = r.inputOf(i, 0); sc.stdin != nil {
				out = *sc.stdin
			}
		default:
			continue
		}
		break
	}
	if len(out.Values) == 0 {
		return nil
	}
	out.Open = true
	return &out
}
