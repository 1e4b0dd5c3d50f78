package doom

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A history is written as steps with blanks between:
//
//	A      a call of A under an id of its own
//	A?     the same, declared as polling
//	A#x    a call of A under the id x
//	A=1    a call of A whose result, 1, is reported before the next step
//	x=1    the result 1 is reported for the id x
//	A!     a human approves A
//	|      the user speaks
//
// The wanted findings are one character a call: "." for no loop, the period
// for a loop, "E" for a reused id.
var judgeTests = []struct {
	want    string
	history string
	limits  Limits
}{
	// Streaks.
	{"..1", "A A A", Limits{}},
	{"..111", "A A A A A", Limits{}},
	{"..11.", "A A A A B", Limits{}},
	{"..1..1", "A A A B B B", Limits{}},
	{"..1...1", "A A A B A A A", Limits{}},
	{".....", "A A B A A", Limits{}},
	{".1", "A A", Limits{Threshold: 2}},
	{"....1", "A A A A A", Limits{Threshold: 5}},
	{".1", "A A", Limits{Threshold: 1}},
	{".1", "A A", Limits{Threshold: -1}},
	{strings.Repeat(".", 63) + "111", strings.Repeat("A ", 66), Limits{Threshold: 64}},
	{strings.Repeat(".", 63) + "111", strings.Repeat("A ", 66), Limits{Threshold: 1000}},

	// A write, W or V, between two equal calls ends a streak as any other call
	// does; it may be a streak itself or belong to a cycle.
	{"....", "A A W A", Limits{}},
	{"......", "A W A V A A", Limits{}},
	{"..1", "W W W", Limits{}},
	{".......2", "A W A W A W A W", Limits{}},

	// Cycles.
	{".......", "A B A B A B A", Limits{}},
	{".......2", "A B A B A B A B", Limits{}},
	{".......22222", "A B A B A B A B A B A B", Limits{}},
	{".......2..", "A B A B A B A B C A", Limits{}},
	{".........2", "C D A B A B A B A B", Limits{}},
	{"...........33", "A B C A B C A B C A B C A", Limits{}},
	{"...........33", "A A B A A B A A B A A B A", Limits{}},
	{"...............44", "A B C D A B C D A B C D A B C D A", Limits{}},
	{"...............44", "A B A C A B A C A B A C A B A C A", Limits{}},
	{"....................", "A B C D E A B C D E A B C D E A B C D E", Limits{}},
	{"..........", "A B A B A C A B A B", Limits{}},
	{"...2", "A B A B", Limits{Cycles: 2}},
	{"...2", "A B A B", Limits{Cycles: 1}},
	{".........2", "A B A B A B A B A B", Limits{Cycles: 5}},
	{strings.Repeat(".", 31) + "22", strings.Repeat("A B ", 16) + "A", Limits{Cycles: 100}},
	{strings.Repeat(".", 63) + "44", strings.Repeat("A B C D ", 16) + "A", Limits{Cycles: 16}},

	// A block that repeats a shorter one is no cycle.
	{"..........", "A A A A A A A A A A", Limits{Threshold: 20, Cycles: 2}},
	{"............", "A=1 B A=2 B A=1 B A=2 B A=1 B A=2 B", Limits{Cycles: 3}},
	{"........", "A=1 A=2 A=1 A=2 A=1 A=2 A=1 A=2", Limits{}},

	// An id counts once.
	{"......", "A#x A#x A#x A#x A#x A#x", Limits{}},
	{"...1", "A#x A#y A#x A#z", Limits{}},
	{"..1111", "A#x A#y A#z A#z A A#z", Limits{}},
	{"..1..1", "A#x A#y A#z A#x B A#z", Limits{}},
	{".E", "A#x B#x", Limits{}},
	{".E.1", "A#x B#x A A", Limits{}},

	// Progress of a streak.
	{"..1", "A=1 A=1 A", Limits{}},
	{"..1", "A A=1 A", Limits{}},
	{"..1", "A=1 A A", Limits{}},
	{"...", "A=1 A=2 A", Limits{}},
	{"...1", "A=1 A=2 A=2 A", Limits{}},
	{"....", "A=1 A A=2 A", Limits{Threshold: 4}},
	{"...", "A#x A#y x=1 y=2 A", Limits{}},
	{"..1.", "A#x A#y A#z x=1 y=2 z=3 A", Limits{}},
	{"..1", "A#x=1 A#y=2 y=1 A", Limits{}},
	{"..1", "A#x=1 v=2 A A", Limits{}},

	// Progress of a cycle.
	{".......2", "A=1 B=2 A=1 B=2 A=1 B=2 A=1 B", Limits{}},
	{"..........", "A=1 B A=2 B A=3 B A=4 B A=5 B", Limits{}},
	{"........2", "A=1 B A=2 B A=2 B A=2 B A", Limits{}},
	{"........", "A=1 B A B A B A=2 B", Limits{}},
	{".......2.", "A B=1 A B=1 A B=1 A B=2 A", Limits{}},
	{"............", "A B C=1 A B C=2 A B C=2 A B C", Limits{}},

	// Polling.
	{".....", "A? A? A? A? A?", Limits{}},
	{"..1", "A?=1 A?=1 A?", Limits{}},
	{"..111", "A?=1 A?=1 A? A? A?", Limits{}},
	{"...", "A?=1 A?=2 A?", Limits{}},
	{"....", "A?=1 A? A? A?", Limits{}},
	{"...1", "A? A?=1 A?=1 A?", Limits{}},
	{"..1", "A=1 A=1 A?", Limits{}},
	{"..1", "A? A? A", Limits{}},
	{"..........", "A? B? A? B? A? B? A? B? A? B?", Limits{}},
	{"..........", "A?=1 B? A?=1 B? A?=1 B? A?=1 B? A?=1 B?", Limits{}},
	{".......222", "A?=1 B?=2 A?=1 B?=2 A?=1 B?=2 A?=1 B? A? B?", Limits{}},
	{".......2", "A? B A? B A? B A? B", Limits{}},

	// New user input.
	{"....1", "A A | A A A", Limits{}},
	{"........", "A B A B A B A | B", Limits{}},
	{"..11...1", "A#x A#y A#z | A#z A#x A A A", Limits{}},
	{".E", "A#x | B#x", Limits{}},

	// Approval.
	{"....1", "A A A! A A A", Limits{}},
	{"..1..1", "A A A A! A A A", Limits{}},
	{"..1", "A! A A A", Limits{}},
	{"...1", "A A! A! A A A", Limits{}},
	{".....1", "A A A! A A! A A A", Limits{}},
	{".....1", "A A A! B A A A", Limits{}},
	{"...1", "B A A B! A", Limits{}},
	{".......22.22", "A B A B A B A B B! A B A B", Limits{}},
	{"..1...1", "A#x A#y A#z A! A#z A A A", Limits{}},
	{"..1.", "A#x A#y A#z | A! A#z", Limits{}},
	{"..111.", "A#x A#y A#z A#w A! A#z A#w", Limits{}},
	{".......2.", "A?=1 B?=2 A?=1 B?=2 A?=1 B?=2 A?=1 B? B! A?", Limits{}},
}

