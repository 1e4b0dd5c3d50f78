package rego

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

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
