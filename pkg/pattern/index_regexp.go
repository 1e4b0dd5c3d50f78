package pattern

import "regexp/syntax"

// expressionPlan is for a text that a regular expression matches somewhere. It
// walks the parsed expression for the literals that every match has.
func expressionPlan(path, expression string) plan {
	text := guardedBy(guard{kind: anyText, path: path})
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return text
	}
	return everyPlan(text, matchPlan(path, re, false))
}

// matchPlan returns what a match of an expression implies. atStart says that
// the match begins where the text begins.
func matchPlan(path string, re *syntax.Regexp, atStart bool) plan {
	switch re.Op {
	case syntax.OpLiteral:
		kind := inside
		if atStart {
			kind = begins
		}
		return literalPlan(path, kind, string(re.Rune))
	case syntax.OpCapture, syntax.OpPlus:
		return matchPlan(path, re.Sub[0], atStart)
	case syntax.OpRepeat:
		if re.Min > 0 {
			return matchPlan(path, re.Sub[0], atStart)
		}
	case syntax.OpConcat:
		return concatPlan(path, re.Sub, atStart)
	case syntax.OpAlternate:
		kids := make([]plan, len(re.Sub))
		for i, sub := range re.Sub {
			kids[i] = matchPlan(path, sub, atStart)
		}
		return somePlan(kids...)
	}
	return plan{}
}

func concatPlan(path string, subs []*syntax.Regexp, atStart bool) plan {
	var kids []plan
	for _, sub := range subs {
		if sub.Op == syntax.OpBeginText {
			atStart = true
			continue
		}
		kids = append(kids, matchPlan(path, sub, atStart))
		atStart = false
	}
	return everyPlan(kids...)
}
