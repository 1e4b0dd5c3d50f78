package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxPattern bounds the text before alternatives that are told apart.
const maxPattern = 1 << 10

// alternatives returns what @(a|b) and its like match at least, as patterns;
// nil for !(…) and for nested ones.
func alternatives(g *syntax.ExtGlob) []string {
	text := g.Pattern.Value
	if g.Op == syntax.GlobExcept || strings.ContainsAny(text, "\\'\"()$`") {
		return nil
	}
	out := strings.Split(text, "|")
	if g.Op == syntax.GlobZeroOrOne || g.Op == syntax.GlobZeroOrMore {
		out = append(out, "")
	}
	return out[:min(len(out), maxValues)]
}
