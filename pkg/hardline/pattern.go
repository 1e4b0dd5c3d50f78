package hardline

import (
	"regexp"
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
