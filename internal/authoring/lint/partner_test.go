package lint

import (
	"fmt"
	"slices"
	"testing"

	"github.com/policyctl/policyctl/internal/support/cputime"
)

// The rules that are looked up for a rule are, of those before it, all that may
// contradict it, in the same order as a look at each of them finds.
func TestPartners(t *testing.T) {
	g := newGambler(t)
	forms := append(slices.Clone(mixedForms),
		`{"http.host": {"in": ["h%[1]d.example.com", "h1.example.com", "h2.example.com"]}}`,
		`{"http.url": {"startsWith": "https://h%[1]d"}}`, `{"http.url": "https://h%[1]d.example.com/x"}`,
		`{"shell.program": {"in": ["git", "curl", "tool%[1]d"]}}`, `{"shell.argv": ["git", "push", "x%[1]d"]}`,
		`{"shell.command": {"startsWith": "git push %[1]d"}}`, `{"tags": {"contains": "t%[1]d"}, "sensitivity": "write"}`,
		`{"slack.channel": "c%[1]d"}`, `{"slack.channel": {"startsWith": "c%[1]d"}, "acme.x": 5}`, `{"type": "http.request", "verb": "v%[1]d"}`,
	)
	met := 0
	for range 20 {
		var lines []string
		for i := range 200 {
			lines = append(lines, fmt.Sprintf("r%03d %s %s", i, pick(g, "deny", "allow", "require_human"), pick(g, "", "", "1 ", "@p "))+fmt.Sprintf(pick(g, forms...), g.IntN(40)))
		}
		l := newLinter(append(rulesOf(t, lines...), g.rules(t, 50)...))
		for _, s := range l.subjects {
			var want, got []string
			for i := s.at - 1; i >= 0 && sameRank(l.subjects[i].Rule, s.Rule); i-- {
				if e := l.subjects[i]; e.Decision.Verb != s.Decision.Verb && together(e, s) && !apart(e, s) {
					want = append(want, e.ID)
				}
			}
			for e := range l.partners.before(s) {
				if !apart(e, s) {
					got = append(got, e.ID)
				}
			}
			if met += len(want); !slices.Equal(got, want) {
				t.Fatalf("%s: %v, want %v", s.ID, got, want)
			}
		}
	}
	if met < 1000 {
		t.Errorf("only %d pairs", met)
	}
}

// Ten times as many rules take about ten times as long: they are not compared
// with each other.
func TestLintScales(t *testing.T) {
	few, many := mixedRules(t, 1000, mixedForms[:1]), mixedRules(t, 10_000, mixedForms[:1])
	ratio := 1e9
	for range 3 {
		one := cputime.Of(func() { Lint(few) })
		ratio = min(ratio, float64(cputime.Of(func() { Lint(many) }))/float64(one))
	}
	t.Logf("10,000 rules take %.1f times as long as 1,000", ratio)
	if ratio > 30 {
		t.Errorf("10,000 rules take %.1f times as long as 1,000", ratio)
	}
}

// Rules of two forms that never meet leave the others their share of the searches,
// and it is told that not all were tried. Those that met once are tried on.
func TestInVain(t *testing.T) {
	var lines []string
	for i := range 250 {
		word := "side"
		if i == 4 || i == 11 {
			word = "team"
		}
		lines = append(lines, fmt.Sprintf(`a%03d deny {"http.url": {"glob": "https://*.example.com/team-%[1]d/*"}}`, i),
			fmt.Sprintf(`b%03d allow {"http.url": {"pattern": "^https://[a-z0-9.]+/%s-%[1]d/[a-z]+$"}}`, i, word))
	}
	lines = append(lines, `c0 deny -1 {"http.method": "DELETE"}`, `c1 allow -1 {"http.url": {"startsWith": "https://x.example.com/"}}`)
	var kinds []FindingKind
	for _, f := range Lint(rulesOf(t, lines...)) {
		if f.Kind == Contradicts || f.Kind == NotAnalysed {
			kinds = append(kinds, f.Kind)
		}
	}
	if !slices.Equal(kinds, []FindingKind{Contradicts, Contradicts, Contradicts, NotAnalysed}) {
		t.Errorf("found %v", kinds)
	}
}
