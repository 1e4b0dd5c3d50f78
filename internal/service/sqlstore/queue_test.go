package sqlstore

import "testing"

// A transaction takes a bounded number of parts, and a part that nobody took
// can be dropped.
func TestQueue(t *testing.T) {
	var q queue[*part]
	parts := make([]*part, 5)
	for i := range parts {
		parts[i] = &part{}
		q.add(parts[i])
	}
	if !q.drop(parts[1]) || q.drop(parts[1]) {
		t.Error("dropped twice, or never")
	}
	first := q.take(2)
	if len(first) != 2 || first[0] != parts[0] || first[1] != parts[2] {
		t.Errorf("%v", first)
	}
	q.add(&part{})
	if q.drop(parts[0]) {
		t.Error("dropped what was taken")
	}
	if rest := q.take(9); len(rest) != 3 || rest[0] != parts[3] || first[1] != parts[2] {
		t.Errorf("%v, %v", rest, first)
	}
	if rest := q.take(9); len(rest) != 0 {
		t.Errorf("%v", rest)
	}
}
