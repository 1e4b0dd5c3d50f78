package rego

import (
	"fmt"
	"slices"

	"github.com/policyctl/policyctl/pkg/pattern"
)

// rule writes the rule at a position three times: as it is met where all is
// known, in a form that the index of OPA finds by the values of the record;
// when it is worth a closer look; and as it is met in some world.
func (e *emitter) rule(position int, rule *pattern.Rule) error {
	x := rule.When.Expression()
	scope := e.scope(rule.Scope)
	guards := guardsOf(&x).choose(e.counts)
	paths := pathsOf(&x, map[string]pattern.Path{})
	plain := e.plain(&x)
	if len(guards) == 0 {
		e.free = append(e.free, position)
		e.body(fmt.Sprintf("matched contains %d", position), append(scope, plain...))
	}
	for _, g := range guards {
		first := append(slices.Clone(scope), e.guard(g, paths[g.path])...)
		implied := e.implied(g, paths[g.path])
		rest := slices.DeleteFunc(slices.Clone(plain), func(t term) bool { return t.text == implied.text })
		e.body(fmt.Sprintf("matched contains %d", position), append(first, rest...))
		if len(rest) > 0 {
			e.body(fmt.Sprintf("near contains %d", position), first)
		}
		if at := e.guarded[g.path]; len(at) == 0 || at[len(at)-1] != position {
			e.guarded[g.path] = append(at, position)
		}
	}
	if leaves, ok := e.leaves(&x, rule.Scope); ok {
		e.simple = append(e.simple, leaves)
		return e.err
	}
	e.simple = append(e.simple, term{text: "null"})
	e.function(fmt.Sprintf("meets(%d, ", position), append(scope, e.expression(&x, parameters)...))
	return e.err
}

// leaves returns a condition that is a list of operators as a constant, which
// is cheaper to load than a function; ok is false for others.
func (e *emitter) leaves(x *pattern.Expression, s pattern.Scope) (t term, ok bool) {
	list := []any{}
	for _, part := range scopeParts(s) {
		list = append(list, []any{"scope", part[0], part[1]})
	}
	all := []*pattern.Expression{x}
	if x.Op == pattern.All {
		all = nil
		for i := range x.Kids {
			all = append(all, &x.Kids[i])
		}
	}
	for _, kid := range all {
		if kid.Op != pattern.Leaf {
			return term{}, false
		}
		for i := range kid.Tests {
			if kid.Tests[i].Operator == "time" {
				return term{}, false
			}
			name, args := e.operation(&kid.Tests[i])
			e.field(kid.Path)
			list = append(list, append([]any{name, kid.Path.String()}, args...))
		}
	}
	return e.value(list), true
}

// plain returns the lines of a condition where all is known.
func (e *emitter) plain(x *pattern.Expression) []term {
	switch x.Op {
	case pattern.All:
		var out []term
		for i := range x.Kids {
			out = append(out, e.plain(&x.Kids[i])...)
		}
		return out
	case pattern.Leaf:
		var out []term
		for i := range x.Tests {
			if t, ok := e.direct(x.Path, &x.Tests[i]); ok {
				out = append(out, t)
				continue
			}
			out = append(out, e.test(x.Path, &x.Tests[i], e.generous().straight))
		}
		return out
	}
	return e.expression(x, e.generous())
}

// direct returns an operator on the value of a record as it is.
func (e *emitter) direct(path pattern.Path, t *pattern.Test) (term, bool) {
	kind, _ := path.Type()
	isText := kind == pattern.TextField
	switch {
	case t.Operator == "equals":
		if text, ok := t.Value.(string); ok && standing(path, text) || len(path.Keys()) == 1 && !isText {
			return term{}, false
		}
		return code(e.ref(path), " == ", e.value(t.Value)), true
	case t.Operator == "startsWith" && isText:
		return e.implied(guard{prefix, path.String(), t.Text}, path), true
	case t.Operator == "endsWith" && isText:
		return e.implied(guard{suffix, path.String(), t.Text}, path), true
	case t.Operator == "contains" && isText && t.Text != "":
		e.lowered[e.field(path)] = true
		return code(fmt.Sprintf("contains(l%d, ", e.field(path)), e.text(t.Text), ")"), true
	case (t.Operator == "pattern" || t.Operator == "glob" || t.Operator == "globPath") && isText:
		e.matched[e.field(path)] = true
		return code("regex.match(", e.text(t.Text), fmt.Sprintf(", t%d)", e.field(path))), true
	}
	return term{}, false
}

func (e *emitter) scope(s pattern.Scope) []term {
	var out []term
	for _, part := range scopeParts(s) {
		out = append(out, code("input.scope."+part[0]+" == ", e.text(part[1])))
	}
	return out
}

// scopeParts returns the names and values of the parts that a scope has.
func scopeParts(s pattern.Scope) [][2]string {
	all := [][2]string{{"plugin", s.Plugin}, {"profile", s.Profile}, {"integration", s.Integration}}
	return slices.DeleteFunc(all, func(part [2]string) bool { return part[1] == "" })
}

func pathsOf(x *pattern.Expression, into map[string]pattern.Path) map[string]pattern.Path {
	if x.Op == pattern.Leaf {
		into[x.Path.String()] = x.Path
	}
	for i := range x.Kids {
		pathsOf(&x.Kids[i], into)
	}
	return into
}
