package pattern

import (
	"iter"
	"slices"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// A Set is an ordered set of rules. It is immutable.
type Set struct {
	rules []*Rule // enabled, in the order in which they are asked
	all   []*Rule // as given
	index *index
}

// NewSet returns a set of rules. Their ids must differ; loading checks that.
func NewSet(rules []*Rule) *Set {
	ordered := sorted(rules)
	return &Set{rules: ordered, all: rules, index: newIndex(ordered)}
}

// Rules returns all rules in the order in which they were given. They must not
// be changed.
func (s *Set) Rules() []*Rule { return s.all }

// Ordered returns the enabled rules in the order in which they are asked.
func (s *Set) Ordered() []*Rule { return s.rules }

// A Match is what a set says of a record.
type Match struct {
	// Rule decides; nil where no rule matches.
	Rule *Rule
	// Decision is that of the rule, or an ask where a rule above it could not
	// be evaluated.
	Decision policy.Decision
	// Certain says that every rule that was asked could be evaluated.
	Certain bool
	// Also are the matches of further rules that ask: those that could not be evaluated,
	// and behind them the one that matches. Each counts on its own.
	Also []Match

	allow *Rule // that matches and ended the search, whoever decides
}

// Decide returns what the first rule in scope that matches says. A deny or an
// ask rule that cannot be evaluated and would come first contributes an ask,
// an allow rule nothing; the stricter counts. What it costs depends on how many
// rules the record may meet, not on how many there are.
func (s *Set) Decide(r *record.Record, scope Scope, in *Input) Match {
	m := Match{Certain: true}
	if len(s.rules) == 0 {
		return m
	}
	c := s.index.look(r, scope)
	for i := c.next(); i >= 0; i = c.next() {
		rule := s.rules[i]
		if rule.Scope.Covers(scope) && m.take(rule, rule.When.Eval(r, in)) {
			break
		}
	}
	s.index.done(c)
	return m
}

// Matches yields the rules in scope that match a record or may match it, in the
// order in which they are asked: their positions in [Set.Ordered], and how sure
// it is.
func (s *Set) Matches(r *record.Record, scope Scope, in *Input) iter.Seq2[int, Truth] {
	return func(yield func(int, Truth) bool) {
		c := s.index.look(r, scope)
		defer s.index.done(c)
		for i := int(c.next()); i >= 0; i = int(c.next()) {
			if !s.rules[i].Scope.Covers(scope) {
				continue
			}
			if t := s.rules[i].When.Eval(r, in); t != False && !yield(i, t) {
				return
			}
		}
	}
}

// take adds what one rule says and reports whether the search ends.
func (m *Match) take(rule *Rule, t Truth) (done bool) {
	switch {
	case t == True:
		d := rule.Decision.Verb.Decision()
		if d == policy.Allow {
			m.allow = rule
		}
		switch {
		case m.Rule == nil || d < m.Decision:
			m.Rule, m.Decision, m.Also = rule, d, nil // nothing asks beside a deny
		case d == policy.Ask:
			m.Also = append(m.Also, Match{Rule: rule, Decision: d, Certain: true})
		}
		return true
	case t == Unknown && rule.Decision.Verb != Allow:
		if m.Rule == nil {
			m.Rule, m.Decision = rule, policy.Ask
		} else {
			m.Also = append(m.Also, Match{Rule: rule, Decision: policy.Ask})
		}
		m.Certain = false
	case t == Unknown:
		m.Certain = false
	}
	return false
}

// Choose returns what [Set.Decide] would, where others found out which rules
// in scope match and which may match or do, by their positions in
// [Set.Ordered]. Both lists must be ascending.
func (s *Set) Choose(sure, maybe []int) Match {
	m := Match{Certain: true}
	for _, i := range maybe {
		t := Unknown
		if _, found := slices.BinarySearch(sure, i); found {
			t = True
		}
		if m.take(s.rules[i], t) {
			break
		}
	}
	return m
}
