package config_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A number that is too large is an error, not a text.
func TestHugeNumber(t *testing.T) {
	for _, text := range []string{"1e400", "-1e400", "1.5e+999"} {
		data := "version: 1\nrules:\n  - {id: r, when: {x.a: {equals: " + text + "}}, decision: deny}\n"
		if _, err := config.Load(policy.Defaults(), config.File{Name: "p.yaml", Data: []byte(data)}); err == nil || !strings.Contains(err.Error(), "larger than JSON readers keep") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A policy in JSON may escape characters as JSON does; an escaped backslash is
// none of it.
func TestSurrogates(t *testing.T) {
	data := `{"version": 1, "rules": [{"id": "r", "when": {"x.a": "\ud83d\uDE00\\ud83d\\ude00"}, "decision": "deny"}]}`
	n, err := config.Parse("p.json", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := n.Items[1].Items[0].Items[1].Items[0].Text, "\U0001F600\\ud83d\\ude00"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
