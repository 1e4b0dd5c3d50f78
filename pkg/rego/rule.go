package rego

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// rule writes the rule at a position twice: as it is met where all is known, in
// a form that the index of OPA finds by the values of the record; and as it is
// met in some world.
func (e *emitter) rule(position int, rule *pattern.Rule) error {
	x := rule.When.Expression()
	scope := e.scope(rule.Scope)
	guards := guardsOf(&x).choose(e.counts)
	paths := pathsOf(&x, map[string]record.Path{})
	says := append(scope, e.plain(&x)...)
	title := e.title(rule)
	if len(guards) == 0 {
		e.free = append(e.free, position)
	}
	for _, g := range guards {
		e.look(g, position)
	}
	written := map[string]bool{}
	for _, first := range e.heads(guards, paths, says) {
		rest := slices.DeleteFunc(slices.Clone(says), func(t term) bool {
			return slices.ContainsFunc(first, func(f term) bool { return f.text == t.text })
		})
		body := append(first, rest...)
		if text := fmt.Sprint(body); !written[text] {
			written[text] = true
			e.titled(title, fmt.Sprintf("matched contains %d", position), body)
		}
	}
	for _, g := range guards {
		if g.kind == prefix || g.kind == suffix {
			e.near = true
			e.body(fmt.Sprintf("near contains %d", position), e.guard(g, paths[g.path]))
		}
	}
	if leaves, ok := e.leaves(&x, rule.Scope); ok {
		e.simple, e.anySimple = append(e.simple, leaves), true
		return e.err
	}
	e.simple = append(e.simple, term{text: "null"})
	for i, part := range scopeParts(rule.Scope) {
		e.needs["scoped"] = true
		scope[i] = code("scoped(", e.text(part[0]), ", ", e.text(part[1]), ")")
	}
	e.function(fmt.Sprintf("meets(%d, ", position), append(scope, e.expression(&x, world)...))
	return e.err
}

// heads returns the lines with which the bodies of a rule begin, so that the
// index of OPA finds them: one body, unless one of several conditions on
// different values must hold.
func (e *emitter) heads(guards []guard, paths map[string]record.Path, says []term) [][]term {
	kind, same := oneKind(guards)
	switch {
	case len(guards) == 0, same && kind == element && len(guards) > 1:
		return [][]term{nil}
	case same && kind == equal && len(guards) > 1:
		var wanted []any
		for _, g := range guards {
			wanted = append(wanted, g.value)
		}
		return [][]term{{code(e.ref(paths[guards[0].path]), " in ", e.collection(wanted))}}
	}
	var out [][]term
	for _, g := range guards {
		out = append(out, e.guard(g, paths[g.path]))
	}
	return out
}

// oneKind says of what kind guards are on values of one path: equal, or element
// where some are.
func oneKind(guards []guard) (kind guardKind, same bool) {
	for _, g := range guards {
		if g.path != guards[0].path || g.kind > element {
			return 0, false
		}
		kind = max(kind, g.kind)
	}
	return kind, true
}

// look notes by which value a rule is found.
func (e *emitter) look(g guard, position int) {
	if at := e.guarded[g.path]; len(at) == 0 || at[len(at)-1] != position {
		e.guarded[g.path] = append(at, position)
	}
	if g.kind > element {
		return
	}
	t := e.at[g.kind][g.path]
	if t == nil {
		t = &table{rules: map[any][]int{}}
		e.at[g.kind][g.path] = t
	}
	if t.rules[g.value] == nil {
		t.values = append(t.values, g.value)
	}
	t.rules[g.value] = append(t.rules[g.value], position)
}

// title returns the comment that names a rule and its place.
func (e *emitter) title(rule *pattern.Rule) string {
	name := strconv.QuoteToASCII(clip.Shorten(rule.ID))
	place := ""
	if o := rule.Origin; o.File != "" {
		// Without its directory: a bundle is the same wherever its files lie.
		file := strconv.QuoteToASCII(o.File[strings.LastIndexAny(o.File, `/\`)+1:])
		place = fmt.Sprintf(" (%s:%d)", file[1:len(file)-1], o.Line)
	}
	return strings.TrimRight("# Rule "+name[1:len(name)-1]+place, " ") + "\n"
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
			name, args, ok := e.row(&kid.Tests[i]).call(&kid.Tests[i])
			if !ok {
				return term{}, false
			}
			e.field(kid.Path)
			e.needs["met(\""+name+"\""] = true
			list = append(list, append([]any{name, kid.Path.String()}, args...))
		}
	}
	return e.value(list), true
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

func pathsOf(x *pattern.Expression, into map[string]record.Path) map[string]record.Path {
	if x.Op == pattern.Leaf {
		into[x.Path.String()] = x.Path
	}
	for i := range x.Kids {
		pathsOf(&x.Kids[i], into)
	}
	return into
}
