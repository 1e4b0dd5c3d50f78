package netclaw_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/authoring/netclaw"
)

func TestRead(t *testing.T) {
	const text = `{"version":2,"audiences":{"team":{"shell_execute":[{"verb":"make","directory":null}]},
		"personal":{"shell_execute":[{"verb":"git push","directory":"/srv/app","createdAt":"2026-05-08T10:00:00Z"},{"verb":"find"},
		{"verb":"ls","directory":""},{"verb":""},{"verb":"rm","shell":"pwsh"},"git commit"]}}}`
	entries, err := netclaw.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range entries {
		e := &entries[i]
		line := e.Tool + " " + e.String()
		if e.Problem != "" {
			line = "!" + e.Problem
		}
		got = append(got, line)
	}
	want := []string{
		"shell_execute git push in /srv/app for personal", "shell_execute find anywhere for personal", "!its directory is empty, which is not anywhere",
		"!it has no verb", `!json: unknown field "shell"`, "!json: cannot unmarshal string into Go value", "shell_execute make anywhere for team",
	}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
}

// TestReadRefuses shows that nothing is taken from a file that may mean
// something else.
func TestReadRefuses(t *testing.T) {
	for _, text := range []string{
		``, `[]`, `x`, `{}`, `{"version":1,"audiences":{}}`, `{"shell_execute":["git push"]}`, `{"version":4,"audiences":{}}`, `{"version":0}`,
		`{"version":2,"audiences":{},"mode":"x"}`, `{"version":2,"audiences":[]}`, `{"version":2,"audiences":{}} {}`, `{"version":"2","audiences":{}}`,
	} {
		if entries, err := netclaw.Read([]byte(text)); err == nil {
			t.Errorf("%s: %v", text, entries)
		}
	}
}
