package pattern

import (
	"strconv"

	"github.com/policyctl/policyctl/internal/support/clip"
)

// literal compiles a value that is compared.
func (c *compiler) literal(n Node) any {
	switch n.Kind {
	case TextNode:
		return n.Text
	case NumberNode:
		return c.number(n)
	case BoolNode:
		return n.Text == "true"
	case ListNode:
		return c.literals(n)
	case MapNode:
		c.repeated(n)
		out := make(map[string]any, len(n.Keys))
		for i, key := range n.Keys {
			out[key.Text] = c.literal(n.Items[i])
		}
		return out
	}
	return nil
}

func (c *compiler) literals(n Node) []any {
	out := make([]any, len(n.Items))
	for i, item := range n.Items {
		out[i] = c.literal(item)
	}
	return out
}

func (c *compiler) number(n Node) number {
	x, ok := parseNumber(n.Text)
	if !ok {
		c.fail(n, "the number %s is not decimal: write it with digits, or put it in quotes to mean a text", clip.Line(n.Text))
	} else if _, err := strconv.ParseFloat(n.Text, 64); err != nil {
		c.fail(n, "the number %s is larger than JSON readers keep: write a smaller one, or put it in quotes to mean a text", clip.Line(n.Text))
	}
	return x
}

func (c *compiler) scalar(key, n Node) any {
	if n.Kind == ListNode || n.Kind == MapNode || n.Kind == NullNode {
		c.fail(n, "%s takes a text, a number or true or false, not %s", key.Text, n.describe())
		return nil
	}
	return c.literal(n)
}

func (c *compiler) oneOf(n Node) []any {
	switch {
	case n.Kind != ListNode:
		c.fail(n, "in takes a list, not %s: write in: […], or equals for one value", n.describe())
		return nil
	case len(n.Items) == 0:
		c.fail(n, "in has an empty list, of which nothing can be one")
		return nil
	}
	for _, item := range n.Items {
		if item.Kind == ListNode || item.Kind == MapNode {
			c.fail(item, "in takes texts, numbers, true and false, not %s: write {equals: …} in an any list", item.describe())
		}
	}
	return c.literals(n)
}
