package script

import (
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// variable returns what a name may hold.
func (p *reading) variable(name string, depth int) Value {
	if v, ok := known(name); ok && len(p.vars(name)) == 0 {
		switch v {
		case Argument:
			return p.arguments()
		case Input:
			return p.input()
		}
		return text(v)
	}
	if number, ok := strings.CutPrefix(name, "$"); ok && len(p.vars(name)) == 0 {
		if n, ok := integer(number); ok {
			return text(Field(min(n, 99)))
		}
	}
	if name == "shift" && p.language == program.Perl {
		if list := p.variable("$_", depth); len(list.Items) > 0 {
			return list.Items[0]
		}
		if len(p.env.Arguments) > 0 {
			return p.env.Arguments[0]
		}
		return text(Argument)
	}
	var room [maxValues]Value
	held := p.vars(name)
	if len(held) == 0 {
		if name == "HOME" && p.language == program.NoLanguage {
			return p.home() // $HOME of vim
		}
		if f := p.meaning(name).function.node; f != 0 && p.language == program.Ruby {
			return p.returned(depth, f)
		}
		return open
	}
	for i, n := range held {
		room[i] = p.evaluate(n, depth)
	}
	return either(room[:len(held)])
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
	case "getcwd":
		return ".", true
	}
	return "", false
}

// arguments returns the list of the arguments of the program, in languages that
// have it so behind its name.
func (p *reading) arguments() Value {
	if p.env.Arguments == nil {
		return text(Argument)
	}
	out := Value{Items: p.env.Arguments}
	switch p.language {
	case program.Python, program.PHP, program.Lua, program.AWK, program.JavaScript:
		out.Items = append([]Value{open}, out.Items...)
	}
	return out
}

// input returns what the program reads: all of its input, or a line.
func (p *reading) input() Value {
	if len(p.env.Input) == 0 {
		return text(Input)
	}
	var out Value
	for _, whole := range p.env.Input {
		whole = strings.TrimSpace(whole)
		out.Texts = append(out.Texts, whole)
		if !strings.Contains(whole, "\n") {
			continue
		}
		for line := range strings.Lines(whole) {
			if len(out.Texts) == maxValues {
				return Value{Texts: append(out.Texts, Input)}
			}
			out.Texts = append(out.Texts, strings.TrimSpace(line))
		}
	}
	return out
}

// outside returns what a variable of the environment is known to be.
func (p *reading) outside(names Value) Value {
	for _, name := range names.Texts {
		switch {
		case name == "HOME":
			return p.home()
		case p.env.Variable == nil:
		default:
			if v := p.env.Variable(name); len(v) > 0 {
				return Value{Texts: v}
			}
		}
		if name == "USER" || name == "LOGNAME" {
			return userName(p, open, nil)
		}
	}
	return open
}

// contents returns what a file is known to hold.
func (p *reading) contents(path Value) Value {
	for _, name := range path.Texts {
		switch name {
		case "0", "/dev/stdin", "php://stdin", "/dev/fd/0", "/proc/self/fd/0", "-":
			return p.input()
		}
		if p.env.File == nil || !IsKnown(name) {
			continue
		}
		if v := p.env.File(name); len(v) > 0 {
			return mapped(Value{Texts: v}, strings.TrimSpace)
		}
	}
	return open
}

