package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"go.yaml.in/yaml/v3"
)

// otherWord returns our word for a decision that others call by name.
func otherWord(name string) string {
	switch name {
	case "ask", "confirm", "prompt":
		return "require_human"
	case "block", "forbid", "reject":
		return "deny"
	case "permit":
		return "allow"
	}
	return ""
}

// unknown reports a name that is none of the valid ones.
func (d *decoder) unknown(n *yaml.Node, what, name string, valid []string) {
	hint := spelling.Nearest(name, valid)
	if other := otherWord(name); hint == "" && slices.Contains(valid, other) {
		hint = other
	}
	d.suggest(n, hint, "unknown %s %s: one of %s", what, clip.Quote(name), strings.Join(valid, ", "))
}

// mismatch reports a value of the wrong type.
func (d *decoder) mismatch(n *yaml.Node, want string) {
	found, advice := kind(n), ""
	switch {
	case n.ShortTag() == "!!null" && n.Value == "~":
		d.fail(n, "%s must be %s, but ~ is nothing in YAML: put it in quotes", d.at, want)
		return
	case n.ShortTag() == "!!null":
		d.fail(n, "%s has no value: give it %s, or leave it out", d.at, want)
		return
	case want == "text" && n.Kind == yaml.ScalarNode:
		advice = ": put it in quotes"
	case want == "a list" && n.ShortTag() == "!!str":
		advice = ": write [" + clip.Quote(n.Value) + "]"
	}
	d.fail(n, "%s must be %s, not %s%s", d.at, want, found, advice)
}

// kind names what a node is.
func kind(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!str":
		return "the text " + clip.Quote(n.Value)
	case "!!int", "!!float":
		return "the number " + clip.Line(n.Value)
	case "!!timestamp":
		return "the date " + clip.Line(n.Value)
	}
	return clip.Line(n.Value)
}

func (d *decoder) fail(n *yaml.Node, format string, args ...any) {
	d.suggest(n, "", format, args...)
}

// suggest reports an error together with what was probably meant.
func (d *decoder) suggest(n *yaml.Node, hint, format string, args ...any) {
	if !d.refused[n] {
		d.add(Problem{Line: n.Line, Column: n.Column, Hint: hint, Text: fmt.Sprintf(format, args...)})
	}
}

func (d *decoder) warn(n *yaml.Node, hint, format string, args ...any) {
	d.add(Problem{Line: n.Line, Column: n.Column, Hint: hint, Text: fmt.Sprintf(format, args...), Warning: true})
}

func (d *decoder) failAt(line, column int, format string, args ...any) {
	d.add(Problem{Line: line, Column: column, Text: fmt.Sprintf(format, args...)})
}

func (d *decoder) add(p Problem) {
	p.File = d.name
	d.problems = append(d.problems, p)
}
