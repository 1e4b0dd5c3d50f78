package policy

import (
	"slices"
	"strings"
)

// keystrokes returns what is typed on a terminal as lines: every control
// character, and every key that has no character, ends one.
func keystrokes(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		if end := keyName(text[i:]); end > 0 {
			b.WriteByte('\n')
			i += end
			continue
		}
		if c := text[i]; c < ' ' && c != '\t' || c == 0x7f {
			b.WriteByte('\n')
		} else {
			b.WriteByte(c)
		}
		i++
	}
	return b.String()
}

// keyNames are the keys that agents write in braces.
var keyNames = []string{"enter", "return", "up", "down", "left", "right", "backspace", "escape", "esc", "tab", "delete"}

// keyName returns the length of the name of a key in braces with which a text
// begins, 0 if it does not.
func keyName(text string) int {
	if text[0] != '{' {
		return 0
	}
	end := strings.IndexByte(text, '}')
	if end < 0 || end > 12 || !slices.Contains(keyNames, strings.ToLower(text[1:end])) {
		return 0
	}
	return end + 1
}
