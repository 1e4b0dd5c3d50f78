package backtrack_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/support/backtrack"
)

func TestExplodes(t *testing.T) {
	for want, patterns := range map[bool][]string{
		true: {
			`(a+)+$`, `^(a|a)*$`, `(.*)*x`, `(x+x+)+y`, `^(\w+\s?)*$`, `(a|aa)+$`, `((a+))+`, `(?:a*)*`, `(a{2,})+`, `([a-z]+)*!`, `(a+){10,}`, `(.|x)+y`,
			`(\d+|\d+x)*`, `((ab)*c*)*`, `(?=(a+)+)x`, strings.Repeat("(", 99) + "a" + strings.Repeat(")", 99),
		},
		false: {
			`\d+`, `^(foo|bar)+\s*=`, `(?<=a)b+`, `(\w+,)*`, `([a-z]+-)+`, `(a+)`, `(ab)*`, `(a+)?`, `a{3}`, `\(a+\)+`, `[(a+)+]`, `(a|b|c)*`, `foo(?=bar)`, `(?:[0-9a-f]{2}:)+`,
			``, `(`, `)`, `[`, `\`, `a{`, `(?`,
		},
	} {
		for _, p := range patterns {
			if got := backtrack.Explodes(p); got != want {
				t.Errorf("%v: %s", got, p)
			}
		}
	}
}
