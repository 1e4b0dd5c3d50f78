package script

import (
	"strings"
	"testing"
)

// TestSigns reads signs that begin with one another.
func TestSigns(t *testing.T) {
	const signs = "=== !== **= ... <=> ||= &&= ??= <<= >>= => -> :: && || ?? ?. &. .. == != <= >= += -= *= /= .= |= := << >> ++ -- =~ !~ |> |& <> ** ~= = ! * . < | & ? > - : + / ~ ( ) [ ] { } , ; ^ # @ $ % \\"
	l := lexer{grammar: &grammar{}, words: theVocabulary(), scratch: &scratch{}, src: signs, end: len(signs)}
	for _, want := range strings.Fields(signs) {
		var got token
		if l.next(&got); got.kind != operatorToken || got.text != want {
			t.Errorf("got %q, want %q", got.text, want)
		}
	}
}

// TestVocabulary finds each word, with few others of the same key, and no sign
// among them.
func TestVocabulary(t *testing.T) {
	v := theVocabulary()
	isSign := map[int]bool{}
	for _, signs := range v.signs {
		for _, i := range signs {
			isSign[int(i)] = true
		}
	}
	for i := 1; i < len(v.words); i++ {
		w := &v.words[i]
		if isSign[i] {
			if int(v.find(w.text)) == i {
				t.Errorf("%q is found among the names", w.text)
			}
			continue
		}
		before := 0
		for k := v.heads[keyOf(w.text)]; int(k) != i; k = v.words[k].next {
			before++
		}
		if v.find(w.text) != uint16(i) || before > 3 {
			t.Errorf("%q is found behind %d others", w.text, before)
		}
	}
	if v.find("") != 0 || v.find("neverSeen") != 0 {
		t.Error("a name is found that is not known")
	}
}
