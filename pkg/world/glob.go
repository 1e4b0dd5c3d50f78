package world

import (
	"os"
	"path"
	"slices"
	"strings"
)

// maxListed bounds how many names of directories are compared for one pattern,
// and maxBranches how many directories are looked into.
const (
	maxListed   = 50000
	maxBranches = 1000
)

// Links returns where the symbolic links lead that a pattern of the shell can
// match, on the way or at its end; none where it matches no link. In a pattern
// * ? and [ are special unless a backslash quotes them. ok is false for a
// relative pattern, for what cannot be read, and for more names than are worth
// looking at.
func (w *World) Links(pattern string) (reals []string, ok bool) {
	if !strings.HasPrefix(pattern, "/") {
		return nil, false
	}
	s := search{world: w, left: maxListed, branches: maxBranches}
	ok = s.walk("/", pattern[1:], false)
	return s.reals, ok
}

// A search follows one pattern.
type search struct {
	world          *World
	reals          []string
	left, branches int
}

// walk looks for what a pattern matches below a directory. linked says that a
// link led there.
func (s *search) walk(dir, pattern string, linked bool) bool {
	for pattern != "" {
		elem, rest, more := strings.Cut(pattern, "/")
		if strings.ContainsAny(elem, `*?[`) {
			return s.list(dir, elem, rest, linked)
		}
		next := strings.TrimSuffix(dir, "/") + "/" + strings.ReplaceAll(elem, `\`, "")
		if _, err := os.Lstat(next); isAbsent(err) {
			return true // the pattern matches nothing
		}
		real, ok := s.world.RealPath(next)
		if !ok {
			return false
		}
		linked = linked || elem != "" && elem != "." && elem != ".." && real != path.Clean(next)
		dir, pattern = real, rest
		if !more {
			break
		}
	}
	return s.found(dir, linked)
}

// list goes on with every name of a directory that an element matches.
func (s *search) list(dir, elem, rest string, linked bool) bool {
	if s.branches--; s.branches < 0 {
		return false
	}
	deep := elem == "**" // any number of directories, in some shells
	if deep && !s.walk(dir, rest, linked) {
		return false
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return isAbsent(err)
	}
	if s.left -= len(entries); s.left < 0 {
		return false
	}
	for _, e := range entries {
		name := e.Name()
		if !mayMatch(elem, name) {
			continue
		}
		link := e.Type()&os.ModeSymlink != 0
		switch at := strings.TrimSuffix(dir, "/") + "/" + name; {
		case link:
			real, ok := s.world.RealPath(at)
			if !ok || !s.walk(real, rest, true) {
				return false
			}
		case deep && e.IsDir():
			if !s.walk(at, "**/"+rest, linked) {
				return false
			}
		case rest != "" && e.IsDir():
			if !s.walk(at, rest, linked) {
				return false
			}
		case rest == "" && !s.found(at, linked):
			return false
		}
	}
	return true
}

// mayMatch reports whether an element may match a name. What the shell makes of
// brackets may differ.
func mayMatch(elem, name string) bool {
	if name[0] == '.' && elem[0] != '.' {
		return false
	}
	matched, err := path.Match(elem, name)
	return matched || err != nil || strings.Contains(elem, "[")
}

// found notes what the pattern matches behind a link.
func (s *search) found(real string, linked bool) bool {
	if linked && !slices.Contains(s.reals, real) {
		s.reals = append(s.reals, real)
	}
	return len(s.reals) <= maxBranches
}
