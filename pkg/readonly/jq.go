package readonly

import "strings"

// jqUnsafe are the words with which a filter of jq reads the environment or
// other files.
var jqUnsafe = []string{"env", "ENV", "import", "include", "modulemeta", "get_search_list", "input_filename"}

// jqFilter refuses filters that read the environment or files.
func jqFilter(v *proving) bool { return v.filter(jqUnsafe) }

// yqUnsafe are the words with which the filters of either yq read the
// environment or other files, or evaluate a text.
var yqUnsafe = []string{
	"env", "strenv", "envsubst", "ENV", "import", "include", "modulemeta", "get_search_list", "input_filename", "load", "strload", "load_str",
	"load_xml", "load_props", "load_base64", "eval", "system", "exec", "filename",
}

// yqFilter is jqFilter for both programs called yq. A first operand eval or e
// is the verb of the one in Go.
func yqFilter(v *proving) bool {
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
	return v.filter(yqUnsafe)
}

// filter checks that the first operand is a filter without certain words.
func (v *proving) filter(unsafe []string) bool {
	t, span, ok := v.text(0)
	if len(v.args) == 0 {
		return true
	}
	if !ok {
		v.fail(span, "the filter is not known")
		return v.instead("write it in single quotes, with values from --arg NAME VALUE")
	}
	for _, word := range unsafe {
		if hasIdent(t, word) {
			return v.failf(span, "the filter uses %s", word)
		}
	}
	return true
}

// hasIdent says whether a filter has a word that stands alone and is no field,
// string or variable of its own; $ENV is jq's.
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
		if !field {
			return true
		}
	}
}
