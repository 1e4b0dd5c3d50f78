package lint

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/support/cputime"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// A gambler makes random conditions and records of few values, so that they
// often meet.
type gambler struct{ *rand.Rand }

func newGambler(t *testing.T) gambler {
	return gambler{rand.New(rand.NewPCG(seed.New(t), 1))}
}

func pick[T any](g gambler, list ...T) T { return list[g.IntN(len(list))] }

func (g gambler) text() string {
	return pick(g, "", "a", "b", "ab", "ba", "A", "a/b", "a.b", "k", "\u212a", "5", "10.0.0.1", "ab\nb", "İ", "aab", "1.2.0", "1.2.1-rc.1", "2.0.0")
}

func (g gambler) wild() string {
	return pick(g, "*", "a*", "*b", "a*b", "?", "a?*", "**/b", "a/**", "*/*", "ab", "", "*a*b*")
}

func (g gambler) scalar() any {
	return pick[any](g, g.text(), g.text(), 5, 5.5, -1, true, false)
}

func (g gambler) condition(depth int) map[string]any {
	if depth > 0 && g.IntN(3) == 0 {
		some := make([]any, 1+g.IntN(3))
		for i := range some {
			some[i] = g.condition(depth - 1)
		}
		return pick(g, map[string]any{"all": some}, map[string]any{"any": some}, map[string]any{"not": g.condition(depth - 1)})
	}
	out := map[string]any{}
	for range 1 + g.IntN(2) {
		out[pick(g, "http.method", "http.method", "http.url", "http.status", "shell.argv", "tags", "verb", "sensitivity", "slack.x", "slack.x", "slack.x.y")] = g.test()
	}
	return out
}

func (g gambler) test() any {
	switch g.IntN(16) {
	case 0:
		return g.scalar()
	case 1:
		return []any{g.scalar(), g.scalar()}
	case 2, 3:
		return map[string]any{"in": []any{g.scalar(), g.scalar(), pick(g, "read", "write")}}
	case 4:
		return map[string]any{"pattern": pick(g, "^a", "b$", "^a.*b$", "(?i)k", `\bb`, "^(a|b)+$", "", "a.b", "(?m)^b$", `\B`)}
	case 5:
		return map[string]any{pick(g, "contains", "notContains"): pick(g, g.text(), "i", "K")}
	case 6:
		return map[string]any{"contains": pick[any](g, 5, true)}
	case 7, 8:
		return map[string]any{pick(g, "glob", "globPath"): g.wild()}
	case 9:
		return map[string]any{"exists": pick(g, true, false)}
	case 10, 11:
		return map[string]any{pick(g, "startsWith", "endsWith"): g.text()}
	case 12:
		return map[string]any{pick(g, "gt", "gte", "lt", "lte"): pick[any](g, 5, 5.5, 0)}
	}
	if g.IntN(2) == 0 {
		bound := map[string]any{pick(g, "gt", "gte"): pick(g, 0, 1, 1.5), pick(g, "lt", "lte"): pick(g, 2, 3)}
		return pick[any](g, map[string]any{"size": pick(g, 0, 1, 2, 3)}, map[string]any{"size": bound},
			map[string]any{"semver": pick(g, ">=1.2.0", "<2.0.0", "^1.2.0", "~1.2.0 || =2.0.0", ">1.2.0 <=1.2.1-rc.1")})
	}
	return pick[any](g, map[string]any{"cidr": "10.0.0.0/8"}, map[string]any{"equals": map[string]any{"y": "a"}})
}

func (g gambler) rules(t *testing.T, n int) []*pattern.Rule {
	out := make([]*pattern.Rule, n)
	for i := range out {
		data, err := json.Marshal(g.condition(2))
		if err != nil {
			t.Fatal(err)
		}
		when, problems := pattern.CompileWhen(node(t, string(data)))
		if problems != nil {
			t.Fatalf("%s: %v", data, problems)
		}
		out[i] = &pattern.Rule{
			ID: fmt.Sprintf("r%d", i), Label: string(data), When: when, Priority: g.IntN(2),
			Scope: pattern.Scope{Plugin: pick(g, "", "", "p")}, Decision: pattern.Decision{Verb: pick(g, pattern.Deny, pattern.Allow, pattern.RequireHuman)},
		}
		if i > 0 && g.IntN(8) == 0 {
			again := *out[i-1]
			again.ID = out[i].ID
			out[i] = &again
		}
	}
	return out
}

