package pattern

import "slices"

// A guard is something that the index can look up in a record.
type guard struct {
	kind   guardKind
	path   string
	text   string
	number number
}

// A guardKind says what a guard is true of.
type guardKind uint8

// The guards on a value also hold if they hold for an element of a list.
const (
	isText   guardKind = iota // the value is the text
	isNumber                  // the value is the number
	isTrue
	isFalse
	isNull
	begins    // the value is a text that begins with the text, in whatever case
	inside    // the value is a text that contains the text, in whatever case
	anyText   // the value is a text
	composite // the value is a list or an object
	present   // there is a value
	inPlugin  // the scope of the call
	inProfile
	inIntegration
)

// A plan says which guards a condition implies. The zero value implies none.
type plan struct {
	op    planOp
	guard guard
	kids  []plan
}

type planOp uint8

const (
	unguarded planOp = iota
	guarded          // the guard holds
	every            // all kids hold
	some             // a kid holds
)

func guardedBy(g guard) plan { return plan{op: guarded, guard: g} }

// everyPlan leaves out what implies nothing.
func everyPlan(kids ...plan) plan {
	kids = slices.DeleteFunc(kids, func(p plan) bool { return p.op == unguarded })
	switch len(kids) {
	case 0:
		return plan{}
	case 1:
		return kids[0]
	}
	return plan{op: every, kids: kids}
}

// somePlan implies nothing where a kid implies nothing.
func somePlan(kids ...plan) plan {
	if len(kids) == 0 || slices.ContainsFunc(kids, func(p plan) bool { return p.op == unguarded }) {
		return plan{}
	}
	if len(kids) == 1 {
		return kids[0]
	}
	return plan{op: some, kids: kids}
}

// count counts in how many places each guard occurs.
func (p *plan) count(n map[guard]int) {
	if p.op == guarded {
		n[p.guard]++
	}
	for i := range p.kids {
		p.kids[i].count(n)
	}
}

// choose returns guards of which one holds wherever the condition is not
// false, and what they cost: of all that would do, the rarest.
func (p *plan) choose(n map[guard]int) (chosen []guard, cost int) {
	switch p.op {
	case guarded:
		return []guard{p.guard}, p.guard.cost(n[p.guard])
	case some:
		for i := range p.kids {
			guards, c := p.kids[i].choose(n)
			chosen, cost = append(chosen, guards...), max(cost, c)
		}
	case every:
		for i := range p.kids {
			guards, c := p.kids[i].choose(n)
			if i == 0 || c < cost || c == cost && len(guards) < len(chosen) {
				chosen, cost = guards, c
			}
		}
	}
	return chosen, cost
}

// cost weighs a guard that rules share: how many rules it makes candidates, and
// how often it is expected to.
func (g *guard) cost(shared int) int {
	switch {
	case g.kind == present || g.kind == anyText || g.kind == composite:
		return shared * 256
	case g.kind == inside && len(g.text) < 3:
		return shared * 64
	case g.kind == inside:
		return shared*4 + 2
	case g.kind == begins:
		return shared*4 + 1
	}
	return shared * 4
}
