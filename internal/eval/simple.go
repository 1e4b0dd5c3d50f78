package eval

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// simple reads a simple command. A command with several readings is read once
// for each.
func (r *reader) simple(s *syntax.Stmt, c *syntax.CallExpr, sc *scope) {
	before, outer, braced := *sc, r.forking, r.braced
	mark, spawns := len(r.line.Commands), len(r.line.Spawns)
	r.forking, r.braced = nil, 0
	r.once(s, c, sc)
	if slices.ContainsFunc(r.line.Commands[mark].Redirects, command.Redirect.MayFail) {
		sc.join(r, &before)
	}
	f := r.forking
	r.forking = outer
	if r.braced != 0 && f == nil {
		r.kept(bracesKept, s, c, &before)
		if r.braced == shell.BraceList|shell.BraceRange && r.shells&shell.InMksh != 0 {
			r.kept(rangesKept, s, c, &before)
		}
		r.twice = append(r.twice, mark)
	} else if r.braced != 0 {
		r.differ(shell.OtherBraces, r.line.Commands[mark].Span)
	}
	r.braced = braced
	if f == nil {
		return
	}
	r.again(f, mark, spawns, &before, sc, func(sub *scope) { r.simple(s, c, sub) })
}

// again reads the command that mark began once for each value of an expansion in
// it, from the scope before it; sc becomes the scope behind it.
func (r *reader) again(f *wordFork, mark, spawns int, before, sc *scope, read func(*scope)) {
	if !r.mayFork(f, mark) {
		return
	}
	r.line.Commands, r.line.Spawns = r.line.Commands[:mark], r.line.Spawns[:spawns]
	for i, v := range f.values {
		sub, at := *before, len(r.line.Commands)
		r.pins = append(r.pins, pin{f.site, v})
		read(&sub)
		r.pins = r.pins[:len(r.pins)-1]
		r.line.Commands[at].Variant = true
		if i == 0 {
			*sc = sub
		} else {
			sc.join(r, &sub)
		}
	}
}

// kept reads a simple command again as a shell does that keeps some braces. What
// the command does to the line is as it was read first.
func (r *reader) kept(which braceForm, s *syntax.Stmt, c *syntax.CallExpr, before *scope) {
	bracing, last, tail, sc := r.bracing, r.last, r.tail, *before
	r.bracing = which
	at := len(r.line.Commands)
	r.once(s, c, &sc)
	r.line.Commands[at].Variant = true
	r.bracing, r.last, r.tail = bracing, last, tail
}

// once reads one reading of a simple command.
func (r *reader) once(s *syntax.Stmt, c *syntax.CallExpr, sc *scope) {
	to := s.End()
	if n := len(s.Redirs); s.Semicolon.IsValid() {
		to = s.Semicolon
	} else if n > 0 && s.Redirs[n-1].Hdoc != nil {
		to = s.Redirs[n-1].Word.End()
	}
	from := s.Pos()
	if s.Negated && c != nil {
		from = c.Pos()
	}
	i := r.begin(from, to, sc)
	substs := len(r.substs)
	if c != nil {
		r.line.Commands[i].Words = r.room(len(c.Args))
		bracing := r.bracing
		if r.bracing == bracesOnce {
			r.bracing = bracesTwice
		}
		program := true
		for _, w := range c.Args {
			lit, ok := w.Parts[0].(*syntax.Lit)
			r.program = program && !(ok && lit.Value[0] == '-')
			r.word(w, sc, i)
			program = program && r.runsNext(w)
		}
		r.program = false
		r.bracing = bracing
		r.builtinDiffers(c, i)
		r.assigns(c, sc, i)
	}
	if len(s.Redirs) == 0 {
		r.finish(i, sc, sc, r.substs[substs:])
	} else {
		own, n := r.copyOf(sc), r.inUse
		r.redirects(s.Redirs, i, own)
		r.finish(i, own, sc, r.substs[substs:])
		r.release(n - 1)
	}
	r.substs = r.substs[:substs]
}

// builtinDiffers notes a command of the shell that differs, where a word is not written
// out, so that the syntax does not tell.
func (r *reader) builtinDiffers(s *syntax.CallExpr, i int) {
	c := &r.line.Commands[i]
	if !slices.ContainsFunc(s.Args[:min(len(s.Args), 2)], func(w *syntax.Word) bool { return shell.WordText(w) == "" }) {
		return
	}
	word := func(k int) string { v, _ := c.Words[k].Literal(); return v }
	if shell.BuiltinDiffers(len(c.Words), word) {
		r.differ(shell.OtherBuiltins, c.Span)
	}
}

// assigns reads the assignments of a simple command. Those in front of a special
// built-in stay: in zsh never, in bash where it follows POSIX.
func (r *reader) assigns(c *syntax.CallExpr, sc *scope, i int) {
	stays := false
	if words := r.line.Commands[i].Words; len(words) > 0 {
		name, _ := words[0].Literal()
		stays = program.OfKind(name, "special") // POSIX 2.14
	}
	before := *sc
	for _, a := range c.Assigns {
		r.assign(a, sc, i, len(c.Args) == 0 || stays)
	}
	if stays && len(c.Assigns) > 0 {
		sc.join(r, &before)
	}
}

// runsNext reports whether a word is the name of a wrapper, behind which the
// name of a program may stand.
func (r *reader) runsNext(w *syntax.Word) bool {
	name := w.Lit()
	if name == "" {
		return false
	}
	p := r.find(name).Row
	return p != nil && !p.Opaque && strings.HasSuffix(p.Operands, "payload")
}

// name names the program of a command by its path.
func (r *reader) name(c *command.Command, path string) {
	if r.env.Wraps != nil {
		dir := c.Dir
		dir.Open = dir.Open || c.In(command.Adrift) // the cd before may have failed
		if r.env.Wraps(path, dir) {
			c.SetName(path, r.find(program.Declared))
			return
		}
	}
	c.SetName(path, r.find(program.Resolve(shell.Fold(shell.Base(path)))))
}

// find returns a name with its row. A command is mostly named by the word that was just
// looked up.
func (r *reader) find(name string) command.Named {
	if r.found.Name != name {
		r.found = command.FindName(name)
	}
	return r.found
}

// room returns an empty slice with room for n words.
func (r *reader) room(n int) []shell.Word {
	if n > cap(r.words)-len(r.words) {
		r.words = make([]shell.Word, 0, max(8, n))
	}
	at := len(r.words)
	r.words = r.words[:at+n]
	return r.words[at : at : at+n]
}

// copyOf returns a copy of a scope that lives until release.
func (r *reader) copyOf(sc *scope) *scope {
	if r.inUse == len(r.scopes) {
		r.scopes = append(r.scopes, new(scope))
	}
	c := r.scopes[r.inUse]
	r.inUse++
	*c = *sc
	return c
}

// release gives back the copies made since n were in use.
func (r *reader) release(n int) { r.inUse = n }
