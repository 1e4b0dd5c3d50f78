package config

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
	"go.yaml.in/yaml/v3"
)

// Assign returns one assignment such as
// "security.confirm_policy=dangerous_only" as a file. The value is YAML on one
// line: a list is written [a, b], and adds to what is there.
func Assign(layer, name, assignment string, admit Admission) File {
	return File{Layer: layer, Name: name, Data: []byte(assignment), Admit: admit, assigns: true}
}

// assignment decodes KEY=VALUE. Its problems have no place but the name.
func (d *decoder) assignment(text string, s *draft) {
	if root := d.assigned(text); root != nil {
		d.settings(root, s)
	}
	for i := range d.problems {
		d.problems[i].Line, d.problems[i].Column = 0, 0
	}
}

// assigned returns the policy that sets one key.
func (d *decoder) assigned(text string) *yaml.Node {
	path, value, ok := strings.Cut(text, "=")
	if !ok || strings.Contains(value, "\n") {
		d.failAt(0, 0, "%s is not an assignment on one line: write KEY=VALUE", clip.Quote(text))
		return nil
	}
	data, ok := d.scan([]byte(value))
	if !ok {
		return nil
	}
	d.format = formatOf("", data)
	n := d.tree(data)
	switch {
	case n == nil && len(d.problems) > 0:
		return nil
	case n == nil:
		n = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	}
	unplace(n)
	for _, name := range slices.Backward(strings.Split(path, ".")) {
		key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name}
		n = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{key, n}}
	}
	return n
}

// unplace removes the places within the value, which are of no use.
func unplace(n *yaml.Node) {
	n.Line, n.Column = 0, 0
	for _, c := range n.Content {
		unplace(c)
	}
}
