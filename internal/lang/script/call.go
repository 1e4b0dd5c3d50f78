package script

import (
	"cmp"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// A Call is a call of which it is known what it does.
type Call struct {
	Act Act
	// Name is its last name, as the table has it.
	Name string
	// Values are what it does that to; of Runs they are the words of a command.
	Values []Value
	// Open says that nothing is known of what it does that to.
	Open bool
	// Method is that of Requests, in capitals.
	Method string
	// Dir is where Runs runs the program, and Input what that reads; nil where
	// nothing is known.
	Dir, Input *Value
	// Env are the variables that it sets for that program.
	Env []Variable
	// Line says of Runs that a shell reads its one text.
	Line bool
	// Text is what Writes puts into the file; nil where nothing is known of that, or
	// nobody asked.
	Text *Value
	// Endless says that a loop without an end holds it; First, that it is the
	// first call of one; Detached, that it does not wait for what it runs.
	Endless, First, Detached bool
	// At is its offset in the text.
	At int

	node int32
}

// A Variable is one of an environment.
type Variable struct {
	Name  string
	Value Value
}

// told returns a value, nil where nothing is known of it.
func told(v Value) *Value {
	if len(v.Texts) == 0 {
		return nil
	}
	return &v
}

// tell finds the calls of a program.
func (p *parser) tell(depth int) {
	for _, n := range p.called {
		p.tellCall(n, depth)
	}
	for _, name := range p.modules {
		p.load(name, depth)
		p.Calls = append(p.Calls, Call{Act: Loads, Name: "import", Values: []Value{text(name)}})
	}
	p.feed()
	if p.env.Output {
		p.tellOutput()
	}
	p.tellLoops()
	p.tellEnvironment()
}

// environments are the objects whose members are variables of the environment.
var environments = [...]string{"environ.", "ENV.", "env."}

// tellEnvironment tells the variables that the program sets in its own environment,
// if it runs others.
func (p *parser) tellEnvironment() {
	if !slices.ContainsFunc(p.Calls, func(c Call) bool { return c.Act == Runs }) {
		return
	}
	for member, nodes := range p.members {
		for _, object := range environments {
			if name, ok := strings.CutPrefix(strings.TrimPrefix(member, "$"), object); ok && name != "" {
				p.Env = append(p.Env, Variable{name, p.value(nodes[len(nodes)-1])})
			}
		}
	}
	slices.SortFunc(p.Env, func(a, b Variable) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Value.first(), b.Value.first()))
	})
}

// feed gives each shell and interpreter that is run, and told nothing to read, what
// is written to one of them.
func (p *parser) feed() {
	if len(p.fed) == 0 {
		return
	}
	input := either(p.fed[:min(len(p.fed), maxValues)])
	seen := map[string]bool{}
	for i := range p.Calls {
		c := &p.Calls[i]
		if c.Act != Runs || c.Input != nil {
			continue
		}
		name := reader(c.Values)
		if name != "" && !seen[name] {
			c.Input, seen[name] = &input, true
		}
	}
}

// reader returns the name of the program that a command runs where it evaluates
// what it reads; "" where it does not.
func reader(command []Value) (name string) {
	for _, v := range command {
		for word := range strings.FieldsSeq(v.first()) {
			if name == "" {
				name = word[strings.LastIndexByte(word, '/')+1:]
			} else if word[0] != '-' {
				return "" // a script
			}
		}
	}
	if !program.Has(name, program.IsShell) && !program.Has(name, program.IsInterpreter) {
		return ""
	}
	return name
}

