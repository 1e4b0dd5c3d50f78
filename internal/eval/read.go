package eval

import (
	"maps"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// UnknownHome stands for the home directory where [Env.Home] is empty.
const UnknownHome = "/~"

// Read reads src as one line for a POSIX-like shell. It never fails and never
// panics: what cannot be read has a [Line.Problem] and no commands.
func Read(src string, env Env) *Line {
	line := &Line{Source: src}
	line.Problem = shell.Refuse(src, env.Shell)
	if line.Problem != nil {
		return line
	}
	if env.Home == "" {
		env.Home = UnknownHome
	}
	r := readers.Get().(*reader)
	*r = reader{line: line, env: env, text: text{src: src}, scopes: r.scopes, parser: r.parser, shells: shell.ShellsOf(env.Shell), disk: disk{files: maps.Clone(env.Files)}}
	r.run(src)
	for _, sc := range r.scopes {
		*sc = scope{}
	}
	r.parser.Release()
	*r = reader{scopes: r.scopes, parser: r.parser}
	readers.Put(r)
	if line.Problem != nil {
		line.Commands, line.Spawns = nil, nil
	}
	for i := range line.Commands {
		line.Commands[i].SetHome(env.Home)
	}
	line.Oddities = shell.Oddities(src)
	return line
}

// readers are reused for their memory; nothing of a reader outlives a reading.
var readers = sync.Pool{New: func() any { return &reader{parser: new(shell.Parser)} }}

// Argv reads an argument vector that runs without a shell. The source of the
// line is its rendering in shell syntax.
func Argv(args []string, env Env) *Line {
	quoted := make([]string, len(args))
	for i, a := range args {
		q, err := syntax.Quote(a, syntax.LangBash)
		if err != nil {
			src := strings.Join(args, " ")
			return &Line{Source: src, Problem: &shell.Problem{
				Code: "control-character", Why: "an argument holds a NUL byte", Span: shell.Span{From: 0, To: len(src)}}}
		}
		quoted[i] = q
	}
	return Read(strings.Join(quoted, " "), env)
}

// run reads the line. A panic of the parser or of the expander ends it like
// any other reason not to read on.
func (r *reader) run(src string) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case stop:
			r.line.Problem = &e.problem
		default:
			r.line.Problem = &shell.Problem{Code: "syntax", Why: "the parser gave up", Span: shell.Span{From: 0, To: len(src)}}
		}
	}()
	list, problem := r.parse(src)
	if problem != nil {
		r.line.Problem = problem
		return
	}
	r.lastAt = r.tree.Last
	sc := scope{parent: -1, source: -1, dir: known(r, r.env.Dir)}
	if r.env.Dir == "" {
		sc.dir = shell.Set{Open: true}
	}
	r.surround(&sc)
	r.stmts(list, &sc)
	r.lateTraps(&sc)
}

// parse returns the statements of a text.
func (r *reader) parse(src string) ([]*syntax.Stmt, *shell.Problem) {
	r.parsed += len(src)
	if r.parsed > shell.MaxText {
		r.stop("too-many", "the line evaluates too much text", shell.Span{From: 0, To: len(r.line.Source)})
	}
	tree, problem := r.parser.Parse(src, r.shells)
	r.tree = tree
	if problem == nil && tree.Differs {
		r.differ(tree.Construct, r.text.span(tree.From, tree.To))
	}
	return tree.Stmts, problem
}

// surround tells the scope of the line what its surroundings hold.
func (r *reader) surround(sc *scope) {
	for _, v := range r.env.Vars {
		sc.set(r, v.Name, v.Value)
	}
	sc.stdin = r.env.Input
	if r.env.Background {
		sc.place |= command.Background
	}
}

// inherited returns the variables of the environment as the assignments of a
// command that stands at a place. What changes nothing but how programs print is
// none.
func (r *reader) inherited(at int) (out []command.Assign) {
	for _, v := range r.env.Vars {
		if !program.HarmlessVariable(v.Name) {
			out = append(out, command.Assign{Name: v.Name, Value: v.Value, Span: shell.Span{From: at, To: at}})
		}
	}
	return out
}
