package rego

import (
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/pattern"
)

// worlds are the arguments of a condition: what is not known counts as met
// where the world is "+". Below an odd number of not, the other one counts.
type worlds struct{ straight, inverted term }

// generous counts what is not known as met where that makes a rule match.
func (e *emitter) generous() worlds { return worlds{e.text("+"), e.text("-")} }

// parameters are the worlds that a function is called with.
var parameters = worlds{term{text: "w", uses: "w"}, term{text: "v", uses: "v"}}

func (w worlds) flipped() worlds { return worlds{w.inverted, w.straight} }

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

func pathsOf(x *pattern.Expression, into map[string]pattern.Path) map[string]pattern.Path {
	if x.Op == pattern.Leaf {
		into[x.Path.String()] = x.Path
	}
	for i := range x.Kids {
		pathsOf(&x.Kids[i], into)
	}
	return into
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

// guard returns a guard on the record as it is, in a form that the index of
// OPA knows.
func (e *emitter) guard(g guard, path pattern.Path) []term {
	ref, value := e.ref(path), e.value(g.value)
	switch g.kind {
	case element:
		return []term{code(value, " in ", ref)}
	case prefix:
		return []term{code("is_string(", ref, ")"), code("startswith(", ref, ", ", value, ")")}
	case suffix:
		return []term{code("is_string(", ref, ")"), code("endswith(", ref, ", ", value, ")")}
	}
	return []term{code(ref, " == ", value)}
}

// implied returns the line that says what a guard says on a field that is a
// text.
func (e *emitter) implied(g guard, path pattern.Path) term {
	name := map[guardKind]string{prefix: "startswith", suffix: "endswith"}[g.kind]
	if name == "" {
		return code(e.ref(path), " == ", e.value(g.value))
	}
	e.matched[e.field(path)] = true
	return code(name, fmt.Sprintf("(t%d, ", e.field(path)), e.value(g.value), ")")
}

// ref returns the value of the record at a path.
func (e *emitter) ref(path pattern.Path) term {
	pieces := []any{"input.record"}
	for _, key := range path.Keys() {
		pieces = append(pieces, e.key(key))
	}
	return code(pieces...)
}

// key returns a key behind a reference, as "opa fmt" writes it.
func (e *emitter) key(key string) term {
	if isName(key) {
		return term{text: "." + key}
	}
	return code("[", e.text(key), "]")
}

// keywords cannot stand behind a dot.
var keywords = []string{"as", "contains", "default", "else", "every", "false", "if", "import", "in", "not", "null", "package", "some", "true", "with", "or", "and"}

// isName says whether a key may stand behind a dot.
func isName(key string) bool {
	for i, r := range key {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return key != "" && !slices.Contains(keywords, key)
}

// expression returns the lines that together say what a condition says in some
// worlds.
func (e *emitter) expression(x *pattern.Expression, w worlds) []term {
	var out []term
	switch x.Op {
	case pattern.Leaf:
		for i := range x.Tests {
			out = append(out, e.test(x.Path, &x.Tests[i], w.straight))
		}
	case pattern.Any:
		return []term{e.helper(x.Kids, w)}
	case pattern.Not:
		return []term{code("not ", e.helper(x.Kids, w.flipped()))}
	default:
		for i := range x.Kids {
			out = append(out, e.expression(&x.Kids[i], w)...)
		}
	}
	return out
}

// helper writes a function that is true where one of several conditions is
// met, and returns a call of it.
func (e *emitter) helper(kids []pattern.Expression, w worlds) term {
	bodies := make([][]term, len(kids))
	var says strings.Builder
	for i := range kids {
		bodies[i] = e.expression(&kids[i], parameters)
		for _, t := range bodies[i] {
			says.WriteString(t.text + "\n")
		}
		says.WriteString("or\n")
	}
	name, known := e.helpers[says.String()]
	if !known {
		name = fmt.Sprintf("h%d(", len(e.helpers))
		e.helpers[says.String()] = name
		for _, lines := range bodies {
			e.function(name, lines)
		}
	}
	return code(name, w.straight, ", ", w.inverted, ")")
}

// function writes a function of worlds with a body of several expressions.
func (e *emitter) function(head string, lines []term) {
	uses := code(slices.Collect(pieces(lines))...).uses
	for i, name := range []string{"w", "v"} {
		if !strings.Contains(uses, name) {
			name = "_" // OPA refuses arguments that nothing uses
		}
		head += name + []string{", ", ")"}[i]
	}
	e.body(head, lines)
}

func pieces(lines []term) func(func(any) bool) {
	return func(yield func(any) bool) {
		for _, t := range lines {
			if !yield(t) {
				return
			}
		}
	}
}

// test returns the line of an operator.
func (e *emitter) test(path pattern.Path, t *pattern.Test, world term) term {
	if t.Operator == "time" {
		e.timed = true
		return e.within(&t.Hours, world)
	}
	name, args := e.operation(t)
	pieces := []any{name + "(", world, ", ", e.text(path.String()), fmt.Sprintf(", f%d", e.field(path))}
	for _, arg := range args {
		pieces = append(pieces, ", ", e.value(arg))
	}
	return code(append(pieces, ")")...)
}

// field returns the place of a path among those of all rules.
func (e *emitter) field(p pattern.Path) int {
	i, ok := e.fields[p.String()]
	if !ok {
		i = len(e.paths)
		e.fields[p.String()] = i
		e.paths = append(e.paths, p)
	}
	return i
}

// operation returns the function of the library for an operator, and its
// arguments.
func (e *emitter) operation(t *pattern.Test) (name string, args []any) {
	switch t.Operator {
	case "equals":
		return "is", []any{t.Value}
	case "in":
		return "among", []any{t.Values}
	case "":
		return "listed", []any{t.Values}
	case "contains", "notContains":
		name = map[string]string{"contains": "has", "notContains": "lacks"}[t.Operator]
		if _, ok := t.Value.(string); !ok {
			return name, []any{t.Value, nil}
		}
		return name, []any{t.Value, t.Text}
	case "exists":
		if t.Value == true {
			return "exists", nil
		}
		return "absent", nil
	case "cidr":
		return "inside", []any{t.Values}
	case "gt", "gte", "lt", "lte":
		name = map[string]string{"gt": "above", "gte": "from", "lt": "below", "lte": "upto"}[t.Operator]
		return name, []any{t.Value}
	}
	name, ok := map[string]string{"startsWith": "starts", "endsWith": "ends", "pattern": "matches", "glob": "matches", "globPath": "matches"}[t.Operator]
	if !ok {
		e.fail(fmt.Errorf("the operator %s has no form in Rego", t.Operator))
	}
	return name, []any{t.Text}
}

// within returns the test of the instant of the call.
func (e *emitter) within(h *pattern.Hours, world term) term {
	days := h.Days
	if len(days) == 0 {
		days = []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	}
	var list []any
	for _, day := range days {
		list = append(list, day)
	}
	return code("within(", world, ", ", e.list(list), fmt.Sprintf(", %d, %d, ", h.From, h.To), e.text(h.Zone), ")")
}
