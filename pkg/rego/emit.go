package rego

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// An emitter writes rules as Rego.
type emitter struct {
	out   strings.Builder
	rules []*pattern.Rule
	// counts says how many rules share a guard.
	counts map[guard]int
	paths  []pattern.Path
	fields map[string]int // place of a path among them, by its text
	// free are the rules without a guard, guarded those with one, by its path.
	free    []int
	guarded map[string][]int
	// simple are the conditions that are lists of operators, null for others.
	simple []term
	// helpers are the functions that stand for a part of a condition, by what
	// they say.
	helpers map[string]string
	// matched and lowered are the paths whose texts are looked at.
	matched, lowered map[int]bool
	timed            bool
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

func newEmitter(rules []*pattern.Rule) *emitter {
	e := &emitter{rules: rules, counts: map[guard]int{}, fields: map[string]int{}, texts: map[string]int{}, guarded: map[string][]int{}, helpers: map[string]string{}, matched: map[int]bool{}, lowered: map[int]bool{}}
	e.terms = append(e.terms, terms(&policy.AskTerms{FailClosed: true, EveryTime: true}))
	for _, rule := range rules {
		expression := rule.When.Expression()
		for _, g := range guardsOf(&expression).all() {
			e.counts[g]++
		}
	}
	return e
}

func (e *emitter) String() string {
	e.lines = strings.Count(e.out.String(), "\n")
	return e.out.String()
}

// write writes code without constants that are texts.
func (e *emitter) write(format string, args ...any) {
	fmt.Fprintf(&e.out, format, args...)
}

// line writes a line of Rego.
func (e *emitter) line(indent string, t term) {
	e.write("%s%s\n", indent, t.text)
	for _, text := range t.consts {
		e.texts[text]++
	}
}

// body writes a rule with a body of several expressions.
func (e *emitter) body(head string, lines []term) {
	e.write("\n")
	switch len(lines) {
	case 0:
		e.write("%s if true\n", head)
	case 1:
		e.line("", code(head, " if ", lines[0]))
	default:
		e.write("%s if {\n", head)
		for _, t := range lines {
			e.line("\t", t)
		}
		e.write("}\n")
	}
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
