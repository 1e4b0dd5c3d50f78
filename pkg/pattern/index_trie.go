package pattern

import (
	"slices"
	"unicode/utf8"
)

// A trie finds which of its keys a text begins with or contains, without regard
// to case. It is the automaton of Aho and Corasick, with sparse transitions.
//
// Nodes are numbered by depth, and those of one parent follow each other, in
// the order of their bytes. Node 0 is the root.
type trie struct {
	// label is the byte that leads to a node; its children are first[n] up to
	// first[n+1].
	label []byte
	first []int32
	// fail is the node of the longest proper suffix that is in the trie.
	fail []int32
	// key is the number of the key that ends at a node, or -1; next is the
	// nearest node along fail at which a key ends, or 0.
	key, next []int32
	// root are the transitions of node 0, in full.
	root [256]int32
	// rules are the rules of each key.
	rules [][]int32
}

// span is a node while the trie is built: the keys below it.
type span struct{ from, to int }

// newTrie returns the trie of canonical texts, none of which is empty, and of
// the rules behind each.
func newTrie(rules map[string][]int32) *trie {
	if len(rules) == 0 {
		return nil
	}
	keys := make([]string, 0, len(rules))
	for key := range rules {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	t := &trie{}
	for _, key := range keys {
		t.rules = append(t.rules, rules[key])
	}
	t.build(keys)
	return t
}

// build adds the nodes of sorted keys, level by level.
func (t *trie) build(keys []string) {
	level := []span{{0, len(keys)}}
	t.addNode(0, 0, -1)
	for depth := 0; len(level) > 0; depth++ {
		var below []span
		node := int32(len(t.label) - len(level))
		for _, s := range level {
			t.first = append(t.first, int32(len(t.label)))
			below = t.children(node, s, depth, keys, below)
			node++
		}
		level = below
	}
	t.first = append(t.first, int32(len(t.label)))
}

// children adds the children of a node to the trie, and their spans to below.
func (t *trie) children(node int32, s span, depth int, keys []string, below []span) []span {
	for s.from < s.to && len(keys[s.from]) == depth {
		s.from++
	}
	for s.from < s.to {
		b, end := keys[s.from][depth], s.from+1
		for end < s.to && keys[end][depth] == b {
			end++
		}
		key := int32(-1)
		if len(keys[s.from]) == depth+1 {
			key = int32(s.from)
		}
		fail := int32(0)
		if node != 0 {
			fail = t.step(t.fail[node], b)
		} else {
			t.root[b] = int32(len(t.label))
		}
		t.addNode(b, fail, key)
		below = append(below, span{s.from, end})
		s.from = end
	}
	return below
}

func (t *trie) addNode(label byte, fail, key int32) {
	next := int32(0)
	if len(t.label) > 0 {
		if next = fail; t.key[fail] < 0 {
			next = t.next[fail]
		}
	}
	t.label = append(t.label, label)
	t.fail = append(t.fail, fail)
	t.key = append(t.key, key)
	t.next = append(t.next, next)
}

// child returns the node below another by one byte, 0 where there is none.
func (t *trie) child(node int32, b byte) int32 {
	if node == 0 {
		return t.root[b]
	}
	from, to := t.first[node], t.first[node+1]
	for i, label := range t.label[from:to] {
		if label == b {
			return from + int32(i)
		}
	}
	return 0
}

// step follows one byte from a node.
func (t *trie) step(node int32, b byte) int32 {
	for {
		if n := t.child(node, b); n != 0 || node == 0 {
			return n
		}
		node = t.fail[node]
	}
}

// begins adds the numbers of the keys that a text begins with.
func (t *trie) begins(text string, found *bitset) {
	node := int32(0)
	var canonical [utf8.UTFMax]byte
	for len(text) > 0 {
		n, size := nextCanonical(text, &canonical)
		text = text[size:]
		for _, b := range canonical[:n] {
			if node = t.child(node, b); node == 0 {
				return
			}
		}
		if t.key[node] >= 0 {
			found.add(t.key[node])
		}
	}
}

// contained adds the numbers of the keys that a text contains.
func (t *trie) contained(text string, found *bitset) {
	node := int32(0)
	var canonical [utf8.UTFMax]byte
	for len(text) > 0 {
		n, size := nextCanonical(text, &canonical)
		text = text[size:]
		for _, b := range canonical[:n] {
			node = t.step(node, b)
		}
		for at := node; at != 0; at = t.next[at] {
			if t.key[at] >= 0 {
				found.add(t.key[at])
			}
		}
	}
}

// nextCanonical writes the first character of a text as [canonical] does, and
// returns the length of both.
func nextCanonical(text string, out *[utf8.UTFMax]byte) (n, size int) {
	if c := text[0]; c < utf8.RuneSelf {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		out[0] = c
		return 1, 1
	}
	r, size := utf8.DecodeRuneInString(text)
	return utf8.EncodeRune(out[:], canon(r)), size
}
