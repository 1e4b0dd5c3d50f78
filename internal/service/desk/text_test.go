package desk

import (
	"runtime"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/view"
)

// allocated counts the bytes that something takes: they grow with the work, whatever the
// speed of the machine is.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Eight times the text takes about eight times the work, whatever it consists of.
func TestTextIsLinear(t *testing.T) {
	for name, do := range map[string]func(string){
		"pieces": func(s string) { pieces(s, &[2]int{1, len(s) - 1}) }, "written": func(s string) { written(s) },
		"legible": func(s string) { legible([]byte(s)) }, "plain": func(s string) { view.Plain(s) },
	} {
		for _, unit := range []string{"a line of a file\n", "\n", "é", "aж", "a\u200b", "\x80", "a  ", "ж"} {
			var took [2]uint64
			for i, size := range []int{32 << 10, 256 << 10} {
				s := strings.Repeat(unit, size/len(unit))
				took[i] = allocated(func() { do(s) })
			}
			if took[1] > 24*took[0]+1<<20 {
				t.Errorf("%s of %q takes %d bytes, and for an eighth of it %d", name, unit, took[1], took[0])
			}
		}
	}
}

// A text stands in as few pieces as it has kinds of characters in a row, and nothing of it
// is lost.
func TestPieces(t *testing.T) {
	for _, c := range []struct {
		text string
		span *[2]int
		want []piece
	}{
		{"", nil, nil},
		{"ab\nc", nil, []piece{{Text: "ab\nc"}}},
		{"aжb", nil, []piece{{Text: "a"}, {Text: "ж", Foreign: true}, {Text: "b"}}},
		{"a\u200b\u200bb", nil, []piece{{Text: "a"}, {Text: "U+200B", Hidden: true}, {Text: "U+200B", Hidden: true}, {Text: "b"}}},
		{"\xffa\t", nil, []piece{{Text: `\xFF`, Hidden: true}, {Text: "a"}, {Text: "U+0009", Hidden: true}}},
		{"\ufffd", nil, []piece{{Text: "\ufffd"}}},
		{"rm -rf x", &[2]int{3, 6}, []piece{{Text: "rm "}, {Text: "-rf", Marked: true}, {Text: " x"}}},
		{"aжb", &[2]int{0, 4}, []piece{{Text: "a", Marked: true}, {Text: "ж", Foreign: true, Marked: true}, {Text: "b", Marked: true}}},
		{"a\u200bb", &[2]int{1, 5}, []piece{{Text: "a"}, {Text: "U+200B", Hidden: true, Marked: true}, {Text: "b", Marked: true}}},
	} {
		got := pieces(c.text, c.span)
		if len(got) != len(c.want) {
			t.Errorf("%q: %+v", c.text, got)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%q: %+v, want %+v", c.text, got[i], c.want[i])
			}
		}
	}
}
