package sensitive

import "strings"

// mayFind returns the first entry with one of the roles that a pattern of the
// shell can reach.
func (t *table) mayFind(glob *place, r Role) (*Entry, bool) {
	best := len(t.entries)
	if glob.coversHome() {
		best = t.anyEntry(r)
	}
	if glob.root >= 0 {
		best = t.reached(glob, atRoot, glob.root, r, best)
	}
	for _, at := range glob.homes {
		if at >= 0 {
			best = t.reached(glob, atHome, at, r, best)
		}
	}
	if glob.relative && len(glob.elems) > 0 && (glob.elem(0)[0] == '.' || glob.elem(0)[0] == '\\') {
		best = t.reached(glob, atHome, 0, r, best)
	}
	for at := range glob.elems {
		if isDeep(glob.elem(at)) {
			continue // what follows may lie at any depth
		}
		best = t.reached(glob, anywhere, at, r, best)
	}
	if best == len(t.entries) {
		return nil, false
	}
	return &t.entries[best], true
}

// anyEntry returns the first entry with one of the roles.
func (t *table) anyEntry(r Role) int {
	for i := range t.entries {
		if t.entries[i].Role&r != 0 {
			return i
		}
	}
	return len(t.entries)
}

// reached returns the least entry below best of which a pattern, laid on the
// shell's from the element with index at on, has a path in common with it.
func (t *table) reached(glob *place, a anchor, at int, r Role, best int) int {
	if at == len(glob.elems) {
		return best
	}
	lists := &t.starting[a]
	c := glob.elem(at)[0]
	if !isMeta(c) {
		best = t.firstReached(lists['*'], glob, at, r, best)
		return t.firstReached(lists[c], glob, at, r, best)
	}
	for b, list := range lists {
		if b != '.' || c == '\\' {
			best = t.firstReached(list, glob, at, r, best)
		}
	}
	return best
}

func (t *table) firstReached(list []*pattern, glob *place, at int, r Role, best int) int {
	elem := glob.elem(at)
	tail := elem[len(elem)-1]
	ends := !isMeta(tail)
	for _, p := range list {
		if ends && p.tail != tail && p.tail != '*' || p.entry >= best || t.entries[p.entry].Role&r == 0 {
			continue
		}
		// A pattern without an anchor lies everywhere: it must be spelt.
		if m := p.meetsAt(glob, at); m.ok && (m.named || p.anchor != anywhere) && !t.excepted(p.entry, glob) {
			best = p.entry
		}
	}
	return best
}

// coversHome reports whether the pattern is a recursion from a home directory or
// from above one.
func (p *place) coversHome() bool {
	n := len(p.elems)
	if n == 0 || !isDeep(p.elem(n-1)) || p.root < 0 && p.homes[0] < 0 {
		return false
	}
	for _, at := range p.homes {
		if at == n-1 {
			return true
		}
	}
	if p.root < 0 || n-1 < p.root {
		return false
	}
	if above := n - 1 - p.root; above != 1 {
		return above == 0
	}
	top := p.elem(p.root)
	for _, name := range [...]string{"home", "users", "root"} {
		if e := compileElem(name); e.meets(top).ok {
			return true
		}
	}
	return false
}

func isDeep(elem []byte) bool { return string(elem) == "**" }

// An overlap reports whether two patterns have a text in common, and whether one
// of the shell's own characters meets one that tells the entry from others.
type overlap struct{ ok, named bool }

// meetsAt compares the pattern with the shell's from the element with index
// at on. A recursion that spells no more of a file's path than the start of it
// names the file only where that is a hidden directory: app/** does not name
// app/etc/env.php.
func (p *pattern) meetsAt(glob *place, at int) overlap {
	named := false
	for i := range p.elems {
		if at+i == len(glob.elems) {
			return overlap{}
		}
		if isDeep(glob.elem(at + i)) {
			return overlap{true, named && (p.below || p.elems[0].text[0] == '.')}
		}
		m := p.elems[i].meets(glob.elem(at + i))
		if !m.ok {
			return m
		}
		named = named || m.named
	}
	next := at + len(p.elems)
	return overlap{next == len(glob.elems) || p.below || isDeep(glob.elem(next)), named}
}

