package rego

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/policyctl/policyctl/pkg/policy"
)

// store panics for a nil map.
func store(m map[int]int) { m[0] = 1 }

// TestPanic shows that a panic, and a result of an unknown form, are errors.
func TestPanic(t *testing.T) {
	a, err := NewAdmission([]Module{{"p.rego", `package policyctl.admission
allow contains {"id": "x", "reason": "r"}`}}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for want, evaluate := range map[string]evaluation{
		"the evaluation panicked: boom":                func(*budget, ast.Value) (ast.Value, error) { panic("boom") },
		"the evaluation panicked: assignment to entry": func(*budget, ast.Value) (ast.Value, error) { store(nil); return nil, nil },
		"lost": func(*budget, ast.Value) (ast.Value, error) { return nil, errors.New("lost") },
		"the evaluation gave null instead of the documents": func(*budget, ast.Value) (ast.Value, error) { return ast.NullValue, nil },
		"the evaluation gave array instead of the documents": func(*budget, ast.Value) (ast.Value, error) {
			return ast.NewArray(), nil
		},
	} {
		a.evaluate = evaluate
		for _, mode := range []policy.Mode{policy.Manual, policy.Skip} {
			s := policy.Defaults()
			s.Mode = mode
			e, err := policy.New(s, policy.Options{Sources: []policy.Source{a}})
			if err != nil {
				t.Fatal(err)
			}
			v, err := e.Decide(context.Background(), nil, policy.Shell("ls", "/w"))
			if err != nil || v.Decision == policy.Allow || !strings.Contains(v.Why, want) {
				t.Errorf("got %s %q, %v, want %q", v.Decision, v.Why, err, want)
			}
		}
	}
}
