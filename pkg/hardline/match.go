package hardline

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

type matcher = func(*hazard.Scene, *command.Command) (shell.Span, bool)

// effect matches commands with an effect on this machine. The test is given the
// command as it were in the directory from which the effect means its paths.
func effect(s *hazard.Scene, c *command.Command, match func(at *command.Command, e command.Effect) bool) (span shell.Span, ok bool) {
	if !reaches(s, c) {
		return span, false
	}
	c.Effects(func(e command.Effect) bool {
		if match(inDir(c, e.Dir), e) {
			span, ok = c.Span, true
		}
		return !ok
	})
	return span, ok
}

// inDir returns a command as if it ran in a directory.
func inDir(c *command.Command, dir shell.Set) *command.Command {
	if slices.Equal(dir.Values, c.Dir.Values) {
		return c
	}
	at := *c
	at.Dir = dir
	return &at
}

// deletesPlace matches commands that remove, empty or move away a place.
func deletesPlace(want place) matcher {
	return func(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
		if c.Finds() {
			return findDeletes(s, c, want)
		}
		switch {
		case c.Of("seeks"):
			return fdDeletes(s, c, want)
		case c.How("speaks") == "git":
			return gitCleans(s, c, want)
		case c.Does("packs-away"):
			if span, ok := archivesAway(s, c, want); ok {
				return span, true
			}
		}
		if span, ok := mirrors(s, c, want); ok {
			return span, true
		}
		p := c.Args.Program
		if p != nil && p.Suffix != "" {
			return compresses(s, c, want)
		}
		if p != nil && program.Deletes(p) && !c.Of("spares") && !c.Of("drops") {
			if span, ok := removes(s, c, want); ok {
				return span, true
			}
		}
		if span, ok := overwritesAll(s, c, want); ok {
			return span, true
		}
		return erasesPlace(s, c, want)
	}
}

// removes matches rm and its kin by their effects.
func removes(s *hazard.Scene, c *command.Command, want place) (shell.Span, bool) {
	return effect(s, c, func(at *command.Command, e command.Effect) bool {
		if e.Kind != command.Deletes && e.Kind != command.Moves {
			return false
		}
		if path, ok := ownName(s, e); ok && worst(s, at, path) == want {
			return true
		}
		return worst(s, at, e.Target) == want
	})
}

// mirrors matches a program that makes a place equal to another.
func mirrors(s *hazard.Scene, c *command.Command, want place) (shell.Span, bool) {
	if !c.Mirrors() {
		return shell.Span{}, false
	}
	return effect(s, c, func(at *command.Command, e command.Effect) bool {
		return e.Kind == command.Writes && worst(s, at, e.Target) == want
	})
}

func findDeletes(s *hazard.Scene, c *command.Command, want place) (shell.Span, bool) {
	if !c.DeletesMost() || !reaches(s, c) {
		return shell.Span{}, false
	}
	roots, _ := c.SearchRoots()
	for _, r := range roots {
		if worst(s, c, r) == want {
			return c.Span, true
		}
	}
	return shell.Span{}, false
}

// gitCleans matches git clean and git rm in a place that is no project.
func gitCleans(s *hazard.Scene, c *command.Command, want place) (shell.Span, bool) {
	if c.Args.Sub != "clean" || c.Args.Has("n", "dry-run") || !c.Args.Has("f", "force") || !reaches(s, c) {
		return shell.Span{}, false
	}
	at := *c
	at.Dir = workTree(s, c)
	tree := worst(s, &at, shell.Set{Values: []string{"."}})
	if len(c.Args.Operands) == 0 {
		return c.Span, tree == want
	}
	for _, o := range c.Args.Operands {
		if tree != elsewhere && worst(s, &at, c.Words[o.At].Set) == want {
			return c.Span, true
		}
	}
	return shell.Span{}, false
}

