package lint

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"strings"
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
	seen  map[string]bool
	work  int // instructions that were followed
	// What follows is room that each step uses again.
	ways   []*way
	runs   []run
	key    []byte
	points []rune
	ranks  []int
}

// A textNode stands for the texts that lead all programs to the same place.
type textNode struct {
	runs   []run
	last   rune // -1 at the start
	parent int
}

// findText returns such a text. Where there is none, complete says that this
// is certain.
func findText(langs []*language, want []bool) (text string, found, complete bool) {
	s := &textSearch{langs: langs, want: want, seen: map[string]bool{}, ways: make([]*way, len(langs))}
	root := textNode{last: -1, parent: -1}
	for _, l := range langs {
		root.runs = append(root.runs, l.start())
	}
	s.add(root)
	for at := 0; at < len(s.nodes); at++ {
		if s.accepted(&s.nodes[at]) {
			return s.text(at), true, true
		}
		for _, rank := range s.runes(&s.nodes[at]) {
			if len(s.nodes) > maxNodes || s.work > maxWork {
				return "", false, false
			}
			s.read(at, ofStrangeness(rank))
		}
	}
	return "", false, true
}

// way returns what a run of a node leads to between two runes.
func (s *textSearch) way(i int, r *run, context syntax.EmptyOp) *way {
	w := s.langs[i].way(r, context)
	s.work += w.work
	return w
}

func (s *textSearch) accepted(n *textNode) bool {
	for i := range s.langs {
		r := &n.runs[i]
		if (r.done || s.way(i, r, syntax.EmptyOpContext(n.last, -1)).accepts) != s.want[i] {
			return false
		}
	}
	return true
}

// read adds the node that a rune leads to.
func (s *textSearch) read(at int, r rune) {
	from := &s.nodes[at]
	context := syntax.EmptyOpContext(from.last, r)
	for i := range s.langs {
		if !from.runs[i].done {
			s.ways[i] = s.way(i, &from.runs[i], context)
		}
	}
	s.runs = s.runs[:0]
	for i, l := range s.langs {
		next := run{done: true}
		if !from.runs[i].done {
			next = l.step(s.ways[i], r)
		}
		if s.want[i] && l.dead(&next) || !s.want[i] && next.done {
			return // it leads to no text
		}
		s.runs = append(s.runs, next)
	}
	s.add(textNode{last: r, parent: at, runs: s.runs})
}

// add keeps a node that is new.
func (s *textSearch) add(n textNode) {
	s.key = appendKey(s.key[:0], &n)
	if !s.seen[string(s.key)] {
		s.seen[string(s.key)] = true
		n.runs = slices.Clone(n.runs)
		s.nodes = append(s.nodes, n)
	}
}

// appendKey appends what is the same for texts that lead to the same place.
func appendKey(key []byte, n *textNode) []byte {
	key = append(key, 0)
	switch {
	case n.last < 0:
		key[0] = 1
	case n.last == '\n':
		key[0] = 2
	case syntax.IsWordChar(n.last):
		key[0] = 3
	}
	for _, r := range n.runs {
		if r.done {
			key = append(key, 0xff)
			continue
		}
		key = binary.AppendUvarint(key, uint64(len(r.threads)))
		for _, pc := range r.threads {
			key = binary.AppendUvarint(key, uint64(pc))
		}
	}
	return key
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
// program tells apart here, a pleasant one where possible, in order.
func (s *textSearch) runes(n *textNode) []int {
	points := append(s.points[:0], 0, unicode.MaxRune+1)
	for i, l := range s.langs {
		if n.runs[i].done {
			continue
		}
		if l.looks {
			points = append(points, '\n', '\n'+1, '0', '9'+1, 'A', 'Z'+1, '_', '_'+1, 'a', 'z'+1)
		}
		for _, pc := range s.way(i, &n.runs[i], ^syntax.EmptyOp(0)).takes {
			points = appendPoints(points, &l.prog.Inst[pc])
		}
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
