package rego

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/open-policy-agent/opa/v1/ast"

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

// A term is a piece of Rego with the constants in it that are texts, and the
// names of the arguments that it uses.
type term struct {
	text   string
	consts []string
	uses   string
}

// code joins pieces: code without texts, and terms.
func code(pieces ...any) term {
	var t term
	var b strings.Builder
	for _, p := range pieces {
		switch p := p.(type) {
		case string:
			b.WriteString(p)
		case term:
			b.WriteString(p.text)
			t.consts = append(t.consts, p.consts...)
			t.uses += p.uses
		}
	}
	t.text = b.String()
	return t
}

// text returns a text as a constant. Everything but printable ASCII is escaped
// as JSON does it, which Rego reads back exactly.
func (e *emitter) text(s string) term {
	if !utf8.ValidString(s) {
		e.fail(fmt.Errorf("the text %q is not valid UTF-8, which Rego cannot have", clip(s)))
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case ' ' <= r && r < 0x7f:
			b.WriteRune(r)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return term{text: b.String(), consts: []string{s}}
}

// value returns a value as JSON decodes it as a constant.
func (e *emitter) value(v any) term {
	switch v := v.(type) {
	case string:
		return e.text(v)
	case bool:
		return term{text: strconv.FormatBool(v)}
	case json.Number:
		return e.number(v)
	case []any:
		return e.list(v)
	case map[string]any:
		pieces := []any{"{"}
		for i, key := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				pieces = append(pieces, ", ")
			}
			pieces = append(pieces, e.text(key), ": ", e.value(v[key]))
		}
		return code(append(pieces, "}")...)
	}
	return term{text: "null"}
}

func (e *emitter) number(n json.Number) term {
	if _, err := ast.NumberChecked(string(n)); err != nil {
		e.fail(fmt.Errorf("the number %s is too large or too small for Rego", clip(string(n))))
		return term{text: "0"}
	}
	return term{text: string(n)}
}

func (e *emitter) list(values []any) term {
	pieces := []any{"["}
	for i, v := range values {
		if i > 0 {
			pieces = append(pieces, ", ")
		}
		pieces = append(pieces, e.value(v))
	}
	return code(append(pieces, "]")...)
}

func (e *emitter) fail(err error) {
	if e.err == nil {
		e.err = err
	}
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

// tables writes the values of the paths, and what the rules decide.
func (e *emitter) tables() {
	for i, p := range e.paths {
		e.write("\n")
		e.line("", code(fmt.Sprintf("f%d := known(", i), e.text(p.String()), ", ", e.get(p), ")"))
		e.write("\n")
		e.line("", code("values[", e.text(p.String()), fmt.Sprintf("] := f%d", i)))
		if e.matched[i] || e.lowered[i] {
			e.readText(i, p)
		}
	}
	e.write("\ntimed := %t\n\n", e.timed)
	// The first rule is a candidate always, so that OPA sees what elements are.
	e.line("", code("free := ", e.positions(append([]int{0}, e.free...))))
	e.write("\n")
	e.guarded[clock] = []int{0}
	names := slices.Sorted(maps.Keys(e.guarded))
	e.block("guarded := ", "{", "}", len(names), func(i int) term {
		return code(e.text(names[i]), ": ", e.positions(e.guarded[names[i]]))
	})
	e.write("\n")
	e.block("paths := ", "{", "}", len(e.paths)+1, func(i int) term {
		if i == len(e.paths) {
			return code(e.text(clock), ": []")
		}
		keys := []any{}
		for _, key := range e.paths[i].Keys() {
			keys = append(keys, key)
		}
		return code(e.text(e.paths[i].String()), ": ", e.list(keys))
	})
	e.write("\n")
	if len(e.rules) == 0 {
		e.rules = []*pattern.Rule{{}}
		e.simple = []term{{text: "null"}}
	}
	e.block("simple := ", "[", "]", len(e.simple), func(i int) term { return e.simple[i] })
	e.write("\n")
	e.write("matched contains 0 if false\n\nnear contains 0 if false\n\nvalues[\"\"] := set()\n\n")
	e.texts[""]++
	e.block("rules := ", "[", "]", len(e.rules), func(i int) term { return e.entry(e.rules[i]) })
	e.write("\n")
	e.line("", code("asks := ", e.positions(e.asks)))
	e.write("\n")
	e.block("terms := ", "[", "]", len(e.terms), func(i int) term { return e.value(e.terms[i]) })
	e.write("\n")
	e.block("names := ", "{", "}", len(e.names), func(i int) term { return e.names[i] })
}

// clock stands for the instant of the call among the paths.
const clock = "time"

// readText writes what the text at a path is, and in lower case.
func (e *emitter) readText(i int, p pattern.Path) {
	text := code(e.ref(p), " if is_string(", e.ref(p), ")")
	if len(p.Keys()) == 1 {
		text = e.get(p)
	}
	e.write("\n")
	e.line("", code(fmt.Sprintf("t%d := ", i), text))
	if e.lowered[i] {
		e.write("\nl%d := lower(t%d)\n", i, i)
	}
}

func (e *emitter) positions(at []int) term {
	list := make([]any, len(at))
	for i, n := range at {
		list[i] = json.Number(strconv.Itoa(n))
	}
	return e.value(list)
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

// get returns the expression of the value at a path. What is missing is the
// empty set; the fields of the record itself are always there.
func (e *emitter) get(p pattern.Path) term {
	keys := p.Keys()
	if len(keys) == 1 {
		missing := term{text: "[]"}
		switch keys[0] {
		case "tags":
		case "sensitivity":
			missing = e.text(pattern.Mutate.String())
		default:
			missing = e.text("")
		}
		return code("object.get(input.record, ", e.text(keys[0]), ", ", missing, ")")
	}
	var list []any
	for _, key := range keys {
		list = append(list, key)
	}
	return code("object.get(input.record, ", e.list(list), ", set())")
}

// entry returns the verdict of a rule without the terms of an ask.
func (e *emitter) entry(rule *pattern.Rule) term {
	sure := pattern.Match{Rule: rule, Decision: rule.Decision.Verb.Decision(), Certain: true}.Answer()
	at := 0
	if sure.Decision == policy.Ask {
		own := terms(sure.Ask)
		at = slices.IndexFunc(e.terms, func(known map[string]any) bool { return maps.Equal(known, own) })
		if at < 0 {
			at = len(e.terms)
			e.terms = append(e.terms, own)
		}
	}
	e.asks = append(e.asks, at)
	if name := rule.Name(); name != rule.ID {
		e.names = append(e.names, code(e.text(rule.ID), ": ", e.text(name)))
	}
	return e.value(map[string]any{"decision": sure.Decision.String(), "rule": rule.ID, "reason": sure.Why})
}

// terms returns the terms of an ask as verdicts have them: what a rule leaves
// open is null.
func terms(a *policy.AskTerms) map[string]any {
	return map[string]any{
		"approver": orNull(a.Approver), "profile": orNull(a.Profile), "model": orNull(a.Model), "prompt": orNull(a.Prompt),
		"timeout": duration(a.Timeout), "on_timeout": a.OnTimeout.String(), "cache_ttl": duration(a.CacheTTL),
		"fail_closed": a.FailClosed, "every_time": a.EveryTime,
	}
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func duration(d time.Duration) any {
	if d == 0 {
		return nil
	}
	return d.String()
}
