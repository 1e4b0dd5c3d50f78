package script

import (
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/pkg/program"
)

// variable returns what a name may hold.
func (p *reading) variable(name string, depth int) Value {
	if v, ok := known(name); ok && p.vars[name] == nil {
		return text(v)
	}
	if number, ok := strings.CutPrefix(name, "$"); ok && p.vars[name] == nil {
		if n, err := strconv.Atoi(number); err == nil {
			return text(Field(min(n, 99)))
		}
	}
	if name == "shift" && p.language == program.Perl {
		if list := p.variable("$_", depth); len(list.Items) > 0 {
			return list.Items[0]
		}
		return open
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
func (p *reading) member(n int32, depth int) Value {
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
	if v, ok := p.memberOf(p.nodes[n].first, name, depth); ok {
		return v
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

// element returns an element of a list or of the environment.
func (p *reading) element(n int32, depth int) Value {
	object := p.nodes[n].first
	keys := p.all(n, depth)
	if len(keys) < 2 {
		return open
	}
	of, key := keys[0], keys[1]
	if k := &p.nodes[p.nodes[object].next]; k.kind == nameNode && p.language == program.Perl {
		key = text(k.text) // $h{key}
	}
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
	for _, k := range key.Texts {
		if v, ok := p.memberOf(object, k, depth); ok {
			return v
		}
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

// memberOf returns what an object is known to hold under a key: what was assigned
// to it, what a class says of it, or what stands in the object as it is written.
func (p *reading) memberOf(object int32, key string, depth int) (Value, bool) {
	name := p.nameOf(object)
	found := p.members[name+"."+key]
	if name == "self" || name == "this" || name == "$this" {
		found = append(found[:len(found):len(found)], p.vars[key]...)
	}
	var out []Value
	for _, n := range found {
		out = append(out, p.evaluate(n, depth))
	}
	within := p.written(object, 0, func(n int32) bool {
		for k := range p.kids(n) {
			if p.looked++; p.looked > maxLooks {
				return false
			}
			if d := &p.nodes[k]; d.kind == pairNode && d.first != d.last && p.nodes[d.first].text == key {
				out = append(out, p.evaluate(d.last, depth))
			}
		}
		return true
	})
	if !within || out == nil {
		return Value{}, false
	}
	return either(out[:min(len(out), maxValues)]), true
}

// written calls yield with the objects that a node is known to be, as they are
// written, until it returns false; it returns false then too.
func (p *reading) written(n int32, depth int, yield func(int32) bool) bool {
	if n == 0 || depth > 4 {
		return true
	}
	switch d := &p.nodes[n]; d.kind {
	case blockNode:
		return yield(n)
	case listNode:
		if !yield(n) {
			return false
		}
		count := 0
		for k := range p.kids(n) {
			if count++; count > maxValues {
				break
			}
			if p.nodes[k].kind == blockNode && !yield(k) {
				return false
			}
		}
	case sameNode, eachNode:
		return p.written(d.first, depth+1, yield)
	case nameNode:
		for _, v := range p.vars[d.text] {
			if !p.written(v, depth+1, yield) {
				return false
			}
		}
	}
	return true
}

// loopsOver returns the loops that go through a list.
func (p *reading) loopsOver(list int32) []int {
	if p.byList == nil {
		p.byList = make(map[int32][]int, len(p.loops))
		for i, l := range p.loops {
			p.byList[l.list] = append(p.byList[l.list], i)
		}
	}
	return p.byList[list]
}

// eachOf returns what the elements of a list are, where a loop leaves none out.
func (p *reading) eachOf(n int32, depth int) Value {
	list := p.nodes[n].first
	for _, i := range p.loopsOver(list) {
		if l := &p.loops[i]; p.chosen(l.from, l.to) {
			return open
		}
	}
	v := p.evaluate(list, depth)
	if v.Items == nil {
		return v
	}
	return either(v.Items)
}
