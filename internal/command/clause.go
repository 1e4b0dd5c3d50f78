package command

import (
	"strings"
)

// flags reports whether a built-in has one of some options, which are letters and
// stand before all else.
func (c *Command) Flags(letters string) bool {
	for _, w := range c.Words[1:] {
		v, _ := w.Literal()
		if !strings.HasPrefix(v, "-") && !strings.HasPrefix(v, "+") {
			return false
		}
		if v[0] == '-' && strings.ContainsAny(v, letters) {
			return true
		}
	}
	return false
}
