package script

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/policyctl/policyctl/pkg/program"
)

// A Call is a call of which it is known what it does.
type Call struct {
	Act Act
	// Name is its last name, as the table has it.
	Name string
	// Values are what it does that to; of Runs they are the words of a command.
	Values []Value
	// Line says of Runs that a shell reads its one text.
	Line bool
	// Endless says that a loop without an end holds it; First, that it is the
	// first call of one; Detached, that it does not wait for what it runs.
	Endless, First, Detached bool
	// At is its offset in the text.
	At int

	node int32
}

// A callee is what is called: its name, the names before it, and the value to
// which the nearest of them belongs.
type callee struct {
	name    string
	objects []string
	of      int32
}

// tell finds the calls of a program.
func (p *parser) tell(depth int) {
	for _, n := range p.called {
		p.tellCall(n, depth)
	}
	p.tellLoops()
}

func (p *parser) tellCall(n int32, depth int) {
	first := p.nodes[n].first
	if name := p.nodes[first].text; name == "setInterval" {
		p.timer(n, p.nodes[first].next)
	}
	for _, c := range p.callees(first, 0) {
		if f := factOf(c.name, c.objects, p.language); f != nil {
			p.note(f, c, n, p.nodes[first].next, depth)
			return
		}
	}
	// what it is given may be a call that it makes: map(os.remove, paths)
	for k := p.nodes[first].next; k != 0; k = p.nodes[k].next {
		ref := k
		if p.nodes[k].kind == pairNode {
			ref = p.nodes[k].last
		}
		if kind := p.nodes[ref].kind; kind != nameNode && kind != memberNode {
			continue
		}
		for _, c := range p.callees(ref, 0) {
			if f := factOf(c.name, c.objects, p.language); f != nil {
				p.handed(f, c, n, k)
			}
		}
	}
}

