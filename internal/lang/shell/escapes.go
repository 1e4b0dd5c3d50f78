package shell

import (
	"strings"
)

// Unquoted returns the index of the first of some signs that is not in quotes, the
// length of the text where there is none.
func Unquoted(text, signs string) int {
	if signs == "" {
		return len(text)
	}
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case strings.IndexByte(signs, b) >= 0:
			return i
		case (b == '"' || b == '\'') && strings.IndexByte(text[i+1:], b) >= 0:
			quote = b
		}
	}
	return len(text)
}

func Lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b | 0x20
	}
	return b
}

// IsNameByte reports whether a text has a letter, a digit or a low line at an index.
func IsNameByte(text string, i int) bool {
	return i < len(text) && (Lower(text[i]) >= 'a' && Lower(text[i]) <= 'z' || text[i] >= '0' && text[i] <= '9' || text[i] == '_')
}
