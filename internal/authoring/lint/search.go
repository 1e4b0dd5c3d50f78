package lint

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// maxNodes and maxWork bound a search for a text.
const (
	maxNodes = 3000
	maxWork  = 300_000 // instructions of the programs
)

// A textSearch looks for a text that some languages accept and others do not:
// the shortest path through the product of their automata.
type textSearch struct {
	langs []*language
	want  []bool
	nodes []textNode
	// states are those of all nodes, one for each language.
	states []*state
	seen   map[string]bool
	work   int // instructions that were followed
	// What follows is room that each step uses again.
	ways   []*way
	key    []byte
	points []rune
	ranks  []int
}

// A textNode stands for the texts that lead all programs to the same place.
type textNode struct {
	last   rune // -1 at the start
	parent int
}

// findText returns such a text. Where there is none, complete says that this
// is certain.
func findText(langs []*language, want []bool) (text string, found, complete bool) {
	s := textSearches.Get().(*textSearch)
	defer s.release()
	s.langs, s.want = langs, want
	s.ways = slices.Grow(s.ways, len(langs))[:len(langs)]
	for _, l := range langs {
		s.states = append(s.states, l.start())
	}
	s.add(textNode{last: -1, parent: -1})
	for at := 0; at < len(s.nodes); at++ {
		if s.accepted(at) {
			return s.text(at), true, true
		}
		for _, rank := range s.runes(at) {
			if len(s.nodes) > maxNodes || s.work > maxWork {
				return "", false, false
			}
			s.read(at, ofStrangeness(rank))
		}
	}
	return "", false, true
}

// textSearches are reused for their room.
var textSearches = sync.Pool{New: func() any { return &textSearch{seen: map[string]bool{}} }}

// release gives the search back without what it holds of languages.
func (s *textSearch) release() {
	clear(s.states)
	clear(s.ways)
	clear(s.seen)
	*s = textSearch{
		nodes: s.nodes[:0], states: s.states[:0], seen: s.seen,
		ways: s.ways[:0], key: s.key[:0], points: s.points[:0], ranks: s.ranks[:0],
	}
	textSearches.Put(s)
}

// of returns the states of a node.
func (s *textSearch) of(at int) []*state { return s.states[at*len(s.langs) : (at+1)*len(s.langs)] }

// way returns what a state leads to between two runes. The work counts as often
// as it is asked for.
func (s *textSearch) way(i int, from *state, context syntax.EmptyOp) *way {
	w := s.langs[i].way(from, context)
	s.work += w.work
	return w
}

func (s *textSearch) accepted(at int) bool {
	context := syntax.EmptyOpContext(s.nodes[at].last, -1)
	for i, from := range s.of(at) {
		if (from.done || s.way(i, from, context).accepts) != s.want[i] {
			return false
		}
	}
	return true
}

// read adds the node that a rune leads to.
func (s *textSearch) read(at int, r rune) {
	context := syntax.EmptyOpContext(s.nodes[at].last, r)
	for i, from := range s.of(at) {
		if !from.done {
			s.ways[i] = s.way(i, from, context)
		}
	}
	before := len(s.states)
	for i, next := range s.of(at) {
		l := s.langs[i]
		if !next.done {
			next = l.step(s.ways[i], r)
		}
		if s.want[i] && l.dead(next) || !s.want[i] && next.done {
			s.states = s.states[:before]
			return // it leads to no text
		}
		s.states = append(s.states, next)
	}
	s.add(textNode{last: r, parent: at})
}

// add keeps a node, whose states are the last, if it is new.
func (s *textSearch) add(n textNode) {
	s.key = append(s.key[:0], 0)
	switch {
	case n.last < 0:
		s.key[0] = 1
	case n.last == '\n':
		s.key[0] = 2
	case syntax.IsWordChar(n.last):
		s.key[0] = 3
	}
	own := s.of(len(s.nodes))
	for _, state := range own {
		s.key = binary.AppendUvarint(s.key, uint64(state.id))
	}
	if s.seen[string(s.key)] {
		s.states = s.states[:len(s.states)-len(own)]
		return
	}
	s.seen[string(s.key)] = true
	s.nodes = append(s.nodes, n)
}

func (s *textSearch) text(at int) string {
	var out []rune
	for ; s.nodes[at].parent >= 0; at = s.nodes[at].parent {
		out = append(out, s.nodes[at].last)
	}
	slices.Reverse(out)
	return string(out)
}

// runes returns the strangeness of one rune for each set of runes that no
// program tells apart here, a pleasant one where possible, in order; of one alone
// where a program that must accept the text takes no other.
func (s *textSearch) runes(at int) []int {
	points := append(s.points[:0], 0, unicode.MaxRune+1)
	for i, from := range s.of(at) {
		if from.done {
			continue
		}
		if s.langs[i].looks {
			points = append(points, '\n', '\n'+1, '0', '9'+1, 'A', 'Z'+1, '_', '_'+1, 'a', 'z'+1)
		}
		w := s.way(i, from, ^syntax.EmptyOp(0))
		if s.want[i] && w.only >= 0 {
			s.points, s.ranks = points, append(s.ranks[:0], strangeness(w.only))
			return s.ranks
		}
		points = append(points, w.points...)
	}
	slices.Sort(points)
	points = slices.Compact(points)
	s.points, s.ranks = points, s.ranks[:0]
	for i := range points[:len(points)-1] {
		if r, ok := pleasant(points[i], points[i+1]); ok {
			s.ranks = append(s.ranks, strangeness(r))
		}
	}
	slices.Sort(s.ranks)
	return s.ranks
}

// appendPoints adds where the runes that an instruction takes begin and end.
func appendPoints(points []rune, inst *syntax.Inst) []rune {
	switch inst.Op {
	case syntax.InstRuneAny:
		return points
	case syntax.InstRuneAnyNotNL:
		return append(points, '\n', '\n'+1)
	}
	if len(inst.Rune) == 1 {
		first := inst.Rune[0]
		points = append(points, first, first+1)
		if syntax.Flags(inst.Arg)&syntax.FoldCase != 0 {
			for r := unicode.SimpleFold(first); r != first; r = unicode.SimpleFold(r) {
				points = append(points, r, r+1)
			}
		}
		return points
	}
	for i := 0; i+1 < len(inst.Rune); i += 2 {
		points = append(points, inst.Rune[i], inst.Rune[i+1]+1)
	}
	return points
}

const pleasantRunes = "xabcdefghijklmnopqrstuvwyz0123456789XABCDEFGHIJKLMNOPQRSTUVWYZ-_./ "

// pleasant returns a rune from lo up to but not including hi.
func pleasant(lo, hi rune) (rune, bool) {
	if hi == lo+1 {
		return lo, utf8.ValidRune(lo)
	}
	for _, r := range pleasantRunes {
		if lo <= r && r < hi {
			return r, true
		}
	}
	if lo < '!' && '!' < hi {
		return '!', true
	}
	for r := lo; r < hi; r++ {
		if utf8.ValidRune(r) {
			return r, true
		}
		r = 0xDFFF // the surrogates end here
	}
	return 0, false
}

// strangeness ranks runes, each differently.
func strangeness(r rune) int {
	if r < utf8.RuneSelf {
		if i := strings.IndexByte(pleasantRunes, byte(r)); i >= 0 {
			return i
		}
	}
	return len(pleasantRunes) + int(r)
}

func ofStrangeness(rank int) rune {
	if rank < len(pleasantRunes) {
		return rune(pleasantRunes[rank])
	}
	return rune(rank - len(pleasantRunes))
}
