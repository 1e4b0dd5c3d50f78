package permission

import (
	"cmp"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/support/weburl"
)

// A Place is what a path of a call names.
type Place struct {
	// Text is the path as it is written, absolute where its directory is known,
	// and cleaned.
	Text string
	// Real is the path after every link, as seen from the directories of the
	// call; where there is no World it is Text.
	Real string
	// Sure says that Real is known.
	Sure bool
}

// Place finds what a path means in a directory, which is "" where it is not
// known. Behind a link ".." is the parent of what the link leads to, so that
// the path must not be cleaned before.
func (in *View) Place(dir, path string) Place {
	if dir != "" && !shell.IsAbs(path) {
		path = strings.TrimSuffix(dir, "/") + "/" + path
	}
	own := ownProcess(path, dir)
	p := Place{Text: shell.Clean(own), Sure: own == path}
	p.Real = p.Text
	if in.World == nil || !strings.HasPrefix(own, "/") {
		return p
	}
	real, ok := in.RealPath(own)
	if p.Sure = p.Sure && ok; ok && real != p.Text {
		p.Real = in.seen(real)
	}
	return p
}

// name is Place for a path that is meant itself where it is a link.
func (in *View) name(dir, path string) Place {
	if dir != "" && !shell.IsAbs(path) {
		path = strings.TrimSuffix(dir, "/") + "/" + path
	}
	base := shell.Base(path)
	at := in.Place("", strings.TrimSuffix(path, base))
	if !at.Sure || !strings.HasPrefix(at.Text, "/") {
		return in.Place("", path)
	}
	at.Text, at.Real = shell.Abs(at.Text, base), shell.Abs(at.Real, base)
	return at
}

// Subject returns the place of a subject of a file tool, which may take a URL for the
// path in it or for a name.
func (in *View) Subject(s string) Place {
	path, isURL := weburl.File(s)
	path = ExpandHome(path, in.Home)
	p := in.Place(in.Dir, path)
	p.Sure = p.Sure && !isURL && !strings.HasPrefix(path, "~") // another user's home, or a name
	return p
}

// Readings returns the path in all its forms.
func (p *Place) Readings() []string {
	if p.Real == p.Text {
		return []string{p.Text}
	}
	return []string{p.Text, p.Real}
}

// Places returns the places that a set of paths may name, without those of
// patterns.
func (in *View) Places(dir, s shell.Set) []Place {
	return in.places(&command.Effect{Dir: dir, Target: s})
}

// places returns those of an effect.
func (in *View) places(e *command.Effect) []Place {
	find, dir, s := in.Place, e.Dir, e.Target
	if e.AtRoot {
		dir = in.rootsOf(dir)
	}
	if e.Itself {
		find = in.name
	}
	var out []Place
	for _, v := range s.Values {
		if len(dir.Values) == 0 || strings.HasPrefix(v, "/") && !strings.HasPrefix(v, "/proc/") {
			out = append(out, find("", v))
			continue
		}
		for _, d := range dir.Values {
			out = append(out, find(d, v))
		}
	}
	return out
}

// ownProcess replaces the names below /proc for the directory of the process
// itself and for the root. Whose they are is not certain.
func ownProcess(path, dir string) string {
	rest, ok := strings.CutPrefix(path, "/proc/")
	if !ok {
		return path
	}
	process, rest, _ := strings.Cut(rest, "/")
	name, rest, _ := strings.Cut(rest, "/")
	switch {
	case name == "root":
		return "/" + rest
	case name == "cwd" && dir != "" && strings.HasSuffix(process, "self"):
		return dir + "/" + rest
	}
	return path
}

// RealPath follows every link of a path. Where the line has left a directory
// that is itself behind a link, the shell may have taken either parent, and
// what the two do not agree on is unknown.
func (in *View) RealPath(path string) (string, bool) {
	real, ok := in.World.RealPath(path)
	if !ok || !in.Astray {
		return real, ok
	}
	base, ok := in.World.RealPath(in.Dir)
	if !ok {
		return "", false
	}
	other, ok := in.World.RealPath(base + "/" + relative(shell.Clean(in.Dir), path))
	return real, ok && other == real
}

// relative returns a path as seen from a cleaned directory.
func relative(dir, path string) string {
	if dir == "/" {
		return strings.TrimPrefix(path, "/")
	}
	if rest, ok := strings.CutPrefix(path, dir+"/"); ok {
		return rest
	}
	return "../" + relative(dir[:max(1, strings.LastIndexByte(dir, '/'))], path)
}

// A root is a directory that has another name behind links.
type root struct{ real, text string }

// systemRoots are directories that are links on some systems.
var systemRoots = [...]string{"/tmp", "/var", "/etc", "/home"}

// seen returns a path without links as people write it: below the directories
// of the call and of the system by their own names.
func (in *View) seen(real string) string {
	if in.roots == nil {
		in.roots = make([]root, 0, 4)
		for _, dir := range append([]string{cmp.Or(in.Project, in.Dir), in.Session, in.Home}, systemRoots[:]...) {
			if !strings.HasPrefix(dir, "/") {
				continue
			}
			dir = shell.Clean(dir)
			if to, ok := in.World.RealPath(dir); ok && to != dir {
				in.roots = append(in.roots, root{to, dir})
			}
		}
	}
	for _, at := range in.roots {
		if IsWithin(real, at.real) {
			return at.text + real[len(at.real):]
		}
	}
	return real
}

// Linked returns where the links lead that a pattern of the shell can match,
// and whether that is known.
func (in *View) Linked(dir, s shell.Set) (reals []string, ok bool) {
	if in.World == nil {
		return nil, true
	}
	for _, p := range shell.Paths(dir, s) {
		if !strings.HasPrefix(p, "/") {
			continue
		}
		list, known := in.World.Links(p)
		if !known {
			return nil, false
		}
		for _, real := range list {
			if seen := in.seen(real); !slices.Contains(reals, seen) {
				reals = append(reals, seen)
			}
		}
	}
	return reals, true
}

// Base returns the directory in which relative patterns hold: that of the
// project, or else that in which the agent stands. Where the arguments of the
// call move it does not widen what a pattern allows.
func (in *View) Base() string {
	if strings.HasPrefix(in.Project, "/") {
		return shell.Clean(in.Project)
	}
	return strings.TrimSuffix(cmp.Or(in.Stands, in.Dir), "/")
}

// below returns a path as seen from a directory, where it lies below it.
func below(path, dir string) (string, bool) {
	if dir == "" {
		return "", false
	}
	return strings.CutPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// foldsCase reports whether two paths that differ only in case may name the same
// file, as they may on a system that is unknown.
func (in *View) foldsCase() bool { return in.OS != "linux" }

// IsWithin reports whether a cleaned path is a directory or lies below it.
func IsWithin(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}
