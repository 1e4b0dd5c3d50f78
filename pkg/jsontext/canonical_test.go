package jsontext

import (
	"slices"
	"testing"
)

// The names of RFC 8785, section 3.2.3, in their order.
func TestCompareNames(t *testing.T) {
	want := []string{"\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"}
	got := slices.Sorted(slices.Values(want))
	slices.SortFunc(got, CompareNames)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if CompareNames("a", "ab") >= 0 || CompareNames("ab", "a") <= 0 || CompareNames("é", "é") != 0 {
		t.Error("a name and its beginning")
	}
}

func TestAppendString(t *testing.T) {
	for text, want := range map[string]string{
		"": `""`, "a/<&>": `"a/<&>"`, "\"\\\b\t\n\f\r": `"\"\\\b\t\n\f\r"`, "\x00\x1f\x7f": "\"\\u0000\\u001f\x7f\"", "€😀": `"€😀"`,
	} {
		if got := string(AppendString([]byte("x"), text)); got != "x"+want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
