package readonly

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// A walker calls visit for what lies below a directory, as policy.World does.
type walker = func(dir string, visit func(path string, typ fs.FileMode) error) (ok bool)

// A doing selects what commands do to files.
type doing func(command.EffectKind) bool

func anything(command.EffectKind) bool { return true }

// Contents calls visit for each file to which command i of a line does something because
// it does so to all below a directory, or to which another command does it because this
// one found it there, until visit returns false. What is too large to be looked at is
// left out. home is the home directory.
func Contents(line *eval.Line, i int, does func(command.EffectKind) bool, home string, below walker, visit func(path string) bool) {
	c := &line.Commands[i]
	lists := listsFiles(c)
	if c.Context != program.Local || lists && !doing(does).handsOn(line, i) && !c.Args.Has("delete") {
		return
	}
	f := chosen(c, walkOf(c))
	f.git = true
	look := func(e *command.Effect) (more bool) {
		dir, target := e.Dir, e.Target
		more = true
		w := shell.Word{Set: target}
		f.dots = w.Glob && (line.MatchesHidden() || w.Open && slices.ContainsFunc(line.Commands, func(c command.Command) bool { return listsHidden(&c) }))
		for _, path := range shell.Paths(dir, target) {
			if e.Itself && isLink(below, path) {
				continue
			}
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
			if !look(&command.Effect{Dir: c.Dir, Target: root}) {
				return
			}
		}
		return
	}
	all := func(e command.Effect) bool {
		means := lists && e.Kind == command.Reads || e.Kind != command.Writes && does(e.Kind) // what is copied into a directory need not touch what lies there
		return !e.Recursive || !means || look(&e)
	}
	c.Effects(all)
	f = &filter{other: true, hidden: true, git: true}
	c.CodeEffects(home, all)
}

// isLink reports whether a path is known to be a link.
func isLink(below walker, path string) (found bool) {
	below(path[:strings.LastIndexByte(path, '/')+1], func(p string, typ fs.FileMode) error {
		switch {
		case p == path:
			found = typ&fs.ModeSymlink != 0
			return fs.SkipAll
		case typ.IsDir():
			return fs.SkipDir
		}
		return nil
	})
	return found
}

// each calls visit for the files below a directory that the filter takes, until that
// returns false, and tells whether the whole directory was looked at.
func (f *filter) each(below walker, dir string, visit func(path string, typ fs.FileMode) bool) (known bool) {
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
		case typ.IsDir() && (f.skips(p, name) || f.depth > 0 && strings.Count(p[len(strings.TrimSuffix(dir, "/")):], "/") >= f.depth):
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
func listsFiles(c *command.Command) bool {
	e := reading(c.Name)
	return e != nil && (e.Lists == "*" || c.Args.HasAny(e.Lists))
}

// handsOn reports whether another command does something to the files that command i
// finds: this one runs it, or gives it their names.
func (does doing) handsOn(line *eval.Line, i int) bool {
	c := &line.Commands[i]
	gives := c.In(command.InSubst) || slices.ContainsFunc(line.Commands, func(to command.Command) bool { return to.Source == i })
	for k := range line.Commands {
		other := &line.Commands[k]
		switch {
		case k == i || listsFiles(other):
		case gives && (does.toUnknown(other) || does(command.Reads) && takesNames(other)):
			return true
		case other.Parent == i && (does.toUnknown(other) || !doing(anything).toUnknown(other) && (does(command.Reads) || other.MayChange() && len(other.Args.Operands) == 0)):
			return true // fd adds the names
		}
	}
	return false
}

// takesNames reports whether a command reads the names of files from its input.
func takesNames(c *command.Command) bool {
	return c.Does("names")
}

// toUnknown reports whether a command does something to a file whose name is unknown.
func (does doing) toUnknown(c *command.Command) (found bool) {
	c.Effects(func(e command.Effect) bool {
		found = e.Target.Open && does(e.Kind)
		return !found
	})
	return found
}
