package own

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

// readsBelow reports whether a command reads all below a directory above the
// state.
func (s *State) readsBelow(line *shell.Line, i int) bool {
	c := &line.Commands[i]
	if c.Name == "find" || c.Name == "fd" || c.Name == "fdfind" {
		return s.findReads(line, i)
	}
	if servesBelow(c) && s.wordAbove(c) || s.mountsAbove(c) {
		return true
	}
	found := false
	if o := c.Args.Option("directory"); o != nil && o.HasArg && c.Args.Has("create", "append", "update") {
		found = s.above(c, o.Arg.Set)
	}
	c.Effects(func(e shell.Effect) bool {
		if (e.Kind == shell.Reads || e.Kind == shell.Moves) && e.Recursive && !slices.Contains(listers, c.Name) {
			for _, p := range shell.Paths(e.Dir, e.Target) {
				found = found || s.anyBelow(strings.TrimSuffix(p, "/*"), func(rest string) bool { return sees(c, rest) }) || e.Target.Glob && s.mayLieBelow(p)
			}
		}
		return !found
	})
	return found
}

// listers show what lies below a directory by name and size alone.
var listers = []string{"ls", "du", "tree", "stat", "chown", "chmod", "exa", "eza"}

// servesBelow reports whether a command hands out, or packs, the directories
// that its words name, and no grammar says so.
func servesBelow(c *shell.Command) bool {
	if c.Args.Program == nil && c.Is(program.GoesDown) {
		return true
	}
	has := func(names ...string) bool {
		return slices.ContainsFunc(c.Words, func(w shell.Word) bool { return slices.ContainsFunc(names, w.Has) })
	}
	return program.LanguageOf(c.Name) == program.Python && has("-m") && has("http.server", "zipfile", "tarfile", "SimpleHTTPServer")
}

// mountsAbove reports whether a container is given a directory above the state.
func (s *State) mountsAbove(c *shell.Command) bool {
	if !c.Is(program.IsEngine) {
		return false
	}
	for k := range c.Words[1:] {
		for _, v := range c.Words[k+1].Values {
			for _, key := range [...]string{"--volume=", "-v", "src=", "source="} {
				if _, rest, ok := strings.Cut(v, key); ok {
					v = rest
				}
			}
			host, _, mounted := strings.Cut(v, ":")
			if !mounted {
				host, _, mounted = strings.Cut(v, ",")
			}
			if mounted && strings.HasPrefix(host, "/") && s.LiesBelow(shell.Clean(host)) {
				return true
			}
		}
	}
	return false
}

// wordAbove reports whether a word names a directory above the state.
func (s *State) wordAbove(c *shell.Command) bool {
	return slices.ContainsFunc(c.Words[1:], func(w shell.Word) bool { return s.above(c, w.Set) })
}

func (s *State) above(c *shell.Command, set shell.Set) bool {
	return slices.ContainsFunc(shell.Paths(c.Dir, set), s.LiesBelow)
}

// sees reports whether a search looks at a path that it comes to: rg and ag
// leave hidden files out unless they are told otherwise.
func sees(c *shell.Command, rest string) bool {
	if c.Name != "rg" && c.Name != "ag" && c.Name != "fd" && c.Name != "fdfind" {
		return true
	}
	hidden := strings.HasPrefix(rest, ".") || strings.Contains(rest, "/.")
	return !hidden || c.Args.Open || c.Args.Has("hidden", "H", "u", "uu", "uuu", "unrestricted", ".", "a", "all")
}

// findReads reports whether find hands what it finds above the state to a
// program that reads it.
func (s *State) findReads(line *shell.Line, i int) bool {
	c := &line.Commands[i]
	if c.Name != "find" {
		return c.Args.Has("x", "exec", "X", "exec-batch") && s.wordAbove(c)
	}
	if !handsOn(line, i) || s.passesBy(c) {
		return false
	}
	roots, _ := c.SearchRoots()
	for _, r := range roots {
		for _, p := range shell.Paths(c.Dir, r) {
			if s.Holds(p) || s.anyBelow(p, func(rest string) bool { return strings.Count(rest, "/") < depthOf(c) }) {
				return true
			}
		}
	}
	return false
}

// depthOf returns how deep a find goes.
func depthOf(c *shell.Command) int {
	if o := c.Args.Option("maxdepth"); o != nil && o.HasArg {
		v, _ := o.Arg.Literal()
		if n, err := strconv.Atoi(v); err == nil {
			return n
		}
	}
	return math.MaxInt
}

// passesBy reports whether a find only looks for names that no file of the
// state has.
func (s *State) passesBy(c *shell.Command) bool {
	named := false
	for _, name := range [2]string{"name", "iname"} {
		o := c.Args.Option(name)
		if o == nil {
			continue
		}
		named = true
		if v, ok := o.Arg.Literal(); !ok || s.mayName(v) {
			return false
		}
	}
	return named && !c.Args.Has("o", "or", "not")
}

// readers take names from their input and read what has them.
var readers = []string{"xargs", "parallel", "cpio", "tar", "rsync", "read", "mapfile", "readarray", "pax", "zip"}

// handsOn reports whether what a command finds is read by a command that it
// runs, or by one that takes the names from it.
func handsOn(line *shell.Line, i int) bool {
	for k := range line.Commands {
		c := &line.Commands[k]
		if c.Parent == i && !slices.Contains(listers, c.Name) || c.In(shell.Piped) && k > i && slices.Contains(readers, c.Name) {
			return true
		}
	}
	return line.Commands[i].In(shell.InSubst)
}
