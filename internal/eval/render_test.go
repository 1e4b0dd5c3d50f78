package eval

import (
	"fmt"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// testEnv is where the lines of the tables run.
var testEnv = Env{Shell: "bash", Dir: "/w", Home: "/home/dev"}

// A row is one line and what it reads as. The rendering of a line is that of
// its commands, "; " between them:
//
//	^             once for each wrapper around the command
//	~             one of several readings of the same source
//	[for a b]     a part of the shell's language
//	f() a         a function of the line, called
//	A=1 ls        an assignment before the command
//	{a|b}         a word with two values
//	? p? {a|p?}   a word that may be anything, begins with p, is perhaps a
//	#             some number
//	*.go          a pattern; quoted, it is text
//	+             after a word that may become none or several
//	>f 2>&1       redirections; the text of a here-document stands quoted
//	@/d           the directory, where it is not that of the line
//	container     where the command runs, where that is not local
//	!opaque       the program, or what it evaluates, is unknown
//	!doubt        it may do more than its words tell
//
// A line that cannot be read is "!" and the code of its problem.
type row struct{ want, line string }

func testRows(t *testing.T, rows []row) {
	t.Helper()
	for _, c := range rows {
		if got := render(Read(c.line, testEnv)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.line, got, c.want)
		}
	}
}

func render(l *Line) string {
	if l.Problem != nil {
		return "!" + l.Problem.Code
	}
	out := make([]string, len(l.Commands))
	for i := range l.Commands {
		out[i] = renderCommand(l, i)
	}
	return strings.Join(out, "; ")
}

func renderCommand(l *Line, i int) string {
	c := &l.Commands[i]
	var parts []string
	for _, a := range c.Assigns {
		if c.Parent < 0 || !sameAssigns(c, &l.Commands[c.Parent]) {
			parts = append(parts, a.Name+"="+renderSet(a.Value))
		}
	}
	words := renderWords(c.Words)
	switch {
	case c.Keyword:
		words = "[" + words + "]"
	case c.Function:
		words = strings.Replace(words, c.Path, c.Path+"()", 1)
	}
	if words != "" {
		parts = append(parts, words)
	}
	for _, r := range c.Redirects {
		parts = append(parts, r.Fd+r.Op+renderWord(r.Target))
	}
	here := len(c.Dir.Values) == 1 && c.Dir.Values[0] == testEnv.Dir && !c.Dir.Open
	elsewhere := c.Context != program.Local && len(c.Dir.Values) == 0 // another machine's directory is never known
	if !here && !elsewhere {
		parts = append(parts, "@"+renderSet(c.Dir))
	}
	if c.Context != program.Local {
		parts = append(parts, c.Context.String())
	}
	if c.Opaque != "" {
		parts = append(parts, "!opaque")
	}
	if c.Doubt != "" {
		parts = append(parts, "!doubt")
	}
	mark := ""
	for p := c.Parent; p >= 0; p = l.Commands[p].Parent {
		mark += "^"
	}
	if c.Variant {
		mark += "~"
	}
	return mark + strings.Join(parts, " ")
}

func sameAssigns(c, parent *command.Command) bool {
	return len(c.Assigns) > 0 && len(parent.Assigns) > 0 && &c.Assigns[0] == &parent.Assigns[0]
}

func renderWords(words []shell.Word) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = renderWord(w)
	}
	return strings.Join(out, " ")
}

func renderWord(w shell.Word) string {
	out := renderSet(w.Set)
	if w.Many && !w.Glob {
		out += "+"
	}
	return out
}

func renderSet(s shell.Set) string {
	var out []string
	for _, v := range s.Values {
		out = append(out, renderText(v, s.Glob))
	}
	if s.Open {
		mark := "?"
		if s.Number {
			mark = "#"
		}
		if s.Prefix != "" {
			mark = renderText(s.Prefix, false) + mark
		}
		out = append(out, mark)
	}
	if len(out) == 1 {
		return out[0]
	}
	return "{" + strings.Join(out, "|") + "}"
}

func renderText(v string, glob bool) string {
	q := fmt.Sprintf("%q", v)
	q = strings.ReplaceAll(strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`), `\\`, `\`)
	if v == "" || strings.ContainsAny(v, " \t\n;|'") || !glob && strings.ContainsAny(v, "*?[]#+{}") && v != "{}" && v != "[" && v != "]" && v != "[[" && v != "]]" {
		return "'" + q + "'"
	}
	return q
}
