// Package options compares the options of the table of programs with what others know of
// them: the completions of fish, and the manual pages of what is installed. It says nothing of
// what an option does, but whether the next word belongs to it. It reads facts of the
// machine and copies none of their text.
package options_test

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// A claim is what somebody says of an option.
type claim struct {
	program, sub string // sub is "" for options of the program itself
	names        []string
	takes        program.Takes
	// silent says that it does not tell what the option takes.
	silent bool
	by     string
}

// key names the claim in the list of differences.
func (c *claim) key() string {
	return strings.TrimSpace(c.program+" "+c.sub) + " " + c.names[0]
}

// row returns the row that the claim is about, nil if the table has none with a grammar.
func (c *claim) row() *program.Program {
	p := program.Lookup(c.program)
	if p == nil || program.Listed(c.program) != c.program {
		return nil
	}
	for word := range strings.FieldsSeq(c.sub) {
		if p = p.Sub(word); p == nil {
			return nil
		}
	}
	return p
}

// option returns how the row has an option, nil if it does not know it.
func option(p *program.Program, name string) *program.Option {
	g := p.Grammar()
	if !p.Style.OfWords() && len(name) == 1 {
		return g.Letter(name[0])
	}
	return g.Find(name, true)
}

// An answer is what comparing a claim gives.
type answer uint8

const (
	unknown answer = iota // the row does not know the option
	same
	different
)

// compare compares a claim with a row.
func (c *claim) compare(p *program.Program) answer {
	out := unknown
	for _, name := range c.names {
		o := option(p, name)
		switch {
		case o == nil:
		case c.silent, o.Takes == c.takes, o.TakesWords():
			out = max(out, same)
		default:
			out = different
		}
	}
	return out
}
