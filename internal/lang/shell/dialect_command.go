package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What follows says of each node which construct it is. What the rows of the
// table describe as plain is checked to be plain: any other form has a
// construct of its own, or is [otherSyntax].

// argument compares a word of a simple command.
func (a *agreement) argument(w *syntax.Word, program bool) {
	a.word(w)
	if program && isForeign(WordText(w)) {
		a.uses(synForeignWords, w.Pos(), w.End())
	}
	lit, ok := w.Parts[0].(*syntax.Lit)
	if !ok || len(w.Parts) > 1 {
		return
	}
	switch v := lit.Value; {
	case v == "{" || v == "}":
		a.uses(synLoneBraces, w.Pos(), w.End())
	case v == "[[":
		a.uses(synTestClauses, w.Pos(), w.End()) // ash takes it for the beginning of one
	case program && v[0] == '{' && v != "{}":
		a.uses(OtherBraces, w.Pos(), w.End()) // zsh takes it for a group
	case len(v) > 2 && v[0] == '{' && isFd(v):
		a.uses(synLoneBraces, w.Pos(), w.End()) // zsh takes it for a part of a redirection behind it
	}
}

// isForeign reports whether a program's name is a word of zsh's language
// (zshmisc(1), zshall(1)).
func isForeign(name string) bool {
	switch name {
	case "-", "always", "end", "foreach", "nocorrect", "noglob", "repeat", "float", "integer", "namespace":
		return true
	}
	return false
}

// builtins looks at commands that the shell runs itself, of which the names or
// the options differ.
func (a *agreement) builtins(c *syntax.CallExpr) {
	if BuiltinDiffers(len(c.Args), func(i int) string { return WordText(c.Args[i]) }) {
		a.uses(OtherBuiltins, c.Pos(), c.End())
	}
}

// BuiltinDiffers reports whether n words are a command of the shell of which the name or
// the options are not the same in all of them. word returns one, "" where it is unknown.
func BuiltinDiffers(n int, word func(i int) string) bool {
	if n == 0 {
		return false
	}
	next := ""
	if n > 1 {
		next = word(1)
	}
	switch word(0) {
	case "builtin", "mapfile", "readarray", "noglob", "nocorrect":
		return true
	case "pushd": // where there is none, it fails as one of a directory that is missing
		return n != 2 || next == "" || strings.ContainsRune("-+~", rune(next[0])) && next != "~" && !strings.HasPrefix(next, "~/")
	case "popd":
		return n > 1
	case "exec", "printf":
		return strings.HasPrefix(next, "-") && next != "--"
	case "command":
		for i := 1; i < n; i++ {
			if ofShell(word(i)) {
				return true
			}
		}
	case "cd":
		operands := 0
		for i := 1; i < n; i++ {
			if w := word(i); w == "" || w[0] != '-' {
				operands++
			}
		}
		return operands > 1
	}
	return false
}

// substituted looks at the words behind a process substitution: ksh93 takes
// those for assignments that would be some before the program.
func (a *agreement) substituted(args []*syntax.Word) {
	behind := false
	for _, w := range args {
		switch p := w.Parts[0].(type) {
		case *syntax.ProcSubst:
			behind = true
		case *syntax.Lit:
			if name, _, found := strings.Cut(p.Value, "="); found && behind && isArray(name+"=") {
				a.uses(synOtherSyntax, w.Pos(), w.End())
			}
		}
	}
}

// piped looks at the redirections of what stands at one side of a pipe, which has the
// descriptor fd.
func (a *agreement) piped(s *syntax.Stmt, fd string) {
	for _, r := range s.Redirs {
		own := "1"
		switch r.Op {
		case syntax.RdrIn, syntax.RdrInOut, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc, syntax.DplIn:
			own = "0"
		}
		if r.N != nil {
			own = r.N.Value
		}
		if own == fd {
			a.uses(synPipedRedirections, r.Pos(), r.Word.End())
		}
	}
}

// ofShell reports whether a program of that name, where there is one, does not
// do what the shell's own command does.
func ofShell(name string) bool {
	switch name {
	case "cd", "eval", "exec", "export", "read", "readonly", "set", "shift", "source", ".", "trap", "umask", "unset", "local", "declare", "typeset", "alias", "pushd", "popd":
		return true
	}
	return false
}

