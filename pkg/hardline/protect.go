package hardline

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/own"
)

// namesProtected matches programs that are read by their words.
func namesProtected(s *hazard.Scene, c *command.Command) bool {
	switch {
	case program.OfKind(c.Name, "edits"), inPlace(c):
		return wordCovered(s, c)
	case c.Of("relays"):
		for _, p := range s.Protect {
			if hasPart(c, p) {
				return true
			}
		}
	case c.How("speaks") == "git":
		return gitTouches(s, c)
	case c.Args.Program != nil && c.Args.Program.Into:
		return replacesProtected(s, c)
	}
	return false
}

// inPlace reports whether an interpreter edits the files that it is given.
func inPlace(c *command.Command) bool {
	switch program.LanguageOf(c.Name) {
	case program.Perl, program.Ruby:
		return c.Args.Has("i")
	case program.AWK:
		o := c.Args.Option("i")
		return o != nil && o.HasArg && o.Arg.Has("inplace")
	}
	return false
}

func wordCovered(s *hazard.Scene, c *command.Command) bool {
	for i := range c.Words[1:] {
		for _, p := range hostPaths(s, c, c.Words[i+1].Set) {
			if covers(s, p, false) {
				return true
			}
		}
	}
	return false
}

// gitTouches matches git that changes files of a work tree with a protected
// path.
func gitTouches(s *hazard.Scene, c *command.Command) bool {
	at := *c
	at.Dir = workTree(s, c)
	here := shell.Set{Values: []string{"."}}
	switch c.Args.Sub {
	case "clean":
		if c.Args.Has("n", "dry-run") || !c.Args.Has("f", "force") {
			return false
		}
		for _, p := range hostPaths(s, &at, here) {
			if covers(s, p, true) {
				return true
			}
		}
	case "checkout", "restore", "reset", "apply", "am", "stash", "pull", "merge", "rebase", "mv", "rm":
		for _, p := range hostPaths(s, &at, here) {
			if covers(s, p, false) {
				return true
			}
		}
	}
	return false
}

// findsPolicy matches a find that deletes by a name that policies have, in a
// directory above them.
func findsPolicy(s *hazard.Scene, c *command.Command) bool {
	if !c.Finds() || !c.Args.Has("delete") {
		return false
	}
	for _, name := range [2]string{"name", "iname"} {
		o := c.Args.Option(name)
		if o == nil || len(o.Arg.Values) != 1 || !namesPolicy(o.Arg.Values[0], name == "iname") {
			continue
		}
		roots, _ := c.SearchRoots()
		for _, r := range roots {
			for _, p := range hostPaths(s, c, r) {
				if covers(s, p, true) {
					return true
				}
			}
		}
	}
	return false
}

// namesPolicy reports whether a pattern matches a name that policies have.
func namesPolicy(pattern string, anyCase bool) bool {
	if anyCase {
		pattern = strings.ToLower(pattern)
	}
	return slices.ContainsFunc(own.PolicyNames(), func(name string) bool { return shell.Matches(pattern, name) })
}

// replacesProtected matches a copy into the directory above a protected path,
// under its name.
func replacesProtected(s *hazard.Scene, c *command.Command) bool {
	var from []string
	hit := false
	c.Effects(func(e command.Effect) bool {
		if e.Kind == command.Reads || e.Kind == command.Moves {
			for _, v := range e.Target.Values {
				if base := shell.Base(v); base != "." && base != ".." && !strings.HasSuffix(v, "/.") && !(c.Of("slashes") && strings.HasSuffix(v, "/")) {
					from = append(from, base)
				}
			}
		}
		if e.Kind == command.Writes {
			for _, dir := range hostPaths(s, c, e.Target) {
				for _, base := range from {
					hit = hit || covers(s, shell.Clean(dir+"/"+base), false)
				}
			}
		}
		return !hit
	})
	return hit
}

func touchesProtected(s *hazard.Scene, c *command.Command, e command.Effect) bool {
	deep := meansBelow(s, c, e)
	for _, p := range reachedPaths(s, c, e) {
		if !e.Target.Glob {
			if covers(s, p, deep) {
				return true
			}
			continue
		}
		for _, own := range s.Protect {
			if matchesAbove(p, own) || matchesBelow(p, own) {
				return true
			}
		}
	}
	return false
}

// meansBelow reports whether an effect on a directory is one on all below it. To
// own one's home again, or to make all in it writable for its owner, is usual.
func meansBelow(s *hazard.Scene, c *command.Command, e command.Effect) bool {
	switch e.Kind {
	case command.Moves:
		return true
	case command.Deletes:
		return e.Recursive || underFind(s, c)
	case command.Alters:
		return e.Recursive && c.How("alters") != "owner" && !gentle(c)
	}
	return c.Mirrors()
}

// matchesBelow reports whether a pattern matches what lies below a path: where it
// is a pattern for the path too, only under a name that policies have.
func matchesBelow(pattern, path string) bool {
	above, name := pattern, pattern[strings.LastIndexByte(pattern, '/')+1:]
	for range strings.Count(pattern, "/") - strings.Count(path, "/") {
		above = above[:strings.LastIndexByte(above, '/')]
	}
	return above == path || matchesPath(above, path) && namesPolicy(name, false)
}

// matchesAbove reports whether a pattern matches a path or a directory above it.
func matchesAbove(pattern, path string) bool {
	for path != "" && path != "/" {
		if matchesPath(pattern, path) {
			return true
		}
		path = path[:strings.LastIndexByte(path, '/')]
	}
	return false
}
