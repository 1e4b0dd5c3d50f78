package siblings_test

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/trial/calm"
)

// A site is a simple command of a line, whose words can be written in other ways.
type site struct {
	before, after string // what stands around its words
	words         []string
	values        []string // what the words mean, where known says that it is known
	known         []bool
	name          string           // of the program
	row           *program.Program // nil where the table has none
	args          *command.Args

	sets       bool // a variable is set before it
	fed        bool // its input is redirected
	converses  bool // it starts a shell that reads its input
	backquoted bool // it stands in backquotes, in which a quote or a backslash is another
}

// with returns the line with other words in the site.
func (s *site) with(words []string) string {
	return s.before + strings.Join(words, " ") + s.after
}

// sites returns the commands of a line whose program is a plain word; none where
// the line is not the text of bash.
func sites(line string) (out []*site) {
	f, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		return nil
	}
	sets, fed, quoted := false, map[syntax.Command]bool{}, uint(0)
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			sets = true
		case *syntax.CmdSubst:
			if n.Backquotes {
				quoted = max(quoted, n.End().Offset())
			}
		case *syntax.Stmt:
			fed[n.Cmd] = slices.ContainsFunc(n.Redirs, feeds)
		case *syntax.CallExpr:
			if len(n.Args) == 0 {
				break
			}
			if s := newSite(line, n); s != nil {
				s.sets, s.fed, s.backquoted = sets || len(n.Assigns) > 0, fed[n], n.Pos().Offset() < quoted
				out = append(out, s)
			}
		}
		return true
	})
	return out
}

// feeds reports whether a redirection is one of the input.
func feeds(r *syntax.Redirect) bool {
	switch r.Op {
	case syntax.RdrIn, syntax.RdrInOut, syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return r.N == nil || r.N.Value == "0"
	}
	return false
}

func newSite(line string, call *syntax.CallExpr) *site {
	from, to := call.Args[0].Pos().Offset(), call.Args[len(call.Args)-1].End().Offset()
	s := &site{before: line[:from], after: line[to:]}
	for _, w := range call.Args {
		value, known := literal(w)
		s.words = append(s.words, line[w.Pos().Offset():w.End().Offset()])
		s.values, s.known = append(s.values, value), append(s.known, known)
	}
	l := eval.Read(line[from:to], eval.Env{Dir: calm.Project, Home: calm.Home})
	if !s.known[0] || s.words[0] != s.values[0] || len(l.Commands) == 0 || len(l.Commands[0].Words) != len(s.words) || s.gapped(line[from:to]) {
		return nil
	}
	s.name, s.args, s.row = s.words[0], &l.Commands[0].Args, program.Find(s.words[0])
	s.converses = slices.ContainsFunc(l.Commands, func(c command.Command) bool { return c.StartsShell() || c.Is(program.IsShell) })
	return s
}

// gapped reports whether more than a blank stands between two words, such as a
// redirection.
func (s *site) gapped(text string) bool { return strings.Join(s.words, " ") != text }

// literal returns the text that a word is in every shell, whatever it is quoted
// with.
func literal(w *syntax.Word) (string, bool) {
	var b strings.Builder
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(p.Value, `\*?[]{}~^=#!$`) && !plainEquals(p.Value) {
				return "", false
			}
			b.WriteString(p.Value)
		case *syntax.SglQuoted:
			if p.Dollar || strings.Contains(p.Value, `\`) {
				return "", false
			}
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			if len(p.Parts) != 1 || p.Dollar {
				return "", false
			}
			lit, ok := p.Parts[0].(*syntax.Lit)
			if !ok || strings.ContainsAny(lit.Value, `\$!`) {
				return "", false
			}
			b.WriteString(lit.Value)
		default:
			return "", false
		}
	}
	return b.String(), true
}

// plainEquals reports whether = is all that a text has of characters that mean
// something, and does not stand at its beginning, where zsh expands it.
func plainEquals(text string) bool {
	return !strings.ContainsAny(text, `\*?[]{}~^#!$`) && text[0] != '='
}
