package pattern

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"testing"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/record"
)

// naive is Decide without an index.
func naive(s *Set, r *record.Record, scope Scope, in *Input) Match {
	m := Match{Certain: true}
	for _, rule := range s.rules {
		if rule.Scope.Covers(scope) && m.take(rule, rule.When.Eval(r, in)) {
			break
		}
	}
	return m
}

// A truthTally counts what conditions say.
type truthTally [3]int

func (n truthTally) share(of Truth) float64 { return 100 * float64(n[of]) / float64(n[0]+n[1]+n[2]) }

func TestIndexDecidesAsWithoutIndex(t *testing.T) {
	const sets, records = 1500, 20
	start := seed.New(t)
	t.Logf("SEED=%d", start)
	g := &ruleMaker{Rand: rand.New(rand.NewPCG(start, 0))}
	byOperator := make([]truthTally, len(operatorTable))
	var decided truthTally
	asked, all := 0, 0
	for i := range sets {
		size := 1 + g.IntN(30)
		if i%100 == 0 {
			size = 300
		}
		rules, aims := g.rules(t, size)
		s := NewSet(rules)
		for range records {
			focus := g.IntN(len(rules))
			r, in, scope := g.record(aims[focus]), g.instant(), g.scope(50)
			want := naive(s, r, scope, in)
			if got := s.Decide(r, scope, in); !reflect.DeepEqual(got, want) {
				t.Fatalf("SEED=%d\nDecide = %s, want %s\nrecord %#v\nrules %s", start, printMatch(got), printMatch(want), r, printRules(s))
			}
			tallyLeaves(&rules[focus].When, r, in, byOperator)
			decided[outcome(want)]++
			all += len(s.rules)
			asked += candidatesOf(t, s, r, scope, in)
		}
	}
	t.Logf("%d of %d rules were candidates", asked, all)
	for i, n := range byOperator {
		if t.Logf("%-12s true %2.0f %%, unknown %2.0f %%", operatorTable[i].name, n.share(True), n.share(Unknown)); n.share(True) < 30 || n.share(Unknown) < 10 {
			t.Errorf("SEED=%d: %q is true %.0f %% and unknown %.0f %% of the time: the test is too weak", start, operatorTable[i].name, n.share(True), n.share(Unknown))
		}
	}
	if decided.share(True) < 30 || decided.share(Unknown) < 10 {
		t.Errorf("SEED=%d: %.0f %% match, %.0f %% are not certain: the test is too weak", start, decided.share(True), decided.share(Unknown))
	}
	if asked > all/2 {
		t.Errorf("SEED=%d: %d of %d rules were candidates", start, asked, all)
	}
}

func outcome(m Match) Truth {
	switch {
	case !m.Certain:
		return Unknown
	case m.Rule != nil:
		return True
	}
	return False
}

// rules makes rules, and for each what its records target at.
func (g *ruleMaker) rules(t *testing.T, n int) ([]*Rule, [][]target) {
	rules, aims := make([]*Rule, n), make([][]target, n)
	for i := range rules {
		g.leaves = nil
		source := g.when(operatorTable[i%len(operatorTable)].name, g.IntN(3))
		when, problems := CompileWhen(source)
		if len(problems) > 0 {
			t.Fatalf("%v\n%s", problems, printNode(source))
		}
		rules[i] = &Rule{
			ID: fmt.Sprint("rule-", i), Priority: g.IntN(3), Disabled: g.chance(3), Scope: g.scope(10),
			When: when, Source: source, Decision: Decision{Verb: Verb(g.IntN(4))},
		}
		aims[i] = g.leaves
	}
	g.Shuffle(n, func(i, j int) {
		rules[i], rules[j] = rules[j], rules[i]
		aims[i], aims[j] = aims[j], aims[i]
	})
	return rules, aims
}

// scope names each of its parts with a chance in percent.
func (g *ruleMaker) scope(percent int) Scope {
	name := func() string {
		if g.chance(percent) {
			return pickOne(g, []string{"a", "b"})
		}
		return ""
	}
	return Scope{Plugin: name(), Profile: name(), Integration: name()}
}

// tallyLeaves counts what the operators of a condition say of a record.
func tallyLeaves(c *Condition, r *record.Record, in *Input, n []truthTally) {
	if c.op == test {
		for _, o := range c.leaf.tests {
			one := leaf{path: c.leaf.path, tests: []operator{o}}
			n[o.kind][one.eval(r, in)]++
		}
	}
	for i := range c.kids {
		tallyLeaves(&c.kids[i], r, in, n)
	}
}

// candidatesOf reports rules that are not false and no candidates, and returns how
// many candidates there are.
func candidatesOf(t *testing.T, s *Set, r *record.Record, scope Scope, in *Input) int {
	c, n := s.index.look(r, scope), 0
	defer s.index.done(c)
	next := c.next()
	for i, rule := range s.rules {
		if int(next) == i {
			n, next = n+1, c.next()
			continue
		}
		if got := rule.When.Eval(r, in); rule.Scope.Covers(scope) && got != False {
			t.Fatalf("the index leaves out a rule that is %s:\n%s\nrecord %#v", got, printNode(rule.Source), r)
		}
	}
	if next >= 0 {
		t.Fatalf("candidate %d comes late or twice", next)
	}
	return n
}

func printMatch(m Match) string {
	id := "none"
	if m.Rule != nil {
		id = m.Rule.ID
	}
	return fmt.Sprintf("%s %s certain=%t", id, m.Decision, m.Certain)
}

func printRules(s *Set) string {
	out := ""
	for _, r := range s.rules {
		out += fmt.Sprintf("\n%s %d %v %s: %s", r.ID, r.Priority, r.Scope, r.Decision.Verb, printNode(r.Source))
	}
	return out
}

// printNode prints a node as JSON does, or nearly so.
func printNode(n document.Node) string {
	switch n.Kind {
	case document.Text:
		return strconv.Quote(n.Text)
	case document.List, document.Map:
		out := ""
		for i, item := range n.Items {
			if out += ", "; n.Kind == document.Map {
				out += printNode(n.Keys[i]) + ": "
			}
			out += printNode(item)
		}
		if out != "" {
			out = out[2:]
		}
		return map[document.Kind]string{document.List: "[" + out + "]", document.Map: "{" + out + "}"}[n.Kind]
	}
	return n.Text
}