// workTree returns the directory that git works on.
func workTree(s *hazard.Scene, c *command.Command) shell.Set {
	dir := c.Dir
	if tree := c.WorkTree(); len(tree.Values) > 0 {
		dir = shell.Set{Values: shell.Paths(c.DirAt(c.Args.Verb), tree)}
	}
	for i := range s.Line.Commands {
		w := &s.Line.Commands[i]
		if w == c {
			break
		}
		for k := range w.Assigns {
			if a := &w.Assigns[k]; w.Binds() != "" && a.Name == "GIT_WORK_TREE" {
				dir = shell.Set{Values: shell.Paths(c.Dir, a.Value)}
			}
		}
	}
	for i := range c.Assigns {
		if a := &c.Assigns[i]; a.Name == "GIT_WORK_TREE" {
			dir = shell.Set{Values: shell.Paths(dir, a.Value)}
		}
	}
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if !o.HasArg {
			continue
		}
		if o.Is("C") || o.Is("work-tree") {
			dir = shell.Set{Values: shell.Paths(dir, o.Arg.Set)}
		}
	}
	return dir
}

// altersPlace matches recursive changes of mode, owner or attributes.
func altersPlace(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if closes(c) {
		span, ok := effect(s, c, func(at *command.Command, e command.Effect) bool {
			found := worst(s, at, e.Target)
			return e.Kind == command.Alters && (found == root || found == system)
		})
		if ok {
			return span, true
		}
	}
	if !altersDeep(s, c) {
		return shell.Span{}, false
	}
	if c.Args.Program == nil || c.How("alters") == "attributes" || c.Args.Has("N") { // -i of chattr and -N of macOS take the place of the mode
		return c.Span, local(s, c) && anyWordAt(s, c)
	}
	return effect(s, c, func(at *command.Command, e command.Effect) bool {
		return e.Kind == command.Alters && spoils(s, at, e.Target)
	})
}

// closes reports whether chmod takes every right away, or that to run or to enter.
func closes(c *command.Command) bool {
	if c.How("alters") != "mode" || len(c.Words) < 2 {
		return false
	}
	return anyWord(modes(c), func(v string) bool {
		return v != "" && strings.Trim(v, "0") == "" || program.HasWord("a-rwx ugo-rwx a= -rwx a-x ugo-x -x u-x u-rwx", v)
	})
}

// spoils reports whether a change of everything below a path makes the machine
// unusable. It is usual to own /usr/local and one's home.
func spoils(s *hazard.Scene, c *command.Command, target shell.Set) bool {
	if target.Has("/usr/local") {
		return false
	}
	at := worst(s, c, target)
	return at == root || at == system || at == home && c.How("alters") != "owner" && !gentle(c)
}

// gentle reports whether a mode of chmod takes nothing from the owner and lets
// nobody else write.
func gentle(c *command.Command) bool {
	if c.How("alters") != "mode" || len(c.Args.Operands) == 0 || c.Args.Operands[0].Role != program.RoleData {
		return false
	}
	mode, ok := c.Words[c.Args.Operands[0].At].Literal()
	for clause := range strings.SplitSeq(mode, ",") {
		i := strings.IndexAny(clause, "+-=")
		if !ok || i < 0 || strings.Trim(clause[i+1:], "rwxX") != "" {
			return false
		}
		who, rights := clause[:i], clause[i+1:]
		owner, others := who == "" || strings.ContainsAny(who, "ua"), strings.ContainsAny(who, "goa")
		switch clause[i] {
		case '+':
			ok = !others || !strings.Contains(rights, "w")
		case '-':
			ok = !owner
		case '=':
			ok = (!owner || who == "u" && strings.Contains(rights, "rw")) && (!others || !strings.Contains(rights, "w"))
		}
		if !ok {
			return false
		}
	}
	return ok
}

func anyWordAt(s *hazard.Scene, c *command.Command) bool {
	for _, w := range operands(c.Words[1:]) {
		if spoils(s, c, w.Set) {
			return true
		}
	}
	return false
}

func altersDeep(s *hazard.Scene, c *command.Command) bool {
	if c.Args.Has("R", "recursive") || c.Does("deep") {
		return true
	}
	return (s.Line.Appended(c) || c.Parent >= 0 && s.Line.Commands[c.Parent].Finds()) && underFind(s, c)
}

func writesDevice(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if !c.Changes() {
		return shell.Span{}, false
	}
	return effect(s, c, func(at *command.Command, e command.Effect) bool {
		return (e.Kind == command.Writes || e.Kind == command.Deletes && c.Of("overwrites")) && mayBeDevice(s, at, e.Target) &&
			!isFormatter(c.Name) // their own rules tell dry runs apart
	})
}

func hasWord(c *command.Command, words ...string) bool {
	for i := range c.Words {
		for _, w := range words {
			if c.Words[i].Has(w) {
				return true
			}
		}
	}
	return false
}
