package render

import (
	"fmt"
	"strconv"

	"github.com/policyctl/policyctl/internal/authoring/suite"
)

// Suite writes the cases that did not pass, and how many did. With coverage
// it names the rules that no case reaches.
func (p *Page) Suite(r *suite.Report, coverage bool) {
	for i := range r.Cases {
		if c := &r.Cases[i]; !c.Passed {
			p.failed(c)
		}
	}
	if coverage {
		for _, u := range r.Coverage.Unreached {
			p.line(Plain(fmt.Sprintf("%s:%d: no case reaches the rule %s", u.File, u.Line, u.Rule)))
		}
	}
	p.line(p.summary(r, coverage))
}

func (p *Page) failed(c *suite.Result) {
	at := c.File
	if c.Line > 0 {
		at += ":" + strconv.Itoa(c.Line)
	}
	p.line(p.style(bold+red, "FAIL"), " ", Plain(at+": "+c.Name))
	p.field("  expected", c.Expected())
	p.field("  got", c.Actual())
	p.field("  because", c.Why)
}

func (p *Page) summary(r *suite.Report, coverage bool) string {
	text := plural(r.Passed+r.Failed, "case") + ", " + strconv.Itoa(r.Failed) + " failed"
	if r.Failed == 0 {
		text = plural(r.Passed, "case") + ", all passed"
	}
	if coverage {
		c := r.Coverage
		text += fmt.Sprintf("; %d of %s reached (%d %%)", c.Reached, plural(c.Rules, "rule"), c.Percent())
	}
	return text
}
