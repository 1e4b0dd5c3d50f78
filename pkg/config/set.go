package config

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/pkg/policy"
)

// Set applies one assignment of a command line, such as
// "security.confirm_policy=dangerous_only", to base, which it does not change.
// The value is YAML on one line: a list is written [a, b], and adds to what is
// there. [Load] reads the value of a key in the same way.
//
// The error is of type [Problems]; the settings are then zero.
func Set(base policy.Settings, assignment string) (policy.Settings, error) {
	d := newDecoder(File{Layer: "flag", Name: "--set"})
	s := newDraft(base)
	if root := d.assignment(assignment); root != nil {
		fields(d, root, settingKeys, "", s)
	}
	errs, _ := s.finish(base.Tools, d)
	if len(errs) == 0 {
		return s.Settings, nil
	}
	for i := range errs {
		errs[i].Line, errs[i].Column = 0, 0
	}
	return policy.Settings{}, errs
}

// assignment returns the policy that sets one key.
func (d *decoder) assignment(text string) *yaml.Node {
	path, value, ok := strings.Cut(text, "=")
	if !ok || strings.Contains(value, "\n") {
		d.failAt(0, 0, "%s is no assignment on one line: write KEY=VALUE", quote(text))
		return nil
	}
	data, ok := d.scan([]byte(value))
	if !ok {
		return nil
	}
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
