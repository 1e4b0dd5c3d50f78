package rego_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/policyctl/policyctl/pkg/rego"
)

// TestCapabilities compares the built-ins that are left with
// testdata/admission/builtins.txt, so that a new version of OPA adds none in
// silence.
func TestCapabilities(t *testing.T) {
	c := rego.Capabilities()
	var got []string
	for _, b := range c.Builtins {
		if b.Nondeterministic {
			t.Errorf("%s answers differently from time to time", b.Name)
		}
		got = append(got, b.Name)
	}
	slices.Sort(got)
	file := filepath.Join("testdata", "admission", "builtins.txt")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(data))
	for _, name := range got {
		if !slices.Contains(want, name) {
			t.Errorf("%s is new: remove it or add it to %s", name, file)
		}
	}
	for _, name := range want {
		if !slices.Contains(got, name) {
			t.Errorf("%s is gone: policies that call it no longer load", name)
		}
	}
}

func TestCapabilitiesCopied(t *testing.T) {
	c, whole := rego.Capabilities(), ast.CapabilitiesForThisVersion()
	if c.AllowNet == nil || len(c.AllowNet) > 0 {
		t.Errorf("schemas may be fetched from %v", c.AllowNet)
	}
	if !slices.Equal(c.Features, whole.Features) || !slices.Equal(c.FutureKeywords, whole.FutureKeywords) {
		t.Errorf("features %v %v, want %v %v", c.Features, c.FutureKeywords, whole.Features, whole.FutureKeywords)
	}
	c.Builtins[0] = nil
	if rego.Capabilities().Builtins[0] == nil || ast.CapabilitiesForThisVersion().Builtins[0] == nil {
		t.Error("a change of the result is a change for all")
	}
}
