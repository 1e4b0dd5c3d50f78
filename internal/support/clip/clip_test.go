package clip_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/support/clip"
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
		if got := clip.Text(tc.in, tc.most); got != tc.want {
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
		if got := clip.Line(tc.in); got != tc.line {
			t.Errorf("Line(%q) = %q, want %q", tc.in, got, tc.line)
		}
		if got := clip.Quote(tc.in); got != tc.quote {
			t.Errorf("Quote(%q) = %s, want %s", tc.in, got, tc.quote)
		}
	}
}

// What leaves nothing to see has a stand-in; marks that are parts of letters stay, and
// are told where each character counts.
func TestHidden(t *testing.T) {
	for _, r := range "\x00\x1b\x7f\t\n\r\u0085\u00a0\u00ad\u034f\u115f\u1160\u180e\u2003\u200b\u200e\u2028\u202e\u2066\u2800\u3000\u3164\ufe0f\ufeff\uffa0\ue000\U000e0041\U0001d159\u0378" {
		if !clip.Empty(r) || !clip.Hidden(r) || clip.Legible(string(r)) != "\ufffd" {
			t.Errorf("%U passes", r)
		}
	}
	for _, r := range "\u0301\u0336\u20dd\u0e34\u0941" {
		if clip.Empty(r) || !clip.Hidden(r) || clip.Legible("a"+string(r)) != "a"+string(r) {
			t.Errorf("%U: empty %v, hidden %v", r, clip.Empty(r), clip.Hidden(r))
		}
	}
	for _, r := range "a ~éаж語한ไअ→😀" {
		if clip.Empty(r) || clip.Hidden(r) {
			t.Errorf("%U: empty %v, hidden %v", r, clip.Empty(r), clip.Hidden(r))
		}
	}
}