func (p *parser) tellCall(n int32, depth int) {
	first := p.nodes[n].first
	if name := p.nodes[first].text; name == "setInterval" {
		p.timer(n, p.nodes[first].next)
	}
	arg := p.nodes[first].next
	if name := p.nodes[first].text; p.language == program.JavaScript && p.nodes[first].kind == memberNode && (name == "call" || name == "apply" || name == "bind" && p.nodes[arg].next != 0) && arg != 0 && p.nameOf(p.nodes[first].first) != "Reflect" {
		first, arg = p.nodes[first].first, p.nodes[arg].next
	}
	p.callable = p.callees(p.callable[:0], first, 0)
	for _, c := range p.callable {
		if f := p.factOf(c); f != nil {
			p.note(f, c, n, arg, depth)
			if c.name != "setTimeout" {
				return
			}
		}
	}
	if p.language == program.Perl && p.nameOf(first) == "print" && arg != 0 { // print F "…"
		if d := p.nodes[arg]; d.kind == callNode {
			arg = p.nodes[d.first].next
		}
		p.fed = append(p.fed, p.given(&fact{}, arg, 0).values...)
	}
	// what it is given may be a call that it makes: map(os.remove, paths)
	for k := arg; k != 0; k = p.nodes[k].next {
		ref := k
		if p.nodes[k].kind == pairNode {
			ref = p.nodes[k].last
		}
		switch kind := p.nodes[ref].kind; {
		case kind == nameNode, kind == memberNode, kind == callNode && p.nameOf(ref) == "method":
		case kind == textNode && p.language == program.Ruby && p.nodes[first].kind == memberNode: // paths.each(&:unlink)
		default:
			continue
		}
		p.callable = p.callees(p.callable[:0], ref, 1)
		for _, c := range p.callable {
			if f := p.factOf(c); f != nil {
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

// handed keeps a call that another makes with its other arguments, each element
// of those that are lists.
func (p *parser) handed(f *fact, c callee, n, ref int32) {
	first := p.nodes[n].first
	g := p.given(f, p.nodes[first].next, ref)
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

// note keeps a call.
func (p *parser) note(f *fact, c callee, n, arg int32, depth int) {
	g := p.given(f, arg, 0)
	if v := p.receiver(c); v != nil {
		if g.values = append([]Value{*v}, g.values...); len(g.words) == 0 {
			g.words = []Value{*v} // "ls".execute()
		}
	} else if f.act == Kills && c.of != 0 && has(p.value(c.of), Many) {
		g.values = append(g.values, text(Many)) // p.kill() of each process
	} else if v := p.value(c.of); f.act == Runs && c.of != 0 && len(v.Items) > 0 {
		g.words = v.Items // ["rm", "-rf", "/"].execute()
	} else if len(g.values) == 0 && (f.act == Deletes || f.act == Evaluates) && !p.isFunction(n) {
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

func (p *parser) keep(f *fact, name string, n int32, g gift, depth int) {
	c := Call{Act: f.act, Name: name, Values: g.values, At: int(p.nodes[n].at), node: n, Detached: f.detached || g.detached}
	switch f.act {
	case Evaluates:
		if len(g.values) == 0 || name == "setTimeout" && p.isFunction(n) {
			return
		}
		if name == "Function" { // whose parameters come first
			g.values = g.values[len(g.values)-1:]
		}
		p.evaluated(g, depth)
		c.Values = g.values[:1]
	case Loads:
		p.loaded(g, depth)
		c.Values = g.values[:min(1, len(g.values))]
	case does:
		p.done(g, n, depth)
		return
	case feeds:
		p.fed = append(p.fed, g.values...)
		return
	case Decodes:
		if (name == "decode" || name == "from") && !slices.ContainsFunc(g.values, isEncoding) && !p.isModuleOf(n, "base64 Base64") {
			return
		}
	case opens, Reads:
		p.opened(&c, g)
		if c.Act == Writes {
			p.opening(n)
		}
	case Requests:
		if !p.requested(&c, g, n) {
			return
		}
	case copies:
		last := len(g.values) - 1
		for last > 1 && !slices.ContainsFunc(g.values[last].Texts, IsKnown) {
			last-- // that it may be replaced
		}
		if last < 1 {
			return
		}
		if IsKnown(g.values[0].first()) {
			p.Calls = append(p.Calls, Call{Act: Reads, Name: name, Values: g.values[:1], At: c.At, node: n})
		}
		c.Act, c.Values = Writes, g.values[last:last+1]
	case Writes, Moves:
		if g.deep && (strings.HasPrefix(name, "chmod") || strings.HasPrefix(name, "chown")) {
			c.Act = Alters
		}
		if f.first || f.act == Moves {
			c.Values = g.values[:min(1, len(g.values))]
		}
		if f.act == Writes && f.first {
			p.puts(&c, g)
		}
	case Runs:
		if len(g.words) > 1 && g.words[0].number() != unknownNumber {
			g.words = g.words[1:] // how it is run, or when
		}
		if last := len(g.words) - 1; name == "popen" && last > 0 && (has(g.words[last], "w") || has(g.words[last], "r")) {
			g.words = g.words[:last] // how it is opened
		}
		c.Values, c.Dir, c.Input, c.Env = g.words, told(g.dir), told(g.input), g.env
		c.Line = g.shell || !f.argv || len(c.Values) == 1
		if name == "print|" && !p.printed(&c, n) {
			return
		}
	}
	if c.Open = c.Act != Forks && !slices.ContainsFunc(c.Values, isSomething); c.Open {
		if p.open++; p.open > maxOpen {
			return
		}
	}
	p.Calls = append(p.Calls, c)
}

// done keeps the call that the first word of another names, or the last.
func (p *parser) done(g gift, n int32, depth int) {
	if len(g.words) == 0 {
		return
	}
	for _, i := range []int{0, len(g.words) - 1} {
		if len(g.words[i].Texts) != 1 {
			continue
		}
		name := g.words[i].Texts[0]
		f := p.factOf(callee{name: name})
		if f == nil || f.act == does {
			continue
		}
		rest := g
		if i == 0 {
			rest.values, rest.words = g.values[1:], g.words[1:]
		} else {
			rest.values, rest.words = g.values[:len(g.values)-1], g.words[:i]
		}
		p.keep(f, name, n, rest, depth)
		return
	}
}

// isFunction reports whether the first argument of a call is a function.
func (p *parser) isFunction(n int32) bool {
	arg := p.nodes[p.nodes[n].first].next
	return arg != 0 && p.nodes[arg].kind == functionNode
}

// isModuleOf reports whether a call is one of a module.
func (p *parser) isModuleOf(n int32, modules string) bool {
	callee := p.nodes[n].first
	return p.nodes[callee].kind == memberNode && program.HasWord(modules, p.nameOf(p.nodes[callee].first))
}

func isEncoding(v Value) bool {
	switch v.first() {
	case "base64", "base64url", "hex", "base-64":
		return true
	}
	return false
}

// isSomething reports whether a value has a text.
func isSomething(v Value) bool {
	return slices.ContainsFunc(v.Texts, func(s string) bool { return s != "" && s != Unknown }) || slices.ContainsFunc(v.Items, isSomething)
}
