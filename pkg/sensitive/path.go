package sensitive

import (
	"unicode"
	"unicode/utf8"
)

// A place is a path as it is compared: elements in lower case, and where the
// root and the homes are among them.
type place struct {
	text  []byte
	elems []span
	// root is the index of the first element below the root, -1 if the path
	// cannot be absolute. homes are the same for home directories.
	root  int
	homes [2]int
	// relative says that the directory of the path is unknown.
	relative bool
}

// A span is the range of bytes [from, to) of a place's text.
type span struct{ from, to int }

func (p *place) elem(i int) []byte { return p.text[p.elems[i].from:p.elems[i].to] }

// is reports whether the element with index i is there and equal to s.
func (p *place) is(i int, s string) bool {
	return i < len(p.elems) && string(p.elem(i)) == s
}

// A room is the memory that reading a path of usual length takes.
type room struct {
	text  [256]byte
	elems [24]span
}

// read reads a path as seen from a directory or, if glob is set, a pattern.
func read(dir, path, home string, glob bool, room *room) place {
	text := room.text[:0]
	if dir != "" && !isAbs(path) {
		text = append(plain(text, dir), '/')
	}
	p := place{text: plain(text, path), elems: room.elems[:0], root: -1, homes: [2]int{-1, -1}}
	p.relative = len(p.text) == 0 || p.text[0] != '/' && (p.text[0] != '\\' || glob)
	from := 0
	for i, c := range p.text {
		switch {
		case c == '/' || c == '\\' && !glob:
			p.text[i] = '/'
			p.elems = p.with(span{from, from + trimmed(p.text[from:i])})
			from = i + 1
		case c >= 'A' && c <= 'Z':
			p.text[i] = c + 'a' - 'A'
		}
	}
	p.elems = p.with(span{from, from + trimmed(p.text[from:])})
	p.anchor(home)
	return p
}

// plain appends a path without what foldRunes takes away.
func plain(text []byte, path string) []byte {
	for i := range len(path) {
		if path[i] >= utf8.RuneSelf {
			return foldRunes(text, path)
		}
	}
	return append(text, path...)
}

// isAbs reports whether a path does not depend on a directory.
func isAbs(path string) bool {
	return path != "" && (path[0] == '/' || path[0] == '~' || path[0] == '\\') || len(path) > 1 && path[1] == ':'
}

// with returns the elements with one more; one that leads up takes away the
// one before it. A method that set them would move them to the heap.
func (p place) with(e span) []span {
	n := len(p.elems)
	switch elem := p.text[e.from:e.to]; {
	case len(elem) == 0, string(elem) == ".":
	case string(elem) != "..", n == 0 && p.relative, n > 0 && p.is(n-1, ".."):
		return append(p.elems, e)
	case n > 0:
		return p.elems[:n-1]
	}
	return p.elems
}

// foldRunes appends a path with characters beyond ASCII. Those that a file
// system without case takes for ASCII become ASCII, those that it ignores are
// dropped.
func foldRunes(text []byte, path string) []byte {
	for i, r := range path {
		switch {
		case r == 'ſ':
			text = append(text, 's')
		case r == '\u212a': // the Kelvin sign
			text = append(text, 'k')
		case r < utf8.RuneSelf || r == utf8.RuneError:
			text = append(text, path[i])
		case !unicode.Is(unicode.Cf, r):
			text = utf8.AppendRune(text, r)
		}
	}
	return text
}

// trimmed returns the length of an element without the blanks and dots at its
// end, which Windows ignores.
func trimmed(elem []byte) int {
	n := len(elem)
	for n > 0 && (elem[n-1] == '.' || elem[n-1] == ' ') {
		n--
	}
	if n == 0 {
		return len(elem)
	}
	return n
}

// anchor finds the root and the homes of a path.
func (p *place) anchor(home string) {
	if p.relative {
		p.anchorRelative()
	} else {
		p.root = 0
		p.homes[0] = p.below(home)
	}
	if p.root >= 0 {
		for n := p.detour(); n > 0; n = p.detour() {
			p.root += n
		}
		p.homes[1] = p.anyHome(p.root)
	}
}

// anchorRelative finds out whether a relative path is one after all: C:/x,
// ~/x, and ../../x, which may end at the root.
func (p *place) anchorRelative() {
	if len(p.elems) == 0 {
		return
	}
	switch {
	case p.elem(0)[0] == '~':
		p.relative, p.homes[0] = false, 1
	case p.isDrive(0):
		p.relative, p.root = false, 1
	case p.is(0, ".."):
		for p.is(0, "..") {
			p.elems = p.elems[1:]
		}
		p.root = 0
	}
}

func (p *place) isDrive(i int) bool {
	e := p.elem(i)
	return len(e) == 2 && e[1] == ':' && isLetter(e[0])
}

// below returns the index of the first element below a directory, -1 if the
// path is not there.
func (p *place) below(dir string) int {
	if dir == "" {
		return -1
	}
	n := 0
	for from, i := 0, 0; i <= len(dir); i++ {
		if i < len(dir) && dir[i] != '/' {
			continue
		}
		if elem := dir[from:i]; elem != "" {
			if n == len(p.elems) || !equalFold(p.elem(n), elem) {
				return -1
			}
			n++
		}
		from = i + 1
	}
	return n
}

func equalFold(lower []byte, s string) bool {
	if len(lower) != len(s) {
		return false
	}
	for i, c := range lower {
		if s[i] != c && (s[i] < 'A' || s[i] > 'Z' || s[i]+'a'-'A' != c) {
			return false
		}
	}
	return true
}

// detour returns how many elements lead only to the root again: /private of
// macOS, /proc/self/root, and the drives of Windows as Unix tools spell them.
func (p *place) detour() int {
	at, left := p.root, len(p.elems)-p.root
	switch {
	case p.is(at, "private") && (p.is(at+1, "etc") || p.is(at+1, "var")):
		return 1
	case left > 2 && p.is(at, "proc") && p.is(at+2, "root"):
		return 3
	case left > 0 && p.isDrive(at), left > 1 && p.isLetter(at):
		return 1
	case left > 2 && p.is(at, "mnt") && p.isLetter(at+1):
		return 2
	}
	return 0
}

func (p *place) isLetter(i int) bool {
	e := p.elem(i)
	return len(e) == 1 && isLetter(e[0])
}

// anyHome returns the index of the first element below the home of some user,
// -1 if there is none.
func (p *place) anyHome(root int) int {
	if root == len(p.elems) {
		return -1
	}
	switch string(p.elem(root)) {
	case "root", "~":
		return root + 1
	case "home", "users":
		if root+1 < len(p.elems) {
			return root + 2
		}
	case "var":
		if p.is(root+1, "root") {
			return root + 2
		}
	}
	return -1
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' }
