package config

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/policy"
)

// permissions appends what a map of patterns or a list of permissions holds.
func (d *decoder) permissions(n *yaml.Node, into *[]policy.Permission) {
	switch n.Kind {
	case yaml.SequenceNode:
		for item := range d.items(n) {
			d.listed(item, into)
		}
	case yaml.MappingNode:
		for match, p := range d.named(n) {
			d.mapped(match, p, into)
		}
	default:
		d.mismatch(n, "a mapping or a list")
	}
}

// listed decodes one permission of a list.
func (d *decoder) listed(n *yaml.Node, into *[]policy.Permission) {
	p := policy.Permission{Origin: d.origin(n)}
	if n.Kind != yaml.MappingNode {
		d.mismatch(n, "a mapping with match and action")
		return
	}
	if whole(d, n, permissionKeys(), &p, "match", "action") {
		d.permission(n, p, into)
	}
}

// mapped decodes one permission of a map, whose value is an action or a
// mapping of what a list would say beside match.
func (d *decoder) mapped(match string, entry pair, into *[]policy.Permission) {
	p := policy.Permission{Match: match, Origin: d.origin(entry.key)}
	n, ok := entry.value, false
	d.at = "the action of " + clip.Quote(match)
	switch {
	case n.Kind == yaml.MappingNode:
		ok = whole(d, n, permissionKeys()[1:], &p, "action")
	case n.ShortTag() == "!!str":
		ok = d.word(n, "action", &p.Action)
	default:
		d.mismatch(n, "deny, ask, allow or a mapping with action")
	}
	if ok {
		d.permission(entry.key, p, into)
	}
}

// permission checks what the parts of a permission have to do with each
// other, and appends it.
func (d *decoder) permission(n *yaml.Node, p policy.Permission, into *[]policy.Permission) {
	if p.EveryTime && p.Action != policy.Ask {
		d.fail(n, "every_time goes with action: ask only, not with %s", p.Action)
		return
	}
	*into = append(*into, p)
	d.mention(n, aPermission, p.Match, "")
	d.mentions[len(d.mentions)-1].allows = p.Action == policy.Allow
	for _, except := range p.Except {
		d.mention(n, anExcept, except, p.Match)
	}
}

// whole decodes a mapping and is true if it has all required keys and no
// problem.
func whole[T any](d *decoder, n *yaml.Node, table []key[T], into *T, required ...string) bool {
	before := len(d.problems)
	fields(d, n, table, into)
	if len(d.problems) > before {
		return false // perhaps the name of a required key is misspelt
	}
	required = slices.DeleteFunc(required, func(name string) bool { return child(n, name) != nil })
	if len(required) > 0 {
		d.fail(n, "missing here: %s", strings.Join(required, ", "))
	}
	return len(required) == 0
}

// child returns the value of a key, nil where n is no mapping or has none.
func child(n *yaml.Node, name string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}
