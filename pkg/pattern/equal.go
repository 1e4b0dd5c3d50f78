package pattern

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/policyctl/policyctl/pkg/record"
)

// same reports whether a value of a record equals an argument: texts are no
// numbers, and 1 is 1.0. Elements that are unknown leave it open.
func same(v, want any) Truth {
	if isOpen(v) {
		return Unknown
	}
	switch want := want.(type) {
	case string:
		text, ok := v.(string)
		return truth(ok && text == want)
	case []any:
		return sameList(v, want)
	case map[string]any:
		return sameObject(v, want)
	}
	if n, ok := want.(number); ok {
		m, ok := numberOf(v)
		return truth(ok && n == m)
	}
	switch v := v.(type) {
	case nil:
		return truth(want == nil)
	case bool:
		return truth(want == v)
	}
	return False
}

// sameList compares element by element. One that is unknown may stand for
// several, so that the elements behind it are not compared.
func sameList(v any, want []any) Truth {
	if texts, ok := v.([]string); ok {
		return truth(sameTexts(texts, want))
	}
	list, ok := v.([]any)
	if !ok {
		return False
	}
	for i, element := range list {
		switch {
		case isOpen(element):
			return Unknown
		case i >= len(want):
			return False
		}
		if t := same(element, want[i]); t != True {
			return t
		}
	}
	return truth(len(list) == len(want))
}

func sameTexts(texts []string, want []any) bool {
	return slices.EqualFunc(texts, want, func(text string, w any) bool { return w == text })
}

func sameObject(v any, want map[string]any) Truth {
	m, ok := v.(map[string]any)
	if !ok || len(m) != len(want) {
		return False
	}
	worst := True
	for key, element := range m {
		w, ok := want[key]
		if !ok {
			return False
		}
		worst = min(worst, same(element, w))
	}
	return worst
}

func isOpen(v any) bool {
	_, ok := v.(record.OpenElement)
	return ok
}

// foldRune returns the first character of a text in lower case and its length
// in bytes. A byte that is no character is less than 0.
func foldRune(text string) (rune, int) {
	if c := text[0]; c < utf8.RuneSelf {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		return rune(c), 1
	}
	r, n := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && n == 1 {
		return -rune(text[0]), 1
	}
	return unicode.ToLower(r), n
}

// fold returns a text with each character in lower case, as contains compares
// texts.
func fold(text string) string {
	out := make([]byte, 0, len(text))
	for text != "" {
		r, n := foldRune(text)
		if r < 0 {
			out = append(out, text[0])
		} else {
			out = utf8.AppendRune(out, r)
		}
		text = text[n:]
	}
	return string(out)
}

// containsFold reports whether text contains a folded text in whatever case.
func containsFold(text, folded string) bool {
	for {
		if hasFoldedPrefix(text, folded) {
			return true
		}
		if text == "" {
			return false
		}
		_, n := foldRune(text)
		text = text[n:]
	}
}

func hasFoldedPrefix(text, folded string) bool {
	for folded != "" {
		if text == "" {
			return false
		}
		a, n := foldRune(text)
		b, m := foldRune(folded)
		if a != b {
			return false
		}
		text, folded = text[n:], folded[m:]
	}
	return true
}
