package eval

import (
	"unsafe"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// The budget of a reading: what it may make of a line, which may say in a few
// bytes what takes gigabytes.
const (
	maxSteps = 1 << 20
	maxValue = shell.MaxSource // bytes of one value
	maxBytes = 32 << 20        // see [Cost.Bytes]
	// freeValue is how many bytes a value has that is made whatever the line has
	// cost: a line must not hide what is plain behind what is large.
	freeValue = 64
)

// braceBytes is about what each word that braces make costs.
const braceBytes = 1 << 10

const (
	wordBytes = int(unsafe.Sizeof(shell.Word{}))
	setBytes  = int(unsafe.Sizeof(shell.Set{}))
)

// takes counts a step and its bytes, and ends the reading where there were too many
// steps.
func (r *reader) takes(bytes int) {
	r.line.Cost.Bytes += bytes
	if r.line.Cost.Steps++; r.line.Cost.Steps > maxSteps {
		r.stop("too-many", "the line takes too many steps to read", shell.Span{From: 0, To: len(r.line.Source)})
	}
}

// affords takes the bytes of a value from the budget, and reports whether they may
// be made.
func (r *reader) affords(n int) bool {
	if n > freeValue && (n > maxValue || r.line.Cost.Bytes+n > maxBytes) {
		r.takes(0)
		return false
	}
	r.takes(n)
	return true
}

// spends takes bytes from the budget that nobody can do without; the reading ends
// where none are left.
func (r *reader) spends(n int) {
	if r.takes(n); r.line.Cost.Bytes > maxBytes {
		r.stop("too-many", "the line becomes too much text", shell.Span{From: 0, To: len(r.line.Source)})
	}
}

// bounded returns a set without the values that the line cannot afford.
func (r *reader) bounded(s shell.Set) shell.Set {
	for i, v := range s.Values {
		if !r.affords(len(v)) {
			s.Values, s.Open = s.Values[:i:i], true
			break
		}
	}
	return s
}
