package script

import (
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/pkg/program"
)

// What stands in texts for what is not known before the program runs.
const (
	// Unknown is a part of which nothing is known.
	Unknown = "\ufffc"
	// Argument is an argument of the program, Input a line or more that it reads.
	Argument = "\ue000"
	Input    = "\ue001"
	// fields begin the fields of the line that AWK reads.
	fields = '\ue100'
)

// Field returns what stands in texts for a field of a line that AWK reads, which
// are counted from 1; 0 is the line.
func Field(n int) string { return string(rune(fields + n)) }

// IsKnown reports whether a text has no part that is not known.
func IsKnown(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r == '\ufffc' || r >= '\ue000' && r < fields+100 })
}

// A Value is what is known of a value.
type Value struct {
	// Texts are what it may be. Each may hold parts that are not known.
	Texts []string
	// Items are its elements where it is a list.
	Items []Value
	// Each says that the texts are patterns of which it is each path that
	// matches.
	Each bool
}

func text(s string) Value { return Value{Texts: []string{s}} }

// open is a value of which nothing is known. It must not be changed.
var open = Value{Texts: []string{Unknown}}

const (
	// maxText bounds the text of a value.
	maxText = 32 << 10
	// maxEval bounds how deep values are followed.
	maxEval = 64
)

// value returns what a node is known to be.
func (p *Program) value(n int32) Value { return p.evaluate(n, 0) }

func (p *Program) evaluate(n int32, depth int) Value {
	if n == 0 || depth > maxEval {
		return open
	}
	if p.nodes[n].kind == textNode {
		return text(p.nodes[n].text)
	}
	if v, ok := p.values[n]; ok {
		return v
	}
	p.values[n] = open // for what is made of itself
	v := p.compute(n, depth+1)
	p.values[n] = v
	return v
}

func (p *Program) compute(n int32, depth int) Value {
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
		return combined(p.all(n, depth), "")
	case pathNode:
		return combined(p.all(n, depth), "/")
	case formatNode:
		parts := p.all(n, depth)
		args := parts[1:]
		if len(args) == 1 && args[0].Items != nil {
			args = args[0].Items
		}
		return formatted(parts[0], args)
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
func (p *Program) all(n int32, depth int) []Value {
	var out []Value
	for k := range p.kids(n) {
		out = append(out, p.evaluate(k, depth))
	}
	return out
}

func (p *Program) elements(n int32, depth int) Value {
	v := Value{Items: []Value{}}
	for k := range p.kids(n) {
		if p.nodes[k].kind == pairNode {
			k = p.nodes[k].last
		}
		v.Items = append(v.Items, p.evaluate(k, depth))
	}
	return v
}

// variable returns what a name may hold.
func (p *Program) variable(name string, depth int) Value {
	if v, ok := known(name); ok && p.vars[name] == nil {
		return text(v)
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "$")); err == nil && name[0] == '$' && p.vars[name] == nil {
		return text(Field(min(n, 99)))
	}
	var out []Value
	for _, n := range p.vars[name] {
		out = append(out, p.evaluate(n, depth))
	}
	if out == nil {
		return open
	}
	return either(out)
}

// known returns what a name stands for everywhere.
func known(name string) (string, bool) {
	switch name {
	case "$ARGV", "ARGV", "argv", "$argv", "arg", "$@":
		return Argument, true
	case "$_", "STDIN", "$stdin", "stdin", "ARGF", "$<", "gets":
		return Input, true
	case "sep", "SEPARATOR", "DIRECTORY_SEPARATOR":
		return "/", true
	}
	return "", false
}

// member returns what a member of something is known to be.
func (p *Program) member(n int32, depth int) Value {
	name := p.nodes[n].text
	object := p.nameOf(p.nodes[n].first)
	switch {
	case homes.has(name) && p.env.Home != "":
		return text(p.env.Home)
	case name == "HOME" && (object == "env" || object == "environ"):
		return p.home()
	case name == "sep", name == "argv", name == "stdin":
		v, _ := known(name)
		return text(v)
	}
	if v, ok := p.folded(n, name, p.nodes[n].first, nil, depth); ok {
		return v
	}
	if name == "path" || name == "name" { // of what a directory holds
		if v := p.evaluate(p.nodes[n].first, depth); v.Each {
			return v
		}
	}
	return open
}

func (p *Program) home() Value {
	if p.env.Home == "" {
		return open
	}
	return text(p.env.Home)
}

