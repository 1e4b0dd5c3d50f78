// Package script reads programs in scripting languages just far enough to tell
// which calls they make, and what is known of their arguments: literals, also
// joined, decoded or kept in variables, the home directory, and what loops go
// through.
//
// It is no parser of any language: what it does not understand it passes, and a
// value that it does not know it leaves open. It runs nothing, reads each byte a
// bounded number of times, and judges nothing; the calls that it tells are those
// of the table in facts.go.
package script

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/lang/glean"
	"github.com/policyctl/policyctl/internal/program"
)

// A Program is one that was read. It does not change and may be shared between
// goroutines.
type Program struct {
	// Calls are the calls of which something is known, in the order of the text;
	// those of text that the program evaluates come last.
	Calls []Call
	// Waits says that it waits for processes; Pauses, that it does so for
	// anything.
	Waits, Pauses bool
	// Env are the variables that it sets in its own environment, and so in that of
	// what it runs.
	Env []Variable
	// Output is what it may print, the texts of all calls that print behind one
	// another; nil where nothing is known of that, or nobody asked.
	Output []string
}

// A reading is what is known of a program while it is read.
type reading struct {
	Program

	language program.Language
	nodes    []node
	loops    []loop
	byList   map[int32]int32 // the loops by the lists that they go through
	looked   int             // how many members of objects were looked at
	choices  []int32
	// names have the places of their meanings, the first of which is that of names
	// that have none.
	names    map[string]int32
	meanings []meaning
	// members are what is assigned to members, by OBJECT.NAME.
	members map[string][]int32
	env     Env
	// bodies say where the bodies of functions end; values are what nodes are
	// known to be, the first of which is no value.
	bodies map[int32]int32
	values []Value
}

// Env is what is known outside of a program.
type Env struct {
	// Home is the home directory of who runs it, "" where it is unknown.
	Home string
	// Variables are set before it begins, as AWK's are by -v.
	Variables map[string]string
	// Arguments are what it is given behind its name, nil where that is unknown.
	// Behind the last there may be others.
	Arguments []Value
	// Input are the texts that its standard input may have, nil where that is not
	// known.
	Input []string
	// Variable and File return what a variable of its environment, or a file, may
	// hold: nothing where that is unknown. They may be nil.
	Variable, File func(name string) []string
	// Output asks what the program prints, and what it writes to files.
	Output bool
}

// A loop stands over nodes, from its head or its body on, which may be in any
// order.
type loop struct {
	from, to, body int32
	endless        bool
	list           int32 // what it goes through
	other          int32 // a loop through the same list, counted from 1
}

// maxLooks bounds how many members of objects are looked at.
const maxLooks = 1 << 17

// Read reads a program.
func Read(text string, language program.Language, env Env) *Program {
	return read(text, language, env, 0, nil)
}

func read(src string, language program.Language, env Env, depth int, evals *evaluations) *Program {
	if int(language) >= len(grammars) {
		language = program.NoLanguage
	}
	p := parsers.Get().(*parser)
	defer p.release()
	p.env, p.language, p.evals = env, language, evals
	p.lexer = lexer{grammar: &grammars[language], words: theVocabulary(), scratch: p.scratch, src: src, end: len(src)}
	p.mayWait = strings.Contains(src, "wait")
	p.nodes, p.meanings, p.values = append(p.nodes, node{}), append(p.meanings, meaning{}), append(p.values, Value{})
	for name, value := range env.Variables {
		p.set(name, p.add(textNode, value, 0))
	}
	p.lexer.indent = p.indentation()
	p.advance()
	p.statements(func() bool { return false })
	p.bindParameters()
	p.tell(depth)
	if language == program.NoLanguage && depth == 0 {
		p.glean(src)
	}
	out := p.Program
	out.Calls = append([]Call(nil), p.Calls...) // those of the parser are for the next program
	return &out
}

