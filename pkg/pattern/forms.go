package pattern

import (
	"cmp"

	"github.com/policyctl/policyctl/pkg/record"
)

// forms are several forms, and rules beside them, that are one set.
type forms []*formPart

// A formPart gives out rules in the order in which they are asked.
type formPart struct {
	form *Form
	set  *Set // instead of a form
}

func (p *formPart) index() *index {
	if p.form != nil {
		return p.form.index
	}
	return p.set.index
}

func (p *formPart) rule(i int32) (*Rule, error) {
	if p.form != nil {
		return p.form.rule(i)
	}
	return p.set.rules[i], nil
}

func (p *formPart) len() int {
	if p.form != nil {
		return p.form.Len()
	}
	return len(p.set.rules)
}

// NewFormSource returns a source that answers as that of [NewSource] would of
// one set of all rules of some forms, and of others beside them. No two may
// have the same id.
func NewFormSource(all []*Form, beside []*Rule) *Source {
	out := &Source{}
	for _, f := range all {
		out.forms = append(out.forms, &formPart{form: f})
		out.needs |= f.needs
	}
	if len(beside) > 0 {
		s := NewSet(beside)
		out.forms = append(out.forms, &formPart{set: s})
		for _, r := range s.Ordered() {
			out.needs |= needsOf(&r.When)
		}
	}
	out.rated = looksAtRates(out.needs)
	return out
}

func (all forms) len() (n int) {
	for _, p := range all {
		n += p.len()
	}
	return n
}

// A walk gives out the rules of several parts that a record may meet, in the
// order in which they are asked.
type walk struct {
	parts []*formPart
	found []*candidates
	heads []*Rule // the next of each part, nil after the last
}

func (w *walk) advance(i int) error {
	at := w.found[i].next()
	if w.heads[i] = nil; at < 0 {
		return nil
	}
	var err error
	w.heads[i], err = w.parts[i].rule(at)
	return err
}

// next returns the next rule, nil after the last.
func (w *walk) next() (*Rule, error) {
	best := -1
	for i, head := range w.heads {
		if head != nil && (best < 0 || before(head, w.heads[best]) < 0) {
			best = i
		}
	}
	if best < 0 {
		return nil, nil
	}
	rule := w.heads[best]
	return rule, w.advance(best)
}

func (w *walk) done() {
	for i, c := range w.found {
		w.parts[i].index().done(c)
	}
}

// decide is [Set.Decide] of the rules that drop does not name.
func (all forms) decide(r *record.Record, scope Scope, in *Input, drop func(*Rule) bool) (Match, error) {
	m := Match{Certain: true}
	w := &walk{parts: all}
	for _, p := range all {
		w.found = append(w.found, p.index().look(r, scope))
	}
	w.heads = make([]*Rule, len(all))
	defer w.done()
	for i := range all {
		if err := cmp.Or(w.found[i].err, w.advance(i)); err != nil {
			return Match{}, err
		}
	}
	for {
		rule, err := w.next()
		if err != nil {
			return Match{}, err
		}
		if rule == nil {
			return m, nil
		}
		if !drop(rule) && rule.Scope.Covers(scope) && m.take(rule, rule.When.Eval(r, in)) {
			return m, nil
		}
	}
}

// ordered returns all rules in the order in which they are asked.
func (all forms) ordered() ([]*Rule, error) {
	var out []*Rule
	for _, p := range all {
		for i := range p.len() {
			rule, err := p.rule(int32(i))
			if err != nil {
				return nil, err
			}
			out = append(out, rule)
		}
	}
	return sorted(out), nil
}