// element returns an element of a list or of the environment.
func (p *Program) element(n int32, depth int) Value {
	object := p.nodes[n].first
	keys := p.all(n, depth)
	if len(keys) < 2 {
		return open
	}
	of, key := keys[0], keys[1]
	switch strings.TrimPrefix(p.nameOf(object), "$") {
	case "environ", "ENV", "env", "_SERVER", "_ENV", "ENVIRON":
		if has(key, "HOME") || p.nodes[p.nodes[object].next].text == "HOME" {
			return p.home()
		}
	case "Dir": // Dir["/*"]
		key.Each = true
		return key
	case "ARGV", "argv", "arg":
		return text(Argument)
	}
	if len(of.Items) > 0 && len(key.Texts) == 1 {
		i, err := strconv.Atoi(key.Texts[0])
		if err == nil && i < 0 {
			i += len(of.Items)
		}
		if err == nil && i >= 0 && i < len(of.Items) {
			return of.Items[i]
		}
	}
	if len(keys) > 2 && has(keys[len(keys)-1], "-1") { // [::-1]
		return mapped(of, reversed)
	}
	return open
}

func has(v Value, s string) bool {
	for _, t := range v.Texts {
		if t == s {
			return true
		}
	}
	return false
}

// eachOf returns what the elements of a list are, where a loop leaves none out.
func (p *Program) eachOf(n int32, depth int) Value {
	list := p.nodes[n].first
	for i := range p.loops {
		if l := &p.loops[i]; l.list == list && p.chosen(l.from, l.to) {
			return open
		}
	}
	v := p.evaluate(list, depth)
	if v.Items == nil {
		return v
	}
	return either(v.Items)
}

// either returns what one of several values may be.
func either(list []Value) Value {
	out := Value{}
	for _, v := range list {
		out.Each = out.Each || v.Each
		if out.Items == nil {
			out.Items = v.Items
		}
		for _, t := range v.Texts {
			if len(out.Texts) < maxValues && !has(out, t) {
				out.Texts = append(out.Texts, t)
			}
		}
	}
	return out
}

// combined returns texts behind one another with a text between them.
func combined(parts []Value, between string) Value {
	out := Value{Texts: []string{""}}
	for i, part := range parts {
		texts := part.Texts
		if len(texts) == 0 {
			texts = open.Texts
		}
		out.Each = out.Each || part.Each
		var next []string
		for _, before := range out.Texts {
			for _, t := range texts {
				if part.Each && strings.HasPrefix(t, strings.TrimSuffix(before, "/")+"/") {
					next = append(next, t) // "/etc/" + each of what is in /etc
				} else if i > 0 && between == "/" && (strings.HasPrefix(t, "/") || strings.HasPrefix(before, Unknown) && part.Each) {
					next = append(next, t) // a path that begins anew
				} else if len(before)+len(t) < maxText {
					if i > 0 {
						t = between + t
					}
					next = append(next, before+t)
				}
				if len(next) == maxValues {
					break
				}
			}
			if len(next) == maxValues {
				break
			}
		}
		if out.Texts = next; next == nil {
			return open
		}
	}
	return out
}

// repeated returns a text several times.
func repeated(parts []Value) Value {
	if len(parts) != 2 || len(parts[1].Texts) != 1 {
		return open
	}
	n, err := strconv.Atoi(parts[1].Texts[0])
	if err != nil || n < 0 || n > 1000 {
		return open
	}
	return mapped(parts[0], func(s string) string {
		if len(s)*n > maxText {
			return Unknown
		}
		return strings.Repeat(s, n)
	})
}

// mapped returns a value with each of its texts changed.
func mapped(v Value, change func(string) string) Value {
	out := Value{Each: v.Each}
	for _, t := range v.Texts {
		out.Texts = append(out.Texts, change(t))
	}
	for _, item := range v.Items {
		out.Items = append(out.Items, mapped(item, change))
	}
	return out
}

// formatted returns a format with values in the place of %s, {} and their like.
func formatted(format Value, args []Value) Value {
	out := open
	for i, f := range format.Texts {
		var parts []Value
		next := 0
		for f != "" {
			at, n := directive(f)
			if at < 0 {
				break
			}
			parts = append(parts, text(f[:at]))
			if f[at:at+n] == "%%" {
				parts = append(parts, text("%"))
			} else if next < len(args) {
				parts = append(parts, args[next])
				next++
			} else {
				parts = append(parts, open)
			}
			f = f[at+n:]
		}
		parts = append(parts, text(f))
		if v := combined(parts, ""); i == 0 {
			out = v
		} else {
			out = either([]Value{out, v})
		}
	}
	return out
}

// directive returns where a format says that a value stands, and how long that
// is; -1 for nowhere.
func directive(f string) (at, n int) {
	at = strings.IndexAny(f, "%{")
	if at < 0 {
		return -1, 0
	}
	if f[at] == '{' {
		end := strings.IndexByte(f[at:], '}')
		if end < 0 || strings.Trim(f[at+1:at+end], "0123456789") != "" {
			next, n := directive(f[at+1:])
			if next < 0 {
				return -1, 0
			}
			return at + 1 + next, n
		}
		return at, end + 1
	}
	end := at + 1
	for end < len(f) && strings.IndexByte("-+ #0123456789.l", f[end]) >= 0 {
		end++
	}
	if end == len(f) {
		return -1, 0
	}
	return at, end + 1 - at
}
