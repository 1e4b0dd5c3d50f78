package eval

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// restarts reports whether the text of a script always starts the script anew
// in another process, so that processes never end. A script that may leave, or
// that gives itself arguments, may yet stop.
func (r *reader) restarts(text, dir, path string) bool {
	if shell.Refuse(text, "") != nil {
		return false
	}
	list, problem := r.parse(text)
	if problem != nil {
		return false
	}
	found, may := false, false
	var visit func(n syntax.Node, apart bool)
	visit = func(root syntax.Node, apart bool) {
		syntax.Walk(root, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.IfClause, *syntax.CaseClause, *syntax.FuncDecl:
				may = true
				return false
			case *syntax.BinaryCmd:
				may = may || !shell.IsPipe(n.Op)
				apart = apart || shell.IsPipe(n.Op)
			case *syntax.Stmt:
				if n.Background && !apart && n.Cmd != nil {
					visit(n.Cmd, true)
					return false
				}
			case *syntax.CallExpr:
				may = may || len(n.Args) > 0 && keepsFrom(shell.WordText(n.Args[0]))
				found = found || apart && startsScript(n, dir, path)
			}
			return true
		})
	}
	for _, s := range list {
		visit(s, false)
	}
	return found && !may
}

// keepsFrom reports whether a command may keep what stands before it from running again.
func keepsFrom(name string) bool {
	flow := program.KindOf(name, "flow")
	return flow == "exit" || flow == "replace" || program.OfKind(name, "waits")
}

// startsScript reports whether a command runs the script at a path and gives it
// no arguments.
func startsScript(c *syntax.CallExpr, dir, path string) bool {
	words := c.Args
	if len(words) == 2 {
		if by := shell.Base(shell.WordText(words[0])); program.OfKind(by, "evaluates") || program.Has(by, program.IsTransparent) || program.Has(by, program.IsShell) {
			words = words[1:]
		}
	}
	if len(words) != 1 {
		return false
	}
	text, ok := constant(words[0])
	if ok {
		return strings.Contains(text, "/") && shell.Abs(dir, text) == path || len(c.Args) == 2 && shell.Abs(dir, text) == path
	}
	part := words[0].Parts[0]
	if q, ok := part.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		part = q.Parts[0]
	}
	p, ok := part.(*syntax.ParamExp)
	return ok && len(words[0].Parts) == 1 && p.Param != nil && p.Param.Value == "0" && p.Exp == nil && p.Slice == nil && p.Repl == nil
}

// noteRestart notes a script of command i that starts itself without end.
func (r *reader) noteRestart(i int, name, text shell.Set) {
	c := &r.line.Commands[i]
	path, ok := pathOf(&r.line.Commands[i], name)
	if !ok || c.Context != program.Local || len(text.Values) == 0 || !strings.Contains(text.Values[0], "&") {
		return
	}
	dir, _ := c.Dir.Literal()
	if r.restarts(text.Values[0], dir, path) {
		r.line.Spawns = append(r.line.Spawns, Spawn{"a script restarts itself endlessly", c.Span})
	}
}
