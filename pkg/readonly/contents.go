package readonly

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

// A Below calls visit for what lies below a directory, as policy.World does.
type Below = func(dir string, visit func(path string, typ fs.FileMode) error) (ok bool)

// Contents calls visit for each file that command i of a line reads because it reads
// all below a directory, or that another command reads because this one found it there,
// until visit returns false. What is too large to be looked at is left out.
func Contents(line *shell.Line, i int, below Below, visit func(path string) bool) {
	c := &line.Commands[i]
	if c.Context != program.Local || listsFiles(c) && !handsOn(line, i) {
		return
	}
	f := chosen(c, walkOf(c))
	look := func(dir, target shell.Set) (more bool) {
		more = true
		w := shell.Word{Set: target}
		for _, path := range shell.Paths(dir, target) {
			f.under(&w, path).each(below, path, func(p string, _ fs.FileMode) bool {
				more = visit(p)
				return more
			})
			if !more {
				break
			}
		}
		return more
	}
	if roots, _ := c.SearchRoots(); roots != nil {
		for _, root := range roots {
			if !look(c.Dir, root) {
				return
			}
		}
		return
	}
	c.Effects(func(e shell.Effect) bool {
		return e.Kind != shell.Reads && e.Kind != shell.Moves || !e.Recursive || look(e.Dir, e.Target)
	})
}

// each calls visit for the files below a directory that the filter takes, until that
// returns false, and tells whether the whole directory was looked at.
func (f *filter) each(below Below, dir string, visit func(path string, typ fs.FileMode) bool) (known bool) {
	if dir == "" || dir[0] != '/' {
		return false
	}
	if f.pattern != "" {
		at := strings.IndexAny(dir, `*?[\`)
		if at < 0 {
			return false
		}
		dir = dir[:strings.LastIndexByte(dir[:at], '/')+1]
	}
	return below(dir, func(p string, typ fs.FileMode) error {
		name := p[strings.LastIndexByte(p, '/')+1:]
		switch {
		case typ.IsDir() && f.skips(p, name):
			return fs.SkipDir
		case !typ.IsRegular() && (!f.links || typ&fs.ModeSymlink == 0), f.onlyLinks && typ.IsRegular(), !f.reads(p, name):
			return nil
		}
		if !visit(p, typ) {
			return fs.SkipAll
		}
		return nil
	})
}

// listsFiles reports whether a command prints the names of files and not what is in
// them.
func listsFiles(c *shell.Command) bool {
	e := reading(c.Name)
	return e != nil && (e.Lists == "*" || c.Args.HasAny(e.Lists))
}

// handsOn reports whether another command reads the files that command i finds: it
// runs it, or gives it their names.
func handsOn(line *shell.Line, i int) bool {
	c := &line.Commands[i]
	gives := c.In(shell.InSubst) || slices.ContainsFunc(line.Commands, func(to shell.Command) bool { return to.Source == i })
	for k := range line.Commands {
		other := &line.Commands[k]
		switch {
		case k == i || listsFiles(other):
		case other.Parent == i, gives && (takesNames(other) || readsUnknown(other)):
			return true
		}
	}
	return false
}

// takesNames reports whether a command reads the names of files from its input.
func takesNames(c *shell.Command) bool {
	switch c.Name {
	case "cpio", "pax":
		return true
	case "tar", "bsdtar", "rsync":
		return c.Args.Has("T", "files-from")
	case "zip":
		return c.Args.Has("@", "names-stdin")
	}
	return false
}

// readsUnknown reports whether a command reads a file whose name is unknown.
func readsUnknown(c *shell.Command) (found bool) {
	c.Effects(func(e shell.Effect) bool {
		found = e.Kind == shell.Reads && e.Target.Open
		return !found
	})
	return found
}
