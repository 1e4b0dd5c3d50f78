package shell

// A slab hands out values from a piece of memory that is used again.
type slab[T any] struct{ chunk []T }

// keptValues is the length up to which a chunk is kept for the next line.
const keptValues = 256

// new returns a pointer to a copy of a value.
func (s *slab[T]) new(v T) *T {
	if len(s.chunk) == cap(s.chunk) {
		s.chunk = make([]T, 0, max(16, 2*cap(s.chunk)))
	}
	s.chunk = append(s.chunk, v)
	return &s.chunk[len(s.chunk)-1]
}

// copy returns a copy of a list, nil for an empty one.
func (s *slab[T]) copy(list []T) []T {
	n := len(list)
	if n == 0 {
		return nil
	}
	if n > cap(s.chunk)-len(s.chunk) {
		s.chunk = make([]T, 0, max(16, n, 2*cap(s.chunk)))
	}
	from := len(s.chunk)
	s.chunk = append(s.chunk, list...)
	return s.chunk[from : from+n : from+n]
}

// release takes back what was handed out.
func (s *slab[T]) release() {
	if cap(s.chunk) > keptValues {
		s.chunk = nil
		return
	}
	clear(s.chunk)
	s.chunk = s.chunk[:0]
}
