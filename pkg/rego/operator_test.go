package rego

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// Every operator of the dialect has a row, and no row is of none.
func TestOperatorsHaveRows(t *testing.T) {
	names := map[string]bool{"": true}
	for _, name := range pattern.Operators() {
		names[name] = name != "flags"
	}
	for name, want := range names {
		if row, ok := operatorTable[name]; ok != want || want && (row.function == "" || row.direct == nil) {
			t.Errorf("%q: row %v, want %v", name, ok, want)
		}
	}
	for name := range operatorTable {
		if !names[name] {
			t.Errorf("%q is no operator", name)
		}
	}
}

// An operator is one row: the rest of the package derives from it.
func TestOperatorIsOneRow(t *testing.T) {
	operatorTable["caps"] = operatorRow{
		function: "is", arguments: func(t *pattern.Test) []any { return []any{strings.ToUpper(t.Text)} },
		direct: func(e *emitter, path record.Path, t *pattern.Test) []term {
			return e.equals(path, strings.ToUpper(t.Text))
		},
		guards: func(path record.Path, t *pattern.Test) []guard { return values(path, equal, strings.ToUpper(t.Text)) },
	}
	t.Cleanup(func() { delete(operatorTable, "caps") })
	path, err := record.ParsePath("http.method")
	if err != nil {
		t.Fatal(err)
	}
	x := pattern.Expression{Op: pattern.Leaf, Path: path, Tests: []pattern.Test{{Operator: "caps", Text: "get"}}}
	if got := guardsOf(&x).all(); len(got) != 1 || got[0] != (guard{equal, "http.method", "GET"}) {
		t.Errorf("guards %v", got)
	}
	e := newEmitter(nil)
	for _, lines := range [][]term{e.plain(&x), e.expression(&x, world)} {
		if len(lines) != 1 || e.err != nil || !strings.Contains(lines[0].text, `GET`) && !strings.Contains(lines[0].text, "texts[") {
			t.Errorf("lines %v, error %v", lines, e.err)
		}
	}
	if list, ok := e.leaves(&x, pattern.Scope{}); !ok || !e.needs["is"] {
		t.Errorf("leaves %v, %v; it needs %v", list, ok, e.needs)
	}
}
