package rego_test

import (
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/policyctl/policyctl/pkg/rego"
)

// TestInputValue compares what policies are given with what OPA makes of the
// same document.
func TestInputValue(t *testing.T) {
	for _, c := range sample(t) {
		in, err := engine(t, nil).Input(c)
		if err != nil {
			t.Fatal(err)
		}
		m, err := rego.Input(in)
		if err != nil {
			t.Fatal(err)
		}
		want, err := ast.InterfaceToValue(m)
		if err != nil {
			t.Fatal(err)
		}
		if got := rego.InputValue(m); got.Compare(want) != 0 {
			t.Errorf("%v: got\n%v\nwant\n%v", c.Input, got, want)
		}
	}
}
