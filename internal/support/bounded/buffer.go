// Package bounded keeps what another program prints, up to a size: nobody who
// runs a program has to trust how much it writes. It runs no program.
package bounded

import "bytes"

// A Buffer keeps the first Max bytes that are written to it.
type Buffer struct {
	Max int
	// Overflow is what Write returns once there is more, which ends a program
	// that writes to a pipe. If it is nil, the rest is dropped and the program
	// works on.
	Overflow error

	kept bytes.Buffer
	full bool
}

// Write implements [io.Writer].
func (b *Buffer) Write(p []byte) (int, error) {
	n := min(len(p), b.Max-b.kept.Len())
	b.kept.Write(p[:n])
	if n == len(p) {
		return n, nil
	}
	b.full = true
	if b.Overflow != nil {
		return n, b.Overflow
	}
	return len(p), nil
}

// Bytes returns what is kept.
func (b *Buffer) Bytes() []byte { return b.kept.Bytes() }

// Full reports whether more was written than is kept.
func (b *Buffer) Full() bool { return b.full }
