package hardline

import (
	"regexp"
	"strings"
	"sync"
)

// A pattern is a regular expression that is compiled at first use.
type pattern struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

func (p *pattern) get() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.text) })
	return p.re
}

// literal is text in quotes.
const literal = `("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`

func unquote(lit string) string {
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\'`, `'`, `\n`, "\n", `\t`, "\t").Replace(lit[1 : len(lit)-1])
}

// maxLiterals bounds how many matches in a text are looked at.
const maxLiterals = 256

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
