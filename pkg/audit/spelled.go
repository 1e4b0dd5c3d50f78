package audit

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Spelled reads a record that is spelled exactly as [WriteJSONL] writes it. It
// is much faster than encoding/json, for logs of millions of records, and knows
// only what nearly all of them hold: where it says no, the text may be a record
// with a rare escape, or none. What it reads, another reader of JSON reads in
// the same way, and it is written again in the same bytes.
func Spelled(text []byte) (*Record, bool) {
	if !utf8.Valid(text) || bytes.Contains(text, []byte("\u2028")) || bytes.Contains(text, []byte("\u2029")) {
		return nil, false
	}
	p := speller{s: string(text)}
	r := &Record{}
	r.Seq = p.number(`{"seq":`)
	p.text(`,"prev":`, &r.Prev)
	r.Time = p.time(`,"time":`)
	p.text(`,"kind":`, &r.Kind)
	p.text(`,"actor":`, &r.Actor)
	p.optional(`,"request_id":`, &r.RequestID)
	p.optional(`,"tool":`, &r.Tool)
	if p.has(`,"arguments":`) {
		from := p.at
		p.value(0)
		r.Arguments = json.RawMessage(p.s[from:p.at])
	}
	p.optional(`,"session":`, &r.Session)
	p.optional(`,"agent":`, &r.Agent)
	p.optional(`,"dir":`, &r.Dir)
	p.optional(`,"decision":`, &r.Decision)
	p.optional(`,"decided_by":`, &r.DecidedBy)
	if strings.HasPrefix(p.s[p.at:], `,"decided_at":`) {
		at := p.time(`,"decided_at":`)
		r.DecidedAt = &at
	}
	p.optional(`,"reason":`, &r.Reason)
	p.optional(`,"rule":`, &r.Rule)
	p.optional(`,"stage":`, &r.Stage)
	p.optional(`,"revision":`, &r.Revision)
	p.optional(`,"request_hash":`, &r.RequestHash)
	p.optional(`,"execution_result":`, &r.ExecutionResult)
	r.Detail = p.texts(`,"detail":`)
	r.Redacted = p.list(`,"redacted":`)
	p.text(`,"hash":`, &r.Hash)
	p.want("}")
	return r, !p.bad && p.at == len(p.s)
}

// isSpelled reports whether arguments are surely spelled as [Next] spells them.
func isSpelled(arguments []byte) bool {
	if !utf8.Valid(arguments) || bytes.Contains(arguments, []byte("\u2028")) || bytes.Contains(arguments, []byte("\u2029")) {
		return false
	}
	p := speller{s: string(arguments)}
	p.value(0)
	return !p.bad && p.at == len(p.s)
}

// A speller reads JSON in the one spelling that [encode] gives it. After what
// it does not know it is bad, and reads on to no end.
type speller struct {
	s   string
	at  int
	bad bool
}

// has moves over a text, if it stands there.
func (p *speller) has(text string) bool {
	if p.bad || !strings.HasPrefix(p.s[p.at:], text) {
		return false
	}
	p.at += len(text)
	return true
}

func (p *speller) want(text string) { p.bad = !p.has(text) }

// next returns the byte that stands there, 0 at the end.
func (p *speller) next() byte {
	if p.bad || p.at == len(p.s) {
		return 0
	}
	return p.s[p.at]
}

func (p *speller) text(name string, into *string) {
	p.want(name)
	*into = p.str()
}

// optional reads a member that is left out where it is empty.
func (p *speller) optional(name string, into *string) {
	if p.has(name) {
		*into = p.str()
		p.bad = p.bad || *into == ""
	}
}

func (p *speller) number(name string) int64 {
	p.want(name)
	from := p.at
	p.digits()
	n, err := strconv.ParseInt(p.s[from:p.at], 10, 64)
	p.bad = p.bad || err != nil || n < 1 || n > maxSeq || p.s[from] == '0'
	return n
}

func (p *speller) time(name string) time.Time {
	p.want(name)
	text := p.str()
	at, err := time.Parse(time.RFC3339Nano, text)
	var again [len(time.RFC3339Nano)]byte
	p.bad = p.bad || err != nil || at.Location() != time.UTC || !isYear(at.Year()) || string(at.AppendFormat(again[:0], time.RFC3339Nano)) != text
	return at
}

func (p *speller) texts(name string) map[string]string {
	if !p.has(name) {
		return nil
	}
	out := make(map[string]string, 4)
	p.members(func(key string) { out[key] = p.str() })
	p.bad = p.bad || len(out) == 0
	return out
}

func (p *speller) list(name string) (out []string) {
	if p.has(name) {
		p.items(func() { out = append(out, p.str()) })
		p.bad = p.bad || len(out) == 0
	}
	return out
}

// value moves over a value.
func (p *speller) value(depth int) {
	switch c := p.next(); {
	case depth > maxDepth:
		p.bad = true
	case c == '"':
		p.str()
	case c == '{':
		p.members(func(string) { p.value(depth + 1) })
	case c == '[':
		p.items(func() { p.value(depth + 1) })
	case c == '-' || c >= '0' && c <= '9':
		p.anyNumber()
	case !p.has("true") && !p.has("false"):
		p.want("null")
	}
}

// members reads an object whose keys stand in their order, none of them twice.
func (p *speller) members(value func(key string)) {
	p.want("{")
	for last, first := "", true; !p.bad && !p.has("}"); first = false {
		if !first {
			p.want(",")
		}
		from := p.at
		key := p.str()
		if p.bad || p.at-from != len(key)+2 || !first && key <= last { // one with an escape is rare
			p.bad = true
			return
		}
		last = key
		p.want(":")
		value(key)
		if c := p.next(); c != ',' && c != '}' {
			p.bad = true
		}
	}
}

func (p *speller) items(item func()) {
	p.want("[")
	for first := true; !p.bad && !p.has("]"); first = false {
		if !first {
			p.want(",")
		}
		item()
		if c := p.next(); c != ',' && c != ']' {
			p.bad = true
		}
	}
}

// anyNumber moves over a number (RFC 8259, section 6), which keeps its
// spelling.
func (p *speller) anyNumber() {
	p.has("-")
	if !p.has("0") {
		p.digits()
	}
	if p.has(".") {
		p.digits()
	}
	if p.has("e") || p.has("E") {
		if !p.has("+") {
			p.has("-")
		}
		p.digits()
	}
}

// digits moves over one digit or more.
func (p *speller) digits() {
	from := p.at
	for c := p.next(); c >= '0' && c <= '9'; c = p.next() {
		p.at++
	}
	p.bad = p.bad || p.at == from
}

// unescaped are the characters of the escapes that are known. The others are
// rare.
var unescaped = [256]byte{'"': '"', '\\': '\\', 'n': '\n', 'r': '\r', 't': '\t'}

// str reads a string.
func (p *speller) str() string {
	p.want(`"`)
	from, escaped := p.at, false
	for !p.bad {
		c := p.next()
		switch {
		case c == '"':
			p.at++
			text := p.s[from : p.at-1]
			if escaped {
				text = unescape(text)
			}
			return text
		case c == '\\':
			p.at++
			if unescaped[p.next()] == 0 {
				p.bad = true
				return ""
			}
			escaped = true
		case c < ' ': // or the end
			p.bad = true
			return ""
		}
		p.at++
	}
	return ""
}

func unescape(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
			b = append(b, unescaped[s[i]])
			continue
		}
		b = append(b, s[i])
	}
	return string(b)
}
