package lint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// An answer reports whether something can be. The zero value is no.
type answer uint8

const (
	no      answer = iota
	unclear        // not found, and not excluded
	yes
)

// A valueSearch looks for a value of one path that meets some demands.
type valueSearch struct {
	demands []demand
	kinds   valueKinds
	// pinned says that a demand leaves no value but those of its argument, or
	// lists of them.
	pinned bool
	texts  []string
	others []any // numbers, objects, lists
}

// findValue returns such a value.
func findValue(demands []demand, kinds valueKinds) (record.Entry, answer) {
	s := &valueSearch{demands: demands, kinds: kinds}
	for _, l := range demands {
		if l.Instant {
			return record.Entry{}, unclear
		}
		s.pinned = s.pinned || l.want && l.Pins
		for _, v := range l.Literals {
			if text, ok := v.(string); ok {
				s.texts = append(s.texts, text)
			} else {
				s.others = append(s.others, v)
			}
		}
	}
	worst := no
	for _, find := range []func() (record.Entry, answer){s.text, s.list, s.number, s.scalar} {
		v, a := find()
		if a == yes {
			return v, yes
		}
		worst = max(worst, a)
	}
	return record.Entry{}, worst
}

// meets reports whether a value meets the demand.
func (l demand) meets(v record.Entry) bool {
	want := pattern.False
	if l.want {
		want = pattern.True
	}
	return l.test.Eval(v, &pattern.Input{}) == want
}

// meets reports whether a value meets all demands.
func (s *valueSearch) meets(v record.Entry) bool {
	for _, l := range s.demands {
		if !l.meets(v) {
			return false
		}
	}
	return true
}

func (s *valueSearch) try(values ...any) (record.Entry, answer) {
	for _, v := range values {
		if found := (record.Entry{Value: v}); s.meets(found) {
			return found, yes
		}
	}
	return record.Entry{}, no
}

// text looks for a text: those that arguments suggest first, then by automata.
func (s *valueSearch) text() (record.Entry, answer) {
	if s.kinds.words != nil {
		return s.try(s.kinds.words...)
	}
	if !s.kinds.text {
		return record.Entry{}, no
	}
	for _, text := range s.suggestions() {
		if v, a := s.try(text); a == yes {
			return v, a
		}
	}
	if s.pinned {
		return record.Entry{}, no
	}
	return s.search()
}

// search looks for a text by automata.
func (s *valueSearch) search() (record.Entry, answer) {
	var langs []*language
	var want []bool
	sure := true
	for _, l := range s.demands {
		switch {
		case l.lang != nil:
			langs, want = append(langs, l.lang), append(want, l.want != l.Negates)
		case l.Vague:
			sure = false
		case !l.holds(""):
			return record.Entry{}, no // it is about no letters
		}
	}
	text, found, complete := findText(langs, want)
	if !found {
		return record.Entry{}, atMost(complete)
	}
	if v, a := s.try(text); a == yes {
		return v, a
	}
	return record.Entry{}, atMost(sure || s.onlyNumbers() || s.onlyRanks())
}

// onlyRanks says that all demands are by one operator whose values have an order, so that
// the texts that their arguments suggest stand for all others.
func (s *valueSearch) onlyRanks() bool {
	by := ""
	for _, l := range s.demands {
		switch {
		case l.is(exists):
		case !l.Ranked || by != "" && by != l.test.Operator:
			return false
		default:
			by = l.test.Operator
		}
	}
	return by != ""
}

// ranks returns the sizes of the lists that the arguments of ranked demands suggest.
func (s *valueSearch) ranks() (out []int) {
	for _, l := range s.demands {
		for _, v := range l.Literals {
			if list, ok := v.([]any); ok && l.Ranked {
				out = append(out, len(list))
			}
		}
	}
	return out
}

// onlyNumbers says that all demands compare numbers, so that a text does no
// more than the number it holds.
func (s *valueSearch) onlyNumbers() bool {
	return !slices.ContainsFunc(s.demands, func(l demand) bool {
		return !l.is(exists) && (!l.Compares || !l.clear())
	}) && s.kinds.number
}

func atMost(sure bool) answer {
	if sure {
		return no
	}
	return unclear
}

// suggestions returns texts that the arguments of demands suggest.
func (s *valueSearch) suggestions() []string {
	if s.pinned {
		return s.texts
	}
	p := s.parts()
	out := s.ranked()
	out = append(out, p.text(), p.begin+"x"+p.middle+"x"+p.end, "x", s.fresh(), "")
	for _, v := range s.others {
		if n, ok := v.(float64); ok {
			for _, near := range []float64{n, n + 1, n - 1} {
				out = append(out, strconv.FormatFloat(near, 'f', -1, 64))
			}
		}
	}
	return out
}

// ranked returns the texts that the arguments of ranked demands suggest.
func (s *valueSearch) ranked() (out []string) {
	for _, l := range s.demands {
		for _, v := range l.Literals {
			if text, ok := v.(string); ok && l.Ranked {
				out = append(out, text)
			}
		}
	}
	return out
}

// textParts are what a text may begin with, contain and end with.
type textParts struct{ begin, middle, end string }

func (p *textParts) text() string { return p.begin + p.middle + p.end }

// add adds what some text begins with, contains and ends with.
func (p *textParts) add(t *pattern.Traits) {
	p.begin, p.end = longer(p.begin, t.Begin), longer(p.end, t.End)
	if !strings.Contains(p.text(), t.Middle) {
		p.middle += t.Middle
	}
}

func (s *valueSearch) parts() (p textParts) {
	for _, l := range s.demands {
		if l.want {
			p.add(&l.Traits)
		}
	}
	return p
}

func longer(a, b string) string {
	if len(b) > len(a) {
		return b
	}
	return a
}

// fresh returns a text that no argument names.
func (s *valueSearch) fresh() string {
	for i := 1; ; i++ {
		if text := fmt.Sprintf("x%d", i); !slices.Contains(s.texts, text) {
			return text
		}
	}
}

// scalar tries what is neither a text nor a list nor a number.
func (s *valueSearch) scalar() (record.Entry, answer) {
	if s.kinds.missing && s.meets(record.Entry{Missing: true}) {
		return record.Entry{Missing: true}, yes
	}
	if s.kinds.boolean {
		if v, a := s.try(true, false); a == yes {
			return v, a
		}
	}
	if s.kinds.object {
		for _, v := range append(s.others, map[string]any{s.fresh(): s.fresh()}) {
			if m, ok := v.(map[string]any); ok && s.meets(record.Entry{Value: m}) {
				return record.Entry{Value: m}, yes
			}
		}
		for _, n := range s.ranks() {
			m := make(map[string]any, n)
			for i := range n {
				m[fmt.Sprintf("x%d", i)] = "x"
			}
			if v, a := s.try(m); a == yes {
				return v, a
			}
		}
	}
	if s.kinds.null {
		return s.try(nil)
	}
	return record.Entry{}, no
}