// meets compares an element of an entry with one of the shell's pattern.
func (e *elem) meets(glob []byte) overlap {
	if len(glob) == 0 {
		return overlap{ok: e.text == ""}
	}
	if e.text[0] == '.' && glob[0] != '.' && glob[0] != '\\' {
		return overlap{} // nothing stands for a dot at the start
	}
	if len(glob) == 1 && glob[0] == '*' {
		return overlap{ok: true}
	}
	for i := 0; i < min(len(e.begin), len(glob)) && !isMeta(glob[i]); i++ {
		if glob[i] != e.begin[i] {
			return overlap{}
		}
	}
	end := e.end
	if !e.star {
		end = e.text
	}
	for i := 1; i <= min(len(end), len(glob)) && !isMeta(glob[len(glob)-i]); i++ {
		if glob[len(glob)-i] != end[len(end)-i] {
			return overlap{}
		}
	}
	work := maxMeet
	return meetFrom(e.text, glob, stem(e.text), &work)
}

func isMeta(c byte) bool { return c == '*' || c == '?' || c == '[' || c == ']' || c == '\\' }

// stem returns how many bytes of an element tell it from others: not the
// extension, unless that is all there is.
func stem(pat string) int {
	if strings.HasPrefix(pat, "*.") && !strings.Contains(pat[2:], ".") {
		return len(pat)
	}
	for i := len(pat) - 1; i > 0; i-- {
		if pat[i] == '.' {
			return i
		}
	}
	return len(pat)
}

// maxMeet bounds the steps of comparing two elements. A pattern that needs
// more is taken to meet.
const maxMeet = 4096

// meetFrom compares what is left of two elements. stem counts the bytes of
// pat that tell.
func meetFrom(pat string, glob []byte, stem int, work *int) overlap {
	if *work--; *work < 0 {
		return overlap{true, true}
	}
	if len(glob) > 0 && glob[0] == '*' {
		return either(meetFrom(pat, glob[1:], stem, work), func() overlap {
			if pat == "" {
				return overlap{}
			}
			return meetFrom(pat[1:], glob, stem-1, work)
		})
	}
	if pat == "" {
		return overlap{ok: len(glob) == 0}
	}
	if pat[0] == '*' {
		return either(meetFrom(pat[1:], glob, stem-1, work), func() overlap {
			if len(glob) == 0 {
				return overlap{}
			}
			_, size := first(glob)
			return meetFrom(pat, glob[size:], stem, work)
		})
	}
	if len(glob) == 0 {
		return overlap{}
	}
	c, size := first(glob)
	if c != anyByte && byte(c) != pat[0] {
		return overlap{}
	}
	m := meetFrom(pat[1:], glob[size:], stem-1, work)
	m.named = m.ok && (m.named || c != anyByte && stem > 0)
	return m
}

// either returns the better of two ways to compare.
func either(a overlap, other func() overlap) overlap {
	if a.ok && a.named {
		return a
	}
	if b := other(); b.ok {
		return b
	}
	return a
}

// anyByte stands for a character that may be any.
const anyByte = -1

// first returns the first character of a pattern that does not start with *,
// and how many bytes it takes. A bracket expression may be any character.
func first(glob []byte) (c, size int) {
	switch glob[0] {
	case '?':
		return anyByte, 1
	case '\\':
		if len(glob) > 1 {
			return int(glob[1]), 2
		}
	case '[':
		for i := 2; i < len(glob); i++ {
			if glob[i] == ']' && (i > 2 || glob[1] != '!' && glob[1] != '^') {
				return anyByte, i + 1
			}
		}
	}
	return int(glob[0]), 1
}
