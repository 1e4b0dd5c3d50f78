package readonly

import (
	"github.com/policyctl/policyctl/internal/lang/shell"
	"strconv"
	"strings"
)

// jqUnsafe are the words with which a filter of jq reads the environment or
// other files.
var jqUnsafe = []string{"env", "ENV", "import", "include", "modulemeta", "get_search_list", "input_filename"}

// yqUnsafe are what the words have in common with which the filters of either
// yq read the environment or other files, or evaluate a text: strenv, str_env
// and envsubst, load_str, loadstr and strload.
var yqUnsafe = []string{"env", "load", "eval", "system", "exec", "import", "include", "modulemeta", "get_search_list", "filename"}

// jqForever are the words with which a filter of jq goes on without end, jqEnds
// those with which it takes only the first results.
var (
	jqForever = []string{"repeat(", "range(infinite", "range(0;infinite", "while(true", "until(false",
		"recurse(.)", "recurse(.+", "recurse(.*", "recurse(.-", "recurse(./"}
	// jqCounts are the words with which it counts as far as a number says, jqDoubles those
	// with which it may make twice of what it has each time.
	jqCounts  = []string{"range(", "limit(", "until(", "while(", "nth(", "*"}
	jqDoubles = []string{".+.", ".,.", "[.,.]"}
	jqEnds    = []string{"limit(", "first(", "isempty("}
)

// jqFilter refuses filters that read the environment or files.
func jqFilter(v *attempt) bool {
	t, span, ok := v.filter()
	code := withoutStrings(t)
	for _, word := range jqUnsafe {
		if ok && hasIdent(code, word) {
			return v.failf(span, "the filter uses %s", word)
		}
	}
	bare := strings.Join(strings.Fields(t), "")
	if containsAny(bare, jqCounts) && countsFar(bare) {
		return v.fail(span, "the filter counts too far")
	}
	if containsAny(bare, jqDoubles) && (strings.Contains(bare, "reduce") || strings.Contains(bare, "foreach")) {
		return v.fail(span, "the filter doubles what it has")
	}
	if callsItself(bare) || strings.Contains(bare, "limit(1e") || containsAny(bare, jqForever) && !containsAny(bare, jqEnds) {
		return v.fail(span, "the filter never ends")
	}
	return ok
}

// countsFar reports whether a text holds a number that counts too far.
func countsFar(text string) bool {
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) || i > 0 && (isIdent(text[i-1]) || text[i-1] == '.') {
			continue
		}
		end := i
		for end < len(text) && (isDigit(text[end]) || strings.IndexByte(".eE", text[end]) >= 0 || text[end] == '+' && strings.IndexByte("eE", text[end-1]) >= 0) {
			end++
		}
		if n, err := strconv.ParseFloat(strings.TrimRight(text[i:end], ".eE+"), 64); err == nil && n > maxCount {
			return true
		}
		i = end
	}
	return false
}

// withoutStrings returns a filter without what stands in its strings, unless a
// backslash makes it hard to tell what does.
func withoutStrings(filter string) string {
	if strings.ContainsAny(filter, `\#`) { // a comment may hold a quote
		return filter
	}
	var b strings.Builder
	for i, part := range strings.Split(filter, `"`) {
		if i%2 == 0 {
			b.WriteString(part)
		} else {
			b.WriteString(`""`)
		}
	}
	return b.String()
}

// callsItself reports whether a filter without blanks defines a function of
// which the name stands in the definition again.
func callsItself(filter string) bool {
	for rest := range behindEach(filter, "def") {
		name := rest[:len(rest)-len(strings.TrimLeft(rest, identBytes))]
		body, _, _ := strings.Cut(rest[len(name):], ";")
		if name != "" && hasIdent(body, name) {
			return true
		}
	}
	return false
}

// yqFilter is jqFilter for both programs called yq. A first operand eval or e
// is the verb of the one in Go.
func yqFilter(v *attempt) bool {
	if t, _, ok := v.text(0); ok && (t == "e" || t == "eval") {
		v.args = v.args[1:]
	}
	for _, i := range v.args {
		if t, ok := v.c.Words[i].Literal(); ok && (t == "eval-all" || t == "ea" || t == "shell-completion" || t == "completion") {
			return v.fail(v.c.Words[i].Span, "the verb of yq is not on the list")
		}
	}
	if len(v.args) == 1 && !v.path(v.c.Words[v.args[0]]) {
		return false // the one in Go takes a single operand for a file where there is one
	}
	t, span, ok := v.filter()
	if !ok {
		return false
	}
	code, ok := yqCode(t)
	if !ok {
		return v.fail(span, "yq's filter is not understood")
	}
	code = strings.ToLower(code)
	for _, part := range yqUnsafe {
		if strings.Contains(code, part) {
			return v.failf(span, "the filter uses %s", part)
		}
	}
	return true
}

// filter returns the filter, which is the first operand. It is "" where there
// is none.
func (v *attempt) filter() (text string, span shell.Span, ok bool) {
	if len(v.args) == 0 {
		return "", v.c.Span, true
	}
	if text, span, ok = v.text(0); !ok {
		v.fail(span, "the filter is unknown")
		v.instead("write it in single quotes, with values from --arg NAME VALUE")
	}
	return text, span, ok
}

// yqCode returns a filter without the names of fields and variables, and
// without strings. The yq in Go needs nothing between two words, so that any
// letters of the rest may be a word. It is false where the two programs may
// disagree on where a string ends.
func yqCode(text string) (string, bool) {
	var b strings.Builder
	strung := !strings.Contains(text, `\\`) && !strings.Contains(text, `\(`)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' && strung:
			end := stringEnd(text[i:])
			if end < 0 {
				return "", false
			}
			i += end
		case c == '.' && (i == 0 || text[i-1] != '.'), c == '$' && !strings.HasPrefix(text[i:], "$ENV"):
			rest := strings.TrimLeft(text[i+1:], identBytes)
			i = len(text) - len(rest) - 1
		default:
			b.WriteByte(c)
			continue
		}
		b.WriteByte(' ')
	}
	return b.String(), true
}

// stringEnd returns the index of the quote that ends the string at the start of
// text, -1 where it does not end on its line.
func stringEnd(text string) int {
	for i := 1; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// hasIdent reports whether a filter has a word that stands alone and is no field,
// string, key or variable of its own; $ENV is jq's.
func hasIdent(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(word)
		var before, after byte
		if i > 0 {
			before = text[i-1]
		}
		if at < len(text) {
			after = text[at]
		}
		if isIdent(before) || isIdent(after) {
			continue
		}
		field := before == '$' && word != "ENV" || before == '.' && !strings.HasSuffix(text[:i], "..") || before == '"' && after == '"' && !strings.HasSuffix(text[:i], `\"`)
		if !field && !(after == ':' && isKey(text[:i])) {
			return true
		}
	}
}

// isKey reports whether a word before a colon is the key of an object, as text,
// which stands before it, ends with a brace and plain fields. In brackets a
// colon makes a slice.
func isKey(text string) bool {
	return strings.HasSuffix(strings.TrimRight(text, identBytes+" ,.:"), "{")
}
