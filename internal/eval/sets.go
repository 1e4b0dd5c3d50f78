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

// setsAmong binds the variables that steer later commands among the words of one
// of zsh's built-ins, whichever of its options they stand behind.
func (r *reader) setsAmong(i int, sc *scope) {
	for _, w := range r.line.Commands[i].Words[1:] {
		for _, name := range w.Values {
			if command.SteersIn(name, r.shells) {
				r.sets(i, name, shell.Set{Open: true}, w.Span, sc)
			}
		}
	}
}

// emptied notes a PATH that is unset, or that a function has of its own: bash and
// zsh then take programs from the working directory.
func (r *reader) emptied(i int, name string, at shell.Span, sc *scope) {
	if name = command.OfElement(sc.target(name)); name == "PATH" || name == "path" {
		r.notes(i, name, known(r, ""), at, sc)
	}
}

// defineAll notes what the elements of an array make names run: ([NAME]=TEXT), or
// (NAME TEXT).
func (r *reader) defineAll(array string, b *binding, sc *scope) {
	for n := range min(len(b.keys), len(b.elems)) {
		r.defines(array, b.keys[n], b.elems[n], sc)
	}
	for n := 0; len(b.keys) == 0 && n+1 < len(b.elems); n += 2 {
		if name, ok := b.elems[n].Literal(); ok {
			r.defines(array, name, b.elems[n+1], sc)
		}
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
