package config

import (
	"errors"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/pkg/document"
)

// Parse reads a file other than a policy as strictly as one: no key twice, no
// aliases, tags or second documents. An empty file is nothing. The error is of
// type [Problems].
func Parse(name string, data []byte) (document.Node, error) {
	d := newDecoder(File{Name: name, Data: data})
	var root *yaml.Node
	if data, ok := d.scan(data); ok {
		root = d.tree(data)
	}
	if errs, _ := d.problems.split(); len(errs) > 0 {
		return document.Node{}, errs
	}
	if root == nil {
		return document.Node{Line: 1, Column: 1}, nil
	}
	return parsed(root), nil
}

// parsed returns a value that [decoder.tree] has checked.
func parsed(n *yaml.Node) document.Node {
	out := document.Node{Text: n.Value, Line: n.Line, Column: n.Column}
	switch n.Kind {
	case yaml.MappingNode:
		out.Kind = document.Map
		for i := 0; i+1 < len(n.Content); i += 2 {
			out.Keys = append(out.Keys, parsed(n.Content[i]))
			out.Items = append(out.Items, parsed(n.Content[i+1]))
		}
		return out
	case yaml.SequenceNode:
		out.Kind = document.List
		for _, item := range n.Content {
			out.Items = append(out.Items, parsed(item))
		}
		return out
	}
	switch n.ShortTag() {
	case "!!null":
		out.Kind, out.Text = document.Null, ""
		if strings.EqualFold(n.Value, "null") {
			out.Text = "null"
		}
	case "!!bool":
		out.Kind, out.Text = document.Bool, strings.ToLower(n.Value)
	case "!!int", "!!float":
		out.Kind = document.Number
	default:
		out.Kind = document.Text
		if isHuge(n) {
			out.Kind = document.Number
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
