package shell

import (
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

func IsPlain(s *syntax.Stmt) bool {
	return len(s.Redirs) == 0 && !s.Background && !s.Negated && !s.Coprocess && !s.Disown
}

func IsPipe(op syntax.BinCmdOperator) bool { return op == syntax.Pipe || op == syntax.PipeAll }
