package pattern

import (
	"testing"
	"unicode"
)

// Every rune has to be in the class of its lower case, or a search would take
// a text for impossible.
func TestSameLowerIsComplete(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		found := false
		for _, same := range sameLower(unicode.ToLower(r)) {
			found = found || same == r
		}
		if !found {
			t.Errorf("%q has the lower case %q, which does not know it", r, unicode.ToLower(r))
		}
	}
}
