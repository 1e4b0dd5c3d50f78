package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// MaxPattern bounds the text before alternatives that are told apart.
const MaxPattern = 1 << 10

// Alternatives returns what @(a|b) and its like match at least, as patterns;
// nil for nested ones. What matches all but a few names, or repeats a class of
// letters, stands for all: to deny, it is no less.
func Alternatives(g *syntax.ExtGlob) []string {
	text := g.Pattern.Value
	repeats := g.Op == syntax.GlobOneOrMore || g.Op == syntax.GlobZeroOrMore
	if g.Op == syntax.GlobExcept || repeats && (text == "?" || strings.HasPrefix(text, "[") && strings.ContainsAny(text, "a!^:")) {
		return []string{"*"}
	}
	if strings.ContainsAny(text, "\\'\"()$`") {
		return nil
	}
	out := strings.Split(text, "|")
	if g.Op == syntax.GlobZeroOrOne || g.Op == syntax.GlobZeroOrMore {
		out = append(out, "")
	}
	return out[:min(len(out), MaxValues)]
}
