package script

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// What stands in texts for what is unknown before the program runs.
const (
	// Unknown is a part of which nothing is known.
	Unknown = "\ufffc"
	// Argument is an argument of the program, Input a line or more that it reads.
	Argument = "\ue000"
	Input    = "\ue001"
	// Many is one number after another of very many, or the number of each process.
	Many = "\ue002"
	// fields begin the fields of the line that AWK reads.
	fields = '\ue100'
)

// Field returns what stands in texts for a field of a line that AWK reads, which
// are counted from 1; 0 is the line.
func Field(n int) string { return string(rune(fields + n)) }

// IsKnown reports whether a text has no part that is unknown.
func IsKnown(text string) bool { return !strings.ContainsFunc(text, isUnknown) }

// isUnknown reports whether a rune stands for what is unknown.
func isUnknown(r rune) bool { return r == '\ufffc' || r >= '\ue000' && r < fields+100 }

// Filled returns a text with a word in the place of each part that is unknown.
func Filled(text, word string) string {
	if IsKnown(text) {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if isUnknown(r) {
			out.WriteString(word)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// A Value is what is known of a value.
type Value struct {
	// Texts are what it may be. Each may hold parts that are unknown.
	Texts []string
	// Items are its elements where it is a list.
	Items []Value
	// Each says that the texts are patterns of which it is each path that
	// matches.
	Each bool
}

func text(s string) Value { return Value{Texts: []string{s}} }

// first returns the first of the texts of a value, Unknown where it has none.
func (v Value) first() string {
	if len(v.Texts) == 0 {
		return Unknown
	}
	return v.Texts[0]
}

// open is a value of which nothing is known. It must not be changed.
var open = Value{Texts: []string{Unknown}}

const (
	// maxItems bounds the elements of a list that is made of several.
	maxItems = 256
	// maxText bounds the text of a value.
	maxText = 32 << 10
	// maxParts bounds how many parts with several texts make one value.
	maxParts = 256
	// maxEval bounds how deep values are followed.
	maxEval = 64
)

// value returns what a node is known to be.
func (p *reading) value(n int32) Value { return p.evaluate(n, 0) }

func (p *reading) evaluate(n int32, depth int) Value {
	if n == 0 || depth > maxEval {
		return open
	}
	if p.nodes[n].kind == textNode {
		return text(p.nodes[n].text)
	}
	if i := p.nodes[n].value; i != 0 {
		return p.values[i]
	}
	i := len(p.values)
	p.nodes[n].value = int32(i)
	p.values = append(p.values, open) // for what is made of itself
	v := p.compute(n, depth+1)
	p.values[i] = v
	return v
}

func (p *reading) compute(n int32, depth int) Value {
	switch d := &p.nodes[n]; d.kind {
	case sameNode:
		return p.evaluate(d.first, depth)
	case nameNode:
		return p.variable(d.text, depth)
	case memberNode:
		return p.member(n, depth)
	case indexNode:
		return p.element(n, depth)
	case callNode:
		return p.result(n, depth)
	case listNode:
		return p.elements(n, depth)
	case blockNode:
		if p.language == program.Lua {
			return p.elements(n, depth)
		}
	case joinNode:
		parts := p.all(n, depth)
		if list, ok := concatenated(parts); ok {
			return list
		}
		return combined(parts, "")
	case pathNode:
		return combined(p.all(n, depth), "/")
	case formatNode:
		parts := p.all(n, depth)
		args := parts[1:]
		if len(args) == 1 && args[0].Items != nil {
			args = args[0].Items
		}
		return formatted(parts[0], args, func(key string) (Value, bool) { return p.memberOf(d.last, key, depth) })
	case repeatNode:
		return repeated(p.all(n, depth))
	case eitherNode:
		return either(p.all(n, depth))
	case eachNode:
		return p.eachOf(n, depth)
	}
	return open
}

// all returns the values of the children of a node.
func (p *reading) all(n int32, depth int) []Value {
	out := make([]Value, 0, p.count(p.nodes[n].first))
	for k := p.nodes[n].first; k != 0; k = p.nodes[k].next {
		out = append(out, p.evaluate(k, depth))
	}
	return out
}

func (p *reading) elements(n int32, depth int) Value {
	v := Value{Items: make([]Value, 0, p.count(p.nodes[n].first))}
	for k := p.nodes[n].first; k != 0; k = p.nodes[k].next {
		of := k
		if p.nodes[k].kind == pairNode {
			of = p.nodes[k].last
		}
		v.Items = append(v.Items, p.evaluate(of, depth))
	}
	return v
}

func has(v Value, s string) bool {
	for _, t := range v.Texts {
		if t == s {
			return true
		}
	}
	return false
}

func (p *reading) home() Value {
	if p.env.Home == "" {
		return open
	}
	return text(p.env.Home)
}
