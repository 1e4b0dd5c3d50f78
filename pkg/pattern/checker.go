package pattern

import (
	"fmt"
	"slices"

	"github.com/policyctl/policyctl/internal/support/clip"
)

// A checker collects what is wrong with a document. The zero value has found
// nothing.
type checker struct {
	problems []Problem
}

// fail notes a problem at a node.
func (c *checker) fail(n Node, format string, args ...any) {
	c.suggest(n, "", format, args...)
}

// suggest notes a problem at a node with what was probably meant.
func (c *checker) suggest(n Node, hint, format string, args ...any) {
	c.problems = append(c.problems, Problem{Line: n.Line, Column: n.Column, Text: fmt.Sprintf(format, args...), Hint: hint})
}

// failOnce notes a problem unless it is noted already.
func (c *checker) failOnce(n Node, text string) {
	if !slices.ContainsFunc(c.problems, func(p Problem) bool { return p.Text == text }) {
		c.fail(n, "%s", text)
	}
}

// repeated reports keys that stand twice in a mapping.
func (c *checker) repeated(n Node) {
	if len(n.Keys) < 2 {
		return
	}
	seen := make(map[string]bool, len(n.Keys))
	for _, key := range n.Keys {
		if seen[key.Text] {
			c.fail(key, "duplicate key %s: give one of them in an all list", clip.Quote(key.Text))
		}
		seen[key.Text] = true
	}
}

// text returns the text of a node, and notes a problem where it is none; key
// names it.
func (c *checker) text(key, n Node) string {
	if n.Kind != TextNode {
		c.fail(n, "%s takes a text, not %s", key.Text, n.describe())
	}
	return n.Text
}
