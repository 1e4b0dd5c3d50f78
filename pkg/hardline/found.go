package hardline

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// overwritesAll matches truncate, and programs that find or a loop runs to write over
// every file of a place.
func overwritesAll(s *hazard.Scene, c *command.Command, want place) (shell.Span, bool) {
	all := c.Of("empties") || underFind(s, c) && !onlyDirectories(s, c)
	if c.Changes() || all {
		return effect(s, c, func(at *command.Command, e command.Effect) bool {
			return e.Kind == command.Writes && (all || replaces(c, e)) && worst(s, at, e.Target) == want
		})
	}
	return shell.Span{}, false
}

// replaces reports whether an effect gives each file that a pattern stands for, as in
// a loop over it, another content.
func replaces(c *command.Command, e command.Effect) bool {
	p := c.Args.Program
	named := slices.ContainsFunc(c.Args.Operands, func(o command.Operand) bool {
		w := &c.Words[o.At]
		return w.Span == e.Span && w.Glob && (o.Role == program.RoleWrite || o.Role == program.RoleData)
	})
	return named && e.Target.Glob && !e.Recursive && p != nil && !p.Edits && !isFormatter(c.Name) && !c.Args.Has("a", "append", "t", "target-directory")
}

// onlyDirectories reports whether the find above a command finds no files: what
// is copied to a directory writes over nothing.
func onlyDirectories(s *hazard.Scene, c *command.Command) bool {
	for p := c.Parent; p >= 0; p = s.Line.Commands[p].Parent {
		if o := s.Line.Commands[p].Args.Option("type"); o != nil && o.Arg.Has("d") {
			return true
		}
	}
	return false
}

// underFind reports whether a find that leaves nothing out runs the command, or
// names its arguments through xargs.
func underFind(s *hazard.Scene, c *command.Command) bool {
	if c.Source >= 0 && s.Line.Commands[c.Source].Finds() && s.Line.Appended(c) {
		_, narrowed := s.Line.Commands[c.Source].SearchRoots()
		return !narrowed
	}
	return s.Line.Sweeper(c) != nil
}

// fdDeletes matches fd that runs a program that deletes on all it finds.
func fdDeletes(s *hazard.Scene, c *command.Command, want place) (shell.Span, bool) {
	if !local(s, c) || !fdDeletesWith(c) ||
		c.Args.Has("e", "extension", "S", "size", "changed-within", "changed-before", "o", "owner") {
		return shell.Span{}, false
	}
	at := *c
	if base := attached(c.Words[1:], "", "--base-directory"); base != nil {
		at.Dir = shell.Set{Values: shell.Paths(c.Dir, base.Set)}
		c = &at
	}
	if below := attached(c.Words[1:], "", "--search-path"); below != nil {
		return c.Span, worst(s, c, below.Set) == want
	}
	paths := c.Args.Operands
	if len(paths) > 0 {
		if pattern := &c.Words[paths[0].At]; !pattern.Has(".") && !pattern.Has("") && !pattern.Has(".*") {
			return shell.Span{}, false
		}
		paths = paths[1:]
	}
	if len(paths) == 0 {
		return c.Span, worst(s, c, shell.Set{Values: []string{"."}}) == want
	}
	for _, o := range paths {
		if worst(s, c, c.Words[o.At].Set) == want {
			return c.Span, true
		}
	}
	return shell.Span{}, false
}

// fdDeletesWith reports whether fd runs a program that deletes or empties on what it finds.
func fdDeletesWith(c *command.Command) bool {
	for i := 1; i+1 < len(c.Words); i++ {
		w := &c.Words[i]
		if w.Has("-x") || w.Has("-X") || w.Has("--exec") || w.Has("--exec-batch") {
			name, ok := c.Words[i+1].Literal()
			name = shell.Base(name)
			return ok && (program.OfKind(name, "deletes") && !program.OfKind(name, "spares") || program.OfKind(name, "empties") || program.OfKind(name, "overwrites"))
		}
	}
	return false
}

// emptiesFound matches a redirection that writes over every file that find
// finds in a place.
func emptiesFound(s *hazard.Scene, c *command.Command) (span shell.Span, ok bool) {
	if len(c.Redirects) == 0 || !local(s, c) {
		return span, false
	}
	for i := range c.Redirects {
		r := &c.Redirects[i]
		each := underFind(s, c) || r.Target.Glob && !strings.HasSuffix(r.Op, ">>")
		if each && r.Writes() && worst(s, c, r.Target.Set) != elsewhere {
			return c.Span, true
		}
	}
	return span, false
}

// findsPlace reports whether the command with index i is a find that prints
// nearly all of a place.
func findsPlace(s *hazard.Scene, i int) bool {
	w := &s.Line.Commands[i]
	_, narrowed := w.SearchRoots()
	return !narrowed && searchesPlace(s, w)
}

// searchesPlace reports whether a find looks below a place.
func searchesPlace(s *hazard.Scene, w *command.Command) bool {
	roots, _ := w.SearchRoots()
	for _, r := range roots {
		if worst(s, w, r) != elsewhere {
			return true
		}
	}
	return false
}
