package policy_test

import (
	"os"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// TestEscapes shows that denies and the floor hold for what programs run in languages of
// their own, and that neither holds for what only looks so.
func TestEscapes(t *testing.T) {
	b, err := os.ReadFile("../../testdata/escapes/lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	e := engine(t, "deny shell rm *|deny shell git push *|deny shell curl *|deny shell cargo run *|deny shell npm publish *|deny shell mvn deploy *", yolo)
	n := 0
	for line := range strings.Lines(string(b)) {
		want, command, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " · ")
		if !ok || line[0] == '#' {
			continue
		}
		n++
		v := decide(t, e, nil, call(strings.ReplaceAll(command, "⏎", "\n")))
		got := v.Decision.String()
		switch {
		case v.Stage == policy.StageHardline:
			got = "floor"
		case want == "tame":
			got = "tame"
		}
		if got != want {
			t.Errorf("%s by %s %s, want %s: %s", got, v.Stage, v.Rule, want, command)
		}
	}
	if n < 500 {
		t.Errorf("%d lines", n)
	}
}