// glean adds what names and texts alone say of a program in a language that is not read,
// where nothing says it yet.
func (p *parser) glean(src string) {
	read := p.Calls
	for _, deed := range glean.Deeds(src, p.env.Home, func(name string) bool { return isOneOf(name, choosers) }) {
		call := Call{Act: Deletes, Name: "delete", At: deed.At}
		if deed.Runs {
			call.Act, call.Name = Runs, "run"
		}
		for _, t := range deed.Texts {
			call.Values = append(call.Values, text(cmp.Or(t, Unknown)))
		}
		if !slices.ContainsFunc(read, func(c Call) bool {
			return c.Act == call.Act && !c.Open && len(c.Values) >= len(call.Values) && c.has(deed.Texts[0])
		}) {
			p.Calls = append(p.Calls, call)
		}
	}
}

// has reports whether the first value of a call may be a text.
func (c *Call) has(text string) bool {
	return len(c.Values) > 0 && slices.Contains(c.Values[0].Texts, text)
}

// parsers are those that wait for the next program: a program leaves nothing of
// its nodes behind.
var parsers = sync.Pool{New: func() any {
	return &parser{
		reading: &reading{
			names: map[string]int32{}, members: map[string][]int32{}, bodies: map[int32]int32{}, byList: map[int32]int32{},
		},
		lexer: lexer{scratch: &scratch{}},
	}
}}

// maxKept is of how many nodes, and how much of literals, the memory is kept for
// the next program.
const maxKept = 1 << 14

// release gives the parser back, empty.
func (p *parser) release() {
	if max(cap(p.nodes), cap(p.pieces), cap(p.text)) > maxKept {
		return
	}
	clear(p.nodes)
	clear(p.names)
	clear(p.meanings)
	clear(p.members)
	clear(p.bodies)
	clear(p.byList)
	clear(p.values)
	clear(p.pieces)
	clear(p.Calls)
	clear(p.modules)
	clear(p.taken[:cap(p.taken)])
	clear(p.callable[:cap(p.callable)])
	clear(p.keptCallees)
	clear(p.standing[:cap(p.standing)])
	clear(p.keptObjects)
	*p.reading = reading{
		Program: Program{Calls: p.Calls[:0]}, nodes: p.nodes[:0], loops: p.loops[:0], choices: p.choices[:0],
		names: p.names, meanings: p.meanings[:0], members: p.members, bodies: p.bodies, byList: p.byList, values: p.values[:0],
	}
	p.pieces = p.pieces[:0]
	*p = parser{reading: p.reading, lexer: lexer{scratch: p.scratch}, called: p.called[:0], modules: p.modules[:0], taken: p.taken[:0],
		callable: p.callable, keptCallees: p.keptCallees[:0], standing: p.standing, keptObjects: p.keptObjects[:0]}
	parsers.Put(p)
}

// chosen reports whether something depends on a condition between two nodes.
func (p *reading) chosen(from, to int32) bool {
	i := sort.Search(len(p.choices), func(i int) bool { return p.choices[i] >= from })
	return i < len(p.choices) && p.choices[i] <= to
}

// bindParameters gives the parameters of functions what they are called with,
// and those of blocks what is gone through.
func (p *parser) bindParameters() {
	for _, n := range p.called {
		callee := p.nodes[n].first
		for _, f := range p.functionsOf(callee) {
			p.bind(f, p.nodes[callee].next)
		}
		p.bindBlock(n)
		p.bindAppended(n)
		p.bindNamed(n)
	}
	if p.language == program.AWK {
		for _, n := range p.called {
			p.bindAWK(n, p.nodes[p.nodes[n].first].next)
		}
	}
}

// bindNamed gives what a call names its value: define("P", "…") of PHP, and the
// handle of opendir the directory.
func (p *parser) bindNamed(n int32) {
	callee := p.nodes[n].first
	name := p.nodes[callee].next
	if setting := p.nodes[name].text; p.language == program.PHP && p.nodes[callee].text == "putenv" && p.nodes[name].kind == textNode {
		name, value, _ := strings.Cut(setting, "=")
		p.setMember("environ."+name, p.add(textNode, value, p.nodes[n].at))
		return
	}
	if p.nodes[name].kind == pairNode && p.nodes[callee].text == "update" && p.isEnvironment(callee) { // os.environ.update(X="…")
		for k := name; k != 0; k = p.nodes[k].next {
			if d := p.nodes[k]; d.kind == pairNode {
				p.setMember("environ."+p.nodes[d.first].text, p.same(d.last))
			}
		}
		return
	}
	if p.language == program.NoLanguage && p.nodes[callee].text == "dolist" && p.nodes[name].kind == callNode { // (dolist (x list) …)
		p.assign(p.nodes[name].first, p.each(p.nodes[p.nodes[name].first].next))
	}
	if name == 0 || p.nodes[name].next == 0 {
		return
	}
	switch value := p.same(p.nodes[name].next); {
	case p.nodes[name].kind == textNode && (program.HasWord("putenv setenv", p.nodes[callee].text) || program.HasWord("setdefault store", p.nodes[callee].text) && p.isEnvironment(callee)):
		p.setMember("environ."+p.nodes[name].text, value)
	case p.language == program.PHP && p.nodes[callee].text == "define" && p.nodes[name].kind == textNode:
		p.set(p.nodes[name].text, value)
	case p.language == program.Perl && p.nodes[callee].text == "opendir":
		p.assign(name, value)
	case p.language == program.Perl && p.nodes[callee].text == "open":
		p.assign(name, p.same(n))
	}
}

