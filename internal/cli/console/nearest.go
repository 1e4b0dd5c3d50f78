package console

import (
	"strings"

	"github.com/policyctl/policyctl/internal/support/spelling"
)

// Nearest returns the name that was probably meant by s: the one that is the
// fewest edits away, at most two and one for a short one, or else the first
// that begins with s; "" if there is none.
func Nearest(s string, names []string) string {
	s = strings.ToLower(s)
	best, least := "", min(2, len(s)/3)+1
	for _, name := range names {
		if n := spelling.Distance(s, strings.ToLower(name)); n < least {
			best, least = name, n
		}
	}
	if best != "" || len(s) < 3 {
		return best
	}
	for _, name := range names {
		if strings.HasPrefix(strings.ToLower(name), s) {
			return name
		}
	}
	return ""
}
