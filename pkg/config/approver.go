package config

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// people is a list of names of people, each once; the field has them separated by
// commas.
func people[T any](field func(*T) *string) form[T] {
	return form[T]{someOf(personShape), func(d *decoder, n *yaml.Node, into *T) {
		if list := d.names(n, policy.CheckPerson); list != nil {
			*field(into) = strings.Join(list, ",")
		}
	}}
}

// personShape is a name that [policy.CheckPerson] accepts.
func personShape() schema { return fitting(`^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$`)() }

// names decodes a list of names, nil where something is wrong with it.
func (d *decoder) names(n *yaml.Node, check func(string) error) (list []string) {
	before := len(d.problems)
	if n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
		d.fail(n, "%s is an empty list: leave it out, or name somebody", d.at)
	}
	for item := range d.items(n) {
		name, ok := d.str(item)
		switch {
		case !ok:
			continue
		case policy.SamePerson(list, name):
			d.fail(item, "%s: %s stands there twice, and has one vote: remove one of them", d.at, clip.Quote(name))
		default:
			if err := check(name); err != nil {
				d.fail(item, "%s: %v", d.at, err)
			}
		}
		list = append(list, name)
	}
	if len(list) > policy.MaxApprovers {
		d.fail(n, "%s has %d names: give at most %d", d.at, len(list), policy.MaxApprovers)
	}
	if len(d.problems) > before {
		return nil
	}
	return list
}

// checkApprover reports a number of people without names or the other way round, and
// what does not go with them.
func (d *decoder) checkApprover(n *yaml.Node, r *pattern.Rule) {
	if n == nil || child(n, "any") == nil && child(n, "of") == nil {
		return
	}
	above := d.at
	defer func() { d.at = above }()
	d.at = "approver"
	for _, key := range []string{"plugin", "profile"} {
		if child(n, key) != nil {
			d.fail(keyOf(n, key), "approver.%s does not go with any and of, which name people: remove one or the other", key)
		}
	}
	if r.Decision.Verb == pattern.RequireLLM {
		d.fail(n, "approver.any and approver.of go with decision: require_human, not with require_llm")
	}
	if d.quorum(n, r.Decision.Quorum, r.Decision.Approver) && r.Decision.Quorum > 1 && r.Decision.OnTimeout == policy.Allow {
		d.fail(n, "approver.any: %d people must approve, and on_timeout: allow lets silence approve: remove one of them", r.Decision.Quorum)
	}
}

// quorum checks a mapping with any and of, and reports whether nothing is wrong.
func (d *decoder) quorum(n *yaml.Node, quorum int, approver string) bool {
	for _, key := range [][2]string{{"any", "of"}, {"of", "any"}} {
		if child(n, key[0]) == nil {
			d.fail(n, "%s has %s without %s: give both, such as {any: 2, of: [alice, bob]}", d.at, key[1], key[0])
			return false
		}
	}
	err := policy.CheckQuorum(quorum, policy.Approvers(approver))
	if err != nil {
		d.fail(child(n, "any"), "%s.any: %v", d.at, err)
	}
	return err == nil
}

// A supervisor is who decides where no rule names anybody.
type supervisor struct {
	quorum int
	names  string
}

// supervisorKeys are the keys of several of whom some must agree.
func supervisorKeys() []key[supervisor] {
	return []key[supervisor]{
		{"any", "how many of the people in of must approve", "",
			number(1, policy.MaxApprovers, func(s *supervisor) *int { return &s.quorum }), free},
		{"of", "the people of whom so many must approve", "",
			people(func(s *supervisor) *string { return &s.names }), free},
	}
}

var supervisorForm = form[draft]{either(either(textShape, someOf(textShape)), tableShape(supervisorKeys, "any", "of")), func(d *decoder, n *yaml.Node, s *draft) {
	var found supervisor
	switch n.Kind {
	case yaml.MappingNode:
		before, table := len(d.problems), supervisorKeys()
		for i := range table {
			table[i].path = d.at + "." + table[i].path // problems tell the whole path
		}
		rows(d, n, table, d.at+".", func(k *key[supervisor], p pair) { k.form.decode(d, p.value, &found) })
		if len(d.problems) > before || !d.quorum(n, found.quorum, found.names) {
			return
		}
	case yaml.SequenceNode:
		list := d.names(n, checkListed)
		if list == nil {
			return
		}
		found.names = strings.Join(list, ",")
	default:
		name, ok := d.str(n)
		if !ok {
			return
		}
		found.names = name
	}
	s.Approval.Supervisor, s.Approval.Quorum = found.names, found.quorum
}}

// checkListed refuses an entry of a list that is a list itself.
func checkListed(name string) error {
	if strings.Contains(name, ",") {
		return fmt.Errorf("%s has a comma: make each name an entry of its own", clip.Quote(name))
	}
	return nil
}
