package sensitive

import (
	"slices"
	"strings"
	"sync"
)

// An anchor says where a pattern starts.
type anchor uint8

const (
	anywhere anchor = iota
	atHome
	atRoot
)

// An elem is an element of a pattern. What stands before its first * and behind
// its last one is begin and end; where it has none, begin is all of it.
type elem struct {
	text       string
	begin, end string
	star       bool
}

func compileElem(s string) elem {
	e := elem{text: s, begin: s}
	if i := strings.IndexByte(s, '*'); i >= 0 {
		e.star, e.begin, e.end = true, s[:i], s[strings.LastIndexByte(s, '*')+1:]
	}
	return e
}

// A pattern is a pattern of an entry as it is compared.
type pattern struct {
	entry  int
	anchor anchor
	elems  []elem
	tail   byte // the last of the first element
	below  bool // what lies below matches too
}

func compile(s string, entry int) pattern {
	p := pattern{entry: entry}
	s, p.below = strings.CutSuffix(strings.ToLower(s), "/**")
	switch {
	case strings.HasPrefix(s, "/"):
		p.anchor, s = atRoot, s[1:]
	case strings.HasPrefix(s, "~/"):
		p.anchor, s = atHome, s[2:]
	}
	for e := range strings.SplitSeq(s, "/") {
		p.elems = append(p.elems, compileElem(e))
	}
	p.tail = s[len(p.elems[0].text)-1]
	return p
}

// matches reports whether the pattern matches the path.
func (p *pattern) matches(path *place) bool {
	switch p.anchor {
	case atRoot:
		return path.root >= 0 && p.startsAt(path, path.root)
	case atHome:
		for _, at := range path.homes {
			if at >= 0 && p.startsAt(path, at) {
				return true
			}
		}
		// A relative path may start in a home, but only a name with a dot
		// tells one from any other directory.
		return path.relative && p.elems[0].text[0] == '.' && p.startsAt(path, 0)
	}
	last := len(path.elems) - len(p.elems)
	first := last
	if p.below {
		first = 0
	}
	for at := max(first, 0); at <= last; at++ {
		if p.startsAt(path, at) {
			return true
		}
	}
	return false
}

// startsAt reports whether the path from the element with index at on matches
// the pattern.
func (p *pattern) startsAt(path *place, at int) bool {
	left := len(path.elems) - at
	if left < len(p.elems) || left > len(p.elems) && !p.below {
		return false
	}
	for i := range p.elems {
		if !p.elems[i].matches(path.elem(at + i)) {
			return false
		}
	}
	return true
}

// matches matches an element of a path.
func (e *elem) matches(text []byte) bool {
	if !e.star {
		return string(text) == e.text
	}
	from, to := len(e.begin), len(text)-len(e.end)
	if from > to || string(text[:from]) != e.begin || string(text[to:]) != e.end {
		return false
	}
	if len(e.text) == len(e.begin)+1+len(e.end) {
		return true
	}
	return matchElem(e.text[from:], text[from:])
}

// matchElem matches a part of an element, where * stands for any text.
func matchElem(pat string, text []byte) bool {
	literal, rest, star := strings.Cut(pat, "*")
	if !star {
		return pat == string(text)
	}
	if len(text) < len(literal) || string(text[:len(literal)]) != literal {
		return false
	}
	text = text[len(literal):]
	for i := 0; i <= len(text); i++ {
		if matchElem(rest, text[i:]) {
			return true
		}
	}
	return false
}

// A table is all patterns, ordered by a part of them that is quick to find.
type table struct {
	entries  []Entry
	patterns []pattern
	except   [][]pattern // by entry
	// named holds the patterns with an element without a star, by the last
	// such element.
	named map[string][]*pattern
	// sizes holds the lengths of the keys of named by their first byte, a bit
	// each, so that most elements are not looked up.
	sizes [256]uint64
	// suffixed holds those of the others that end in .EXT, by EXT.
	suffixed map[string][]*pattern
	// loose holds the rest, by their first byte.
	loose [256][]*pattern
	// starting holds all patterns by their anchor and their first byte.
	starting [3][256][]*pattern
}

var index = sync.OnceValue(func() *table {
	t := &table{
		entries:  slices.Concat(secrets, projectSecrets, systemSecrets, triggers, projectFiles),
		named:    make(map[string][]*pattern),
		suffixed: make(map[string][]*pattern),
	}
	t.except = make([][]pattern, len(t.entries))
	for i := range t.entries {
		for _, s := range t.entries[i].Patterns {
			t.patterns = append(t.patterns, compile(s, i))
		}
		for _, s := range t.entries[i].Except {
			t.except[i] = append(t.except[i], compile(s, i))
		}
	}
	for i := range t.patterns {
		t.place(&t.patterns[i])
	}
	return t
})

// place puts a pattern where find and mayFind look for it.
func (t *table) place(p *pattern) {
	list := &t.starting[p.anchor][p.elems[0].text[0]]
	*list = append(*list, p)
	for i := len(p.elems) - 1; i >= 0; i-- {
		if e := p.elems[i].text; !p.elems[i].star {
			t.named[e] = append(t.named[e], p)
			t.sizes[e[0]] |= sizeBit(len(e))
			return
		}
	}
	last := p.elems[len(p.elems)-1].text
	ext := last[strings.LastIndexByte(last, '.')+1:]
	if len(ext) < len(last) && !strings.Contains(ext, "*") {
		t.suffixed[ext] = append(t.suffixed[ext], p)
		return
	}
	if last[0] == '*' || p.below || len(p.elems) > 1 {
		panic("sensitive: nothing to find the pattern " + last + " by")
	}
	t.loose[last[0]] = append(t.loose[last[0]], p)
}

// find returns the first entry with one of the roles that a path matches.
func (t *table) find(path *place, r Role) (*Entry, bool) {
	if len(path.elems) == 0 {
		return nil, false
	}
	best := len(t.entries)
	for i := range path.elems {
		if e := path.elem(i); t.sizes[e[0]]&sizeBit(len(e)) != 0 {
			best = t.first(t.named[string(e)], path, r, best)
		}
	}
	last := path.elem(len(path.elems) - 1)
	if ext := last[extension(last):]; len(ext) > 0 {
		best = t.first(t.suffixed[string(ext)], path, r, best)
	}
	best = t.first(t.loose[last[0]], path, r, best)
	if best == len(t.entries) {
		return nil, false
	}
	return &t.entries[best], true
}

// sizeBit returns the bit of a length.
func sizeBit(n int) uint64 { return 1 << min(n, 63) }

// extension returns the index behind the last dot, the length if there is
// none.
func extension(elem []byte) int {
	for i := len(elem); i > 0; i-- {
		if elem[i-1] == '.' {
			return i
		}
	}
	return len(elem)
}

// first returns the least entry below best that one of the patterns makes
// the path match.
func (t *table) first(list []*pattern, path *place, r Role, best int) int {
	for _, p := range list {
		if p.entry < best && t.entries[p.entry].Role&r != 0 && p.matches(path) && !t.excepted(p.entry, path) {
			best = p.entry
		}
	}
	return best
}

func (t *table) excepted(entry int, path *place) bool {
	for i := range t.except[entry] {
		if t.except[entry][i].matches(path) {
			return true
		}
	}
	return false
}
