package main

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

func TestDecide(t *testing.T) {
	for line, want := range map[string]policy.Decision{
		"git status && grep -rn TODO src | head": policy.Allow,
		"git push origin main":                   policy.Ask,
		"git status && rm -rf ~":                 policy.Deny,
	} {
		t.Setenv("HOME", "/home/dev")
		if v, err := decide(line, t.TempDir()); err != nil || v.Decision != want {
			t.Errorf("%s: %s, %v; want %s", line, v.Decision, err, want)
		}
	}
}
