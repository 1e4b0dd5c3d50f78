package differ

import (
	"slices"

	"github.com/policyctl/policyctl/internal/authoring/lint"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
)

// Bounds of what is made up from rules.
const (
	maxWitnesses = 8    // of one condition
	maxValues    = 256  // of one rule that are tried one by one
	maxPairs     = 2000 // of rules
)

// rules tries the examples of rules, and records that they match.
func (d *Differ) rules(rules []*pattern.Rule) {
	for _, r := range rules {
		d.mixer.test(r.Source)
	}
	for _, r := range rules {
		for _, record := range slices.Concat(r.Examples.Match, r.Examples.NoMatch) {
			d.record(r.Scope, record, Sample{Kind: Example, At: "rule " + r.ID})
		}
		d.witness(r.Source, r.Scope, "rule "+r.ID, maxWitnesses)
		d.witness(opposite(r.Source), r.Scope, "rule "+r.ID+" does not match", 2)
		left := maxValues
		for _, one := range singled(r.Source) {
			if left--; left < 0 {
				break
			}
			d.witness(one, r.Scope, "rule "+r.ID, 1)
		}
	}
	left := maxPairs
	for i, a := range rules {
		for _, b := range rules[i+1:] {
			scope, meet := common(a.Scope, b.Scope)
			if a.Decision == b.Decision || !meet {
				continue
			}
			if left--; left < 0 {
				return
			}
			d.witness(both(a.Source, b.Source), scope, "rules "+a.ID+" and "+b.ID, 1)
		}
	}
}

// Pairs tries what only one of two rules with the same id matches.
func (d *Differ) Pairs(old, new []*pattern.Rule) {
	byID := make(map[string]*pattern.Rule)
	for _, r := range old {
		byID[r.ID] = r
	}
	for _, is := range new {
		was := byID[is.ID]
		if was == nil {
			continue
		}
		d.witness(without(was.Source, is.Source), was.Scope, "rule "+is.ID+" as it was", maxWitnesses)
		d.witness(without(is.Source, was.Source), is.Scope, "rule "+is.ID+" as it is", maxWitnesses)
	}
}

// witness tries records that meet a condition.
func (d *Differ) witness(when document.Node, scope pattern.Scope, at string, n int) {
	c, problems := pattern.CompileWhen(when)
	if len(problems) > 0 {
		return // it nests too deep together
	}
	for _, r := range lint.Witnesses(&c, n) {
		d.record(scope, r, Sample{Kind: Witness, At: at})
	}
}

// common returns the scope of the calls to which both of two scopes apply.
func common(a, b pattern.Scope) (pattern.Scope, bool) {
	meet := true
	for _, p := range []struct {
		into *string
		with string
	}{{&a.Plugin, b.Plugin}, {&a.Profile, b.Profile}, {&a.Integration, b.Integration}} {
		if *p.into == "" {
			*p.into = p.with
		}
		meet = meet && (p.with == "" || p.with == *p.into)
	}
	return a, meet
}

// both is a condition that holds where two others do, and without one where
// only the first does.
func both(a, b document.Node) document.Node {
	return mapping("all", document.Node{Kind: document.List, Items: []document.Node{a, b}})
}

func without(a, b document.Node) document.Node { return both(a, opposite(b)) }

// opposite is a condition that holds where another does not.
func opposite(n document.Node) document.Node { return mapping("not", n) }

func mapping(key string, value document.Node) document.Node {
	return document.Node{Kind: document.Map, Keys: []document.Node{{Kind: document.Text, Text: key}}, Items: []document.Node{value}}
}

// singled returns conditions of which each has one value in place of a list of
// values: a witness shows one of them only.
func singled(n document.Node) (all []document.Node) {
	for i, item := range n.Items {
		replaced := func(with document.Node) document.Node {
			c := n
			c.Items = slices.Clone(n.Items)
			c.Items[i] = with
			return c
		}
		isList := item.Kind == document.List && n.Kind == document.Map
		for _, value := range values(n, i, isList) {
			all = append(all, replaced(value))
		}
		if len(values(n, i, isList)) > 0 {
			continue
		}
		for _, one := range singled(item) {
			all = append(all, replaced(one))
		}
	}
	return all
}

// values returns the values of the list behind a key, as what stands in its
// place; none where the list holds conditions.
func values(n document.Node, i int, isList bool) (all []document.Node) {
	if !isList || n.Keys[i].Text == "all" || n.Keys[i].Text == "any" || len(n.Items[i].Items) < 2 {
		return nil
	}
	for _, value := range n.Items[i].Items {
		if n.Keys[i].Text == "in" {
			value = document.Node{Kind: document.List, Items: []document.Node{value}}
		}
		all = append(all, value)
	}
	return all
}
