package pattern

import (
	"iter"
	"regexp/syntax"

	"github.com/policyctl/policyctl/pkg/document"
)

// Expressions yields the regular expressions of a condition that is not compiled yet.
func Expressions(when document.Node) iter.Seq[string] {
	return func(yield func(string) bool) { expressions(when, yield) }
}

func expressions(n document.Node, yield func(string) bool) bool {
	for i, item := range n.Items {
		text := i < len(n.Keys) && n.Keys[i].Text == "pattern" && item.Kind == document.Text
		if text && !yield(item.Text) || !expressions(item, yield) {
			return false
		}
	}
	return true
}

// ExpressionCost returns about how many steps the program of a regular expression has,
// without compiling it. What costs more than most may be given as any number above. An
// expression that is wrong costs its length.
func ExpressionCost(text string, most int) int {
	if len(text) > most {
		return len(text)
	}
	re, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return len(text)
	}
	return len(text)/8 + steps(re)
}

// steps counts what the compiler makes of an expression: what is repeated, as often as
// it may be. Parsing bounds the product of counts, so that the number is small enough.
func steps(re *syntax.Regexp) int {
	n := 1 + len(re.Rune)/8
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	for _, sub := range re.Sub {
		n += steps(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(1, re.Min, re.Max)
	}
	return n
}
