package config

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/policy"
)

// The layers, lowest to highest. A layer above overrides those below it.
const (
	Managed     = "managed"
	Bundle      = "bundle"
	User        = "user"
	Project     = "project"
	Environment = "environment"
	Flag        = "flag"
)

// An Admission is what a layer may change. The zero value is the strictest.
type Admission uint8

// The admissions: a layer may only tighten; it is a project's and its content
// is trusted; it belongs to the person or the organisation; it does, and only
// tightens all the same, because something above it is wrong.
const (
	Tightening Admission = iota
	Trusted
	Everything
	Lowered
)

// An Assignment is one key that a file assigns.
type Assignment struct {
	// Path is the key, such as "approvals.mode"; Value is what is assigned, as
	// YAML on one line, of rules their ids.
	Path, Value string
	Origin      policy.Origin
	// Held says why the assignment has no effect, or not all of its effect; ""
	// where it has.
	Held string
}

// settings decodes a whole policy, or what of it its layer may set.
func (d *decoder) settings(n *yaml.Node, s *draft) {
	rows(d, n, settingKeys(), "", func(k *key[draft], p pair) { d.assign(k, p, s) })
}

func (d *decoder) assign(k *key[draft], p pair, s *draft) {
	a := Assignment{Path: k.path, Value: shown(k.path, p.value), Origin: d.origin(p.key)}
	if k.tighter.managed && d.layer != Managed {
		d.fail(p.key, "%s is a key of the managed policy: remove it here", k.path)
		return
	}
	why := d.restrained(k, s)
	if d.tightens = why != ""; !d.tightens {
		k.form.decode(d, p.value, s)
	} else {
		before := s.clone()
		k.form.decode(d, p.value, s)
		if k.tighter.restore(before, s) {
			a.Held = why
		}
	}
	if k.path != "version" {
		s.assignments = append(s.assignments, a)
	}
}

// Why [Assignment.Held] holds back what would count otherwise.
const (
	// HeldUntrusted is what a person's trust in a project's policy applies.
	HeldUntrusted = "the project's policy is not trusted"
	// HeldWhileWrong ends once what is wrong in another layer is corrected.
	HeldWhileWrong = "it may only tighten until what is wrong above it is corrected"
)

// restrained says why a layer may only tighten a key; "" where it may do more.
func (d *decoder) restrained(k *key[draft], s *draft) string {
	switch {
	case k.tighter.restore == nil:
		return ""
	case s.locks(k.path) && d.layer != Managed:
		return "the managed policy locks it"
	case d.admit == Everything, d.admit == Trusted && !k.tighter.own:
		return ""
	case k.tighter.own && d.layer == Project:
		return "a project may not set it"
	case d.admit == Lowered:
		return HeldWhileWrong
	case d.layer == Project:
		return HeldUntrusted
	}
	return "it may only tighten"
}

// locks reports whether the managed layer locks a key or a section that holds it.
func (s *draft) locks(path string) bool {
	for locked := range s.locked {
		if path == locked || strings.HasPrefix(path, locked+".") {
			return true
		}
	}
	return false
}

// lockedForm is the list of keys that the managed layer locks.
var lockedForm = form[draft]{listOf(textShape), func(d *decoder, n *yaml.Node, s *draft) {
	for item := range d.items(n) {
		if name, ok := d.str(item); ok {
			s.locked[name] = true
			d.locks = append(d.locks, item)
		}
	}
}}

// checkLocks reports what is locked and is no key.
func (d *decoder) checkLocks() {
	all := paths(settingKeys())
	for _, n := range d.locks {
		if !slices.Contains(all, n.Value) {
			d.suggest(n, spelling.Nearest(n.Value, all), "unknown key %s in locked", clip.Quote(n.Value))
		}
	}
}

// shown returns the value of a key as people are shown it. Of thousands of
// rules nobody wants more than their names.
func shown(path string, n *yaml.Node) string {
	if path != "rules" || n.Kind != yaml.SequenceNode {
		return flow(n)
	}
	ids := &yaml.Node{Kind: yaml.SequenceNode}
	for _, rule := range n.Content {
		if id := child(rule, "id"); id != nil {
			ids.Content = append(ids.Content, id)
		}
	}
	return flow(ids)
}

// flow returns a value as YAML on one line.
func flow(n *yaml.Node) string {
	text, err := yaml.Marshal(flat(n))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// flat returns a copy of a value without comments, for one line.
func flat(n *yaml.Node) *yaml.Node {
	c := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Style: n.Style &^ (yaml.LiteralStyle | yaml.FoldedStyle)}
	if n.Kind != yaml.ScalarNode {
		c.Style = yaml.FlowStyle
	}
	for _, child := range n.Content {
		c.Content = append(c.Content, flat(child))
	}
	return c
}
