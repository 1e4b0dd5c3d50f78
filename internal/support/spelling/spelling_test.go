package spelling

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"contains", "notContains", "equals", "in", "startsWith", "on_timeout"}
	for _, tc := range []struct{ want, in string }{
		{"contains", "contians"},
		{"contains", "Contains"},
		{"equals", "equal"},
		{"startsWith", "starts"},
		{"on_timeout", "onTimeout"},
		{"", "matches"},
		{"", "x"},
		{"", ""},
	} {
		if got := Nearest(tc.in, names); got != tc.want {
			t.Errorf("%q: %q, not %q", tc.in, got, tc.want)
		}
	}
}
