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
		a.uses(synOtherBraces, w.Pos(), w.End()) // zsh takes it for a group
	case len(v) > 2 && v[0] == '{' && isFd(v):
		a.uses(synLoneBraces, w.Pos(), w.End()) // zsh takes it for a part of a redirection behind it
	case program && isForeign(v):
		a.uses(synForeignWords, w.Pos(), w.End())
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
	if len(c.Args) == 0 {
		return
	}
	name, next := c.Args[0].Lit(), ""
	if len(c.Args) > 1 {
		next = c.Args[1].Lit()
	}
	differs := false
	switch name {
	case "builtin", "pushd", "popd", "mapfile", "readarray":
		differs = true
	case "exec", "printf":
		differs = strings.HasPrefix(next, "-") && next != "--"
	case "command":
		for _, w := range c.Args[1:] {
			differs = differs || ofShell(w.Lit())
		}
	case "cd":
		operands := 0
		for _, w := range c.Args[1:] {
			if lit := w.Lit(); lit == "" || lit[0] != '-' {
				operands++
			}
		}
		differs = operands > 1
	}
	if differs {
		a.uses(synBuiltins, c.Pos(), c.End())
	}
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

// wordSyntax looks at the unquoted text of a word.
func (a *agreement) wordSyntax(w *syntax.Word) {
	for i, p := range w.Parts {
		lit, ok := p.(*syntax.Lit)
		if !ok {
			if _, ok := p.(*syntax.ProcSubst); ok && len(w.Parts) > 1 {
				a.uses(synOtherSyntax, w.Pos(), w.End())
			}
			continue
		}
		v := lit.Value
		if i == 0 {
			a.leading(v, w)
		} else if v[0] == '~' && !a.assigning {
			a.uses(synOtherTildes, w.Pos(), w.End()) // zsh expands it behind quotes with nothing in them
		}
		if a.assigning && strings.HasSuffix(v, ":~") && i+1 < len(w.Parts) {
			a.uses(synOtherTildes, w.Pos(), w.End()) // zsh expands it before quotes with nothing in them
		}
		if strings.IndexByte(v, '{') >= 0 && v != "{}" {
			a.braceSyntax(w)
			if strings.Contains(v, `\{`) && strings.ContainsAny(v, "*?[") {
				a.uses(synOtherBraces, w.Pos(), w.End()) // ksh93 expands them
			}
		}
		if strings.IndexByte(v, '$') >= 0 && splits(w) {
			a.uses(synOtherSyntax, w.Pos(), w.End()) // bash does not split $(a)$
		}
		if strings.Contains(v, "***") {
			a.uses(synOtherSyntax, w.Pos(), w.End()) // zsh follows links with it
		}
		if strings.IndexByte(v, '[') >= 0 {
			if caret, other := strangeSet(v, i+1 < len(w.Parts)); other {
				a.uses(synOtherSyntax, w.Pos(), w.End())
			} else if caret {
				a.uses(synCaretSets, w.Pos(), w.End())
			}
		}
		if !a.assigning && strings.Contains(v, "=~") {
			a.uses(synOtherTildes, w.Pos(), w.End()) // mksh expands it
		}
		if n := len(v); v[n-1] == '\\' && (n == 1 || v[n-2] != '\\') {
			a.uses(synOtherSyntax, w.Pos(), w.End()) // nothing follows to be quoted
		}
	}
}

// splits reports whether a word has an expansion outside of quotes.
func splits(w *syntax.Word) bool {
	for _, p := range w.Parts {
		switch p.(type) {
		case *syntax.ParamExp, *syntax.CmdSubst, *syntax.ArithmExp:
			return true
		}
	}
	return false
}

// strangeSet reports whether a bracket expression begins with ^, and whether
// one is other than plain characters, ranges and classes, or does not end where
// the word goes on.
func strangeSet(v string, more bool) (caret, other bool) {
	for i := 0; i < len(v); i++ {
		switch v[i] {
		case '\\':
			i++
		case '[':
			begin := i + 1
			if begin < len(v) && (v[begin] == '!' || v[begin] == '^') {
				caret = caret || v[begin] == '^'
				begin++
			}
			if i = begin + plainMembers(v[begin:]); i == len(v) {
				return caret, more
			}
			if v[i] != ']' || i == begin {
				return caret, true
			}
		}
	}
	return caret, false
}

// plainMembers returns how much of v, which follows the opening bracket, every
// shell takes for members of a set.
func plainMembers(v string) int {
	i := 0
	for i < len(v) {
		if strings.HasPrefix(v[i:], "[:") {
			end := strings.Index(v[i:], ":]")
			if end < 2 || strings.Trim(v[i+2:i+end], identBytes) != "" {
				return i
			}
			i += end + 2
			continue
		}
		if !isIdent(v[i]) && strings.IndexByte(".,-", v[i]) < 0 {
			break
		}
		i++
	}
	return i
}

