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
// it runs "echo a ls". Such a text is read nowhere where bash may run it.
func (a *agreement) reprinted(list []*syntax.Stmt) {
	if len(list) == 0 || a.shells&inBash == 0 {
		return
	}
	from, to := list[0].Pos().Offset(), list[len(list)-1].End().Offset()
	if !strings.Contains(a.src[from:to], "<<") {
		return
	}
	var document, semicolon, compound syntax.Pos // the first, and the last behind it
	for _, s := range list {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.CmdSubst, *syntax.ProcSubst:
				return false // printed for itself
			case *syntax.Redirect:
				if (n.Op == syntax.Hdoc || n.Op == syntax.DashHdoc) && !document.IsValid() {
					document = n.OpPos
				}
			case *syntax.Stmt:
				if n.Semicolon.IsValid() && n.Semicolon.After(semicolon) {
					semicolon = n.Semicolon
				}
			case *syntax.CallExpr, *syntax.BinaryCmd:
			case syntax.Command:
				if n.End().After(compound) {
					compound = n.End()
				}
			}
			return true
		})
	}
	switch {
	case !document.IsValid():
	case semicolon.After(document):
		a.fail(semicolon)
	case compound.After(document):
		a.fail(document)
	}
}
