package replay

import (
	"cmp"
	"slices"
)

// tell adds the permissions that were tried to a report.
func (t *trial) tell(r *Report) {
	r.Refused = append(r.Refused, t.refused...)
	for _, c := range t.candidates {
		switch {
		case c.risk != nil:
			r.Refused = append(r.Refused, *c.risk)
		case c.saved > 0:
			r.Permissions = append(r.Permissions, c.saving())
		}
	}
	slices.SortStableFunc(r.Permissions, func(a, b Saving) int {
		return cmp.Or(cmp.Compare(b.Saves, a.Saves), cmp.Compare(a.Match, b.Match))
	})
	slices.SortStableFunc(r.Refused, func(a, b Refusal) int {
		return cmp.Or(cmp.Compare(b.Asks, a.Asks), cmp.Compare(a.Head, b.Head))
	})
}

// saving returns what a permission that was tried allows.
func (c *candidate) saving() Saving {
	s := Saving{Match: c.match, Saves: c.saved, Forms: []Form{}, Beyond: []Beyond{}}
	for word, n := range c.forms {
		s.Forms = append(s.Forms, Form{word, n})
	}
	slices.SortFunc(s.Forms, func(a, b Form) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Word, b.Word))
	})
	for name, n := range c.beyond {
		s.Beyond = append(s.Beyond, Beyond{name, n.count, n.sample})
	}
	slices.SortFunc(s.Beyond, func(a, b Beyond) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return s
}
