package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// examples reports the examples of a rule that say otherwise than the rule.
func (l *linter) examples(r *pattern.Rule) {
	for i, rec := range r.Examples.Match {
		got := r.When.Eval(rec, &pattern.Input{})
		if got == pattern.True || got == pattern.Unknown && timed(r) {
			continue // nothing says at which instant an example is
		}
		l.fails(r, rec, fmt.Sprintf("example %d of match does not match", i+1), got)
	}
	for i, rec := range r.Examples.NoMatch {
		if got := r.When.Eval(rec, &pattern.Input{}); got == pattern.True {
			l.fails(r, rec, fmt.Sprintf("example %d of no_match matches", i+1), got)
		}
	}
}

func (l *linter) fails(r *pattern.Rule, rec *record.Record, text string, got pattern.Truth) {
	if got == pattern.Unknown {
		text += ": it cannot be evaluated, because what it tests is unknown"
	}
	l.add(Finding{
		Kind: FailsExample, Severity: Error, Rules: []*pattern.Rule{r}, Text: text,
		Next: "correct the condition or the example", Witness: rec, Scope: r.Scope,
	})
}

// timed reports whether the instant of the call matters to a rule.
func timed(r *pattern.Rule) bool {
	found := false
	form := atomTable{}.form(&r.When)
	form.each(true, func(n demand) { found = found || n.Instant })
	return found
}

// summaries reports what is better said of all rules at once.
func (l *linter) summaries(rules []*pattern.Rule) {
	if len(l.unjudged) > 0 {
		l.add(Finding{
			Kind: NotAnalysed, Severity: Note, Rules: l.unjudged,
			Text: fmt.Sprintf("not analysed in full for rules that shadow or contradict them, because of %s: %s", l.obstacles(), ids(l.unjudged)),
			Next: "give them examples",
		})
	}
	if l.skipped {
		l.add(Finding{
			Kind: NotAnalysed, Severity: Note, Rules: []*pattern.Rule{l.subjects[len(l.subjects)-1].Rule},
			Text: "not every pair of rules was searched for contradictions: too many are about the same calls",
			Next: "give rules that may meet priorities of their own",
		})
	}
	var bare []*pattern.Rule
	for _, r := range rules {
		if !r.Disabled && len(r.Examples.Match)+len(r.Examples.NoMatch) == 0 {
			bare = append(bare, r)
		}
	}
	if len(bare) > 0 {
		l.add(Finding{
			Kind: NoExamples, Severity: Note, Rules: bare,
			Text: "no examples say what these rules are to match: " + ids(bare),
			Next: "add examples: {match: […], no_match: […]}, which policyctl test runs",
		})
	}
}

// obstacles names what the search cannot judge.
func (l *linter) obstacles() string {
	unjudged := make(map[*pattern.Rule]bool, len(l.unjudged))
	for _, r := range l.unjudged {
		unjudged[r] = true
	}
	var names []string
	for _, s := range l.subjects {
		if !unjudged[s.Rule] {
			continue
		}
		name := "conditions with too many alternatives"
		s.each(func(n demand) {
			if !n.clear() {
				name = n.test.Operator
			}
		})
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
