package policy

import (
	"cmp"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/shell"
)

// A place is what a path of a call names.
type place struct {
	// text is the path as it is written, absolute where its directory is known,
	// and cleaned.
	text string
	// real is the path after every link, as seen from the directories of the
	// call; where there is no World it is text.
	real string
	// sure says that real is known.
	sure bool
}

// place finds what a path means in a directory, which is "" where it is not
// known. Behind a link ".." is the parent of what the link leads to, so that
// the path must not be cleaned before.
func (r *run) place(dir, path string) place {
	if dir != "" && !isAbs(path) {
		path = strings.TrimSuffix(dir, "/") + "/" + path
	}
	own := ownProcess(path, dir)
	p := place{text: shell.Clean(own), sure: own == path}
	p.real = p.text
	if r.e.options.World == nil || !strings.HasPrefix(own, "/") {
		return p
	}
	real, ok := r.realPath(own)
	if p.sure = p.sure && ok; ok && real != p.text {
		p.real = r.seen(real)
	}
	return p
}

// subject returns the place of a subject of a file tool.
func (r *run) subject(s string) place { return r.place(r.call.Dir, expandHome(s, r.call.Home)) }

// readings returns the path in all its forms.
func (p *place) readings() []string {
	if p.real == p.text {
		return []string{p.text}
	}
	return []string{p.text, p.real}
}

// places returns the places that a set of paths may name, without those of
// patterns.
func (r *run) places(dir, s shell.Set) []place {
	var out []place
	for _, v := range s.Values {
		if len(dir.Values) == 0 || strings.HasPrefix(v, "/") && !strings.HasPrefix(v, "/proc/") {
			out = append(out, r.place("", v))
			continue
		}
		for _, d := range dir.Values {
			out = append(out, r.place(d, v))
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

// realPath follows every link of a path. Where the line has left a directory
// that is itself behind a link, the shell may have taken either parent, and
// what the two do not agree on is not known.
func (r *run) realPath(path string) (string, bool) {
	real, ok := r.e.options.World.RealPath(path)
	if !ok || !r.astray {
		return real, ok
	}
	base, ok := r.e.options.World.RealPath(r.call.Dir)
	if !ok {
		return "", false
	}
	other, ok := r.e.options.World.RealPath(base + "/" + relative(shell.Clean(r.call.Dir), path))
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
func (r *run) seen(real string) string {
	if r.roots == nil {
		r.roots = make([]root, 0, 4)
		for _, dir := range append([]string{r.call.Dir, r.call.ProjectDir, r.call.SessionDir, r.call.Home}, systemRoots[:]...) {
			if !strings.HasPrefix(dir, "/") {
				continue
			}
			dir = shell.Clean(dir)
			if to, ok := r.e.options.World.RealPath(dir); ok && to != dir {
				r.roots = append(r.roots, root{to, dir})
			}
		}
	}
	for _, at := range r.roots {
		if isWithin(real, at.real) {
			return at.text + real[len(at.real):]
		}
	}
	return real
}

// linked returns where the links lead that a pattern of the shell can match,
// and whether that is known.
func (r *run) linked(dir, s shell.Set) (reals []string, ok bool) {
	if r.e.options.World == nil {
		return nil, true
	}
	for _, p := range shell.Paths(dir, s) {
		if !strings.HasPrefix(p, "/") {
			continue
		}
		list, known := r.e.options.World.Links(p)
		if !known {
			return nil, false
		}
		for _, real := range list {
			if seen := r.seen(real); !slices.Contains(reals, seen) {
				reals = append(reals, seen)
			}
		}
	}
	return reals, true
}

// base returns the directory in which relative patterns hold: that of the
// project, or else that in which the agent stands. Where the arguments of the
// call move it does not widen what a pattern allows.
func (r *run) base() string {
	if strings.HasPrefix(r.call.ProjectDir, "/") {
		return shell.Clean(r.call.ProjectDir)
	}
	return strings.TrimSuffix(cmp.Or(r.stands, r.call.Dir), "/")
}

// below returns a path as seen from a directory, where it lies below it.
func below(path, dir string) (string, bool) {
	if dir == "" {
		return "", false
	}
	return strings.CutPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// foldsCase reports whether two paths that differ only in case may name the same
// file, as they may on a system that is not known.
func (r *run) foldsCase() bool { return r.call.OS != "linux" }
