package rego

import (
	"encoding/json"
	"regexp/syntax"
	"slices"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// A guard is a cheap test that OPA can look up in its index of rules: it holds
// wherever a condition is met whose value is known.
type guard struct {
	kind  guardKind
	path  string // text of the path
	value any    // string, bool, nil or json.Number
}

type guardKind uint8

const (
	equal   guardKind = iota // the value is
	element                  // the value is a list that has
	prefix                   // the value is a text that begins with
	suffix                   // the value is a text that ends with
)

// A plan says which guards a condition implies: one of each list of some.
type plan struct {
	some [][]guard
}

// all returns every guard of the plan.
func (p plan) all() []guard { return slices.Concat(p.some...) }

// choose returns the guards of which one holds: of all lists the one that makes
// the fewest rules candidates; nil where there is none.
func (p plan) choose(counts map[guard]int) []guard {
	var best []guard
	least := 0
	for _, guards := range p.some {
		cost := 0
		for _, g := range guards {
			cost += counts[g]
		}
		if best == nil || cost < least {
			best, least = guards, cost
		}
	}
	return best
}

// maxGuards bounds how many guards stand for one rule.
const maxGuards = 64

// guardsOf returns what a condition implies.
func guardsOf(e *pattern.Expression) plan {
	var p plan
	switch e.Op {
	case pattern.Leaf:
		for i := range e.Tests {
			if guards := testGuards(e.Path, &e.Tests[i]); len(guards) > 0 && len(guards) <= maxGuards {
				p.some = append(p.some, guards)
			}
		}
	case pattern.All:
		for i := range e.Kids {
			p.some = append(p.some, guardsOf(&e.Kids[i]).some...)
		}
	case pattern.Any:
		p.some = eachGuards(e.Kids)
	}
	return p
}

// eachGuards returns guards of which one holds where one of several conditions
// is met.
func eachGuards(kids []pattern.Expression) [][]guard {
	var joined []guard
	for i := range kids {
		of := guardsOf(&kids[i])
		if len(of.some) == 0 {
			return nil
		}
		joined = append(joined, slices.MinFunc(of.some, func(a, b []guard) int { return len(a) - len(b) })...)
	}
	if len(joined) == 0 || len(joined) > maxGuards {
		return nil
	}
	return [][]guard{joined}
}

func testGuards(path record.Path, t *pattern.Test) []guard {
	if guards := operatorTable[t.Operator].guards; guards != nil {
		return guards(path, t)
	}
	return nil
}

// among is for a value that is one of several, or a list that has one.
func among(path record.Path, wanted []any) []guard {
	one, some := values(path, equal, wanted...), values(path, element, wanted...)
	switch kind, _ := path.Type(); {
	case one == nil || some == nil:
		return nil
	case kind == record.TextField:
		return one
	case kind == record.TextsField && !slices.Contains(wanted, nil): // null is no list
		return some
	}
	return append(one, some...)
}

// values returns a guard for each value; nil where one cannot be looked up.
func values(path record.Path, kind guardKind, wanted ...any) []guard {
	var out []guard
	for _, v := range wanted {
		switch v := v.(type) {
		case []any, map[string]any:
			return nil
		case json.Number:
			// At the start of a line, a minus would continue the line before.
			if len(v) > 15 || v[0] == '-' {
				return nil
			}
		case string:
			if standing(path, v) {
				return nil
			}
		}
		if g := (guard{kind, path.String(), v}); !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	return out
}

// standing reports whether a field of the record itself may be the text without
// standing there.
func standing(path record.Path, text string) bool {
	return len(path.Keys()) == 1 && (text == "" || path.String() == "sensitivity" && text == record.Mutate.String())
}

func textGuard(path record.Path, kind guardKind, literal string) []guard {
	if literal == "" || path.String() == "sensitivity" {
		return nil
	}
	return []guard{{kind, path.String(), literal}}
}

// expressionGuards is for a text that a regular expression matches from its
// beginning or to its end.
func expressionGuards(path record.Path, expression string) []guard {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil
	}
	subs := flattened(re.Simplify())
	last := len(subs) - 1
	switch {
	case last < 1:
		return nil
	case subs[0].Op == syntax.OpBeginText && last == 2 && isLiteral(subs[1]) && isEnd(subs[2]):
		return values(path, equal, string(subs[1].Rune))
	case subs[0].Op == syntax.OpBeginText && isLiteral(subs[1]):
		return textGuard(path, prefix, string(subs[1].Rune))
	case isEnd(subs[last]) && isLiteral(subs[last-1]):
		return textGuard(path, suffix, string(subs[last-1].Rune))
	}
	return nil
}

// flattened returns the parts of an expression that follow each other.
func flattened(re *syntax.Regexp) []*syntax.Regexp {
	switch re.Op {
	case syntax.OpConcat:
		var out []*syntax.Regexp
		for _, sub := range re.Sub {
			out = append(out, flattened(sub)...)
		}
		return out
	case syntax.OpCapture:
		return flattened(re.Sub[0])
	}
	return []*syntax.Regexp{re}
}

func isLiteral(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase == 0
}

// isEnd reports whether an expression is met at the end of the text alone.
func isEnd(re *syntax.Regexp) bool { return re.Op == syntax.OpEndText }