// timer notes a timer of JavaScript that does something again and again without
// a pause.
func (p *parser) timer(n, f int32) {
	if f == 0 || p.nodes[f].kind != functionNode {
		return
	}
	if pause := p.nodes[f].next; pause == 0 || p.nodes[pause].text == "0" || p.nodes[pause].text == "1" {
		p.loops = append(p.loops, loop{from: n, to: p.bodies[f], body: f, endless: true})
	}
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
		if d.text[0] != '$' || len(d.text) == 1 {
			out = append(out, callee{name: d.text})
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

// A gift is what a call is given.
type gift struct {
	values []Value
	// words are the values with the elements of lists in their place.
	words []Value
	shell bool
	modes []string
}

// given returns what stands in the arguments from one on, except for one.
func (p *parser) given(arg, except int32) gift {
	g := gift{}
	for k := arg; k != 0; k = p.nodes[k].next {
		if k != except {
			p.give(&g, k)
		}
	}
	return g
}

func (p *parser) give(g *gift, k int32) {
	switch d := p.nodes[k]; d.kind {
	case functionNode:
	case blockNode: // {args: […]}
		for m := range p.kids(k) {
			if p.nodes[m].kind == pairNode {
				p.give(g, m)
			}
		}
	case pairNode:
		v := p.value(d.last)
		switch p.nodes[d.first].text {
		case "shell":
			g.shell = true
		case "mode":
			g.modes = append(g.modes, v.Texts...)
		case "args", "path", "command", "cmd", "file", "target", "executable", "KILL", "TERM", "9":
			p.put(g, v)
		default:
			if p.language == program.NoLanguage {
				p.put(g, v)
			}
		}
	default:
		p.put(g, p.value(k))
		g.modes = append(g.modes, p.flags(k)...)
	}
}

func (p *parser) put(g *gift, v Value) {
	g.values = append(g.values, v)
	if v.Items != nil && len(v.Texts) == 0 {
		g.words = append(g.words, v.Items...)
		return
	}
	g.words = append(g.words, v)
}

// flags returns the names of constants in an argument, such as os.O_WRONLY.
func (p *parser) flags(k int32) (out []string) {
	switch d := p.nodes[k]; d.kind {
	case nameNode, memberNode:
		return []string{d.text}
	case unknownNode:
		for m := range p.kids(k) {
			out = append(out, p.flags(m)...)
		}
	}
	return out
}

// note keeps a call.
func (p *parser) note(f *fact, c callee, n, arg int32, depth int) {
	g := p.given(arg, 0)
	if v := p.receiver(c); v != nil {
		if g.values = append([]Value{*v}, g.values...); len(g.words) == 0 {
			g.words = []Value{*v} // "ls".execute()
		}
	} else if len(g.values) == 0 && (f.act == Deletes || f.act == evaluates) {
		g.values = []Value{p.variable("$_", 0)}
	}
	p.keep(f, c.name, n, g, depth)
}

// receiver returns the path to which a method belongs, nil where that is none.
func (p *parser) receiver(c callee) *Value {
	if c.of == 0 || p.isModule(c.of) {
		return nil
	}
	v := p.value(c.of)
	if len(v.Texts) == 0 || !slices.ContainsFunc(v.Texts, IsKnown) {
		return nil
	}
	return &v
}

// handed keeps a call that another makes with its other arguments, each element
// of those that are lists.
func (p *parser) handed(f *fact, c callee, n, ref int32) {
	first := p.nodes[n].first
	g := p.given(p.nodes[first].next, ref)
	if f.act != Runs {
		for i, v := range g.values {
			if v.Items != nil {
				g.values[i] = either(v.Items)
			}
		}
	}
	if p.nodes[first].kind == memberNode && len(g.values) == 0 { // paths.forEach(fs.rmSync)
		v := p.value(p.nodes[first].first)
		if v.Items != nil {
			v = either(v.Items)
		}
		g = gift{values: []Value{v}, words: []Value{v}}
	}
	before := len(p.Calls)
	p.keep(f, c.name, n, g, maxNested)
	if p.nameOf(first) == "iter" && len(p.Calls) > before {
		p.Calls[len(p.Calls)-1].Endless = true
	}
}

func (p *parser) keep(f *fact, name string, n int32, g gift, depth int) {
	c := Call{Act: f.act, Name: name, Values: g.values, At: int(p.nodes[n].at), node: n, Detached: f.detached}
	switch f.act {
	case evaluates:
		p.evaluated(g, depth)
		return
	case does:
		if len(g.words) > 0 && len(g.words[0].Texts) == 1 {
			if f := factOf(g.words[0].Texts[0], nil, p.language); f != nil && f.act != does {
				p.keep(f, g.words[0].Texts[0], n, gift{values: g.values[1:], words: g.words[1:], shell: g.shell, modes: g.modes}, depth)
			}
		}
		return
	case opens:
		if !p.opened(&c, g) {
			return
		}
	case copies:
		if len(g.values) < 2 {
			return
		}
		c.Act, c.Values = Writes, g.values[len(g.values)-1:]
	case Writes, Moves:
		if f.first || f.act == Moves {
			c.Values = g.values[:min(1, len(g.values))]
		}
	case Runs:
		c.Values = g.words
		c.Line = g.shell || !f.argv || len(c.Values) == 1
		if name == "print|" && !p.printed(&c, n) {
			return
		}
	}
	if c.Act == Forks || slices.ContainsFunc(c.Values, isSomething) {
		p.Calls = append(p.Calls, c)
	}
}

// isSomething reports whether a value has a text.
func isSomething(v Value) bool {
	return slices.ContainsFunc(v.Texts, func(s string) bool { return s != "" && s != Unknown }) || slices.ContainsFunc(v.Items, isSomething)
}

// opened completes a call that opens a file; it is false for one that only reads.
func (p *parser) opened(c *Call, g gift) bool {
	var paths []Value
	writes := slices.ContainsFunc(g.modes, isWriteMode)
	for _, v := range g.values {
		if len(v.Texts) != 1 || c.Act == Runs {
			paths = append(paths, v)
			continue
		}
		switch t := strings.TrimSpace(v.Texts[0]); {
		case t == "-|" || t == "|-":
			c.Act, c.Line = Runs, true
		case strings.HasPrefix(t, "|") || strings.HasSuffix(t, "|"):
			c.Act, c.Line, c.Values = Runs, true, []Value{text(strings.Trim(t, "| "))}
			return true
		case isWriteMode(t):
			writes = true
			if t = strings.TrimLeft(t, "+>< "); strings.HasPrefix(t, "/") || strings.HasPrefix(t, "~") {
				paths = append(paths, text(t)) // of Perl: ">/etc/passwd"
			}
		default:
			paths = append(paths, v)
		}
	}
	if c.Act == Runs {
		c.Values = slices.DeleteFunc(paths, func(v Value) bool { return len(v.Texts) == 0 || v.Texts[0] == Unknown })
		c.Line = len(c.Values) == 1
		return true
	}
	c.Act, c.Values = Writes, paths
	return writes
}

// isWriteMode reports whether a text is a mode with which a file is changed.
func isWriteMode(s string) bool {
	switch {
	case s == "":
		return false
	case s[0] == '>' || strings.HasPrefix(s, "+>") || strings.HasPrefix(s, "+<"):
		return true
	case strings.HasPrefix(s, "O_"):
		return s != "O_RDONLY" && s != "O_NONBLOCK" && s != "O_CLOEXEC" && s != "O_NOFOLLOW"
	}
	return len(s) <= 3 && strings.Trim(s, "rwaxbt+") == "" && strings.ContainsAny(s, "wax+")
}

// printed completes a call of AWK that prints to a program: a shell runs what is
// printed.
func (p *parser) printed(c *Call, n int32) bool {
	if len(c.Values) == 0 || len(c.Values[0].Texts) == 0 {
		return false
	}
	to := c.Values[0]
	base := to.Texts[0][strings.LastIndexByte(to.Texts[0], '/')+1:]
	c.Line = true
	if !program.Has(base, program.IsShell) {
		c.Values = []Value{to}
		return true
	}
	print := p.nodes[p.nodes[p.nodes[n].first].next].next
	if d := p.nodes[print]; d.kind == sameNode {
		print = d.first
	}
	args := p.given(p.nodes[p.nodes[print].first].next, 0).values
	switch {
	case p.nodes[print].kind != callNode || len(args) == 0:
		c.Values = []Value{text(Field(0))}
	case p.nameOf(print) == "printf":
		c.Values = []Value{formatted(args[0], args[1:])}
	default:
		c.Values = []Value{combined(args, "")}
	}
	return true
}

// evaluated adds the calls of texts that a program evaluates.
func (p *parser) evaluated(g gift, depth int) {
	if depth >= maxNested {
		return
	}
	for _, v := range g.values[:min(1, len(g.values))] {
		for _, t := range v.Texts {
			if len(t) < 4 || p.seen[t] || len(p.seen) == maxInner {
				continue
			}
			p.seen[t] = true
			inner := read(t, p.language, p.env, depth+1)
			p.Calls = append(p.Calls, inner.Calls...)
			p.Waits, p.Pauses = p.Waits || inner.Waits, p.Pauses || inner.Pauses
		}
	}
}

// tellLoops notes which calls stand in loops without an end.
func (p *parser) tellLoops() {
	p.selfCalls()
	var starts, union []loop
	for _, l := range p.loops {
		if l.endless {
			starts = append(starts, l)
		}
	}
	if starts == nil {
		return
	}
	bodies := make([]int32, len(starts))
	for i, l := range starts {
		bodies[i] = l.body
	}
	slices.Sort(bodies)
	slices.SortFunc(starts, func(a, b loop) int { return cmp.Compare(a.from, b.from) })
	for _, l := range starts {
		if last := len(union) - 1; last >= 0 && l.from <= union[last].to {
			union[last].to = max(union[last].to, l.to)
		} else {
			union = append(union, l)
		}
	}
	slices.Sort(p.called)
	for i := range p.Calls {
		c := &p.Calls[i]
		if c.node == 0 {
			continue
		}
		k := sort.Search(len(union), func(k int) bool { return union[k].to > c.node })
		if k == len(union) || union[k].from > c.node {
			continue
		}
		c.Endless = true
		from := p.leftmost(c.node)
		before := int32(0)
		if k, _ := slices.BinarySearch(p.called, from); k > 0 {
			before = p.called[k-1]
		}
		k = sort.Search(len(bodies), func(k int) bool { return bodies[k] > from }) - 1
		c.First = k >= 0 && bodies[k] > before
	}
}

// selfCalls notes functions that fork twice and call themselves each time.
func (p *parser) selfCalls() {
	var forks []int32
	for _, n := range p.called {
		if p.nameOf(n) == "fork" {
			forks = append(forks, n)
		}
	}
	for name, f := range p.functions {
		if len(forks) < 2 || within(forks, f) < 2 {
			continue
		}
		own := 0
		for n := f.from; n < f.to; n++ {
			if p.nodes[n].kind == nameNode && p.nodes[n].text == name {
				own++
			}
		}
		if own > 1 {
			p.loops = append(p.loops, loop{from: f.from, to: f.to, body: f.from, endless: true})
			return
		}
	}
}

// within returns how many nodes stand in a function.
func within(nodes []int32, f function) (n int) {
	for _, at := range nodes {
		if at >= f.from && at < f.to {
			n++
		}
	}
	return n
}
