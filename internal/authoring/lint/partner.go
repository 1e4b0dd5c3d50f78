package lint

import (
	"fmt"
	"iter"
	"slices"
	"sort"
	"strings"
)

// A partners finds the rules that may contradict one, without a look at all
// pairs. Rules that demand values of the same fields form a kind; within it,
// those whose values meet are looked up.
type partners struct {
	subjects []*subject
	kinds    []*kind
	byKey    map[string]*kind
	// ranks holds for each subject where those of its rank begin.
	ranks []int
	// vain counts for two kinds the searches since the last that found a record
	// which rules of both match.
	vain map[kinds]int
}

// A kinds is that of a rule, and of one that is asked before it.
type kinds struct{ of, before *kind }

// A kind is the rules with the same verb, facets and fields of claims.
type kind struct {
	first *subject // which tells what they have in common
	all   []int    // their places, ascending
	// by holds for each claim, in its order, what finds those that meet it.
	by []claimIndex
}

// A claimIndex finds the rules of a kind by what they claim of one field.
type claimIndex struct {
	texts map[string][]int // places by the text, or the beginning
	// sorted are the texts, and lengths those of beginnings, once asked for.
	sorted  []string
	lengths []int
}

// newPartners looks at all rules, in the order in which they are asked.
func newPartners(subjects []*subject) *partners {
	p := &partners{subjects: subjects, byKey: make(map[string]*kind), vain: make(map[kinds]int), ranks: make([]int, len(subjects))}
	for i, s := range subjects {
		if p.ranks[i] = i; i > 0 && sameRank(subjects[i-1].Rule, s.Rule) {
			p.ranks[i] = p.ranks[i-1]
		}
		p.add(s)
	}
	for _, k := range p.kinds {
		for c := range k.by {
			k.by[c].finish(k.first.claims[c].texts == nil)
		}
	}
	return p
}

// before yields the rules before another one that may contradict it, the last
// first: of its rank, with another verb, and about the same calls.
func (p *partners) before(s *subject) iter.Seq[*subject] {
	return func(yield func(*subject) bool) {
		var lists [][]int
		for _, k := range p.kinds {
			if k.first.Decision.Verb != s.Decision.Verb && together(k.first, s) && p.vain[kinds{s.kind, k}] < maxVain {
				lists = append(lists, k.meeting(s)...)
			}
		}
		for i, list := range lists {
			lists[i] = list[:sort.SearchInts(list, s.at)]
		}
		for {
			at := popLast(lists)
			if at < p.ranks[s.at] || !yield(p.subjects[at]) {
				return
			}
		}
	}
}

// met notes that a record was found which two rules match.
func (p *partners) met(e, s *subject) { delete(p.vain, kinds{s.kind, e.kind}) }

// inVain notes that none was found, and reports whether that was once too often for
// their kinds.
func (p *partners) inVain(e, s *subject) bool {
	at := kinds{s.kind, e.kind}
	p.vain[at]++
	return p.vain[at] >= maxVain
}

// popLast takes the greatest number from the ends of ascending lists, -1 from
// empty ones.
func popLast(lists [][]int) int {
	last := -1
	for _, list := range lists {
		if n := len(list); n > 0 {
			last = max(last, list[n-1])
		}
	}
	for i, list := range lists {
		for n := len(list); n > 0 && list[n-1] == last; n-- {
			lists[i] = list[:n-1]
		}
	}
	return last
}

// meeting returns the places of rules of the kind, among them all that demand
// no other values than a rule does: those that the claim leaves which leaves
// the fewest.
func (k *kind) meeting(s *subject) [][]int {
	best, fewest := [][]int{k.all}, len(k.all)
	for i := range k.by {
		for j := range s.claims {
			c, other := &k.first.claims[i], &s.claims[j]
			if c.list || c.at != other.at || k.by[i].begin(other) {
				continue
			}
			lists := k.by[i].meeting(c.texts == nil, other)
			n := 0
			for _, list := range lists {
				n += len(list)
			}
			if n < fewest {
				best, fewest = lists, n
			}
		}
	}
	if len(best) > maxLists {
		all := slices.Concat(best...)
		slices.Sort(all)
		return [][]int{all}
	}
	return best
}

// maxLists is how many lists are walked side by side.
const maxLists = 8

func (p *partners) add(s *subject) {
	key := s.kindKey()
	k := p.byKey[key]
	if k == nil {
		k = &kind{first: s, by: make([]claimIndex, len(s.claims))}
		for c := range k.by {
			k.by[c].texts = make(map[string][]int)
		}
		p.byKey[key], p.kinds = k, append(p.kinds, k)
	}
	s.kind = k
	k.all = append(k.all, s.at)
	for c, claim := range s.claims {
		for _, text := range claim.words() {
			at := &k.by[c].texts
			(*at)[text] = append((*at)[text], s.at)
		}
	}
}

// kindKey returns a text that is the same for all rules of a kind.
func (s *subject) kindKey() string {
	var b strings.Builder
	fmt.Fprint(&b, s.Decision.Verb, s.pairing)
	for _, facet := range s.facets {
		b.WriteString("\x01" + facet)
	}
	for _, c := range s.claims {
		fmt.Fprintf(&b, "\x02%s %t", c.at, c.texts == nil)
	}
	return b.String()
}

// words returns the texts, or the beginning.
func (c *claim) words() []string {
	if c.texts == nil {
		return []string{c.begin}
	}
	return c.texts
}

func (x *claimIndex) finish(begins bool) {
	for text := range x.texts {
		x.sorted = append(x.sorted, text)
		if begins && !slices.Contains(x.lengths, len(text)) {
			x.lengths = append(x.lengths, len(text))
		}
	}
	slices.Sort(x.sorted)
}

// begin reports whether all of them begin as another claim demands, so that it
// leaves out none.
func (x *claimIndex) begin(other *claim) bool {
	return other.texts == nil && strings.HasPrefix(x.sorted[0], other.begin) && strings.HasPrefix(x.sorted[len(x.sorted)-1], other.begin)
}

// meeting returns the places of the rules whose claim, of texts or beginnings,
// meets another, list by list.
func (x *claimIndex) meeting(begins bool, other *claim) (lists [][]int) {
	add := func(text string) {
		if list := x.texts[text]; list != nil {
			lists = append(lists, list)
		}
	}
	for _, word := range other.words() {
		if !begins && other.texts != nil {
			add(word)
		}
		if begins {
			for _, n := range x.lengths {
				if n < len(word) || n == len(word) && other.texts != nil {
					add(word[:n])
				}
			}
		}
		if other.texts == nil {
			from := sort.SearchStrings(x.sorted, word)
			for _, text := range x.sorted[from:] {
				if !strings.HasPrefix(text, word) {
					break
				}
				add(text)
			}
		}
	}
	return lists
}
