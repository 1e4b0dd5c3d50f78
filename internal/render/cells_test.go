package render

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// What a reader cannot see is an escape, and what one can is as it is.
func TestPlain(t *testing.T) {
	for want, texts := range map[string][]string{
		"": {
			"a b", "é", "e\u0301", "日本", "ﾡ", "👍", "—…“”", "⠁", "ⵧ", "한", "ᄀ", "\u17b6", "\U00013440", "\ufffd",
		},
		`\u00ad \u034f \u061c \u115f \u1160 \u17b4 \u17b5 \u180b \u180c \u180d \u180e \u180f \u200b \u200d \u202e \u2060 \u2065`: {
			"\u00ad \u034f \u061c \u115f \u1160 \u17b4 \u17b5 \u180b \u180c \u180d \u180e \u180f \u200b \u200d \u202e \u2060 \u2065",
		},
		`\u3164 \ufe00 \ufe0f \ufeff \uffa0 \ufff0 \ufffb`:             {"\u3164 \ufe00 \ufe0f \ufeff \uffa0 \ufff0 \ufffb"},
		`\U000e0001 \U000e0041 \U000e0100 \U000e01ef \U000e0fff`:       {"\U000e0001 \U000e0041 \U000e0100 \U000e01ef \U000e0fff"},
		`\u2800 \U00013441 \U00016fe4 \U0001d159 \U0001bca0`:           {"\u2800 \U00013441 \U00016fe4 \U0001d159 \U0001bca0"},
		`\u00a0 \u1680 \u2000 \u2003 \u200a \u202f \u205f \u3000`:      {"\u00a0 \u1680 \u2000 \u2003 \u200a \u202f \u205f \u3000"},
		`\u0378 \ufdd0 \uffff \U0001fffe \U0010ffff \ue000 \U000f0000`: {"\u0378 \ufdd0 \uffff \U0001fffe \U0010ffff \ue000 \U000f0000"},
		`\u0085 \u2028 \u2029 \x1b \x7f \n \r \x00 \xc2 \xed\xa0\x80`:  {"\u0085 \u2028 \u2029 \x1b \x7f \n \r \x00 \xc2 \xed\xa0\x80"},
		`rm\u00a0-rf\u2003/`: {"rm\u00a0-rf\u2003/"},
	} {
		for _, text := range texts {
			want := want
			if want == "" {
				want = text
			}
			if got := Plain(text); got != want || columns(text) < columns(want) {
				t.Errorf("%q: %s, want %s", text, got, want)
			}
			if got := Plain(Plain(text)); got != want {
				t.Errorf("%q changes twice: %s", text, got)
			}
		}
	}
}

func TestFold(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 4, ""},
		{"abcd", 4, "abcd"},
		{"abcdefgh", 4, "abcd|efgh"},
		{"abcdefghi", 4, "abcd|efgh|i"},
		{"abcdefghi", 0, "abcdefghi"},
		{"a    b", 4, "a   | b"},
		{"\tx", 4, "    |x"},
		{"ab\x1bc", 4, `ab\x|1bc`},
		{"日本語", 4, "日本|語"},
		{"a日本", 4, "a日|本"},
		{"ééé", 4, "éé|é"}, // some terminals give é two columns
		{"e\u0301e\u0301e\u0301", 4, "e\u0301e\u0301|e\u0301"},
		{"日本", 1, "日|本"},
	} {
		rows := Fold(c.text, c.width)
		if got := strings.Join(rows, "|"); got != c.want {
			t.Errorf("%q in %d columns: %s, want %s", c.text, c.width, got, c.want)
		}
	}
}

// All of a table that is folded stands in it, in order and under its column.
func TestFoldLast(t *testing.T) {
	rows := [][]string{{"why", "because"}, {"written", strings.Repeat("x", 25) + "  Choices"}}
	want := [][]string{{"why", "because"}, {"written", "xxxxxxxxx"}, {"", "¦ xxxxxxxxx"}, {"", "¦ xxxxxxx  "}, {"", "¦ Choices"}}
	if got := FoldLast(rows, 20); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q", got)
	}
	if got := FoldLast(rows, 0); !slices.EqualFunc(got, rows, slices.Equal) {
		t.Errorf("%q", got)
	}
	if got := FoldLast(nil, 20); got != nil {
		t.Errorf("%q", got)
	}
	for _, row := range FoldLast(rows, 3) { // as narrow as can be
		if utf8.RuneCountInString(row[1]) > 3 {
			t.Errorf("%q", row)
		}
	}
}
