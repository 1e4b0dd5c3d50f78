package doom

import "testing"

func TestFindingString(t *testing.T) {
	tests := []struct {
		want string
		give Finding
	}{
		{"no loop", Finding{}},
		{"the same call 3 times in a row", Finding{true, 1, 3}},
		{"the same 2 calls 4 times over", Finding{true, 2, 4}},
		{"the same 4 calls 16 times over", Finding{true, 4, 16}},
		{"a call that could not be compared with the earlier ones", Finding{Loop: true}},
	}
	for _, tt := range tests {
		if got := tt.give.String(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.give, got, tt.want)
		}
	}
}