// isEnvironment reports whether a method is one of the environment.
func (p *reading) isEnvironment(callee int32) bool {
	return p.nodes[callee].kind == memberNode && program.HasWord("environ ENV env", p.nameOf(p.nodes[callee].first))
}

// bindAWK gives the array of split its elements, and the variable of sub what is
// left in it.
func (p *parser) bindAWK(n, first int32) {
	second := p.nodes[first].next
	if first == 0 || second == 0 {
		return
	}
	switch third := p.nodes[second].next; p.nodes[p.nodes[n].first].text {
	case "split":
		for i, v := range p.value(n).Items {
			if p.looked++; p.looked > maxLooks {
				break
			}
			p.setMember(p.nodes[second].text+"."+strconv.Itoa(i+1), p.add(textNode, v.first(), p.nodes[n].at))
		}
	case "sub", "gsub":
		if third != 0 && p.nodes[third].kind == nameNode {
			p.set(p.nodes[third].text, p.same(n))
		}
	}
}

// functionsOf returns the functions of the program that a node may call.
func (p *reading) functionsOf(callee int32) (out []int32) {
	switch d := p.nodes[callee]; d.kind {
	case functionNode:
		return append(out, callee)
	case listNode:
		if d.first != 0 && p.nodes[d.last].kind == functionNode {
			return append(out, d.last)
		}
	case memberNode:
		if m := p.meaning(p.nameOf(d.first)); d.text == "new" && m.function.node != 0 { // A.new(…) of Ruby
			return append(out, m.function.node)
		}
		if m := p.meaning(d.text); m.function.node != 0 && p.isOwn(d.first) {
			return append(out, m.function.node)
		}
		if d.text == "call" && p.nodes[d.first].kind == nameNode {
			return p.functionsOf(d.first)
		}
	case nameNode:
		m := p.meaning(d.text)
		if m.function.node != 0 {
			out = append(out, m.function.node)
		}
		for _, v := range m.values[:m.count] {
			if f := p.functionIn(v); f != 0 {
				out = append(out, f)
			}
		}
	}
	return out
}

// isOwn reports whether a node is an object of a class of the program.
func (p *reading) isOwn(n int32) bool {
	switch name := p.nameOf(n); name {
	case "self", "this", "$this", "cls":
		return true
	default:
		return p.meaning(name).class
	}
}

// bind gives the parameters of a function the arguments from one on, or what they
// are where there is none; Perl has them in a list.
func (p *parser) bind(f, arg int32) {
	if p.language == program.Perl && arg != 0 {
		list := p.add(listNode, "", p.nodes[arg].at)
		for k := arg; k != 0; k = p.nodes[k].next {
			p.append(list, p.same(k))
		}
		p.set("$_", list)
		return
	}
	next := arg
	for param := p.nodes[p.nodes[f].first].first; param != 0; param = p.nodes[param].next {
		target, value := p.parameterOf(param)
		if name := p.nodes[target].text; name == "self" || name == "cls" {
			continue
		}
		for next != 0 && p.nodes[next].kind == pairNode {
			next = p.nodes[next].next
		}
		if named := p.argumentNamed(arg, p.nodes[target].text); named != 0 {
			value = named
		} else if next != 0 {
			value, next = next, p.nodes[next].next
		}
		p.assign(target, value)
	}
}

