package clip

import "testing"

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
