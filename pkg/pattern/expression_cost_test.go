package pattern_test

import (
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/pattern"
)

// The cost of an expression is about the length of its program, and is known without
// making that.
func TestExpressionCost(t *testing.T) {
	for _, text := range []string{
		"a", "^v[0-9]+$", "(a|b)+c{1,20}7[x-z]*", "(a|b){1000}", "((a|bc){30}){30}", "x{5,}", "x{0,7}", "(?i)(abc|def){100}", strings.Repeat("a.", 300), "(?:a?){100}", "(a*)*{2}",
	} {
		re, err := syntax.Parse(text, syntax.Perl)
		if err != nil {
			continue
		}
		prog, err := syntax.Compile(re.Simplify())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := pattern.ExpressionCost(text, 1<<30), len(prog.Inst); got < want/4 || got > 4*want+8 {
			t.Errorf("%.30s costs %d, and its program has %d steps", text, got, want)
		}
	}
	for text, want := range map[string]int{"(a|b": 4, strings.Repeat("a", 50): 50} {
		if got := pattern.ExpressionCost(text, 20); got < want {
			t.Errorf("%s costs %d", text, got)
		}
	}
	if n := testing.AllocsPerRun(10, func() { pattern.ExpressionCost("(a|b|c){1000}", 1<<30) }); n > 100 {
		t.Errorf("it allocates %v times", n)
	}
}
