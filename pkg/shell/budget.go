package shell

import "unsafe"

// The budget of a reading: what it may make of a line, which may say in a few
// bytes what takes gigabytes.
const (
	maxValue = MaxSource // bytes of one value
	maxBytes = 32 << 20  // bytes of all values and words of a line, copies included
	// freeValue is how many bytes a value has that is made whatever the line has
	// cost: a line must not hide what is plain behind what is large.
	freeValue = 64
)

// maxBraces bounds how deep braces may nest, which costs the parser the cube of it;
// braceBytes is about what each word that they make costs.
const (
	maxBraces  = 24
	braceBytes = 1 << 10
)

const (
	wordBytes = int(unsafe.Sizeof(Word{}))
	setBytes  = int(unsafe.Sizeof(Set{}))
)

// affords takes the bytes of a value from the budget, and reports whether they may
// be made.
func (r *reader) affords(n int) bool {
	r.spent += min(n, maxValue)
	return n <= freeValue || n <= maxValue && r.spent <= maxBytes
}

// spends takes bytes from the budget for what nobody can do without; the reading
// ends where there are none left.
func (r *reader) spends(n int) {
	if r.spent += n; r.spent > maxBytes {
		r.stop("too-many", "the line becomes too much text", Span{0, len(r.line.Source)})
	}
}

// bounded returns a set without the values that the line cannot afford.
func (r *reader) bounded(s Set) Set {
	for i, v := range s.Values {
		if !r.affords(len(v)) {
			s.Values, s.Open = s.Values[:i:i], true
			break
		}
	}
	return s
}
