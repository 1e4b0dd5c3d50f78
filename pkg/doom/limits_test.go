package doom

import "testing"

func TestLimits(t *testing.T) {
	tests := []struct {
		valid     bool
		give, use Limits
	}{
		{true, Limits{}, Limits{3, 4}},
		{true, Limits{2, 2}, Limits{2, 2}},
		{true, Limits{64, 16}, Limits{64, 16}},
		{false, Limits{1, 0}, Limits{2, 4}},
		{false, Limits{0, 1}, Limits{3, 2}},
		{false, Limits{-1, -7}, Limits{2, 2}},
		{false, Limits{65, 0}, Limits{64, 4}},
		{false, Limits{0, 17}, Limits{3, 16}},
	}
	for _, tt := range tests {
		if err := tt.give.Validate(); (err == nil) != tt.valid {
			t.Errorf("%+v: Validate: %v", tt.give, err)
		}
		if got := tt.give.clamp(); got != tt.use {
			t.Errorf("%+v is used as %+v, want %+v", tt.give, got, tt.use)
		}
	}
	const want = "threshold 1: must be from 2 to 64, or 0 for 3\ncycles 20: must be from 2 to 16, or 0 for 4"
	if err := (Limits{1, 20}).Validate(); err == nil || err.Error() != want {
		t.Errorf("Validate: %v, want %s", err, want)
	}
}
