package eval

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

// What follows notes what commands set, in whatever way: a variable that steers later
// commands stands among the assignments of the command.

// sets binds a variable to what a command other than an assignment sets it to.
func (r *reader) sets(cmd int, name string, v shell.Set, at shell.Span, sc *scope) {
	if array, key, ok := strings.Cut(name, "["); ok {
		sc.set(r, array, shell.Set{Values: v.Values, Open: true})
		r.defines(array, strings.TrimSuffix(key, "]"), v, sc)
	} else {
		sc.set(r, command.OfElement(name), v)
	}
	r.notes(cmd, name, v, at, sc)
}

// notes notes what a command other than an assignment sets a variable to, where
// a shell evaluates the value or later commands are steered by it.
func (r *reader) notes(cmd int, name string, v shell.Set, at shell.Span, sc *scope) {
	name = sc.target(name)
	if a := r.assignment(name, v, at); a.Steers {
		c := &r.line.Commands[cmd]
		c.Assigns = append(c.Assigns, a)
	}
	r.counts(cmd, name, v)
	r.evaluated(cmd, name, v, at, sc)
}

// counts notes a variable that is declared to be an integer, so that the shell
// evaluates what it is set to.
func (r *reader) counts(cmd int, name string, v shell.Set) {
	if v.Number || shell.AllNumbers(v) {
		return
	}
	if slices.Contains(r.integers, command.OfElement(name)) {
		r.doubt(cmd, "evaluates the text of a variable as arithmetic")
	}
}

// setsNames binds the variables that words name.
func (r *reader) setsNames(i int, names []shell.Word, v shell.Set, sc *scope) {
	for _, w := range names {
		for _, name := range w.Values {
			r.sets(i, name, v, w.Span, sc)
		}
		if w.Open {
			r.unknownName(i, setsUnknown, sc)
			sc.doubt(r)
		}
	}
}

// setsUnknown is why nobody knows what a command sets.
const setsUnknown = "sets a variable whose name is unknown"

// refersUnknown is why nobody knows what a reference sets.
const refersUnknown = "makes another name for a variable that is unknown"

// unknownName notes that nobody knows which variable a command sets. Where a
// function is only defined, its calls tell.
func (r *reader) unknownName(i int, why string, sc *scope) {
	if sc.place&command.Defined == 0 {
		r.doubt(i, why)
	}
}

// defines notes what an element of an array makes a name run: BASH_ALIASES and its
// like hold text, BASH_CMDS the paths that hash -p sets (bash(1), zsh/parameter in
// zshmodules(1)).
func (r *reader) defines(array, name string, v shell.Set, sc *scope) {
	switch array {
	case "BASH_CMDS", "commands":
		if path, known := command.Quoted([]shell.Word{{Set: v}}); known {
			sc.funcs = &function{name: name, body: path, maybe: true, hash: true, next: sc.funcs}
		}
	case "BASH_ALIASES", "aliases", "galiases", "functions":
		for _, text := range v.Values {
			sc.funcs = &function{name: name, body: text, maybe: true, next: sc.funcs}
		}
	}
}

// coprocessName notes the array that holds the descriptors of a coprocess.
func (r *reader) coprocessName(c *syntax.CoprocClause, sc *scope) {
	if _, simple := c.Stmt.Cmd.(*syntax.CallExpr); simple || c.Name == nil || !command.SteersIn(c.Name.Lit(), r.shells) {
		return
	}
	i := r.begin(c.Pos(), c.Name.End(), sc)
	r.sets(i, c.Name.Lit(), shell.Set{Open: true}, r.line.Commands[i].Span, sc)
}

// substitutions reads the substitutions in texts that a shell expands once
// more: a prompt, or the subscript of an array.
func (r *reader) substitutions(i int, texts shell.Set, at shell.Span, sc *scope) {
	for _, v := range texts.Parts() {
		if !strings.Contains(v, "$(") && !strings.Contains(v, "`") {
			continue
		}
		sub := *sc
		r.evaluate(i, shell.Word{Set: shell.Set{Values: []string{`: "` + v + `"`}}, Span: at}, &sub)
	}
}

// evaluated reads what a shell runs of the value of a variable: of a prompt, and
// of what is an array with a subscript once it is evaluated as arithmetic.
func (r *reader) evaluated(i int, name string, v shell.Set, at shell.Span, sc *scope) {
	switch name {
	case "PS0", "PS1", "PS2", "PS4":
		r.substitutions(i, v, at, sc)
	case "PROMPT", "PROMPT2", "PROMPT3", "PROMPT4", "RPROMPT", "RPS1", "prompt":
		if r.shells == shell.InZsh { // others have no use for them
			r.substitutions(i, v, at, sc)
		}
	case "PROMPT_COMMAND":
		inner := *sc
		r.evaluate(i, shell.Word{Set: v, Span: at}, &inner)
	default:
		r.subscripted(i, v, at, sc)
	}
}

// subscripted reads the substitutions in texts that are an array with a
// subscript: a[$(date)].
func (r *reader) subscripted(i int, texts shell.Set, at shell.Span, sc *scope) {
	for _, v := range texts.Values {
		if hasSubscript(v) {
			r.substitutions(i, shell.Set{Values: []string{v}}, at, sc)
		}
	}
}

// hasSubscript reports whether a substitution follows NAME[ in a text.
func hasSubscript(text string) bool {
	for {
		i := strings.IndexByte(text, '[')
		if i < 0 {
			return false
		}
		named := i > 0 && shell.IsIdent(text[i-1])
		if text = text[i+1:]; named && (strings.Contains(text, "$(") || strings.Contains(text, "`")) {
			return true
		}
	}
}

// subscripts reads the arrays that a built-in or a function is given, in whose
// subscripts the shell expands what stands there: test -v 'a[$(date)]'.
func (r *reader) subscripts(i int, sc *scope) {
	c := &r.line.Commands[i]
	if c.Sums() == "" && !c.Function {
		return
	}
	for k := 1; k < len(r.line.Commands[i].Words); k++ {
		c := &r.line.Commands[i]
		if w := c.Words[k]; hasSubscripts(w.Set) && c.TakesNumber(k) {
			r.subscripted(i, w.Set, w.Span, sc)
		}
	}
}

func hasSubscripts(s shell.Set) bool { return slices.ContainsFunc(s.Values, hasSubscript) }
