package inforce

import "testing"

func TestTextOf(t *testing.T) {
	for value, want := range map[string]string{
		`manual`: `manual`, `"manual"`: `manual`, `'it''s'`: `it's`, `"a\tb"`: "a\tb", `300`: `300`, `[a, 'b']`: `[a, 'b']`, `'`: `'`, ``: ``,
	} {
		if got := textOf(value); got != want {
			t.Errorf("%s: %s, want %s", value, got, want)
		}
	}
}
