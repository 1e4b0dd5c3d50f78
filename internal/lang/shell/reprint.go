package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// reprinted looks at the commands of $(…), <(…) or >(…). Bash 5.2 does not run
// them as they are written but as it prints them, and behind a here-document it
// forgets a semicolon: of
//
//	x=$(cat <<E
//	E
//	echo a; ls)
//
// it runs "echo a ls". Behind a condition with a here-document it forgets a
// command. Such a text is read nowhere where bash may run it.
func (a *agreement) reprinted(list []*syntax.Stmt) {
	if len(list) == 0 || a.shells&InBash == 0 {
		return
	}
	from, to := list[0].Pos().Offset(), list[len(list)-1].End().Offset()
	if !strings.Contains(a.src[from:to], "<<") {
		return
	}
	var p reprint
	p.stmts(list)
	if at := p.lost(); at.IsValid() {
		a.fail(at)
	}
}

// A reprint looks for what bash forgets.
type reprint struct {
	document  syntax.Pos // the first here-document
	semicolon syntax.Pos // the last one, or the last &
	condition syntax.Pos // a here-document in a condition
}

func (p *reprint) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		syntax.Walk(s, p.visit)
	}
}

func (p *reprint) visit(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.CmdSubst, *syntax.ProcSubst:
		return false // printed for itself
	case *syntax.Redirect:
		if (n.Op == syntax.Hdoc || n.Op == syntax.DashHdoc) && !p.document.IsValid() {
			p.document = n.OpPos
		}
	case *syntax.Stmt:
		if n.Semicolon.After(p.semicolon) {
			p.semicolon = n.Semicolon
		}
	case *syntax.IfClause:
		p.conditions(n.Cond)
	case *syntax.WhileClause:
		p.conditions(n.Cond)
	}
	return true
}

// conditions notes a here-document in the condition of a clause.
func (p *reprint) conditions(list []*syntax.Stmt) {
	var within reprint
	if within.stmts(list); within.document.IsValid() {
		p.condition = within.document
	}
}

// lost returns where bash forgets something; no place where it does not.
func (p *reprint) lost() syntax.Pos {
	if p.document.IsValid() && p.semicolon.After(p.document) {
		return p.semicolon
	}
	return p.condition
}
