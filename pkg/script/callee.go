package script

import (
	"strings"
)

// A callee is what is called: its name, the names before it, and the value to
// which the nearest of them belongs.
type callee struct {
	name    string
	objects []string
	of      int32
}

// callees returns what a node may call.
func (p *parser) callees(n int32, depth int) []callee {
	if depth > 4 || n == 0 {
		return nil
	}
	switch d := p.nodes[n]; d.kind {
	case nameNode:
		out, ok := p.calleesOf[d.text]
		if ok {
			return out
		}
		p.calleesOf[d.text] = nil // for what is made of itself
		for _, v := range p.vars[d.text] {
			out = append(out, p.callees(v, depth+1)...)
		}
		if _, own := p.functions[d.text]; !own && (d.text[0] != '$' || len(d.text) == 1) {
			out = append(out, callee{name: d.text}) // what its own functions do is read where they stand
		}
		out = out[:min(len(out), maxValues)]
		p.calleesOf[d.text] = out
		return out
	case textNode, joinNode:
		var out []callee
		for _, t := range p.value(n).Texts {
			if isName(t) && depth > 0 {
				out = append(out, callee{name: t})
			}
		}
		return out
	case sameNode:
		return p.callees(d.first, depth+1)
	case eachNode:
		var out []callee
		if list := p.nodes[d.first]; list.kind == listNode {
			for k := range p.kids(d.first) {
				if len(out) < maxValues {
					out = append(out, p.callees(k, depth+1)...)
				}
			}
		}
		return out
	case memberNode:
		return []callee{{d.text, p.objects(d.first, 0), d.first}}
	case indexNode:
		if key := p.value(p.nodes[d.first].next); len(key.Texts) == 1 {
			return []callee{{key.Texts[0], p.objects(d.first, 0), d.first}}
		}
	case callNode: // getattr(os, "system")
		if name := p.nameOf(d.first); name == "getattr" || name == "method" {
			if args := p.all(n, 0); len(args) > 1 {
				if v := args[len(args)-1]; len(v.Texts) == 1 {
					return []callee{{name: v.Texts[0]}}
				}
			}
		}
	case listNode:
		if d.first != 0 {
			return p.callees(d.last, depth+1) // (0, fs.rmSync)(…)
		}
	}
	return nil
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
		if arg := p.nodes[d.first].next; arg != 0 && imports.has(p.nameOf(d.first)) && p.nodes[arg].kind == textNode {
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

// imports are the calls that return a module by its name.
var imports = &wordSet{list: "require import __import__ import_module"}
