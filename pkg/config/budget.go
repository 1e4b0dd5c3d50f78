package config

import (
	"iter"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/pkg/pattern"
)

// maxExpressions bounds what the regular expressions of the policies of projects may cost
// altogether, as [pattern.ExpressionCost] counts it: every hook compiles them, and
// {1000} makes a thousand steps of one.
const maxExpressions = 20_000

// affords takes expressions off the budget of projects, and reports what exceeds it.
func (d *decoder) affords(n *yaml.Node, expressions iter.Seq[string]) bool {
	if d.left == nil {
		return true
	}
	for text := range expressions {
		if *d.left >= 0 {
			*d.left -= pattern.ExpressionCost(text, *d.left)
		}
	}
	if *d.left >= 0 {
		return true
	}
	d.fail(n, "the regular expressions of a project's policy cost too much, since every hook compiles them: write fewer, with smaller counts in {…}, or move these rules to your own policy")
	return false
}
