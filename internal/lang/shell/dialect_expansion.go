package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Unquoted compares the commands of a substitution.
func (a *agreement) unquoted(list []*syntax.Stmt) {
	quoted := a.quoted
	a.quoted = false
	a.stmts(list)
	a.quoted = quoted
}

func (a *agreement) substitution(c *syntax.CmdSubst) {
	if c.TempFile || c.ReplyVar {
		a.uses(synOtherSyntax, c.Pos(), c.End())
	}
	if len(c.Stmts) == 1 {
		s := c.Stmts[0]
		a.contents = s.Cmd == nil && len(s.Redirs) == 1 && s.Redirs[0].Op == syntax.RdrIn && s.Redirs[0].N == nil
	}
	if !c.Backquotes {
		a.reprinted(c.Stmts)
	}
	a.unquoted(c.Stmts)
}

// arithmeticSyntax looks at $((…)): numbers, names and the operators of POSIX.
func (a *agreement) arithmeticSyntax(x *syntax.ArithmExp) {
	if x.Bracket || x.Unsigned {
		a.uses(synOtherArithmetic, x.Pos(), x.End())
		return
	}
	for _, c := range []byte(a.src[x.Left.Offset():x.Right.Offset()]) {
		if !IsIdent(c) && strings.IndexByte(" \t\n$(){}+-*/%<>=!&|^~?:\"", c) < 0 {
			a.uses(synOtherArithmetic, x.Pos(), x.End())
			return
		}
	}
}

// parameterSyntax looks at the expansion of a parameter.
func (a *agreement) parameterSyntax(p *syntax.ParamExp) {
	use := func(c ConstructID) { a.uses(c, p.Pos(), p.End()) }
	if p.Param == nil || p.Flags != nil || p.Width || p.IsSet || p.NestedParam != nil || len(p.Modifiers) > 0 ||
		p.Split != 0 || p.GlobSubst != 0 || p.RcExpand != 0 {
		use(synOtherSyntax)
		return
	}
	name := p.Param.Value
	switch {
	case p.Short && p.Dollar.IsValid():
		a.shortSyntax(p, name)
		return
	case p.Excl || p.Names != 0:
		use(synIndirections)
	case p.Length && (strings.Trim(name, identBytes) != "" || p.Exp != nil):
		use(synStrangeParameters)
	case p.Index != nil:
		if w, ok := p.Index.(*syntax.Word); ok && p.Slice == nil && p.Exp == nil && p.Repl == nil && (w.Lit() == "@" || w.Lit() == "*") {
			use(synListParameters)
		} else {
			use(synElements)
		}
	case p.Slice != nil:
		use(synSlices)
	case p.Repl != nil:
		use(synReplacements)
	case p.Exp != nil:
		a.expansionSyntax(p)
	}
}

// shortSyntax looks at what follows $x: zsh may take it for a part of the
// expansion.
func (a *agreement) shortSyntax(p *syntax.ParamExp, name string) {
	end := int(p.Param.End().Offset())
	if p.Index != nil {
		a.uses(synOtherSyntax, p.Pos(), p.End())
		return
	}
	if end >= len(a.src) {
		return
	}
	next := a.src[end]
	switch {
	case next == '[':
		a.uses(synSubscripts, p.Pos(), p.End())
	case next == ':' && end+1 < len(a.src) && strings.IndexByte("aAceghlpPqQrstuxfFwWtT&#", a.src[end+1]) >= 0:
		a.uses(synModifiers, p.Pos(), p.End())
	case name == "#" && (IsIdent(next) || strings.IndexByte("{$!@*?-#", next) >= 0),
		name[0] >= '0' && name[0] <= '9' && next >= '0' && next <= '9',
		name == "_" || strings.IndexByte("$-", name[0]) >= 0 && IsIdent(next):
		a.uses(synStrangeParameters, p.Pos(), p.End())
	}
}

// expansionSyntax looks at the operator of ${x…} and its word.
func (a *agreement) expansionSyntax(p *syntax.ParamExp) {
	switch p.Exp.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull,
		syntax.ErrorUnset, syntax.ErrorUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		a.uses(synDefaults, p.Pos(), p.End())
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix:
		a.uses(synTrimming, p.Pos(), p.End())
	case syntax.UpperFirst, syntax.UpperAll, syntax.LowerFirst, syntax.LowerAll:
		a.uses(synReplacements, p.Pos(), p.End())
	default:
		a.uses(synIndirections, p.Pos(), p.End())
	}
	if p.Exp.Word == nil {
		return
	}
	for _, part := range p.Exp.Word.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(part.Value, "\\'\"{}~") {
				a.uses(synNestedQuotes, p.Pos(), p.End())
			}
			if strings.ContainsAny(part.Value, "()<>|") && !(a.quoted && IsDefault(p.Exp.Op)) {
				a.uses(synReplacements, p.Pos(), p.End()) // zsh has more patterns
			}
		case *syntax.ParamExp:
			if !part.Short {
				a.uses(synNestedQuotes, p.Pos(), p.End())
			}
		default:
			a.uses(synNestedQuotes, p.Pos(), p.End())
		}
	}
}
