package document

import (
	"fmt"
	"slices"

	"github.com/policyctl/policyctl/internal/support/clip"
)

// A Checker collects what is wrong with a document. The zero value has found
// nothing.
type Checker struct {
	Problems []Problem
}

// Fail notes a problem at a node.
func (c *Checker) Fail(n Node, format string, args ...any) {
	c.Suggest(n, "", format, args...)
}

// Suggest notes a problem at a node with what was probably meant.
func (c *Checker) Suggest(n Node, hint, format string, args ...any) {
	c.Problems = append(c.Problems, Problem{Line: n.Line, Column: n.Column, Text: fmt.Sprintf(format, args...), Hint: hint})
}

// FailOnce notes a problem unless it is noted already.
func (c *Checker) FailOnce(n Node, text string) {
	if !slices.ContainsFunc(c.Problems, func(p Problem) bool { return p.Text == text }) {
		c.Fail(n, "%s", text)
	}
}

// Repeated reports keys that stand twice in a mapping.
func (c *Checker) Repeated(n Node) {
	if len(n.Keys) < 2 {
		return
	}
	seen := make(map[string]bool, len(n.Keys))
	for _, key := range n.Keys {
		if seen[key.Text] {
			c.Fail(key, "duplicate key %s: give one of them in an all list", clip.Quote(key.Text))
		}
		seen[key.Text] = true
	}
}

// Text returns the text of a node, and notes a problem where it is none; key
// names it.
func (c *Checker) Text(key, n Node) string {
	if n.Kind != Text {
		c.Fail(n, "%s takes a text, not %s", key.Text, n.Describe())
	}
	return n.Text
}