// redirectSyntax looks at the descriptor, the operator and the target.
func (a *agreement) redirectSyntax(r *syntax.Redirect) {
	if r.N != nil && len(r.N.Value) > 1 {
		a.uses(synLongDescriptors, r.Pos(), r.OpPos)
	}
	target, _ := r.Word.Parts[0].(*syntax.Lit)
	text := ""
	if target != nil {
		text = target.Value
	}
	switch r.Op {
	case syntax.RdrAll, syntax.AppAll:
		a.uses(synBothOutputs, r.Pos(), r.Word.End())
		if at := int(r.OpPos.Offset()); at > 0 && a.src[at-1] >= '0' && a.src[at-1] <= '9' {
			a.uses(synOtherSyntax, r.Pos(), r.Word.End())
		}
	case syntax.DplIn, syntax.DplOut:
		if len(r.Word.Parts) > 1 || len(text) != 1 || text != "-" && (text[0] < '0' || text[0] > '9') {
			a.uses(synDuplications, r.Pos(), r.Word.End())
		}
	case syntax.Hdoc, syntax.DashHdoc:
		if !plainDelimiter(r.Word) {
			a.uses(synOtherDelimiters, r.Pos(), r.Word.End())
		}
	case syntax.WordHdoc:
		a.uses(synHereStrings, r.Pos(), r.Word.End())
		if strings.HasPrefix(text, "~") {
			a.uses(synOtherTildes, r.Pos(), r.Word.End()) // mksh keeps it
		}
	case syntax.RdrIn, syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrInOut:
		a.uses(synRedirections, r.Pos(), r.Word.End())
	default:
		a.uses(synOtherSyntax, r.Pos(), r.Word.End())
	}
	if strings.ContainsAny(text, "*?[") && r.Op != syntax.Hdoc && r.Op != syntax.DashHdoc && r.Op != syntax.WordHdoc {
		a.uses(synOtherSyntax, r.Pos(), r.Word.End()) // a pattern for some, where one file matches
	}
	if text != "" && strings.IndexByte("!#;", text[0]) >= 0 {
		a.uses(synStrangeTargets, r.Pos(), r.Word.End())
	}
	if end := int(r.Word.End().Offset()); r.Op == syntax.RdrIn && strings.Trim(text, "0123456789-") == "" && end < len(a.src) && a.src[end] == '>' {
		a.uses(synNumericPatterns, r.Pos(), r.Word.End())
	}
}

// plainDelimiter reports whether the delimiter of a here-document is letters
// and digits, quoted as a whole or not at all.
func plainDelimiter(w *syntax.Word) bool {
	if len(w.Parts) != 1 {
		return false
	}
	text := ""
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		text = strings.TrimPrefix(p.Value, `\`)
	case *syntax.SglQuoted:
		text = p.Value
	case *syntax.DblQuoted:
		if len(p.Parts) == 1 {
			if lit, ok := p.Parts[0].(*syntax.Lit); ok {
				text = lit.Value
			}
		}
	}
	return text != "" && strings.Trim(text, identBytes+"-. ") == ""
}

// testSyntax looks at [[ … ]]: without operators, a shell that has no such
// clause looks for a program.
func (a *agreement) testSyntax(c *syntax.TestClause) {
	if isPlainTest(c.X) && strings.IndexByte(a.src[c.Left.Offset():c.Right.Offset()], '\n') < 0 {
		a.uses(synPlainTests, c.Pos(), c.End())
		return
	}
	a.uses(synTestClauses, c.Pos(), c.End())
}

// isPlainTest reports whether a test is the same words for a shell that has no
// such clause.
func isPlainTest(x syntax.TestExpr) bool {
	switch x := x.(type) {
	case *syntax.Word:
		return unsplit(x)
	case *syntax.UnaryTest:
		return x.Op != syntax.TsVarSet && x.Op != syntax.TsRefVar && isPlainTest(x.X)
	case *syntax.BinaryTest:
		switch x.Op {
		case syntax.AndTest, syntax.OrTest, syntax.TsBefore, syntax.TsAfter, syntax.TsReMatch:
			return false
		}
		return isPlainTest(x.X) && isPlainTest(x.Y)
	}
	return false
}

// timeSyntax looks at time: only before the plain name of a program is it the
// same as a program of that name.
func (a *agreement) timeSyntax(c *syntax.TimeClause) {
	if c.Stmt != nil && !c.PosixFormat && !c.Stmt.Negated {
		first := c.Stmt
		for b, ok := first.Cmd.(*syntax.BinaryCmd); ok; b, ok = first.Cmd.(*syntax.BinaryCmd) {
			first = b.X
		}
		if call, ok := first.Cmd.(*syntax.CallExpr); ok && !first.Negated && len(call.Assigns) == 0 && len(call.Args) > 0 {
			if name := WordText(call.Args[0]); name != "" && name[0] != '-' && !strings.Contains(name, "=") && !ofShell(name) {
				a.uses(synPlainTime, c.Pos(), c.End())
				return
			}
		}
	}
	a.uses(synTimeWords, c.Pos(), c.End())
}

// declarationSyntax looks at export and readonly, and at what has their form.
func (a *agreement) declarationSyntax(c *syntax.DeclClause) {
	if name := c.Variant.Value; name == "export" || name == "readonly" {
		for _, as := range c.Args {
			if as.Name == nil || as.Array != nil || as.Index != nil || as.Append || as.Value != nil && !unsplit(as.Value) {
				a.uses(synDeclarations, c.Pos(), c.End())
			}
		}
		a.uses(synExports, c.Pos(), c.End())
		return
	}
	a.uses(synDeclarations, c.Pos(), c.End())
}

// unsplit reports whether a word stays one word in every shell.
func unsplit(w *syntax.Word) bool {
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.SglQuoted, *syntax.DblQuoted:
		case *syntax.Lit:
			if strings.ContainsAny(p.Value, "*?[{~") {
				return false
			}
		default:
			return false
		}
	}
	return true
}
