package permission

import (
	"cmp"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// A keeper is a [World] that also tells which files a git repository holds. Without one
// a command that shows what is in a repository may show any of its files.
type keeper interface {
	// Held calls visit for each file that the index of the repository of a directory
	// holds, by its path below the root and the name of its object, until visit returns
	// false. root is the root, "" where there is no repository.
	Held(dir string, visit func(path, object string) bool) (root string, ok bool)
}

// A holding is what the repository of a directory holds.
type holding struct {
	root    string // as people write it, "" where there is none
	files   []string
	objects []string // their names, in the same order
	known   bool
}

// maxHeld bounds how many files of a repository are looked at.
const maxHeld = 200_000

// holds returns what the repository of a directory holds.
func (in *View) holds(dir string) *holding {
	if h, found := in.held[dir]; found {
		return h
	}
	h := &holding{}
	if world, ok := in.World.(keeper); ok && strings.HasPrefix(dir, "/") {
		h.root, h.known = world.Held(dir, func(path, object string) bool {
			h.files, h.objects = append(h.files, path), append(h.objects, object)
			return len(h.files) < maxHeld
		})
		h.root, h.known = in.seen(h.root), h.known && len(h.files) < maxHeld
	}
	if in.held == nil {
		in.held = make(map[string]*holding)
	}
	in.held[dir] = h
	return h
}

// rootsOf returns the directories that may be the root of the repository in which some
// lie.
func (in *View) rootsOf(dirs shell.Set) shell.Set {
	out := shell.Set{Open: dirs.Open}
	for _, dir := range dirs.Values {
		if h := in.holds(dir); h.known && h.root != "" {
			out.Values = append(out.Values, h.root)
			continue
		}
		for at := dir; at != ""; at = at[:max(0, strings.LastIndexByte(at, '/'))] {
			out.Values = append(out.Values, at)
		}
	}
	return out
}

// A showing is what a command may show of a repository.
type showing struct {
	files contentList
	// dirs are the directories of which it may show whatever they hold or held. Where
	// that is unknown, it may be anything.
	dirs    []string
	unknown bool
	// all says that it shows all of the files, and not only what has changed.
	all bool
	at  *shell.Span // the command, nil where that is code
}

// hitsShown reports how far a permission means what commands show of a repository, and
// where the command is.
func (in *View) hitsShown(p *Pattern) (best Hit, at *shell.Span) {
	if p.tool.Kind != Reads {
		return None, nil
	}
	if !in.isShown {
		in.isShown = true
		in.findShown(in.Line, true)
		for _, line := range in.lines() {
			in.findShown(line, false)
		}
	}
	for i := range in.showings {
		if h := in.hitsShowing(p, &in.showings[i]); h > best {
			best, at = h, in.showings[i].at
		}
	}
	return best, at
}

func (in *View) hitsShowing(p *Pattern, s *showing) Hit {
	for _, dir := range s.dirs {
		if in.hitsPath(p, strings.TrimSuffix(dir, "/")+"/"+string(unknown)) {
			return Full
		}
	}
	if _, ok := in.among(p, s.files); ok {
		if s.all {
			return Full
		}
		return Maybe
	}
	if s.unknown && slices.ContainsFunc(s.dirs, func(dir string) bool { return in.mayPath(p, strings.TrimSuffix(dir, "/")+"/*") }) {
		return Maybe
	}
	return None
}

func (in *View) findShown(line *eval.Line, placed bool) {
	for i := range line.Commands {
		c := &line.Commands[i]
		shown, ok := c.Shown()
		if !ok || c.Context != program.Local {
			continue
		}
		dirs := shown.Dir.Values
		if len(dirs) == 0 || c.In(command.Adrift) && !slices.Contains(dirs, in.Dir) {
			dirs = append(slices.Clone(dirs), in.Dir)
		}
		for _, dir := range dirs {
			s := in.showing(&shown, dir)
			if placed {
				s.at = &c.Span
			}
			in.showings = append(in.showings, s)
		}
	}
}

// showing returns what a command shows of the repository of a directory.
func (in *View) showing(shown *command.Shown, dir string) showing {
	h := in.holds(dir)
	s := showing{all: shown.All}
	var named, without []area
	revisions, limited := len(shown.Paths) == 0, false
	for i := range shown.Paths {
		p := &shown.Paths[i]
		a := in.area(p, h, dir)
		if p.Kind == command.Either && !h.mayBe(&a) {
			revisions = true
			continue
		}
		named = append(named, a)
		limited = limited || p.Kind != command.Object
	}
	for i := range shown.Without {
		without = append(without, in.area(&shown.Without[i], h, dir))
	}
	whole := revisions && !limited
	if whole {
		s.dirs, s.unknown = []string{cmp.Or(h.root, dir)}, !h.known
	}
	for i := range named {
		switch {
		case named[i].match == nil:
			s.dirs = append(s.dirs, named[i].path)
		case !h.known:
			s.dirs, s.unknown = append(s.dirs, dir), true
		}
	}
	for k, file := range h.files {
		path := h.root + "/" + file
		shows := (whole || covered(named, path)) && !covered(without, path) || namesObject(shown, h.objects[k])
		if shows && !s.files.add(in, path, path, nil) {
			s.unknown = true
			break
		}
	}
	return s
}

// namesObject reports whether a command names a file by the beginning of the name of
// its object.
func namesObject(shown *command.Shown, object string) bool {
	const least = 4 // git takes no shorter one
	return slices.ContainsFunc(shown.Paths, func(p command.ShownPath) bool {
		return p.Kind == command.Either && slices.ContainsFunc(p.Target.Values, func(v string) bool {
			return len(v) >= least && strings.HasPrefix(object, strings.ToLower(v))
		})
	})
}

// An area is a file, or a directory with all below it, or those that a pattern means.
type area struct {
	path  string // as it is written, absolute
	real  string // where it leads
	match *glob  // nil where path is no pattern
}

func (in *View) area(p *command.ShownPath, h *holding, dir string) area {
	if p.AtRoot && h.root != "" {
		dir = h.root
	}
	text := first(p.Target)
	if p.Target.Glob {
		g := compileGlob(strings.TrimSuffix(shell.Abs(dir, text), "/"))
		return area{path: g.text, match: &g}
	}
	at := in.Place(dir, text)
	return area{path: at.Text, real: at.Real}
}

// covers reports whether a path of the repository lies in the area. What a pattern with
// brackets or backslashes means is read as more.
func (a *area) covers(path string) bool {
	if a.match == nil {
		return IsWithin(path, a.path) || IsWithin(path, a.real)
	}
	if at := strings.IndexAny(a.match.text, `[\`); at >= 0 {
		return strings.HasPrefix(path, a.match.text[:at])
	}
	for at := path; at != ""; at = at[:max(0, strings.LastIndexByte(at, '/'))] {
		if a.match.matches(at) {
			return true
		}
	}
	return false
}

func covered(areas []area, path string) bool {
	return slices.ContainsFunc(areas, func(a area) bool { return a.covers(path) })
}

// mayBe reports whether a word that is a revision or a path may be a path. Where it is
// not known what the repository holds, a revision has no dot or slash.
func (h *holding) mayBe(a *area) bool {
	if !h.known {
		name := a.path[strings.LastIndexByte(a.path, '/')+1:]
		return strings.Contains(name, ".") && !strings.Contains(name, "..")
	}
	return slices.ContainsFunc(h.files, func(file string) bool { return a.covers(h.root + "/" + file) })
}