// member returns what a member of something is known to be.
func (p *reading) member(n int32, depth int) Value {
	name := p.nodes[n].text
	object := p.moduleOf(p.nodes[n].first)
	switch {
	case isOneOf(name, homes) && p.env.Home != "":
		return text(p.env.Home)
	case object == "env" || object == "environ":
		if v := p.outside(text(name)); IsKnown(v.Texts[0]) {
			return v
		}
	case name == "argv":
		return p.arguments()
	case name == "args" && object == "Deno" && p.env.Arguments != nil:
		return Value{Items: p.env.Arguments}
	case name == "stdin":
		return p.input()
	case name == "sep":
		return text("/")
	case p.parsesArguments(p.nodes[n].first):
		return either(p.env.Arguments)
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

// parsesArguments reports whether a value holds what a parser made of the
// arguments of the program.
func (p *reading) parsesArguments(n int32) bool {
	if p.env.Arguments == nil {
		return false
	}
	parses := func(n int32) bool { return isOneOf(p.nameOf(n), argumentParsers) }
	return parses(n) || p.nodes[n].kind == nameNode && slices.ContainsFunc(p.vars(p.nodes[n].text), parses)
}

// element returns an element of a list or of the environment.
func (p *reading) element(n int32, depth int) Value {
	object := p.nodes[n].first
	keys := p.all(n, depth)
	if len(keys) < 2 {
		return open
	}
	of, key, rest := keys[0], keys[1], open
	if k := &p.nodes[p.nodes[object].next]; k.kind == nameNode && p.language == program.Perl {
		key = text(k.text) // $h{key}
	}
	switch strings.TrimPrefix(p.nameOf(p.alias(object)), "$") {
	case "environ", "ENV", "env", "_SERVER", "_ENV", "ENVIRON":
		if v := p.outside(key); IsKnown(v.Texts[0]) {
			return v
		}
	case "Dir": // Dir["/*"]
		key.Each = true
		return key
	case "ARGV", "argv", "arg":
		if p.env.Arguments == nil {
			return text(Argument)
		}
		rest = text(Argument)
	}
	for _, k := range key.Texts {
		if v, ok := p.memberOf(object, k, depth); ok {
			return v
		}
	}
	if v, ok := p.sliced(n, of, depth); ok {
		return v
	}
	if slice := &p.nodes[p.nodes[object].next]; of.Items != nil && (len(keys) > 2 || slice.kind == pairNode) { // [1:]
		from := 0
		if v := p.evaluate(slice.first, depth); slice.kind == pairNode && len(v.Texts) == 1 {
			from, _ = strconv.Atoi(v.Texts[0])
		}
		return Value{Items: of.Items[min(max(from, 0), len(of.Items)):]}
	}
	if len(of.Items) > 0 && len(key.Texts) == 1 {
		i, ok := integer(key.Texts[0])
		if ok && i < 0 {
			i += len(of.Items)
		}
		if ok && i >= 0 && i < len(of.Items) {
			return of.Items[i]
		}
	}
	if len(keys) > 2 && has(keys[len(keys)-1], "-1") { // [::-1]
		return mapped(of, reversed)
	}
	if len(keys) == 3 && len(of.Texts) > 0 { // [0, 4] and [0..3] of Ruby
		from, to := p.number(p.nodes[object].next, depth), p.number(p.nodes[n].last, depth)
		return either([]Value{part(of, from, from+to), part(of, from, to+1)})
	}
	return rest
}

// sliced returns the part of a text or a list that [from:to] says; ok is false
// where an index is none.
func (p *reading) sliced(n int32, of Value, depth int) (_ Value, ok bool) {
	from, to := 0, toEnd
	for k := p.nodes[p.nodes[n].first].next; k != 0; k = p.nodes[k].next {
		switch d := p.nodes[k]; {
		case d.kind == nameNode && d.text == ":":
			ok = true
		case d.kind == pairNode:
			ok, from = true, p.number(d.first, depth)
			if d.last != d.first {
				to = p.number(d.last, depth)
			}
		case ok:
			to = p.number(k, depth)
		}
	}
	return part(of, from, to), ok
}

// number returns the number that a node is known to be, unknownNumber for none.
func (p *reading) number(n int32, depth int) int {
	return p.evaluate(n, depth).number()
}

// memberOf returns what an object is known to hold under a key.
func (p *reading) memberOf(object int32, key string, depth int) (Value, bool) {
	nodes, within := p.memberNodes(object, key)
	if !within || nodes == nil {
		return Value{}, false
	}
	var out []Value
	for _, n := range nodes[:min(len(nodes), maxValues)] {
		out = append(out, p.evaluate(n, depth))
	}
	return either(out), true
}

// memberNodes returns the nodes that an object may hold under a key: what was
// assigned to it, what a class says of it, or what stands in the object as it is
// written; within is false where there is too much of that.
func (p *reading) memberNodes(object int32, key string) (out []int32, within bool) {
	if len(p.members) > 0 {
		found := p.members[p.nameOf(object)+"."+key]
		out = found[:len(found):len(found)]
	}
	if p.isOwn(object) {
		out = append(out, p.vars(key)...)
		if p.language == program.PHP {
			out = append(out, p.vars("$"+key)...)
		}
	}
	i, isNumber := integer(key)
	within = p.written(object, 0, func(n int32) bool {
		at := 0
		for k := range p.kids(n) {
			if p.looked++; p.looked > maxLooks {
				return false
			}
			if d := &p.nodes[k]; d.kind == pairNode && d.first != d.last && p.nodes[d.first].text == key {
				out = append(out, d.last)
			} else if isNumber && at == i && p.nodes[n].kind == listNode && (d.kind == memberNode || d.kind == nameNode) {
				out = append(out, k)
			}
			at++
		}
		return true
	})
	return out, within
}

// written calls yield with the objects that a node is known to be, as they are
// written, until it returns false; it returns false then too.
func (p *reading) written(n int32, depth int, yield func(int32) bool) bool {
	if n == 0 || depth > 4 {
		return true
	}
	switch d := &p.nodes[n]; d.kind {
	case blockNode, callNode: // dict(x=…)
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
		for _, v := range p.vars(d.text) {
			if !p.written(v, depth+1, yield) {
				return false
			}
		}
	}
	return true
}

// held returns what the objects that a node is known to be hold, and under which
// keys, as a list; ok is false where there is none.
func (p *reading) held(n int32, depth int) (out Value, ok bool) {
	p.written(n, 0, func(o int32) bool {
		if p.nodes[o].kind == callNode && p.nameOf(o) != "dict" {
			return true
		}
		for k := range p.kids(o) {
			if p.looked++; p.looked > maxLooks || len(out.Items) == maxItems {
				return false
			}
			d := &p.nodes[k]
			if d.kind != pairNode || d.first == d.last {
				continue
			}
			if key := &p.nodes[d.first]; key.kind == textNode { // which a loop may go through as well
				out.Items = append(out.Items, text(key.text))
			}
			out.Items = append(out.Items, p.evaluate(d.last, depth))
		}
		return true
	})
	return out, out.Items != nil
}

// loopOver returns one of the loops that go through a list, counted from 1, which
// leads to the others; 0 where there is none.
func (p *reading) loopOver(list int32) int32 {
	if len(p.byList) == 0 {
		for i := range p.loops {
			l := &p.loops[i]
			l.other = p.byList[l.list]
			p.byList[l.list] = int32(i + 1)
		}
	}
	return p.byList[list]
}

// eachOf returns what the elements of a list are, where a loop leaves none out.
func (p *reading) eachOf(n int32, depth int) Value {
	list := p.nodes[n].first
	for i := p.loopOver(list); i != 0; i = p.loops[i-1].other {
		if l := &p.loops[i-1]; p.chosen(l.from, l.to) {
			return open
		}
	}
	v := p.evaluate(list, depth)
	if v.Items == nil {
		held, ok := p.held(list, depth)
		if !ok {
			return v
		}
		v = held
	}
	return either(v.Items)
}
