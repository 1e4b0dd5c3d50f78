package pattern

import "math/bits"

// A bitset is a set of small numbers that gives out its least first. Its size
// is fixed; what it costs depends on how many numbers it holds alone.
type bitset struct {
	words []uint64
	// used has a bit for each word that is not 0.
	used []uint64
}

func newBitset(size int) bitset {
	words := (size + 63) / 64
	return bitset{words: make([]uint64, words), used: make([]uint64, (words+63)/64)}
}

func (b *bitset) add(i int32) {
	w := i / 64
	b.words[w] |= 1 << (i % 64)
	b.used[w/64] |= 1 << (w % 64)
}

func (b *bitset) addAll(list []int32) {
	for _, i := range list {
		b.add(i)
	}
}

// least returns the least number in the set, -1 if it is empty.
func (b *bitset) least() int32 {
	for u, used := range b.used {
		if used != 0 {
			w := u*64 + bits.TrailingZeros64(used)
			return int32(w*64 + bits.TrailingZeros64(b.words[w]))
		}
	}
	return -1
}

func (b *bitset) remove(i int32) {
	w := i / 64
	if b.words[w] &^= 1 << (i % 64); b.words[w] == 0 {
		b.used[w/64] &^= 1 << (w % 64)
	}
}

func (b *bitset) clear() {
	for u, used := range b.used {
		for ; used != 0; used &= used - 1 {
			b.words[u*64+bits.TrailingZeros64(used)] = 0
		}
		b.used[u] = 0
	}
}
