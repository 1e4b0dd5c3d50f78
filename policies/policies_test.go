package policies_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/policies"
)

func TestPacksLoad(t *testing.T) {
	for _, name := range policies.Names() {
		text, ok := policies.Lookup(name)
		if !ok {
			t.Errorf("%s: there is no policy.yaml", name)
			continue
		}
		l, err := config.Load(policy.Defaults(), config.File{Layer: "user", Name: name, Data: text, Admit: config.Everything})
		if err != nil || len(l.Warnings) > 0 {
			t.Errorf("%s: %v; %v", name, err, l.Warnings)
			continue
		}
		if _, err := policy.New(l.Settings, policy.Options{Revision: l.Revision}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, p := range l.Settings.Permissions {
			if p.Why == "" {
				t.Errorf("%s: %q has no why", p.Origin, p.Match)
			}
		}
	}
}

func TestPacksAreWhole(t *testing.T) {
	for _, name := range policies.Names() {
		if text, ok := policies.Readme(name); !ok || bytes.Count(text, []byte("\n")) > 80 {
			t.Errorf("%s: README.md is missing or has more than 80 lines", name)
		}
		if _, err := os.Stat(filepath.Join(name, "policy_test.yaml")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNamesAreTheFolders(t *testing.T) {
	found, err := filepath.Glob("*/policy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for i := range found {
		found[i] = filepath.Dir(found[i])
	}
	names := policies.Names()
	slices.Sort(names)
	if !slices.Equal(names, found) {
		t.Errorf("names %v, folders %v", names, found)
	}
}

func TestUnknownPack(t *testing.T) {
	for _, name := range []string{"", "nope", "..", "examples", "baseline/../ci"} {
		if _, ok := policies.Lookup(name); ok {
			t.Errorf("%q is found", name)
		}
		if _, ok := policies.Readme(name); ok {
			t.Errorf("the README of %q is found", name)
		}
	}
}

func TestPacksAreCopies(t *testing.T) {
	text, _ := policies.Lookup("baseline")
	text[0] = 'x'
	if again := policies.Baseline(); again[0] == 'x' {
		t.Error("a caller changed the policy")
	}
}
