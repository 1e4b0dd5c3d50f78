package lint

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
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
	s := &textSearch{langs: langs, want: want, seen: map[string]bool{}}
	root := textNode{last: -1, parent: -1}
	for _, l := range langs {
		root.runs = append(root.runs, l.start())
	}
	s.add(root)
	limit := s.work() + maxWork
	for at := 0; at < len(s.nodes); at++ {
		if s.accepted(&s.nodes[at]) {
			return s.text(at), true, true
		}
		for _, r := range s.runes(&s.nodes[at]) {
			if len(s.nodes) > maxNodes || s.work() > limit {
				return "", false, false
			}
			s.add(s.after(at, r))
		}
	}
	return "", false, true
}

// work returns how many instructions the programs have followed so far.
func (s *textSearch) work() (n int) {
	for _, l := range s.langs {
		n += l.work
	}
	return n
}

func (s *textSearch) accepted(n *textNode) bool {
	for i, l := range s.langs {
		if l.accepts(n.runs[i], n.last) != s.want[i] {
			return false
		}
	}
	return true
}

func (s *textSearch) after(at int, r rune) textNode {
	n := textNode{last: r, parent: at, runs: make([]run, len(s.langs))}
	for i, l := range s.langs {
		n.runs[i] = l.step(s.nodes[at].runs[i], s.nodes[at].last, r)
	}
	return n
}

// add keeps a node that is new and can still lead to a text.
func (s *textSearch) add(n textNode) {
	for i, l := range s.langs {
		if s.want[i] && l.dead(n.runs[i]) || !s.want[i] && n.runs[i].done {
			return
		}
	}
	if key := s.key(&n); !s.seen[key] {
		s.seen[key] = true
		s.nodes = append(s.nodes, n)
	}
}

func (s *textSearch) key(n *textNode) string {
	key := []byte{0}
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
	return string(key)
}

func (s *textSearch) text(at int) string {
	var out []rune
	for ; s.nodes[at].parent >= 0; at = s.nodes[at].parent {
		out = append(out, s.nodes[at].last)
	}
	slices.Reverse(out)
	return string(out)
}

// runes returns one rune for each set of runes that no program tells apart
// here, pleasant ones where possible.
func (s *textSearch) runes(n *textNode) []rune {
	points := []rune{0, unicode.MaxRune + 1}
	for i, l := range s.langs {
		if n.runs[i].done {
			continue
		}
		if l.looks {
			points = append(points, '\n', '\n'+1, '0', '9'+1, 'A', 'Z'+1, '_', '_'+1, 'a', 'z'+1)
		}
		takes, _ := l.closure(n.runs[i].threads, ^syntax.EmptyOp(0))
		for _, pc := range takes {
			points = appendPoints(points, &l.prog.Inst[pc])
		}
	}
	slices.Sort(points)
	points = slices.Compact(points)
	var out []rune
	for i := range points[:len(points)-1] {
		if r, ok := pleasant(points[i], points[i+1]); ok {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b rune) int { return strangeness(a) - strangeness(b) })
	return out
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

func strangeness(r rune) int {
	for i, p := range pleasantRunes {
		if p == r {
			return i
		}
	}
	return len(pleasantRunes) + int(r)
}
