package lint

import (
	"slices"
	"strconv"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// Witnesses returns up to n records that meet a condition, each of them by
// another of its alternatives where there are any. Conditions that cannot be
// searched yield none.
func Witnesses(when *pattern.Condition, n int) []*record.Record {
	p := newProver()
	form := p.atoms.form(when)
	var out []*record.Record
	p.search([]goal{{&form, true}}, func(rec *record.Record) bool {
		if when.Eval(rec, &pattern.Input{}) == pattern.True {
			out = append(out, rec)
		}
		return len(out) >= n
	})
	return out
}

// maxSteps bounds a search.
const maxSteps = 2000

// A prover decides whether a record can meet some conditions and not others.
type prover struct {
	atoms atomTable
	tests map[testKey]*form
	// known are the answers for demands at one path.
	known map[string]solution
	// scalars keeps fields that may hold anything to what a call usually has:
	// a list in place of a text meets two conditions that no real call meets.
	scalars bool
	// recent are languages whose states are kept for the next search, at most
	// maxRecent.
	recent []*language
}

const maxRecent = 2000

type solution struct {
	value  record.Entry
	answer answer
}

func newProver() *prover {
	return &prover{atoms: atomTable{}, tests: map[testKey]*form{}, known: map[string]solution{}}
}

// A goal is a condition that must hold, or must not.
type goal struct {
	form *form
	want bool
}

// possible looks for a record that meets all goals. The goals say which rules
// they are of, so that the record is checked by evaluating it.
func (p *prover) possible(goals []goal, check func(*record.Record) bool) (*record.Record, answer) {
	var found *record.Record
	a := p.search(goals, func(r *record.Record) bool {
		if check(r) {
			found = r
		}
		return found != nil
	})
	return found, a
}

// search calls accept with a record for each way to meet the goals, until it
// returns true. The answer is no only where no way is left open.
func (p *prover) search(goals []goal, accept func(*record.Record) bool) answer {
	t := &tableau{prover: p, accept: accept, left: maxSteps}
	return t.expand(goals, nil, nil)
}

// A tableau splits conditions into alternatives of demands.
type tableau struct {
	*prover
	accept func(*record.Record) bool
	left   int
}

// expand takes goals apart: first those that hold as a whole, then the ones
// that split. demands are sorted by path and atom.
func (t *tableau) expand(goals, splits []goal, demands []demand) answer {
	goals, splits = slices.Clone(goals), slices.Clone(splits)
	for len(goals) > 0 {
		if t.left--; t.left < 0 {
			return unclear
		}
		g := goals[len(goals)-1]
		goals = goals[:len(goals)-1]
		switch {
		case g.form.op == pattern.Leaf:
			var a answer
			if demands, a = t.add(demands, demand{g.form.atom, g.want}); a == no {
				return no
			}
		case g.splits() && len(g.form.kids) != 1:
			splits = append(splits, g)
		default:
			goals = append(goals, g.kids()...)
		}
	}
	if len(splits) == 0 {
		return t.finish(demands)
	}
	last := len(splits) - 1
	worst := no
	for _, kid := range splits[last].kids() {
		a := t.expand([]goal{kid}, splits[:last], demands)
		if a == yes {
			return yes
		}
		worst = max(worst, a)
	}
	return worst
}

// splits reports whether one of the kids is enough.
func (g goal) splits() bool {
	if g.form.op == pattern.Any {
		return g.want
	}
	return !g.want
}

func (g goal) kids() []goal {
	out := make([]goal, len(g.form.kids))
	for i := range g.form.kids {
		out[i] = goal{&g.form.kids[i], g.want != (g.form.op == pattern.Not)}
	}
	slices.Reverse(out)
	return out
}

// add adds a demand, and says no where its path can have no value any more.
func (t *tableau) add(demands []demand, l demand) ([]demand, answer) {
	i, there := slices.BinarySearchFunc(demands, l, compareDemands)
	if there {
		if demands[i].want != l.want {
			return demands, no
		}
		return demands, yes
	}
	demands = slices.Insert(slices.Clone(demands), i, l)
	return demands, t.find(atPath(demands, l.at)).answer
}

func compareDemands(a, b demand) int {
	switch {
	case a.at < b.at:
		return -1
	case a.at > b.at:
		return 1
	}
	return a.id - b.id
}

func atPath(demands []demand, at string) []demand {
	i := slices.IndexFunc(demands, func(l demand) bool { return l.at == at })
	j := i
	for j < len(demands) && demands[j].at == at {
		j++
	}
	return demands[i:j]
}

// find looks for a value for demands at one path.
func (p *prover) find(demands []demand) solution {
	var key []byte
	for _, l := range demands {
		key = strconv.AppendBool(strconv.AppendInt(key, int64(l.id), 36), l.want)
	}
	if known, ok := p.known[string(key)]; ok {
		return known
	}
	kinds := kindsOf(demands[0].path)
	if p.scalars && kinds.text {
		kinds.list, kinds.object = false, false
	}
	var f solution
	f.value, f.answer = findValue(demands, kinds)
	p.keep(demands)
	p.known[string(key)] = f
	return f
}

// keep keeps the states of the languages of demands, so that what is kept has
// a bound.
func (p *prover) keep(demands []demand) {
	for _, d := range demands {
		if d.lang == nil {
			continue
		}
		if d.lang.trim(); !d.lang.kept {
			d.lang.kept = true
			p.recent = append(p.recent, d.lang)
		}
	}
	for ; len(p.recent) > maxRecent; p.recent = p.recent[1:] {
		p.recent[0].forget()
	}
}

// finish makes a record of values for all paths.
func (t *tableau) finish(demands []demand) answer {
	b := builder{record: &record.Record{Sensitivity: record.Read}}
	for rest := demands; len(rest) > 0; {
		here := atPath(rest, rest[0].at)
		rest = rest[len(here):]
		f := t.find(here)
		if f.answer != yes || !b.put(here[0].path, f.value) {
			return unclear
		}
	}
	if t.accept(b.record) {
		return yes
	}
	return unclear
}