func TestJudge(t *testing.T) {
	for _, tt := range judgeTests {
		if got := play(t, tt.history, tt.limits); got != tt.want {
			t.Errorf("%s %+v\n got %s\nwant %s", tt.history, tt.limits, got, tt.want)
		}
	}
}

// play runs a history and returns its findings. Peek must foretell each.
func play(t *testing.T, history string, l Limits) string {
	t.Helper()
	d := New(1)
	var got strings.Builder
	for n, step := range strings.Fields(history) {
		step, result, reported := strings.Cut(step, "=")
		c := Call{ID: fmt.Sprint("own", n), Key: key(step[:1])}
		c.Polling = strings.HasSuffix(step, "?")
		if _, id, ok := strings.Cut(step, "#"); ok {
			c.ID = id
		}
		switch {
		case step == "|":
			d.ResetTurn("s")
		case strings.HasSuffix(step, "!"):
			d.Forgive("s", c.Key)
		case step == strings.ToLower(step):
			c.ID = step
		default:
			got.WriteByte(observe(t, d, c, l))
		}
		if reported {
			d.Report("s", c.ID, key(result))
		}
	}
	return got.String()
}

func observe(t *testing.T, d *Detector, c Call, l Limits) byte {
	t.Helper()
	peek, peekErr := d.Peek("s", c, l)
	f, err := d.Observe("s", c, l)
	if f != peek || fmt.Sprint(err) != fmt.Sprint(peekErr) {
		t.Errorf("call %s: Peek %v, %v; Observe %v, %v", c.ID, peek, peekErr, f, err)
	}
	switch {
	case errors.Is(err, ErrReused):
		return 'E'
	case f.Loop:
		return '0' + byte(f.Period)
	}
	return '.'
}

func key(s string) Key { return KeyOf("", "", "", []byte(s)) }

func TestCount(t *testing.T) {
	tests := []struct {
		want    Finding
		history string
	}{
		{Finding{true, 1, 3}, "AAA"},
		{Finding{true, 1, 5}, "AAAAA"},
		{Finding{true, 1, 64}, strings.Repeat("A", 100)},
		{Finding{true, 2, 4}, "ABABABAB"},
		{Finding{true, 2, 4}, "ABABABABA"},
		{Finding{true, 2, 5}, "ABABABABAB"},
		{Finding{true, 3, 21}, strings.Repeat("ABC", 40)},
	}
	for _, tt := range tests {
		d := New(1)
		var got Finding
		for _, c := range tt.history {
			got, _ = d.Observe("s", Call{Key: key(string(c))}, Limits{})
		}
		if got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.history, got, tt.want)
		}
	}
}
