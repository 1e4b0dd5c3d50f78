package rego

import (
	"fmt"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// An operatorRow is what an operator is in Rego.
type operatorRow struct {
	// function is that of the library, otherwise the one of its opposite where
	// the argument is false, and arguments are those behind the value.
	function, otherwise string
	arguments           func(*pattern.Test) []any
	// direct returns the lines on the value of a record as it is.
	direct func(*emitter, record.Path, *pattern.Test) []term
	// guards are what OPA can look up, of which one holds where the operator
	// does; nil where there are none.
	guards func(record.Path, *pattern.Test) []guard
}

// operatorTable holds the operators by their names in rules.
var operatorTable = map[string]operatorRow{
	"equals": {
		function: "is", arguments: oneValue,
		direct: func(e *emitter, path record.Path, t *pattern.Test) []term { return e.equals(path, t.Value) },
		guards: func(path record.Path, t *pattern.Test) []guard { return values(path, equal, t.Value) },
	},
	"in": {
		function: "among", arguments: allValues,
		direct: func(e *emitter, path record.Path, t *pattern.Test) []term {
			return []term{e.member(path, "one_of", t.Values)}
		},
		guards: func(path record.Path, t *pattern.Test) []guard { return among(path, t.Values) },
	},
	"": {
		function: "listed", arguments: allValues,
		direct: func(e *emitter, path record.Path, t *pattern.Test) []term {
			return []term{e.member(path, "is_or_in", t.Values)}
		},
		guards: func(path record.Path, t *pattern.Test) []guard {
			if kind, _ := path.Type(); kind != record.TextField {
				return nil
			}
			return values(path, equal, t.Values...)
		},
	},
	"contains": {
		function: "has", arguments: valueAndText,
		direct: func(e *emitter, path record.Path, t *pattern.Test) []term { return []term{e.holds(path, t)} },
		guards: func(path record.Path, t *pattern.Test) []guard {
			if kind, _ := path.Type(); kind != record.TextsField {
				return nil
			}
			return values(path, element, t.Value)
		},
	},
	"notContains": {
		function: "lacks", arguments: valueAndText,
		direct: func(e *emitter, path record.Path, t *pattern.Test) []term {
			return []term{code("not ", e.part([][]term{{e.holds(path, t)}}))}
		},
	},
	"pattern":  {function: "matches", arguments: oneText, direct: matched, guards: textGuards},
	"glob":     {function: "matches", arguments: oneText, direct: matched, guards: textGuards},
	"globPath": {function: "matches", arguments: oneText, direct: matched, guards: textGuards},
	"exists": {
		function: "exists", otherwise: "absent", arguments: noValues,
		direct: func(e *emitter, path record.Path, t *pattern.Test) []term {
			return []term{e.exists(path, t.Value == true)}
		},
	},
	"startsWith": {function: "starts", arguments: oneText, direct: onText("startswith"), guards: literalGuards(prefix)},
	"endsWith":   {function: "ends", arguments: oneText, direct: onText("endswith"), guards: literalGuards(suffix)},
	"gt":         {function: "above", arguments: oneValue, direct: ordered(">")},
	"gte":        {function: "from", arguments: oneValue, direct: ordered(">=")},
	"lt":         {function: "below", arguments: oneValue, direct: ordered("<")},
	"lte":        {function: "upto", arguments: oneValue, direct: ordered("<=")},
	"cidr": {
		function: "inside", arguments: allValues,
		direct: func(e *emitter, path record.Path, t *pattern.Test) []term {
			return []term{e.inside(path, t.Values)}
		},
	},
	"size": {
		function: "sized", arguments: allValues,
		direct: func(e *emitter, path record.Path, t *pattern.Test) []term {
			return []term{e.recorded("within_bounds", path, t.Values)}
		},
	},
	"semver": {
		function: "released", arguments: allValues,
		direct: func(e *emitter, path record.Path, t *pattern.Test) []term {
			return []term{e.recorded("is_version", path, t.Values)}
		},
	},
	"time": {
		function: "within",
		direct: func(e *emitter, _ record.Path, t *pattern.Test) []term {
			return []term{e.hours("during(", term{}, &t.Hours)}
		},
	},
}

// row returns the row of an operator. Of one without a row nothing is made.
func (e *emitter) row(t *pattern.Test) operatorRow {
	row, ok := operatorTable[t.Operator]
	if !ok {
		e.fail(fmt.Errorf("the operator %s has no form in Rego", t.Operator))
		row = operatorTable["equals"]
	}
	return row
}

// call returns the function of the library and its arguments; ok is false where
// it is about the instant of the call, not about a value.
func (r operatorRow) call(t *pattern.Test) (name string, args []any, ok bool) {
	if r.arguments == nil {
		return r.function, nil, false
	}
	if t.Value == false && r.otherwise != "" {
		return r.otherwise, nil, true
	}
	return r.function, r.arguments(t), true
}

func noValues(*pattern.Test) []any    { return nil }
func oneValue(t *pattern.Test) []any  { return []any{t.Value} }
func allValues(t *pattern.Test) []any { return []any{t.Values} }
func oneText(t *pattern.Test) []any   { return []any{t.Text} }

// valueAndText are the argument and, of a text, its lower case.
func valueAndText(t *pattern.Test) []any {
	if _, ok := t.Value.(string); !ok {
		return []any{t.Value, nil}
	}
	return []any{t.Value, t.Text}
}

func onText(function string) func(*emitter, record.Path, *pattern.Test) []term {
	return func(e *emitter, path record.Path, t *pattern.Test) []term {
		return []term{code(function+"(", term{text: e.document("text", path)}, ", ", e.text(t.Text), ")")}
	}
}

func matched(e *emitter, path record.Path, t *pattern.Test) []term {
	return []term{code("regex.match(", e.pattern(t.Text), ", "+e.document("text", path)+")")}
}

func ordered(sign string) func(*emitter, record.Path, *pattern.Test) []term {
	return func(e *emitter, path record.Path, t *pattern.Test) []term {
		return []term{code(e.document("number", path)+" "+sign+" ", e.value(t.Value))}
	}
}

func textGuards(path record.Path, t *pattern.Test) []guard { return expressionGuards(path, t.Text) }

func literalGuards(kind guardKind) func(record.Path, *pattern.Test) []guard {
	return func(path record.Path, t *pattern.Test) []guard { return textGuard(path, kind, t.Text) }
}
