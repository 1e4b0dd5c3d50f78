package script

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
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
		return p.calleesNamed(out, d.text, depth)
	case textNode, joinNode:
		for _, t := range p.value(n).Texts {
			if isName(t) && (depth > 0 || p.language == program.PHP) {
				out = append(out, callee{name: t})
			}
		}
	case sameNode:
		return p.callees(out, d.first, depth+1)
	case eachNode:
		if list := p.nodes[d.first]; list.kind != listNode {
			out = p.callees(out, d.first, depth+1)
		} else {
			before := len(out)
			for k := list.first; k != 0 && len(out) < before+maxValues; k = p.nodes[k].next {
				out = p.callees(out, k, depth+1)
			}
		}
	case memberNode:
		if (d.text == "call" || d.text == "invoke" || d.text == "to_proc") && p.language != program.JavaScript {
			return p.callees(out, d.first, depth+1) // method(:system).call("…")
		}
		return p.calleesOf(append(out, callee{d.text, true, d.first}), d.first, d.text, depth)
	case indexNode:
		if key := p.value(p.nodes[d.first].next); len(key.Texts) == 1 {
			return p.calleesOf(append(out, callee{key.Texts[0], true, d.first}), d.first, key.Texts[0], depth)
		}
	case callNode:
		return p.calleesMade(out, n, depth)
	case listNode:
		if d.first != 0 {
			return p.callees(out, d.last, depth+1) // (0, fs.rmSync)(…)
		}
	}
	return out
}

// calleesOf adds what an object may call that it holds under a key.
func (p *parser) calleesOf(out []callee, object int32, key string, depth int) []callee {
	nodes, _ := p.memberNodes(object, key)
	for _, n := range nodes[:min(len(nodes), maxValues)] {
		out = p.callees(out, n, depth+1)
	}
	return out
}

// calleesMade adds what the result of a call may call: getattr(os, "system"),
// promisify(exec), f.bind(null).
func (p *parser) calleesMade(out []callee, n int32, depth int) []callee {
	made := p.nodes[n].first
	arg := p.nodes[made].next
	switch p.nameOf(made) {
	case "getattr", "method", "get", "can":
		of := arg
		if p.nodes[made].kind == memberNode && p.nodes[n].last == arg {
			of = p.nodes[made].first
		}
		if v := p.value(p.nodes[n].last); arg != 0 && len(v.Texts) == 1 {
			out = append(out, callee{v.Texts[0], true, of})
		}
	case "promisify", "partial", "fromCallable", "ReflectionFunction", "denodeify", "callbackify":
		return p.callees(out, arg, depth+1)
	case "bind", "to_proc":
		if p.nodes[made].kind == memberNode {
			return p.callees(out, p.nodes[made].first, depth+1)
		}
	default:
		if isOneOf(p.nameOf(made), imports) && arg != 0 && p.nodes[arg].kind == textNode { // require("rimraf")(…)
			return append(out, callee{name: p.nodes[arg].text})
		}
		if arg == 0 && (p.language == program.PHP || p.language == program.Perl) { // system(...), \&system
			return p.callees(out, made, depth+1)
		}
	}
	return out
}

// calleesNamed adds what a name may call.
func (p *parser) calleesNamed(out []callee, name string, depth int) []callee {
	i := p.names[name]
	m := &p.meanings[i]
	if m.calls {
		return append(out, m.callees...)
	}
	before := len(out)
	if i != 0 {
		m.calls = true // for what is made of itself
	}
	for _, v := range m.values[:m.count] {
		out = p.callees(out, v, depth+1)
	}
	if !m.defined && name != "" && (name[0] != '$' || len(name) == 1) {
		out = append(out, callee{name: name}) // what its own functions do is read where they stand
	}
	out = out[:min(len(out), before+maxValues)]
	if i != 0 {
		m.callees = kept(&p.keptCallees, out[before:])
	}
	return out
}

// factOf returns what a callee does; nil where nothing is known.
func (p *parser) factOf(c callee) *fact {
	facts := p.words.words[p.words.find(c.name)].facts
	if len(facts) == 0 || !c.member {
		return factOf(facts, nil, p.language)
	}
	p.standing = p.objects(p.standing[:0], c.of, 0)
	return factOf(facts, p.standing, p.language)
}

// objects adds the names that stand for the value before a member.
func (p *parser) objects(out []string, n int32, depth int) []string {
	if n == 0 || depth > 6 {
		return append(out, "")
	}
	switch d := &p.nodes[n]; d.kind {
	case nameNode:
		return p.objectsNamed(out, d.text, depth)
	case memberNode:
		return p.objects(append(out, d.text), d.first, depth+1)
	case sameNode, eachNode:
		return p.objects(out, d.first, depth+1)
	case callNode:
		out = p.objects(out, d.first, depth+1)
		if arg := p.nodes[d.first].next; arg != 0 && p.nodes[arg].kind == textNode && isOneOf(p.nameOf(d.first), imports) {
			out = append(out, strings.TrimPrefix(p.nodes[arg].text, "node:"))
		}
		return out
	case listNode:
		return p.objects(out, d.last, depth+1)
	case unknownNode:
		return append(out, d.text)
	}
	return append(out, "")
}

// objectsNamed adds the names that stand for what a name holds.
func (p *parser) objectsNamed(out []string, name string, depth int) []string {
	i := p.names[name]
	if i == 0 {
		return append(out, name)
	}
	m := &p.meanings[i]
	if m.named {
		return append(out, m.objects...)
	}
	before := len(out)
	out = append(out, name)
	m.objects, m.named = kept(&p.keptObjects, out[before:]), true // for what is made of itself
	for _, v := range m.values[:m.count] {
		out = p.objects(out, v, depth+1)
	}
	out = out[:min(len(out), before+2*maxValues)]
	if len(out) > before+1 {
		m.objects = kept(&p.keptObjects, out[before:])
	}
	return out
}

// kept adds a list to others, and returns where it is kept.
func kept[T any](lists *[]T, list []T) []T {
	*lists = append(*lists, list...)
	n := len(*lists)
	return (*lists)[n-len(list) : n : n]
}
