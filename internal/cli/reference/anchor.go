package reference

import (
	"fmt"
	"strings"
	"unicode"
)

// anchors are the names by which the headings of a page can be linked to, as
// GitHub makes them.
type anchors map[string]bool

// next returns the anchor of the next heading of the page.
func (a anchors) next(heading string) string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
	name := plain
	for i := 1; a[name]; i++ {
		name = fmt.Sprintf("%s-%d", plain, i)
	}
	a[name] = true
	return name
}
