package doom_test

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/doom"
)

func TestFindingString(t *testing.T) {
	tests := []struct {
		want string
		give doom.Finding
	}{
		{"no loop", doom.Finding{}},
		{"the same call 3 times in a row", doom.Finding{Loop: true, Period: 1, Count: 3}},
		{"the same 2 calls 4 times over", doom.Finding{Loop: true, Period: 2, Count: 4}},
		{"the same 4 calls 16 times over", doom.Finding{Loop: true, Period: 4, Count: 16}},
		{"a call that could not be compared with the earlier ones", doom.Finding{Loop: true}},
	}
	for _, tt := range tests {
		if got := tt.give.String(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.give, got, tt.want)
		}
	}
}
