package pattern

import (
	"strconv"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/document"
)

// literal compiles a value that is compared.
func (c *compiler) literal(n document.Node) any {
	switch n.Kind {
	case document.Text:
		return n.Text
	case document.Number:
		return c.number(n)
	case document.Bool:
		return n.Text == "true"
	case document.List:
		return c.literals(n)
	case document.Map:
		c.Repeated(n)
		out := make(map[string]any, len(n.Keys))
		for i, key := range n.Keys {
			out[key.Text] = c.literal(n.Items[i])
		}
		return out
	}
	return nil
}

func (c *compiler) literals(n document.Node) []any {
	out := make([]any, len(n.Items))
	for i, item := range n.Items {
		out[i] = c.literal(item)
	}
	return out
}

func (c *compiler) number(n document.Node) number {
	x, ok := parseNumber(n.Text)
	if !ok {
		c.Fail(n, "the number %s is not decimal: write it with digits, or put it in quotes to mean a text", clip.Line(n.Text))
	} else if _, err := strconv.ParseFloat(n.Text, 64); err != nil {
		c.Fail(n, "the number %s is larger than JSON readers keep: write a smaller one, or put it in quotes to mean a text", clip.Line(n.Text))
	}
	return x
}

func (c *compiler) scalar(key, n document.Node) any {
	if n.Kind == document.List || n.Kind == document.Map || n.Kind == document.Null {
		c.Fail(n, "%s takes a text, a number or true or false, not %s", key.Text, n.Describe())
		return nil
	}
	return c.literal(n)
}

func (c *compiler) oneOf(n document.Node) []any {
	switch {
	case n.Kind != document.List:
		c.Fail(n, "in takes a list, not %s: write in: […], or equals for one value", n.Describe())
		return nil
	case len(n.Items) == 0:
		c.Fail(n, "in has an empty list, so it can never match")
		return nil
	}
	for _, item := range n.Items {
		if item.Kind == document.List || item.Kind == document.Map {
			c.Fail(item, "in takes texts, numbers, true and false, not %s: write {equals: …} in an any list", item.Describe())
		}
	}
	return c.literals(n)
}
