package jsonc_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/support/jsonc"
)

func TestPlain(t *testing.T) {
	deep := `{"a":` + strings.Repeat("[", 2_000_000) + strings.Repeat("]", 2_000_000) + "}"
	for _, r := range []struct{ text, want string }{
		{`{"a": 1, } // x`, "{\"a\": 1  }     \n"},
		{`{"a": /* x */ 1}`, "{\"a\":         1}\n"},
		{`{"a": `, "{\"a\": \n"},
		{"", "\n"},
		{deep, deep + "\n"},
	} {
		if got := string(jsonc.Plain([]byte(r.text))); got != r.want {
			t.Errorf("%.40q: got %.40q, want %.40q", r.text, got, r.want)
		}
	}
}

func TestDepth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "[]": 1, "[[]][(])": 2, "]]]": 0, `{"a": [1, {"b": 2}]}`: 3} {
		if got := jsonc.Depth([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
