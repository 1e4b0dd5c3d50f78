package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Coprocess returns the statement of a coprocess. Only a compound command can
// have a name; the parser takes the program of a simple command in a pipeline
// for one, and assignments after it for what they look like.
func Coprocess(c *syntax.CoprocClause) *syntax.Stmt {
	stmt := *c.Stmt
	switch cmd := c.Stmt.Cmd.(type) {
	case *syntax.CallExpr:
		stmt.Cmd = withProgram(cmd, c.Name)
	case *syntax.BinaryCmd:
		if c.Name == nil {
			return c.Stmt
		}
		pipe := *cmd
		pipe.X = Coprocess(&syntax.CoprocClause{Name: c.Name, Stmt: cmd.X})
		stmt.Cmd = &pipe
	}
	return &stmt
}

// withProgram returns a simple command that begins with program, unless that
// is nil; assignments after the program are words.
func withProgram(c *syntax.CallExpr, program *syntax.Word) *syntax.CallExpr {
	if program == nil && len(c.Args) > 0 {
		program = c.Args[0]
		c = &syntax.CallExpr{Assigns: c.Assigns, Args: c.Args[1:]}
	}
	if program == nil {
		return c
	}
	out := &syntax.CallExpr{Args: []*syntax.Word{program}}
	for _, a := range c.Assigns {
		if a.Pos().After(program.Pos()) {
			out.Args = append(out.Args, asWord(a))
		} else {
			out.Assigns = append(out.Assigns, a)
		}
	}
	out.Args = append(out.Args, c.Args...)
	return out
}

// asWord returns an assignment as the word that it is behind a program.
func asWord(a *syntax.Assign) *syntax.Word {
	name := a.Name.Value + "="
	if a.Append {
		name = a.Name.Value + "+="
	}
	w := &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{ValuePos: a.Pos(), ValueEnd: a.End(), Value: name}}}
	if a.Value != nil {
		w.Parts = append(w.Parts, a.Value.Parts...)
	}
	return w
}

// IsPlain reports whether a statement is neither redirected, negated nor in the background.
func IsPlain(s *syntax.Stmt) bool {
	return len(s.Redirs) == 0 && !s.Background && !s.Negated && !s.Coprocess && !s.Disown
}

// IsPipe reports whether an operator is | or |&.
func IsPipe(op syntax.BinCmdOperator) bool { return op == syntax.Pipe || op == syntax.PipeAll }

// IsDefault reports whether an operator is one of - = + ?, with a colon or without.
func IsDefault(op syntax.ParExpOperator) bool {
	switch op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull,
		syntax.AssignUnset, syntax.AssignUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return true
	}
	return false
}

// Numeric reports whether the shell itself sets a variable to integers.
func Numeric(name string) bool {
	switch name {
	case "#", "?", "$", "RANDOM", "SECONDS", "LINENO", "UID",
		"EUID", "PPID", "BASHPID", "SHLVL", "COLUMNS", "LINES", "OPTIND",
		"EPOCHSECONDS", "BASH_SUBSHELL", "SRANDOM":
		return true
	}
	return false
}

// AssignedName returns the length of NAME= with which a text begins, 0 for none.
func AssignedName(s string) int {
	n := strings.IndexByte(s, '=') + 1
	if n == 0 || !syntax.ValidName(strings.TrimSuffix(s[:n-1], "+")) {
		return 0
	}
	return n
}

// IsNumber reports whether a text is a decimal integer, perhaps with a minus.
func IsNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	if s == "" {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// MaxPattern bounds the text before alternatives that are told apart.
const MaxPattern = 1 << 10

// Alternatives returns what @(a|b) and its like match at least, as patterns;
// nil for nested ones. What matches all but a few names, or repeats a class of
// letters, stands for all: to deny, it is no less.
func Alternatives(g *syntax.ExtGlob) []string {
	text := g.Pattern.Value
	repeats := g.Op == syntax.GlobOneOrMore || g.Op == syntax.GlobZeroOrMore
	if g.Op == syntax.GlobExcept || repeats && (text == "?" || strings.HasPrefix(text, "[") && strings.ContainsAny(text, "a!^:")) {
		return []string{"*"}
	}
	if strings.ContainsAny(text, "\\'\"()$`") {
		return nil
	}
	out := strings.Split(text, "|")
	if g.Op == syntax.GlobZeroOrOne || g.Op == syntax.GlobZeroOrMore {
		out = append(out, "")
	}
	return out[:min(len(out), MaxValues)]
}

// SplitBraces returns a word with the braces that bash may expand as parts of their
// own; ok is false where they nest too deep to be looked at. The word itself stays
// as it is: a body may be read again.
func SplitBraces(w *syntax.Word) (split *syntax.Word, ok bool) {
	switch depth := braceDepth(w); {
	case depth == 0:
		return w, true
	case depth > maxBraces:
		return w, false
	}
	split = &syntax.Word{Parts: w.Parts}
	syntax.SplitBraces(split)
	return split, true
}

// braceDepth returns how deep the braces of a word nest.
func braceDepth(w *syntax.Word) (deepest int) {
	depth := 0
	for _, p := range w.Parts {
		lit, ok := p.(*syntax.Lit)
		if !ok || lit.Value == "{}" {
			continue
		}
		for i := range len(lit.Value) {
			switch lit.Value[i] {
			case '{':
				depth++
				deepest = max(deepest, depth)
			case '}':
				depth = max(depth-1, 0)
			}
		}
	}
	return deepest
}

// A Braces is a set of the forms that braces have.
type Braces uint8

const (
	BraceList  Braces = 1 << iota // {a,b}
	BraceRange                    // {1..3}
)

// BracesOf returns the forms of the braces of a word whose parts are divided
// at them.
func BracesOf(w *syntax.Word) (forms Braces) {
	for _, p := range w.Parts {
		if b, ok := p.(*syntax.BraceExp); ok && b.Sequence {
			forms |= BraceRange
		} else if ok {
			forms |= BraceList
		}
	}
	return forms
}

// HasBraces reports whether a word whose parts are divided at its braces has any.
func HasBraces(w *syntax.Word) bool { return BracesOf(w) != 0 }

// SmallInt reads an integer of few digits; ok is also true for one that is
// too large, which counts as beyond every bound.
func SmallInt(s string) (n int, ok bool) {
	if !IsNumber(s) {
		return 0, false
	}
	if len(s) > 8 {
		return MaxFields * MaxFields, true
	}
	neg := s[0] == '-'
	for _, c := range strings.TrimPrefix(s, "-") {
		n = n*10 + int(c-'0')
	}
	if neg {
		n = -n
	}
	return n, true
}
