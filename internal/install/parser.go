package install

import (
	"encoding/json"
	"strings"
)

// maxDepth bounds how deep values may nest.
const maxDepth = 100

// A parser reads a document from its text.
type parser struct {
	*document
	at int
}

func (p *parser) errorf(format string, args ...any) error {
	return errorAt(p.text, p.at, format, args...)
}

// peek returns the next byte, or 0 at the end.
func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// space skips blanks and comments.
func (p *parser) space() error {
	for {
		rest := p.text[p.at:]
		p.at += len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))
		rest = p.text[p.at:]
		end, size := "", 0
		switch {
		case strings.HasPrefix(rest, "//"):
			end, size = "\n", 1
		case strings.HasPrefix(rest, "/*"):
			end, size = "*/", 2
		default:
			return nil
		}
		p.note("this is a comment")
		i := strings.Index(rest[2:], end)
		if i < 0 && size == 2 {
			return p.errorf("this comment does not end")
		}
		if i < 0 {
			i = len(rest) - 2 - size
		}
		p.at += 2 + i + size
	}
}

// note remembers the first thing that JSON does not have.
func (p *parser) note(what string) {
	if p.extra == nil {
		p.extra = p.errorf("%s, which JSON does not have", what)
	}
}

func (p *parser) value(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, p.errorf("values nest too deep")
	}
	n := &node{from: p.at}
	var err error
	switch c := p.peek(); {
	case c == '{' || c == '[':
		n.kind = c
		err = p.container(n, depth)
	case c == '"':
		n.kind = c
		_, err = p.quoted()
	case c == 0:
		err = p.errorf("the text ends too early")
	default:
		err = p.scalar(n)
	}
	n.to = p.at
	return n, err
}

// container reads an object or an array.
func (p *parser) container(n *node, depth int) error {
	closing := byte(']')
	if n.kind == '{' {
		closing = '}'
	}
	seen := map[string]bool{}
	p.at++
	for {
		if err := p.space(); err != nil {
			return err
		}
		if p.peek() == closing {
			if len(seen)+len(n.items) > 0 {
				p.note("a comma stands before this bracket")
			}
			p.at++
			return nil
		}
		if err := p.element(n, seen, depth); err != nil {
			return err
		}
		if done, err := p.separator(closing); done || err != nil {
			return err
		}
	}
}

// separator reads what follows an element, and says whether it is the closing
// bracket.
func (p *parser) separator(closing byte) (done bool, err error) {
	if err := p.space(); err != nil {
		return false, err
	}
	c := p.peek()
	if c != closing && c != ',' {
		return false, p.errorf("a comma or %c is missing", closing)
	}
	p.at++
	return c == closing, nil
}

// element reads one member or one item.
func (p *parser) element(n *node, seen map[string]bool, depth int) error {
	if n.kind == '[' {
		item, err := p.value(depth + 1)
		n.items = append(n.items, item)
		return err
	}
	m := member{from: p.at}
	var err error
	if m.key, err = p.key(seen); err != nil {
		return err
	}
	m.value, err = p.value(depth + 1)
	n.members = append(n.members, m)
	return err
}

// key reads a key that is new to its object, and the colon.
func (p *parser) key(seen map[string]bool) (string, error) {
	if p.peek() != '"' {
		return "", p.errorf("a key in quotes is missing")
	}
	from := p.at
	key, err := p.quoted()
	if err != nil {
		return "", err
	}
	if seen[key] {
		return "", errorAt(p.text, from, "the key %q stands here again: remove one of the two", key)
	}
	seen[key] = true
	if err := p.space(); err != nil {
		return "", err
	}
	if p.peek() != ':' {
		return "", p.errorf("a colon is missing")
	}
	p.at++
	return key, p.space()
}

func (p *parser) quoted() (string, error) {
	from := p.at
	for p.at++; p.peek() != '"'; p.at++ {
		if p.peek() == '\\' {
			p.at++
		}
		if p.at >= len(p.text) || p.peek() == '\n' {
			return "", errorAt(p.text, from, "this string does not end on its line")
		}
	}
	p.at++
	var s string
	if err := json.Unmarshal([]byte(p.text[from:p.at]), &s); err != nil {
		return "", errorAt(p.text, from, "this string has an escape or a character that JSON does not allow")
	}
	return s, nil
}

// scalar reads a number, true, false or null.
func (p *parser) scalar(n *node) error {
	rest := p.text[p.at:]
	size := strings.IndexAny(rest, " \t\r\n,:[]{}\"/")
	if size < 0 {
		size = len(rest)
	}
	word := rest[:size]
	if !json.Valid([]byte(word)) {
		return p.errorf("this is no JSON value")
	}
	if strings.Contains("tfn", word[:1]) {
		n.kind = word[0]
	}
	p.at += size
	return nil
}
