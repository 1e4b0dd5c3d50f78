package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

const (
	// maxWitnesses is how many records of a rule filter those that may cover
	// it.
	maxWitnesses = 3
	// maxUnion is how many rules are looked at that cover a rule only together.
	maxUnion = 6
	// maxSingle is how many rules are looked at that may cover a rule alone.
	maxSingle = 8
)

// order looks for what keeps a rule from deciding.
func (l *linter) order(s *subject) {
	goals := []goal{{&s.form, true}}
	answer := l.prover.search(goals, func(r *record.Record) bool {
		if s.matches(r) {
			s.witnesses = append(s.witnesses, r)
		}
		return len(s.witnesses) >= maxWitnesses
	})
	if answer == no && len(s.witnesses) == 0 {
		s.shadowed = true
		l.add(Finding{
			Kind: Unreachable, Severity: Warning, Rules: []*pattern.Rule{s.Rule},
			Text: "no record can meet the condition" + l.why(s), Next: "correct the condition, or delete the rule",
		})
		return
	}
	if len(s.witnesses) == 0 || s.unclear() {
		l.unjudged = append(l.unjudged, s.Rule)
	}
	if len(s.witnesses) == 0 {
		return
	}
	if l.mayShadow(s) && l.shadow(s) {
		return
	}
	l.contradictions(s)
}

// mayShadow reports whether it is of interest what leaves a rule nothing to decide.
func (l *linter) mayShadow(s *subject) bool {
	a := l.about
	return a == nil || a == s || a.at < s.at &&
		(slices.ContainsFunc(s.witnesses, a.matches) || together(a, s) && !apart(a, s) && l.overlap(a, s) != nil)
}

// why names the path at which a condition without alternatives fails.
func (l *linter) why(s *subject) string {
	at := map[string][]demand{}
	s.each(func(n demand) { at[n.at] = append(at[n.at], n) })
	for _, demands := range sortedByPath(at) {
		if l.prover.find(demands).answer == no {
			text := ": " + describe(demands)
			if len(demands) == 1 {
				text += typeNote(demands[0].path)
			}
			return text
		}
	}
	return ""
}

func sortedByPath(at map[string][]demand) [][]demand {
	var out [][]demand
	for _, demands := range at {
		slices.SortFunc(demands, compareDemands)
		out = append(out, demands)
	}
	slices.SortFunc(out, func(a, b []demand) int { return strings.Compare(a[0].at, b[0].at) })
	return out
}

func (s *subject) unclear() bool {
	found := false
	s.each(func(n demand) { found = found || !n.clear() })
	return found
}

// shadow reports the rule if the rules before it leave it nothing to decide.
func (l *linter) shadow(s *subject) bool {
	var covering []*subject
	l.earlier(s, s.witnesses[0], func(e *subject) bool {
		covering = append(covering, e)
		return true
	})
	tried := 0
	for _, e := range covering {
		if tried == maxSingle || e.shadowed {
			continue
		}
		if slices.ContainsFunc(s.witnesses, func(r *record.Record) bool { return !e.matches(r) }) {
			continue
		}
		tried++
		if l.uncovered(s, []*subject{e}).answer == no {
			l.shadowedBy(s, []*subject{e})
			return true
		}
	}
	if len(covering) == 0 {
		return false
	}
	return l.union(s)
}

// earlier calls yield with the rules before another one that match a record of
// all calls in its scope, until it returns false.
func (l *linter) earlier(s *subject, r *record.Record, yield func(*subject) bool) {
	for i, t := range l.set.Matches(r, s.Scope, &pattern.Input{}) {
		if i >= s.at || t == pattern.True && !yield(l.subjects[i]) {
			return
		}
	}
}

// An exposure is a record that a rule matches and others do not.
type exposure struct {
	record *record.Record
	answer answer
}

func (l *linter) uncovered(s *subject, by []*subject) exposure {
	goals := []goal{{&s.form, true}}
	for _, e := range by {
		goals = append(goals, goal{&e.form, false})
	}
	rec, a := l.prover.possible(goals, func(r *record.Record) bool {
		return s.matches(r) && !slices.ContainsFunc(by, func(e *subject) bool { return e.When.Eval(r, &pattern.Input{}) != pattern.False })
	})
	return exposure{rec, a}
}

// union adds earlier rules until nothing is left to decide, or a record is
// found that none of them matches.
func (l *linter) union(s *subject) bool {
	var by []*subject
	for rec := s.witnesses[0]; len(by) < maxUnion; {
		var next *subject
		l.earlier(s, rec, func(e *subject) bool {
			if !e.shadowed {
				next = e
			}
			return next == nil
		})
		if next == nil {
			return false
		}
		by = append(by, next)
		slices.SortFunc(by, func(a, b *subject) int { return a.at - b.at })
		u := l.uncovered(s, by)
		switch u.answer {
		case no:
			l.shadowedBy(s, l.fewer(s, by))
			return true
		case unclear:
			return false
		}
		rec = u.record
	}
	return false
}

// fewer leaves out rules that are not needed to cover another.
func (l *linter) fewer(s *subject, by []*subject) []*subject {
	for i := 0; i < len(by) && len(by) > 1; {
		rest := slices.Delete(slices.Clone(by), i, i+1)
		if l.uncovered(s, rest).answer == no {
			by = rest
		} else {
			i++
		}
	}
	return by
}

// shadowedBy reports a rule that others cover, with a record that one of them
// takes from it.
func (l *linter) shadowedBy(s *subject, by []*subject) {
	s.shadowed = true
	f := Finding{Kind: Shadowed, Severity: Warning, Rules: []*pattern.Rule{s.Rule}, Scope: s.Scope}
	for _, rec := range s.witnesses {
		if slices.ContainsFunc(by, func(e *subject) bool { return e.matches(rec) }) {
			f.Witness = rec
			break
		}
	}
	if f.Witness == nil {
		return
	}
	same := true
	for _, e := range by {
		f.Rules = append(f.Rules, e.Rule)
		same = same && e.Decision == s.Decision
	}
	f.Text = "never decides: " + covered(s, by)
	f.Next = "delete it, narrow what comes first, or give it a priority above " + fmt.Sprint(highest(by))
	if same {
		f.Next = "delete it: the decision stays the same"
	}
	if len(by) == 1 && same && s.Scope == by[0].Scope && l.uncovered(by[0], []*subject{s}).answer == no {
		f.Kind = Duplicate
		f.Text = fmt.Sprintf("says the same as %s: it matches the same records and decides the same", by[0].ID)
		f.Next = "delete one of them"
	}
	l.add(f)
}

// covered says how earlier rules leave a rule nothing to decide.
func covered(s *subject, by []*subject) string {
	names := make([]string, len(by))
	for i, e := range by {
		names[i] = fmt.Sprintf("%s (%s)", e.ID, e.Decision.Verb)
	}
	how := "comes first and matches"
	switch {
	case len(by) > 1:
		how = "come first and together match"
	case sameRank(by[0].Rule, s.Rule):
		how = "comes first, by its id alone, and matches"
	}
	return strings.Join(names, ", ") + " " + how + " whatever it matches"
}

// sameRank says that only the ids put one of two rules first.
func sameRank(a, b *pattern.Rule) bool {
	return a.Priority == b.Priority && a.Scope.Specificity() == b.Scope.Specificity()
}

func highest(by []*subject) int {
	out := by[0].Priority
	for _, e := range by {
		out = max(out, e.Priority)
	}
	return out
}
