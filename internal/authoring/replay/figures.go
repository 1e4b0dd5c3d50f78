package replay

import (
	"cmp"
	"maps"
	"slices"

	"github.com/policyctl/policyctl/pkg/policy"
)

// shownHeads is how many heads a report lists.
const shownHeads = 25

func (t *tally) report(given int) *Report {
	r := &Report{
		Revision: t.o.Policy.Revision(),
		Files:    Files{Given: given, Read: t.files, Formats: t.formats},
		Calls:    t.calls, Repeated: t.twice, Unjudged: t.unjudged, Undecided: t.undecided,
		Decisions: t.decisions.named(), AsksPer100: per100(t.decisions[policy.Ask], t.calls),
		Stages: []StageRow{}, Heads: []Head{}, Permissions: []Saving{}, Refused: []Refusal{},
		Against: []Comparison{}, Problems: t.sorted(),
	}
	for _, o := range slices.SortedFunc(maps.Keys(t.stages), compareOutcomes) {
		r.Stages = append(r.Stages, StageRow{o.stage, o.decision, t.stages[o]})
	}
	for _, a := range mostAsked(t.heads) {
		if len(r.Heads) == shownHeads {
			r.OtherHeads++
			continue
		}
		r.Heads = append(r.Heads, Head{a.name, a.count, a.alone, a.risky, a.sample})
	}
	r.Sessions, r.Loops = t.conversations()
	for _, rv := range t.rivals {
		r.Against = append(r.Against, rv.comparison(t.calls, t.nowhere))
	}
	return r
}

func compareOutcomes(a, b outcome) int {
	return cmp.Or(cmp.Compare(a.stage, b.stage), cmp.Compare(b.decision, a.decision))
}

func mostAsked(heads map[string]*headCount) []*headCount {
	return slices.SortedFunc(maps.Values(heads), func(a, b *headCount) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.name, b.name))
	})
}

func (c counts) named() Decisions {
	return Decisions{c[policy.Allow], c[policy.Ask], c[policy.Deny]}
}

func per100(n, of int) *float64 {
	if of == 0 {
		return nil
	}
	share := float64(n*1000/of) / 10 // never rounded up
	return &share
}

// conversations returns the numbers of the sessions, and those with loops.
func (t *tally) conversations() (Sessions, []Loop) {
	loops := []Loop{}
	asks := map[string]int{}
	for _, id := range slices.Sorted(maps.Keys(t.sessions)) {
		c := t.sessions[id]
		asks[id] = c.asks
		if c.loops > 0 {
			loops = append(loops, Loop{id, c.loops, c.calls, *c.looped})
		}
	}
	slices.SortStableFunc(loops, func(a, b Loop) int { return cmp.Compare(b.Denied, a.Denied) })
	return sessionsOf(asks, t.nowhere), loops
}

// sessionsOf returns the numbers of sessions, of which asks are those of each.
func sessionsOf(asks map[string]int, nowhere int) Sessions {
	s := Sessions{Count: len(asks), Nowhere: nowhere}
	sum := 0
	for _, n := range asks {
		if sum += n; n == 0 {
			s.WithoutAsk++
		}
	}
	if len(asks) > 0 {
		mean := float64(sum*10/len(asks)) / 10 // never rounded up
		s.Mean = &mean
	}
	sorted := slices.Sorted(maps.Values(asks))
	s.Median, s.P90 = rank(sorted, 50), rank(sorted, 90)
	return s
}

// rank returns the nearest-rank percentile of sorted numbers.
func rank(sorted []int, percent int) *int {
	if len(sorted) == 0 {
		return nil
	}
	n := sorted[(len(sorted)*percent+99)/100-1]
	return &n
}
