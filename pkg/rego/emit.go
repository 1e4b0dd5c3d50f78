package rego

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// An emitter writes rules as Rego.
type emitter struct {
	out strings.Builder
	// groups are the rules with bodies, those of a name together.
	groups map[string]*strings.Builder
	order  []string
	rules  []*pattern.Rule
	// counts says how many rules share a guard.
	counts map[guard]int
	paths  []record.Path
	fields map[string]int // place of a path among them, by its text
	// documents are what rules look at, each once, by what it is and its path;
	// definitions are their lines, and names those that are taken.
	documents   map[string]string
	definitions []term
	taken       map[string]bool
	// free are the rules without a guard, guarded those with one, by its path;
	// at are those with a value that is looked up.
	free    []int
	guarded map[string][]int
	at      [element + 1]map[string]*table
	// near says that there are rules with a guard that is no value.
	near bool
	// simple are the conditions that are lists of operators, null for others.
	simple    []term
	anySimple bool
	// helpers are the functions that stand for a part of a condition, by what
	// they say.
	helpers map[string]string
	// needs are the names of the library that are used.
	needs map[string]bool
	timed bool
	// terms are those of asks, first those of a deny that may match; names are
	// the rules that are not called by their ids.
	terms []map[string]any
	names []term
	// asks are the places of the terms of each rule.
	asks []int
	// err is the first value that Rego cannot have.
	err error
	// texts counts the constants that are texts; lines are those of the text.
	texts map[string]int
	lines int
}

// A table has the rules for each value of a path.
type table struct {
	values []any
	rules  map[any][]int
}

func newEmitter(rules []*pattern.Rule) *emitter {
	e := &emitter{
		rules: rules, groups: map[string]*strings.Builder{}, counts: map[guard]int{}, fields: map[string]int{}, documents: map[string]string{}, taken: map[string]bool{},
		guarded: map[string][]int{}, helpers: map[string]string{}, needs: map[string]bool{"verdict": true}, texts: map[string]int{},
	}
	e.at[equal], e.at[element] = map[string]*table{}, map[string]*table{}
	e.terms = append(e.terms, terms(&policy.AskTerms{FailClosed: true, EveryTime: true}))
	for _, rule := range rules {
		expression := rule.When.Expression()
		for _, g := range guardsOf(&expression).all() {
			e.counts[g]++
		}
	}
	return e
}

// source returns the module: what rules look at, the rules, the tables, and of
// the library what these need.
func (e *emitter) source(origin string) string {
	for _, t := range e.definitions {
		e.write("\n")
		e.line("", t)
	}
	e.tables()
	var text strings.Builder
	for _, name := range e.order {
		text.WriteString(e.groups[name].String())
	}
	text.WriteString(e.out.String())
	own := text.String()
	shared := library(e.needs)
	head := head(origin, strings.Count(own, "\n")+strings.Count(shared, "\n"))
	e.lines = strings.Count(head, "\n") + strings.Count(own, "\n")
	return head + own + shared
}

// document returns the name of what rules look at: the value, text, text in
// lower case, number or address at a path.
func (e *emitter) document(kind string, p record.Path) string {
	key := kind + " " + p.String()
	if name, ok := e.documents[key]; ok {
		return name
	}
	var says term
	switch kind {
	case "value":
		says = e.get(p)
	case "text":
		value := e.ref(p)
		if len(p.Keys()) == 1 {
			value = term{text: e.document("value", p)}
		}
		says = code(value, " if is_string(", value, ")")
	case "lower":
		says = code("lower(" + e.document("text", p) + ")")
	case "number":
		e.needs["number_of"] = true
		says = code("number_of(", e.ref(p), ")")
	case "address":
		e.needs["address_of"] = true
		says = code("address_of(" + e.document("text", p) + ")")
	}
	name := e.name(kind, p)
	e.documents[key] = name
	e.definitions = append(e.definitions, code(name+" := ", says))
	return name
}

// name returns a name for people that no other document has.
func (e *emitter) name(kind string, p record.Path) string {
	plain := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(p.String()))
	name := kind + "_" + plain[:min(len(plain), 40)]
	for i := 2; e.taken[name]; i++ {
		name = fmt.Sprintf("%s_%d", name, i)
	}
	e.taken[name] = true
	return name
}

// write writes code without constants that are texts.
func (e *emitter) write(format string, args ...any) {
	fmt.Fprintf(&e.out, format, args...)
}

// line writes a line of Rego.
func (e *emitter) line(indent string, t term) { e.lineTo(&e.out, indent, t) }

// lineTo writes a line of Rego, on several lines if it is too long for one.
func (e *emitter) lineTo(out *strings.Builder, indent string, t term) {
	out.WriteString(wrap(indent, t.text))
	for _, text := range t.consts {
		e.texts[text]++
	}
}

// body writes a rule with a body of several expressions.
func (e *emitter) body(head string, lines []term) { e.titled("", head, lines) }

// titled writes a rule below a comment, with those of its name.
func (e *emitter) titled(title, head string, lines []term) {
	name := head[:len(head)-len(strings.TrimLeft(head, "abcdefghijklmnopqrstuvwxyz_0123456789"))]
	out := e.groups[name]
	if out == nil {
		out = new(strings.Builder)
		e.groups[name], e.order = out, append(e.order, name)
	}
	out.WriteString("\n" + title)
	if len(lines) == 0 {
		out.WriteString(head + "\n")
		return
	}
	if one := code(head, " if ", lines[0]); len(lines) == 1 && len(one.text) <= lineLength {
		e.lineTo(out, "", one)
		return
	}
	out.WriteString(head + " if {\n")
	for _, t := range lines {
		e.lineTo(out, "\t", t)
	}
	out.WriteString("}\n")
}

func (e *emitter) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// block writes a list or an object, a line an element.
func (e *emitter) block(head, open, end string, n int, element func(int) term) {
	if n == 0 {
		e.write("%s%s%s\n", head, open, end)
		return
	}
	e.write("%s%s\n", head, open)
	for i := range n {
		e.line("\t", code(element(i), ","))
	}
	e.write("%s\n", end)
}