// parameterOf returns the name of a parameter, and what it is where a call gives
// none.
func (p *parser) parameterOf(param int32) (target, value int32) {
	if d := p.nodes[param]; d.kind == pairNode {
		return d.first, d.last
	}
	return param, 0
}

// argumentNamed returns the value of the argument that a call gives by a name; 0
// where it gives none.
func (p *reading) argumentNamed(arg int32, name string) int32 {
	for ; arg != 0; arg = p.nodes[arg].next {
		if d := p.nodes[arg]; d.kind == pairNode && name != "" && p.nodes[d.first].text == name {
			return d.last
		}
	}
	return 0
}

// bindAppended adds what a call appends to a list.
func (p *parser) bindAppended(n int32) {
	callee := p.nodes[n].first
	if !p.nodeIn(callee, appending) {
		return
	}
	list, arg := p.nodes[callee].first, p.nodes[callee].next
	if p.nodes[callee].kind == nameNode { // push @list, …
		if list = arg; arg != 0 {
			arg = p.nodes[arg].next
		}
	}
	if list == 0 || arg == 0 || p.nodes[list].kind != nameNode {
		return
	}
	more := p.add(listNode, "", p.nodes[n].at)
	for ; arg != 0; arg = p.nodes[arg].next {
		p.append(more, p.same(arg))
	}
	p.set(p.nodes[list].text, more)
}

// bindBlock gives the parameters of a function that a call is given the
// elements of what stands before its name, or of its first argument.
func (p *parser) bindBlock(n int32) {
	callee := p.nodes[n].first
	var f, list int32
	for k := p.nodes[callee].next; k != 0; k = p.nodes[k].next {
		if p.nodes[k].kind == functionNode {
			f = k
		} else if inner := p.functionIn(k); p.nodes[k].kind == blockNode && inner != 0 {
			f = inner
		} else if list == 0 {
			list = k
		}
	}
	if f == 0 {
		return
	}
	if p.nameOf(callee) == "open" { // File.open("x", "w") { |f| … }
		if target, _ := p.parameterOf(p.nodes[p.nodes[f].first].first); target != 0 {
			p.assign(target, p.same(n))
		}
	}
	if p.nodes[callee].kind == memberNode && (list == 0 || p.nameOf(callee) != "find") {
		list = p.goneThrough(n, callee)
	}
	if list == 0 {
		return
	}
	param := p.nodes[p.nodes[f].first].first
	if param == 0 {
		p.set("$_", p.each(list))
		switch p.language {
		case program.Ruby, program.NoLanguage:
			p.set("_1", p.each(list))
			p.set("it", p.each(list))
		case program.Perl:
			p.setMember("Find.name", p.each(list)) // $File::Find::name
		}
	}
	for ; param != 0; param = p.nodes[param].next {
		target, _ := p.parameterOf(param)
		p.assign(target, p.each(list))
	}
	p.loops = append(p.loops, loop{from: p.leftmost(n), to: max(p.bodies[f], n+1), body: n, list: list})
}

// functionIn returns the function that a value is, or that an object holds: {wanted
// => sub {…}}, proc {…}.
func (p *reading) functionIn(n int32) int32 {
	switch d := p.nodes[n]; d.kind {
	case functionNode:
		return n
	case callNode:
		if name := p.nameOf(d.first); (name == "proc" || name == "lambda" || name == "new") && p.nodes[d.last].kind == functionNode {
			return d.last
		}
		return 0
	case blockNode:
	default:
		return 0
	}
	for k := range p.kids(n) {
		if d := p.nodes[k]; d.kind == pairNode && d.last != 0 && p.nodes[d.last].kind == functionNode {
			return d.last
		}
	}
	return 0
}

// leftmost returns the first node of an expression.
func (p *reading) leftmost(n int32) int32 {
	for range maxChain {
		if first := p.nodes[n].first; first != 0 && first < n {
			n = first
		}
	}
	return n
}

// goneThrough returns the list through which a method goes with its block: what
// stands before its name, or the call itself where that lists a directory.
func (p *parser) goneThrough(n, callee int32) int32 {
	if p.nodeIn(callee, listings) || program.HasWord("glob upto downto times step", p.nodes[callee].text) {
		return p.same(n)
	}
	return p.nodes[callee].first
}
