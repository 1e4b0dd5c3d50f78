package pattern

import (
	"sync"

	"github.com/policyctl/policyctl/pkg/record"
)

// An index finds the rules of a set that a record may meet. Every other rule
// is false of it. Rules are numbered in the order in which they are asked.
type index struct {
	// free are the rules that nothing guards.
	free []int32
	// scopes are the rules of a plugin, of a profile and of an integration.
	scopes [3]map[string][]int32
	// facets are the fields that guard rules, by facet; "" is the record itself.
	facets map[string][]*fieldIndex
	pool   sync.Pool // of *candidates
}

func newIndex(rules []*Rule) *index {
	plans, n := make([]plan, len(rules)), map[guard]int{}
	for i, rule := range rules {
		plans[i] = everyPlan(rule.Scope.plan(), planOf(&rule.When))
		plans[i].count(n)
	}
	x := &index{facets: map[string][]*fieldIndex{}}
	fields, paths := map[string]*fieldBuilder{}, map[string]record.Path{}
	for i := range plans {
		collectPaths(&rules[i].When, paths)
		guards, _ := plans[i].choose(n)
		if len(guards) == 0 {
			x.free = append(x.free, int32(i))
		}
		for _, g := range guards {
			x.add(g, int32(i), fields, paths)
		}
	}
	size, keys := len(rules), 0
	for _, b := range fields {
		x.facets[b.path.Facet()] = append(x.facets[b.path.Facet()], b.build())
		keys = max(keys, len(b.beginning), len(b.containing))
	}
	x.pool.New = func() any {
		return &candidates{rules: newBitset(size), keys: newBitset(keys)}
	}
	return x
}

// add adds a rule under one of its guards.
func (x *index) add(g guard, rule int32, fields map[string]*fieldBuilder, paths map[string]record.Path) {
	if g.kind >= inPlugin {
		names := &x.scopes[g.kind-inPlugin]
		if *names == nil {
			*names = map[string][]int32{}
		}
		(*names)[g.text] = append((*names)[g.text], rule)
		return
	}
	b := fields[g.path]
	if b == nil {
		b = newFieldBuilder(paths[g.path])
		fields[g.path] = b
	}
	b.add(g, rule)
}

// collectPaths collects the paths of a condition by their texts.
func collectPaths(c *Condition, paths map[string]record.Path) {
	if c.op == test {
		paths[c.leaf.path.String()] = c.leaf.path
	}
	for i := range c.kids {
		collectPaths(&c.kids[i], paths)
	}
}

// look returns the candidates for a record; give them back with [index.done].
func (x *index) look(r *record.Record, scope Scope) *candidates {
	c := x.pool.Get().(*candidates)
	c.free = x.free
	for i, name := range [3]string{scope.Plugin, scope.Profile, scope.Integration} {
		if len(x.scopes[i]) > 0 && name != "" {
			c.rules.addAll(x.scopes[i][name])
		}
	}
	c.look(x.facets[""], r)
	for facet := range r.Facets {
		c.look(x.facets[facet], r)
	}
	if len(r.Unknown) > 0 {
		x.lookUnknown(r, c)
	}
	return c
}

// lookUnknown is for facets of which nothing is known but that they are there.
func (x *index) lookUnknown(r *record.Record, c *candidates) {
	for facet, fields := range x.facets {
		if _, ok := r.Facets[facet]; !ok && facet != "" {
			c.look(fields, r)
		}
	}
}

func (x *index) done(c *candidates) {
	c.rules.clear()
	c.err = nil
	x.pool.Put(c)
}

// candidates gives out rules in the order in which they are asked.
type candidates struct {
	rules bitset
	free  []int32
	keys  bitset // of the trie at hand; empty between fields
	err   error  // why these are not all
}

func (c *candidates) look(fields []*fieldIndex, r *record.Record) {
	for _, f := range fields {
		f.look(r, c)
	}
}

// addKeys adds the rules of the keys that were found in a trie.
func (c *candidates) addKeys(t *trie) {
	for key := c.keys.least(); key >= 0; key = c.keys.least() {
		c.keys.remove(key)
		c.rules.addAll(t.rules[key])
	}
}

// next returns the next rule, -1 after the last.
func (c *candidates) next() int32 {
	rule := c.rules.least()
	if len(c.free) > 0 && (rule < 0 || c.free[0] < rule) {
		rule, c.free = c.free[0], c.free[1:]
		return rule
	}
	if rule >= 0 {
		c.rules.remove(rule)
	}
	return rule
}
