package own

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/shell"
)

// takers are programs that read, pack or send the directories which they are
// given with all that is in them, whatever options they have. Those of which a
// grammar says when they do so are told by their effects.
var takers = []string{"tar", "bsdtar", "gtar", "zip", "7z", "7za", "rsync", "rclone", "restic", "borg", "duplicity", "ag", "ack", "cpio", "pax", "mksquashfs", "genisoimage", "mkisofs"}

// readsBelow reports whether a command reads all below a directory above the
// state.
func (s *State) readsBelow(line *shell.Line, i int) bool {
	c := &line.Commands[i]
	if c.Name == "find" || c.Name == "fd" || c.Name == "fdfind" {
		return s.findReads(line, i)
	}
	found := c.Args.Program == nil && slices.Contains(takers, c.Name) && s.wordAbove(c)
	if o := c.Args.Option("directory"); o != nil && o.HasArg && c.Args.Has("create", "append", "update") {
		found = found || s.above(c, o.Arg.Set)
	}
	c.Effects(func(e shell.Effect) bool {
		deep := e.Recursive || c.Args.Has("a", "archive") || slices.Contains(takers, c.Name) || isRipgrep(c.Name)
		if (e.Kind == shell.Reads || e.Kind == shell.Moves) && deep {
			for _, p := range shell.Paths(e.Dir, e.Target) {
				found = found || s.anyBelow(strings.TrimSuffix(p, "/*"), func(rest string) bool { return sees(c, rest) })
			}
		}
		return !found
	})
	return found
}

// wordAbove reports whether a word names a directory above the state.
func (s *State) wordAbove(c *shell.Command) bool {
	return slices.ContainsFunc(c.Words[1:], func(w shell.Word) bool { return s.above(c, w.Set) })
}

func (s *State) above(c *shell.Command, set shell.Set) bool {
	return slices.ContainsFunc(shell.Paths(c.Dir, set), s.LiesBelow)
}

func isRipgrep(name string) bool { return name == "rg" }

// sees reports whether a search looks at a path that it comes to: rg and ag
// leave hidden files out unless they are told otherwise.
func sees(c *shell.Command, rest string) bool {
	if !isRipgrep(c.Name) && c.Name != "ag" && c.Name != "fd" && c.Name != "fdfind" {
		return true
	}
	hidden := strings.HasPrefix(rest, ".") || strings.Contains(rest, "/.")
	return !hidden || c.Args.Open || c.Args.Has("hidden", "H", "u", "uu", "uuu", "unrestricted", ".", "a", "all")
}

// findReads reports whether find hands what it finds above the state to a
// program that reads it.
func (s *State) findReads(line *shell.Line, i int) bool {
	c := &line.Commands[i]
	if !handsOn(line, i) || s.passesBy(c) {
		return false
	}
	roots, _ := c.SearchRoots()
	for _, r := range roots {
		for _, p := range shell.Paths(c.Dir, r) {
			if s.Holds(p) || s.anyBelow(p, func(rest string) bool { return sees(c, rest) }) {
				return true
			}
		}
	}
	return false
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
		if c.Parent == i || c.In(shell.Piped) && k > i && slices.Contains(readers, c.Name) {
			return true
		}
	}
	return line.Commands[i].In(shell.InSubst)
}
