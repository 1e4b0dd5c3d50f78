package config

import (
	"errors"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/pkg/pattern"
)

// Parse reads a file other than a policy as strictly as one: no key twice, no
// aliases, tags or second documents. An empty file is nothing. The error is of
// type [Problems].
func Parse(name string, data []byte) (pattern.Node, error) {
	d := newDecoder(File{Name: name, Data: data})
	var root *yaml.Node
	if data, ok := d.scan(data); ok {
		root = d.tree(data)
	}
	if errs, _ := d.problems.split(); len(errs) > 0 {
		return pattern.Node{}, errs
	}
	if root == nil {
		return pattern.Node{Line: 1, Column: 1}, nil
	}
	return parsed(root), nil
}

// parsed returns a value that [decoder.tree] has checked.
func parsed(n *yaml.Node) pattern.Node {
	out := pattern.Node{Text: n.Value, Line: n.Line, Column: n.Column}
	switch n.Kind {
	case yaml.MappingNode:
		out.Kind = pattern.MapNode
		for i := 0; i+1 < len(n.Content); i += 2 {
			out.Keys = append(out.Keys, parsed(n.Content[i]))
			out.Items = append(out.Items, parsed(n.Content[i+1]))
		}
		return out
	case yaml.SequenceNode:
		out.Kind = pattern.ListNode
		for _, item := range n.Content {
			out.Items = append(out.Items, parsed(item))
		}
		return out
	}
	switch n.ShortTag() {
	case "!!null":
		out.Kind, out.Text = pattern.NullNode, ""
		if strings.EqualFold(n.Value, "null") {
			out.Text = "null"
		}
	case "!!bool":
		out.Kind, out.Text = pattern.BoolNode, strings.ToLower(n.Value)
	case "!!int", "!!float":
		out.Kind = pattern.NumberNode
	default:
		out.Kind = pattern.TextNode
		if isHuge(n) {
			out.Kind = pattern.NumberNode
		}
	}
	return out
}

// isHuge reports whether a scalar without quotes is a number that no float64 holds,
// which the YAML library takes for a text.
func isHuge(n *yaml.Node) bool {
	_, err := strconv.ParseFloat(n.Value, 64)
	return n.Style == 0 && errors.Is(err, strconv.ErrRange)
}