func (g gambler) record() *record.Record {
	r := &record.Record{Verb: g.text(), Sensitivity: pick(g, record.Read, record.Write, record.Mutate, record.Destructive), Facets: map[string]map[string]any{}}
	put := func(facet, field string, v any) {
		if g.IntN(4) == 0 {
			return
		}
		if r.Facets[facet] == nil {
			r.Facets[facet] = map[string]any{}
		}
		r.Facets[facet][field] = v
	}
	texts := func() []string { return []string{g.text(), g.text(), "a"}[:g.IntN(4)] }
	r.Tags = texts()
	put("http", "method", pick[any](g, g.text(), g.text(), nil))
	put("http", "url", g.text())
	put("http", "status", pick[any](g, 5.0, json.Number("5.5"), 6.0, -1.0))
	put("shell", "argv", texts())
	put("slack", "x", pick[any](g, g.text(), g.text(), 5.0, 7.0, true, nil, []any{g.text(), 5.0}, []any{}, map[string]any{"y": g.text()}, map[string]any{}))
	return r
}

// What is said of records that nobody looked at holds for random ones.
func TestLintHolds(t *testing.T) {
	g := newGambler(t)
	records := make([]*record.Record, 2000)
	for i := range records {
		records[i] = g.record()
	}
	seen := map[FindingKind]int{}
	sets := 400
	if testing.Short() {
		sets = 50
	}
	for range sets {
		rules := g.rules(t, 2+g.IntN(6))
		for _, f := range Lint(rules) {
			seen[f.Kind]++
			verify(t, &f)
			if i := slices.IndexFunc(records, func(r *record.Record) bool { return refutes(&f, r) }); i >= 0 {
				t.Errorf("%s: %s\n\tdoes not hold for %s\n\t%s", f.Rules[0].ID, f.Text, witnessText(records[i]), labels(f.Rules))
			}
		}
	}
	t.Log(seen)
	for _, kind := range []FindingKind{Unreachable, Shadowed, Duplicate, Contradicts, NotAnalysed} {
		if seen[kind] == 0 && sets > 100 {
			t.Errorf("%d findings of kind %s are too few to show anything", seen[kind], kind)
		}
	}
}

func labels(rules []*pattern.Rule) string {
	var out []string
	for _, r := range rules {
		out = append(out, fmt.Sprintf("%s %s", r.ID, r.Label))
	}
	return strings.Join(out, "\n\t")
}

// refutes reports whether a record shows that a finding is wrong.
func refutes(f *Finding, r *record.Record) bool {
	met := func(rule *pattern.Rule) bool { return rule.When.Eval(r, &pattern.Input{}) == pattern.True }
	switch f.Kind {
	case Unreachable:
		return met(f.Rules[0])
	case Shadowed:
		return met(f.Rules[0]) && !slices.ContainsFunc(f.Rules[1:], met)
	case Duplicate:
		return met(f.Rules[0]) != met(f.Rules[1])
	}
	return false
}

// What random records show to be possible is not reported, and rules that a
// record shows to meet are found to meet.
func TestSearchFindsWhatThereIs(t *testing.T) {
	g := newGambler(t)
	records := make([]*record.Record, 500)
	for i := range records {
		records[i] = g.record()
	}
	lost, all := 0, 0
	for range 1500 {
		rules := g.rules(t, 2)
		a, b := rules[0], rules[1]
		shown := slices.IndexFunc(records, func(r *record.Record) bool {
			return a.When.Eval(r, &pattern.Input{}) == pattern.True && b.When.Eval(r, &pattern.Input{}) == pattern.False
		})
		p := newProver()
		x, y := p.atoms.form(&a.When), p.atoms.form(&b.When)
		record, answer := p.possible([]goal{{&x, true}, {&y, false}}, func(r *record.Record) bool {
			return a.When.Eval(r, &pattern.Input{}) == pattern.True && b.When.Eval(r, &pattern.Input{}) == pattern.False
		})
		if shown >= 0 && answer == no {
			t.Errorf("%s\n\tmeets %s\n\tand not %s\n\tand is called impossible", witnessText(records[shown]), a.Label, b.Label)
		}
		if (record != nil) != (answer == yes) {
			t.Errorf("answer %d with record %v", answer, record)
		}
		if shown >= 0 {
			all++
			if answer != yes {
				lost++
			}
		}
	}
	t.Logf("%d of %d not found", lost, all)
	if lost*20 > all {
		t.Errorf("%d of %d records that there are were not found", lost, all)
	}
}

// Over all short texts, the search for texts agrees with the operators.
func TestFindTextAgrees(t *testing.T) {
	g := newGambler(t)
	texts := []string{""}
	for i := 0; len(texts[i]) < 5; i++ {
		for _, c := range "ab/k" {
			texts = append(texts, texts[i]+string(c))
		}
	}
	for range 800 {
		var demands []demand
		for len(demands) < 1+g.IntN(3) {
			data, _ := json.Marshal(map[string]any{"slack.x": g.test()})
			when := compile(t, string(data))
			if a := (atomTable{}).form(&when); a.atom != nil && a.atom.lang != nil {
				demands = append(demands, demand{a.atom, g.IntN(3) > 0})
			}
		}
		meets := func(text string) bool {
			return !slices.ContainsFunc(demands, func(l demand) bool { return !l.holds(text) })
		}
		var langs []*language
		var want []bool
		for _, l := range demands {
			langs, want = append(langs, l.lang), append(want, l.want != l.Negates)
		}
		text, found, complete := findText(langs, want)
		i := slices.IndexFunc(texts, meets)
		switch {
		case found && !meets(text):
			t.Errorf("%q does not meet %s", text, describe(demands))
		case !found && i >= 0:
			t.Errorf("%q meets %s, and no text is found (complete: %t)", texts[i], describe(demands), complete)
		}
	}
}

