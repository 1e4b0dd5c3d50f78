package spelling_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/support/spelling"
)

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
		if got := spelling.Nearest(tc.in, names); got != tc.want {
			t.Errorf("%q: %q, not %q", tc.in, got, tc.want)
		}
	}
}
