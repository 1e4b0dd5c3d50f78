package rego

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/null"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// tables writes where what is unknown leads, and what the rules decide.
func (e *emitter) tables() {
	e.known()
	if len(e.rules) == 0 {
		e.rules, e.simple, e.anySimple = []*pattern.Rule{{}}, []term{{text: "null"}}, true
		e.body("matched contains n", []term{{text: "some n in []"}})
	}
	if e.anySimple {
		e.needs["all_met"], e.needs["met(\"scope\""] = true, true
		if !e.needsOperator() { // each argument of met has a name in one of its cases
			e.needs["met(\"is\""] = true
		}
		e.body("meets(n, world)", []term{{text: "all_met(world, simple[n])"}})
		e.write("\n")
		e.block("simple := ", "[", "]", len(e.simple), func(i int) term { return e.simple[i] })
	}
	e.write("\n")
	e.block("outcomes := ", "[", "]", len(e.rules), func(i int) term { return e.entry(e.rules[i]) })
	e.write("\n")
	e.line("", code("asks := ", e.positions(e.asks)))
	e.write("\n")
	e.block("terms := ", "[", "]", len(e.terms), func(i int) term { return e.value(e.terms[i]) })
	e.write("\n")
	e.block("names := ", "{", "}", len(e.names), func(i int) term { return e.names[i] })
	e.candidates()
	e.write("\n")
	names := slices.Sorted(maps.Keys(e.guarded))
	e.block("guarded := ", "{", "}", len(names), func(i int) term {
		return code(e.text(names[i]), ": ", e.positions(e.guarded[names[i]]))
	})
	e.write("\n")
	e.block("paths := ", "{", "}", len(e.paths)+1, func(i int) term {
		if i == len(e.paths) {
			return code(e.text(clock), ": ", e.list([]any{clock}))
		}
		keys := e.paths[i].Keys()
		var list []any
		for _, key := range keys[min(1, len(keys)-1):] {
			list = append(list, key)
		}
		return code(e.text(e.paths[i].String()), ": ", e.list(list))
	})
}

// known writes when all of a record is known that rules look at.
func (e *emitter) known() {
	lines := []term{{text: "is_object(input.record)"}, code("object.get(input.record, ", e.text("unknown"), ", []) == []")}
	if e.timed {
		lines = append(lines, term{text: "instant"})
		e.needs["instant"], e.needs["hidden[\""+clock+"\"]"] = true, true
	}
	e.body("certain", lines)
}

// candidates writes which rules are worth a look where something is unknown.
func (e *emitter) candidates() {
	// The first rule is a candidate always, so that OPA sees what elements are.
	e.write("\n")
	e.line("", code("free := ", e.positions(slices.Compact(append([]int{0}, e.free...)))))
	e.guarded[clock] = []int{0}
	e.needs["open"] = true
	e.body("candidates contains n", []term{{text: "some n in free"}})
	e.body("candidates contains n", []term{{text: "some path, _ in open"}, {text: "some n in guarded[path]"}})
	if e.near {
		e.body("candidates contains n", []term{{text: "some n in near"}})
	}
	e.lookups(equal, "at", "some n in at[path][values[path]]")
	e.lookups(element, "having", "some element in values[path]", "some n in having[path][element]")
}

// lookups writes the rules that are found by values of one kind.
func (e *emitter) lookups(kind guardKind, name string, lines ...string) {
	tables := e.at[kind]
	if len(tables) == 0 {
		return
	}
	e.needs["values"] = true
	body := []term{{text: "some path, _ in " + name}}
	for _, line := range lines {
		body = append(body, term{text: line})
	}
	e.body("candidates contains n", body)
	e.write("\n%s := {\n", name)
	for _, path := range slices.Sorted(maps.Keys(tables)) {
		t := tables[path]
		e.line("\t", code(e.text(path), ": {"))
		for _, v := range t.values {
			e.line("\t\t", code(e.value(v), ": ", e.positions(t.rules[v]), ","))
		}
		e.write("\t},\n")
	}
	e.write("}\n")
}

// clock stands for the instant of the call among the paths.
const clock = "time"

// needsOperator reports whether a rule that is a list of operators has one.
func (e *emitter) needsOperator() bool {
	for name := range e.needs {
		if strings.HasPrefix(name, "met(") && name != "met(\"scope\"" {
			return true
		}
	}
	return false
}

// get returns the expression of the value at a path. What is missing is the
// empty set; the fields of the record itself are always there.
func (e *emitter) get(p record.Path) term {
	keys := p.Keys()
	if len(keys) == 1 {
		missing := term{text: "[]"}
		switch keys[0] {
		case "tags":
		case "sensitivity":
			missing = e.text(record.Mutate.String())
		default:
			missing = e.text("")
		}
		return code("object.get(input.record, ", e.text(keys[0]), ", ", missing, ")")
	}
	return code("object.get(input.record, ", e.keys(p), ", set())")
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
	out := map[string]any{
		"approver": null.Any(a.Approver), "profile": null.Any(a.Profile), "model": null.Any(a.Model), "prompt": null.Any(a.Prompt),
		"timeout": duration(a.Timeout), "on_timeout": a.OnTimeout.String(), "cache_ttl": duration(a.CacheTTL),
		"fail_closed": a.FailClosed, "every_time": a.EveryTime,
	}
	if a.Quorum != 0 {
		out["quorum"] = json.Number(strconv.Itoa(a.Quorum))
	}
	if a.Reviewer {
		out["reviewer"] = true
	}
	return out
}

func duration(d time.Duration) any {
	if d == 0 {
		return nil
	}
	return d.String()
}
