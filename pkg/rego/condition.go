package rego

import (
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// world is the argument of a condition: what is unknown counts as met where
// it is "+". Below an odd number of not, the other one counts.
var world = term{text: "world", uses: "world"}

func (e *emitter) flipped(w term) term {
	e.needs["flipped"] = true
	return code("flipped(", w, ")")
}

// expression returns the lines that together say what a condition says in some
// worlds.
func (e *emitter) expression(x *pattern.Expression, w term) []term {
	var out []term
	switch x.Op {
	case pattern.Leaf:
		for i := range x.Tests {
			out = append(out, e.test(x.Path, &x.Tests[i], w))
		}
	case pattern.Any:
		return []term{e.helper(x.Kids, w)}
	case pattern.Not:
		return []term{code("not ", e.helper(x.Kids, e.flipped(w)))}
	default:
		for i := range x.Kids {
			out = append(out, e.expression(&x.Kids[i], w)...)
		}
	}
	return out
}

// helper writes a function that is true where one of several conditions is
// met, and returns a call of it.
func (e *emitter) helper(kids []pattern.Expression, w term) term {
	bodies := make([][]term, len(kids))
	for i := range kids {
		bodies[i] = e.expression(&kids[i], world)
	}
	return code(e.once("may_%d(", bodies, e.function), w, ")")
}

// once returns the name of what has such bodies, and writes it where there is none
// yet.
func (e *emitter) once(form string, bodies [][]term, write func(name string, lines []term)) string {
	says := strings.Builder{}
	says.WriteString(form)
	for _, lines := range bodies {
		for _, t := range lines {
			says.WriteString(t.text + "\n")
		}
		says.WriteString("or\n")
	}
	name, known := e.helpers[says.String()]
	if !known {
		name = fmt.Sprintf(form, len(e.helpers))
		e.helpers[says.String()] = name
		written := map[string]bool{}
		for _, lines := range bodies {
			if text := fmt.Sprint(lines); !written[text] {
				written[text] = true
				write(name, lines)
			}
		}
	}
	return name
}

// function writes a function of a world with a body of several expressions.
func (e *emitter) function(head string, lines []term) {
	name := "_" // OPA refuses arguments that nothing uses
	if slices.ContainsFunc(lines, func(t term) bool { return t.uses != "" }) {
		name = world.text
	}
	e.body(head+name+")", lines)
}

// test returns the line of an operator.
func (e *emitter) test(path record.Path, t *pattern.Test, world term) term {
	name, args, ok := e.row(t).call(t)
	if !ok {
		return e.hours(name+"(", world, &t.Hours)
	}
	e.field(path)
	e.needs[name] = true
	pieces := []any{name + "(", world, ", ", e.text(path.String())}
	for _, arg := range args {
		pieces = append(pieces, ", ", e.value(arg))
	}
	return code(append(pieces, ")")...)
}

// field returns the place of a path among those of all rules.
func (e *emitter) field(p record.Path) int {
	i, ok := e.fields[p.String()]
	if !ok {
		i = len(e.paths)
		e.fields[p.String()] = i
		e.paths = append(e.paths, p)
	}
	return i
}

// hours returns a call of a function of the library on the instant of the call;
// first is its first argument, if it has another than the hours.
func (e *emitter) hours(name string, first term, h *pattern.Hours) term {
	e.timed = true
	e.needs[strings.TrimSuffix(name, "(")] = true
	days := h.Days
	if len(days) == 0 {
		days = []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	}
	var list []any
	for _, day := range days {
		list = append(list, day)
	}
	if first.text != "" {
		first = code(first, ", ")
	}
	return code(name, first, e.list(list), fmt.Sprintf(", %d, %d, ", h.From, h.To), e.text(h.Zone), ")")
}
