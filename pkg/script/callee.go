package script

import (
	"strings"
)

// A callee is what is called: its name and, of a member, the value to which it
// belongs.
type callee struct {
	name   string
	member bool
	of     int32
}

// callees adds what a node may call to a list.
func (p *parser) callees(out []callee, n int32, depth int) []callee {
	if depth > 4 || n == 0 {
		return out
	}
	switch d := p.nodes[n]; d.kind {
	case nameNode:
		return append(out, p.calleesNamed(d.text, depth)...)
	case textNode, joinNode:
		for _, t := range p.value(n).Texts {
			if isName(t) && depth > 0 {
				out = append(out, callee{name: t})
			}
		}
	case sameNode:
		return p.callees(out, d.first, depth+1)
	case eachNode:
		if list := p.nodes[d.first]; list.kind == listNode {
			before := len(out)
			for k := list.first; k != 0 && len(out) < before+maxValues; k = p.nodes[k].next {
				out = p.callees(out, k, depth+1)
			}
		}
	case memberNode:
		return append(out, callee{d.text, true, d.first})
	case indexNode:
		if key := p.value(p.nodes[d.first].next); len(key.Texts) == 1 {
			return append(out, callee{key.Texts[0], true, d.first})
		}
	case callNode: // getattr(os, "system")
		if name := p.nameOf(d.first); name == "getattr" || name == "method" {
			if args := p.all(n, 0); len(args) > 1 {
				if v := args[len(args)-1]; len(v.Texts) == 1 {
					return append(out, callee{name: v.Texts[0]})
				}
			}
		}
	case listNode:
		if d.first != 0 {
			return p.callees(out, d.last, depth+1) // (0, fs.rmSync)(…)
		}
	}
	return out
}

// calleesNamed returns what a name may call.
func (p *parser) calleesNamed(name string, depth int) []callee {
	out, ok := p.calleesOf[name]
	if ok {
		return out
	}
	p.calleesOf[name] = nil // for what is made of itself
	for _, v := range p.vars[name] {
		out = append(out, p.callees(nil, v, depth+1)...)
	}
	if _, own := p.functions[name]; !own && name != "" && (name[0] != '$' || len(name) == 1) {
		out = append(out, callee{name: name}) // what its own functions do is read where they stand
	}
	out = out[:min(len(out), maxValues)]
	p.calleesOf[name] = out
	return out
}

// factOf returns what a callee does; nil where nothing is known.
func (p *parser) factOf(c callee) *fact {
	facts := p.words.words[p.words.find(c.name)].facts
	if len(facts) == 0 || !c.member {
		return factOf(facts, nil, p.language)
	}
	return factOf(facts, p.objects(c.of, 0), p.language)
}

// objects returns the names that stand for the value before a member.
func (p *parser) objects(n int32, depth int) []string {
	if n == 0 || depth > 6 {
		return []string{""}
	}
	switch d := p.nodes[n]; d.kind {
	case nameNode:
		out, ok := p.objectsOf[d.text]
		if ok {
			return out
		}
		p.objectsOf[d.text] = []string{d.text} // for what is made of itself
		out = []string{d.text}
		for _, v := range p.vars[d.text] {
			out = append(out, p.objects(v, depth+1)...)
		}
		out = out[:min(len(out), 2*maxValues)]
		p.objectsOf[d.text] = out
		return out
	case memberNode:
		return append([]string{d.text}, p.objects(d.first, depth+1)...)
	case sameNode, eachNode:
		return p.objects(d.first, depth+1)
	case callNode:
		out := p.objects(d.first, depth+1)
		if arg := p.nodes[d.first].next; arg != 0 && p.nodes[arg].kind == textNode && isOneOf(p.nameOf(d.first), imports) {
			out = append(out, strings.TrimPrefix(p.nodes[arg].text, "node:"))
		}
		return out
	case listNode:
		return p.objects(d.last, depth+1)
	case unknownNode:
		return []string{d.text}
	}
	return []string{""}
}
