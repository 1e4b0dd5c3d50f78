//go:build !race

package rego

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
)

// No rule makes OPA fail where errors of built-in functions stop it, whatever the
// input holds: it is asked with opa eval --strict-builtin-errors.
func TestStrictBuiltins(t *testing.T) {
	values := []any{nil, true, 7.0, "rm", "", []any{}, []any{"rm", 1.0, nil}, []any{[]any{"rm"}}, map[string]any{"a": "rm"}}
	arguments := map[string][]document.Node{
		"contains": {textNode("rm"), numberNode("7")}, "notContains": {textNode("rm")},
		"exists": {boolNode(true), boolNode(false)},
		"in":     {listNode(textNode("rm"), numberNode("7"))}, "": {textNode("rm"), listNode(textNode("rm"), textNode("x"))},
		"pattern": {textNode("^rm$"), textNode("r"), textNode("(?i)RM"), textNode(".*")},
		"size":    {numberNode("2"), mapNode("gte", numberNode("1"), "lt", numberNode("3"))},
		"semver":  {textNode("^1.2.3"), textNode(">=1.2.0-rc.1 <2.0.0 || =3.0.0")},
		"cidr":    {textNode("10.0.0.0/8"), listNode(textNode("10.0.0.0/8"), textNode("::/0"))},
	}
	for _, name := range strings.Fields("gt gte lt lte") {
		arguments[name] = []document.Node{numberNode("5"), textNode("5")}
	}
	for name := range operatorTable {
		for _, argument := range append(arguments[name], textNode("rm")) {
			for _, path := range []string{"tags", "type", "sensitivity", "shell.argv", "shell.program", "x.a"} {
				when := mapNode(path, mapNode(name, argument))
				if name == "" {
					when = mapNode(path, argument)
				}
				if name == "time" {
					when = mapNode("time", mapNode("time", mapNode("from", textNode("22:00"), "to", textNode("06:00"))))
				}
				condition, problems := pattern.CompileWhen(when)
				if len(problems) > 0 {
					continue // no argument of this operator
				}
				c := compared{t: t, set: pattern.NewSet([]*pattern.Rule{{ID: "r", When: condition, Decision: pattern.Decision{Verb: pattern.Deny}}})}
				c.compile()
				keys := strings.Split(path, ".")
				for _, v := range values {
					rec := map[string]any{keys[0]: v}
					if len(keys) == 2 {
						rec = map[string]any{"facets": map[string]any{keys[0]: map[string]any{keys[1]: v}}}
					}
					for _, unknown := range []any{nil, []any{path}, []any{path + "[0]"}, []any{7.0, "\x00"}, "x"} {
						in := map[string]any{"record": rec}
						if unknown != nil {
							rec["unknown"] = unknown
						}
						if name == "time" {
							in["now"] = v
						}
						c.ask(in)
					}
				}
				for _, v := range values {
					c.ask(map[string]any{"record": v})
					c.ask(map[string]any{"record": map[string]any{"facets": v, "unknown": v}, "scope": v, "now": v})
					c.ask(v)
				}
			}
		}
	}
}
