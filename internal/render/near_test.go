package render_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/policy"
)

// TestWhyNotWidth shows that reasons stay within the page; what people copy does not wrap.
func TestWhyNotWidth(t *testing.T) {
	long := strings.Repeat("a reason that goes on ", 8)
	near := [][]policy.Match{{{Rule: "write src/*", Decision: policy.Allow, Lost: long}}}
	call := &policy.Call{Tool: "write", Input: map[string]any{"file_path": "x"}}
	d := render.Decided{Call: call}
	d.Decision, d.Why = policy.Ask, long
	for _, width := range []int{60, 80} {
		var b strings.Builder
		page := render.NewPage(&b)
		page.Width = width
		w := render.NewWhyNot(d, near)
		w.Advice.Allow, w.Gains = [][]string{{"write x"}}, [][]string{{long, "write y"}}
		page.WhyNot(d, w)
		page.Meaning(&render.Meaning{Match: "write src/*", Covers: []string{long}, Leaves: []string{"write x"}})
		if err := page.Close(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > width {
				t.Errorf("%d columns: %q is longer", width, line)
			}
		}
		for _, want := range []string{"newly allows", "does not cover", "write src/*"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%q is missing:\n%s", want, b.String())
			}
		}
	}
}
