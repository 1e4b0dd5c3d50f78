package redact

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// A span is a secret in a text. Its mark is put in quotes where the text would
// else stop being JSON.
type span struct {
	from, to int
	kind     string
	quote    string
}

// A rule knows a secret by the literal with which it begins.
type rule struct {
	kind    string
	literal string
	// find returns the secret of which the literal begins at i, in the text
	// from there on; from == to if there is none.
	find func(s string, i int) (from, to int)
}

// An entry of the index is a rule, or the name of a program whose options hold
// secrets.
type entry struct {
	literal string
	rule    *rule
	holder  *holder
}

// rules are the entries by their first byte.
type rules struct {
	entries [256][]entry
	// seconds holds the second bytes of the literals with a first byte.
	seconds [256]class
	// stops are the bytes at which a scan must look.
	stops class
}

// index holds all rules and programs.
var index = sync.OnceValue(func() *rules {
	var x rules
	add := func(e entry) {
		b := e.literal[0]
		x.entries[b] = append(x.entries[b], e)
		x.stops[b] = true
		if len(e.literal) > 1 {
			x.seconds[b][e.literal[1]] = true
			return
		}
		for i := range x.seconds[b] {
			x.seconds[b][i] = true
		}
	}
	for _, r := range allRules() {
		add(entry{literal: r.literal, rule: &r})
	}
	holders(func(name string, h *holder) { add(entry{literal: name, holder: h}) })
	for i := range x.entries { // the longest literal first
		slices.SortStableFunc(x.entries[i], func(a, b entry) int { return cmp.Compare(len(b.literal), len(a.literal)) })
	}
	for _, b := range []byte("=:->[;|&\n'\"%") {
		x.stops[b] = true
	}
	return &x
})

// A scan reads a text once, from left to right.
type scan struct {
	s     string
	rules *rules
	i     int // the byte that is looked at
	from  int // the end of the last span or mark
	spans []span
	// program is the last one named in the simple command at i, if it takes
	// secrets as options; quote is the quote that is open since.
	program *holder
	quote   byte
}

func (c *scan) run() {
	for c.i < len(c.s) {
		if !c.rules.stops[c.s[c.i]] || !c.special() && !c.literal() {
			c.i++
		}
	}
}

// special looks at what stands behind a name or an option.
func (c *scan) special() bool {
	switch b := c.s[c.i]; b {
	case '=', ':':
		return c.assigned() || b == ':' && (c.userOfURL() || c.botToken())
	case '-':
		return c.option()
	case '%':
		return c.escaped()
	case '>':
		return c.element()
	case '[':
		return c.mark()
	case ';', '|', '&', '\n', '\'', '"':
		c.shellByte(b)
	}
	return false
}

// literal looks for a rule or a program that begins here.
func (c *scan) literal() bool {
	b := c.s[c.i]
	if c.i+1 == len(c.s) || !c.rules.seconds[b][c.s[c.i+1]] || c.i != c.from && !startsToken(c.s, c.i) {
		return false
	}
	for _, e := range c.rules.entries[b] {
		if !strings.HasPrefix(c.s[c.i:], e.literal) {
			continue
		}
		if e.holder != nil {
			c.enter(e)
			continue
		}
		if from, to := e.rule.find(c.s, c.i); from < to {
			c.add(e.rule.kind, from, to)
			return true
		}
	}
	return false
}

// mark steps over what was redacted before.
func (c *scan) mark() bool {
	end := markAt(c.s, c.i)
	if end == 0 {
		return false
	}
	c.i, c.from = end, end
	return true
}

// add notes a secret and goes on behind it. Its own form names it better than
// what stands before it.
func (c *scan) add(kind string, from, to int) {
	for _, e := range c.rules.entries[c.s[from]] {
		if e.rule == nil || !strings.HasPrefix(c.s[from:], e.literal) {
			continue
		}
		if a, b := e.rule.find(c.s, from); a == from && b == to {
			kind = e.rule.kind
			break
		}
	}
	c.spans = append(c.spans, span{from: from, to: to, kind: kind})
	c.i, c.from = to, to
}
