package lint

import (
	"encoding/json"
	"slices"

	"github.com/policyctl/policyctl/pkg/record"
)

// list looks for a list. Of its elements, in and contains want one that fits
// and their opposites want none that does, so that each can be chosen alone.
func (s *valueSearch) list() (record.Entry, answer) {
	if !s.kinds.list {
		return record.Entry{}, no
	}
	if exact, ok := s.exactList(); ok {
		return s.try(s.typed(exact))
	}
	out := []any{}
	for _, l := range s.demands {
		if !l.wantsElement() || slices.ContainsFunc(out, func(e any) bool { return l.holds([]any{e}) }) {
			continue
		}
		element, ok := s.element(l)
		if !ok {
			return record.Entry{}, no
		}
		out = append(out, element)
	}
	// Longer lists differ from those that the demands exclude.
	for range len(s.demands) + 2 {
		if v, a := s.try(s.typed(out)); a == yes {
			return v, a
		}
		out = append(out, s.fresh())
	}
	for _, n := range s.ranks() {
		for len(out) < n {
			out = append(out, s.fresh())
		}
		if v, a := s.try(s.typed(out[:n])); a == yes {
			return v, a
		}
	}
	return record.Entry{}, no
}

// exactList returns the list that one demand asks for, if one does.
func (s *valueSearch) exactList() ([]any, bool) {
	for _, l := range s.demands {
		switch {
		case !l.want:
		case l.is(equals):
			exact, _ := l.Literals[0].([]any)
			return exact, true
		case l.is(listed):
			return l.Literals, true
		}
	}
	return nil, false
}

// wantsElement reports whether a list must have an element for the demand.
func (l demand) wantsElement() bool { return l.Elements && l.want != l.Negates }

// refusesElements reports whether a list must have no element of some kind.
func (l demand) refusesElements() bool { return l.Elements && l.want == l.Negates }

func (l demand) holds(v any) bool {
	return l.meets(record.Entry{Value: v})
}

// element returns an element that one demand wants and none refuses.
func (s *valueSearch) element(wanted demand) (any, bool) {
	for _, v := range wanted.Literals {
		if _, isText := v.(string); s.kinds.textElements && !isText {
			continue
		}
		alone := []any{v}
		refused := slices.ContainsFunc(s.demands, func(l demand) bool { return l.refusesElements() && !l.holds(alone) })
		if !refused && wanted.holds(alone) {
			return v, true
		}
	}
	return nil, false
}

// typed returns a list as the record holds it.
func (s *valueSearch) typed(elements []any) any {
	if !s.kinds.textElements {
		return slices.Clone(elements)
	}
	out := make([]string, 0, len(elements))
	for _, e := range elements {
		text, ok := e.(string)
		if !ok {
			return nil // no list of texts
		}
		out = append(out, text)
	}
	return out
}

// number tries the numbers that arguments name, one between any two, and one
// beyond each end: no comparison tells more apart.
func (s *valueSearch) number() (record.Entry, answer) {
	if !s.kinds.number {
		return record.Entry{}, no
	}
	points, exact := s.points()
	if v, a := s.try(exact...); a == yes {
		return v, a
	}
	for i, p := range points {
		near := []any{p}
		if i > 0 {
			near = append(near, points[i-1]+(p-points[i-1])/2)
		}
		if v, a := s.try(near...); a == yes {
			return v, a
		}
	}
	if len(points) == 0 {
		points = []float64{0}
	}
	v, a := s.try(points[len(points)-1]+1, points[0]-1)
	if a == no && exact != nil && !s.pinned {
		return record.Entry{}, unclear
	}
	return v, a
}

// points returns the numbers that arguments name, in order, apart from those
// that only their digits tell exactly.
func (s *valueSearch) points() (points []float64, exact []any) {
	for _, v := range s.others {
		switch v := v.(type) {
		case float64:
			points = append(points, v)
		case json.Number:
			exact = append(exact, v)
		}
	}
	slices.Sort(points)
	return slices.Compact(points), exact
}
