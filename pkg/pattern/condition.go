package pattern

import "github.com/policyctl/policyctl/pkg/record"

// A Condition is the compiled "when" of a rule. The zero value matches
// everything.
type Condition struct {
	op   combinator
	kids []Condition
	leaf leaf
}

type combinator uint8

const (
	all  combinator = iota // without kids: true
	any_                   // some kid
	none                   // no kid
	test                   // the leaf
)

// A leaf tests the value at one path with several operators, all of which must
// hold.
type leaf struct {
	path  record.Path
	tests []operator
	rate  *rate // of what the calls are counted for it; nil for others
}

// Eval reports whether a record meets the condition. in are values beside the
// record that some operators need.
func (c *Condition) Eval(r *record.Record, in *Input) Truth {
	switch c.op {
	case test:
		return c.leaf.eval(r, in)
	case none:
		worst := True
		for i := range c.kids {
			worst = min(worst, not(c.kids[i].Eval(r, in)))
		}
		return worst
	case any_:
		best := False
		for i := range c.kids {
			if best = max(best, c.kids[i].Eval(r, in)); best == True {
				break
			}
		}
		return best
	}
	worst := True
	for i := range c.kids {
		if worst = min(worst, c.kids[i].Eval(r, in)); worst == False {
			break
		}
	}
	return worst
}

func (l *leaf) eval(r *record.Record, in *Input) Truth {
	if l.path.Facet() != "" || len(r.Unknown) > 0 {
		return l.hold(r.Lookup(&l.path), in)
	}
	isTags, text := l.path.Field() == "tags", ""
	if !isTags {
		text = r.TopText(l.path.Field())
	}
	worst := True
	for i := range l.tests {
		o, t := &l.tests[i], False
		if isTags {
			t = o.evalTexts(r.Tags, in)
		} else {
			t = o.evalText(text, in)
		}
		if worst = min(worst, t); worst == False {
			break
		}
	}
	return worst
}

// hold reports whether all tests of the leaf hold of a value.
func (l *leaf) hold(v record.Entry, in *Input) Truth {
	if v.Unknown {
		return Unknown
	}
	worst := True
	for i := range l.tests {
		if worst = min(worst, l.tests[i].eval(v, in)); worst == False {
			break
		}
	}
	return worst
}
