package clip

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for _, tc := range []struct {
		want, in string
		most     int
	}{
		{"", "", 0},
		{"abc", "abc", 3},
		{"ab…", "abc", 2},
		{"…", "abc", 0},
		{"a…", "aéb", 2}, // never half a character
		{"aé…", "aéb", 3},
		{"…", "\x80\x80", 1}, // none begins here
	} {
		if got := Text(tc.in, tc.most); got != tc.want {
			t.Errorf("Text(%q, %d) = %q, want %q", tc.in, tc.most, got, tc.want)
		}
	}
}

func TestLine(t *testing.T) {
	long := strings.Repeat("é", 60)
	for _, tc := range []struct{ line, quote, in string }{
		{"a b", `"a b"`, "a b"},
		{"a\ufffdb", `"a\u202eb"`, "a\u202eb"},
		{"a\ufffd", `"a\n"`, "a\n"},
		{long, `"` + long + `"`, long},
		{long + "…", `"` + long + `…"`, long + "x"},
	} {
		if got := Line(tc.in); got != tc.line {
			t.Errorf("Line(%q) = %q, want %q", tc.in, got, tc.line)
		}
		if got := Quote(tc.in); got != tc.quote {
			t.Errorf("Quote(%q) = %s, want %s", tc.in, got, tc.quote)
		}
	}
}
