package readonly

import (
	"github.com/policyctl/policyctl/internal/lang/shell"
	"strings"
)

// is reports whether a word has one value, and which.
func is(w *shell.Word, text string) bool {
	t, ok := w.Literal()
	return ok && t == text
}

// variable reports whether a word has a value that is known, and others. One of
// them may be an option that was not read, even where no option does harm: -f
// of tail, or -f FILE of grep.
func variable(w *shell.Word) bool {
	return len(w.Values) > 1 || len(w.Values) == 1 && w.Open
}

// mayBegin reports whether one of the values of a word begins with a text, or what
// is known of the others does.
func mayBegin(w *shell.Word, text string) bool {
	for _, t := range w.Values {
		if strings.HasPrefix(t, text) {
			return true
		}
	}
	return strings.HasPrefix(w.Prefix, text)
}

// begins reports whether every value of a word begins with a text.
func begins(w *shell.Word, text string) bool {
	for _, t := range w.Values {
		if !strings.HasPrefix(t, text) {
			return false
		}
	}
	return w.Known() || strings.HasPrefix(w.Prefix, text)
}

// all reports whether every value of a word is known and passes.
func all(w *shell.Word, pass func(string) bool) bool {
	for _, t := range w.Values {
		if !pass(t) {
			return false
		}
	}
	return w.Known() && !w.Many
}

// dirs returns the directories that are known, "" where none is.
func dirs(s shell.Set) []string {
	if len(s.Values) == 0 {
		return noDir[:]
	}
	return s.Values
}

var noDir = [1]string{""}
