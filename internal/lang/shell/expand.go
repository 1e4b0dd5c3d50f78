package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// AssignedName returns the length of NAME= with which a text begins, 0 for none.
func AssignedName(s string) int {
	n := strings.IndexByte(s, '=') + 1
	if n == 0 || !syntax.ValidName(strings.TrimSuffix(s[:n-1], "+")) {
		return 0
	}
	return n
}

func IsNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	if s == "" {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