// A thousand rules of the usual forms are judged in less than two seconds.
func TestLintIsFast(t *testing.T) {
	for name, form := range map[string]string{
		"equality": `{"http.method": "GET", "http.host": "h%d.example"}`,
		"same":     `{"http.method": "GET", "http.path": {"startsWith": "/v%d/"}, "http.host": {"endsWith": ".example"}}`,
		"glob":     `{"http.method": {"in": ["GET", "PUT"]}, "http.url": {"glob": "https://*.a%d.example/*"}}`,
		"pattern":  `{"http.method": "GET", "http.url": {"pattern": "^https://[a-z]+\\.h%d\\.example/"}}`,
		"negative": `{"http.method": "GET", "not": {"http.host": "h%d.example"}, "http.path": {"contains": "p%[1]d"}}`,
	} {
		var lines []string
		for i := range 1000 {
			lines = append(lines, fmt.Sprintf("r%04d %s ", i, []string{"allow", "deny"}[i%2])+fmt.Sprintf(form, i))
		}
		rules := rulesOf(t, lines...)
		n := 0
		took := cputime.Of(func() { n = len(Lint(rules)) })
		t.Logf("%s: %d findings in %v", name, n, took)
		if took > patient(2*time.Second) {
			t.Errorf("%s: 1,000 rules took %v", name, took)
		}
	}
}

// patient is a bound on processor time, more of it under the race detector.
func patient(d time.Duration) time.Duration {
	return 2 * cputime.Slower * d // for slower machines
}

// Rules that are costly to judge are given up in time.
func TestLintGivesUp(t *testing.T) {
	list := func(form string, n int) string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprintf(form, i))
		}
		return strings.Join(out, ", ")
	}
	for name, when := range map[string]string{
		"values":       `{"slack.x": {"in": [` + list(`"h%d.example"`, 5000) + `]}, "not": {"slack.x": {"glob": "h*.example"}}}`,
		"not values":   `{"not": {"slack.x": {"in": [` + list(`"h%d.example"`, 5000) + `]}}, "slack.x": {"pattern": "^h[0-9]{1,3}\\.example$"}}`,
		"letters":      `{"slack.x": {"pattern": "^\\pL{40}\\pN+$"}, "not": {"slack.x": {"pattern": "[\\pL]{40}"}}}`,
		"blow-up":      `{"slack.x": {"pattern": "^(a|b)*a(a|b){20}$"}, "not": {"slack.x": {"pattern": "^(a|b)*b(a|b){19}$"}}, "verb": "x"}`,
		"repeats":      `{"slack.x": {"pattern": "(x{1,30}){1,30}y"}, "not": {"slack.x": {"contains": "xy"}}}`,
		"alternatives": `{"all": [` + list(`{"any": [{"slack.a%[1]d": "x"}, {"slack.b%[1]d": "x"}]}`, 60) + `], "not": {"any": [` + list(`{"slack.b%[1]d": "x"}, {"slack.a%[1]d": "x"}`, 60) + `]}}`,
	} {
		rules := rulesOf(t, `a deny 1 {"verb": "y"}`, `b deny `+when, `c allow {"slack.x": {"startsWith": "h"}}`, `d deny {"slack.x": {"endsWith": "y"}}`)
		if took := cputime.Of(func() { Lint(rules) }); took > patient(time.Second) {
			t.Errorf("%s: %v", name, took)
		} else {
			t.Logf("%s: %v", name, took)
		}
	}
}

// Where a text may end, the one rune with which it may go on is not the only one.
func TestFindTextGoesOn(t *testing.T) {
	for _, tc := range []struct{ a, b, want string }{
		{"^ab?", "^ac", "ac"},
		{"^a(b|$)", "^ac", ""},
		{"^a\\x{D800}?", "^a", "a"},
		{"^a.", "^[^b]c", "ac"},
	} {
		text, found, _ := findText([]*language{compileLanguage(tc.a), compileLanguage(tc.b)}, []bool{true, true})
		if found != (tc.want != "") || text != tc.want {
			t.Errorf("%s and %s: %q, %t, want %q", tc.a, tc.b, text, found, tc.want)
		}
	}
}