// leading looks at the text with which a word begins.
func (a *agreement) leading(v string, w *syntax.Word) {
	switch v[0] {
	case '~':
		if len(v) > 1 && v[1] != '/' || len(v) == 1 && len(w.Parts) > 1 {
			a.uses(synOtherTildes, w.Pos(), w.End())
		}
	case '=':
		if strings.Trim(v, "=~") != "" || len(w.Parts) > 1 {
			a.uses(synEqualsWords, w.Pos(), w.End())
		}
	}
}

// braceSyntax looks at the braces of a word: a single element is no expansion
// in any shell.
func (a *agreement) braceSyntax(w *syntax.Word) {
	split := &syntax.Word{Parts: w.Parts}
	if !syntax.SplitBraces(split) || !hasBraces(split) {
		return
	}
	lists, ranges := false, false
	for _, p := range split.Parts {
		if lit, ok := p.(*syntax.Lit); ok && strings.ContainsAny(lit.Value, "{}") {
			a.uses(synOtherBraces, w.Pos(), w.End()) // mksh pairs them otherwise
		}
		if b, ok := p.(*syntax.BraceExp); ok {
			lists, ranges = lists || !b.Sequence, ranges || b.Sequence
			a.uses(synBraces, w.Pos(), w.End())
			if lists && ranges {
				a.uses(synOtherBraces, w.Pos(), w.End())
			}
			for _, e := range b.Elems {
				if b.Sequence && (len(b.Elems) > 2 || strings.HasPrefix(e.Lit(), "0") && e.Lit() != "0") || !plainElement(e) {
					a.uses(synOtherBraces, w.Pos(), w.End())
				}
			}
		}
	}
}

func plainElement(w *syntax.Word) bool {
	for _, p := range w.Parts {
		if _, ok := p.(*syntax.Lit); !ok {
			return false
		}
	}
	return w.Lit() != "" && !strings.ContainsAny(w.Lit(), `\~`)
}

// dollars looks for a dollar that expands nothing in bash.
func (a *agreement) dollars(l *syntax.Lit) {
	if strings.IndexByte(l.Value, '$') < 0 {
		return
	}
	from, to := int(l.Pos().Offset()), int(l.End().Offset())
	for i := from; i < to; i++ {
		switch a.src[i] {
		case '\\':
			i++
		case '$':
			if i+1 < len(a.src) && strings.IndexByte("/.,|) \t\n\"%;&", a.src[i+1]) < 0 {
				a.uses(synStrangeDollars, l.Pos(), l.End())
			}
		}
	}
}

// ansi looks at $'…'.
func (a *agreement) ansi(q *syntax.SglQuoted) {
	text := q.Value
	for i := strings.IndexByte(text, '\\'); i >= 0; i = strings.IndexByte(text, '\\') {
		if i+1 == len(text) || strings.IndexByte("tnr\\", text[i+1]) < 0 {
			a.uses(synAnsiEscapes, q.Pos(), q.End())
			return
		}
		text = text[i+2:]
	}
	a.uses(synAnsiQuotes, q.Pos(), q.End())
}

// unquoted compares the commands of a substitution.
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
	a.unquoted(c.Stmts)
}

// arithmeticSyntax looks at $((…)): numbers, names and the operators of POSIX.
func (a *agreement) arithmeticSyntax(x *syntax.ArithmExp) {
	if x.Bracket || x.Unsigned {
		a.uses(synOtherArithmetic, x.Pos(), x.End())
		return
	}
	for _, c := range []byte(a.src[x.Left.Offset():x.Right.Offset()]) {
		if !isIdent(c) && strings.IndexByte(" \t\n$(){}+-*/%<>=!&|^~?:\"", c) < 0 {
			a.uses(synOtherArithmetic, x.Pos(), x.End())
			return
		}
	}
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

// parameterSyntax looks at the expansion of a parameter.
func (a *agreement) parameterSyntax(p *syntax.ParamExp) {
	use := func(c construct) { a.uses(c, p.Pos(), p.End()) }
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
	case name == "#" && (isIdent(next) || strings.IndexByte("{$!@*?-#", next) >= 0),
		name[0] >= '0' && name[0] <= '9' && next >= '0' && next <= '9',
		name == "_" || strings.IndexByte("$-", name[0]) >= 0 && isIdent(next):
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
			if strings.ContainsAny(part.Value, "()<>|") && !(a.quoted && isDefault(p.Exp.Op)) {
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
			if name := call.Args[0].Lit(); name != "" && name[0] != '-' && !strings.Contains(name, "=") && !ofShell(name) {
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
