// Package lint finds what is probably not meant in rules: those that never
// decide, that work against each other, and that match more or less than they
// seem to. It searches for records that meet some conditions and not others.
package lint

import (
	"cmp"
	"slices"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// A Finding is what is probably not meant about one rule, or about rules that
// work against each other.
type Finding struct {
	Kind     FindingKind
	Severity Severity
	// Rules are the rule that the finding is about, then those that matter to
	// it. Each says where it comes from.
	Rules []*pattern.Rule
	// Text is what was found, as a clause that follows the place.
	Text string
	// Next says what can be done.
	Next string
	// Witness is a record that shows it, and Scope that of its call; nil where
	// no single record can.
	Witness *record.Record
	Scope   pattern.Scope
}

// A FindingKind says what sort of thing was found.
type FindingKind string

// The kinds of findings.
const (
	Unreachable  FindingKind = "unreachable"  // the condition can never hold
	Shadowed     FindingKind = "shadowed"     // earlier rules match whatever it matches
	Duplicate    FindingKind = "duplicate"    // an earlier rule matches and decides the same
	Contradicts  FindingKind = "contradicts"  // only the id decides between two rules
	Suspicious   FindingKind = "suspicious"   // it matches more or less than it seems to
	FailsExample FindingKind = "example"      // an example of the rule says otherwise
	NoExamples   FindingKind = "no-examples"  // nothing shows what rules are to match
	NotAnalysed  FindingKind = "not-analysed" // the search for the first four cannot judge
)

// A Severity says how bad a finding is. The zero value is the worst.
type Severity uint8

// The severities.
const (
	Error Severity = iota
	Warning
	Note
)

var severityNames = [...]string{"error", "warning", "note"}

// String returns "error", "warning" or "note".
func (s Severity) String() string { return severityNames[s] }

// MarshalText encodes the severity as its name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Lint finds what is probably not meant in rules that form one set: rules that
// can never decide, rules between which only the id decides, conditions that
// match more than they seem to, and examples that fail. It is sound for records
// of which every field is known and has the type that the catalogue gives it:
// what it reports of two rules it has seen a record do.
func Lint(rules []*pattern.Rule) []Finding {
	l := newLinter(rules)
	for _, s := range l.subjects {
		l.order(s)
		l.suspect(s)
	}
	for _, rule := range rules {
		l.examples(rule)
	}
	l.summaries(rules)
	return l.sorted(rules)
}

// About finds of what [Lint] would only what concerns one of the rules: what it meets, and
// what it takes from those that are asked after it. That it has no examples is not told.
func About(rules []*pattern.Rule, rule *pattern.Rule) []Finding {
	l := newLinter(rules)
	if i := slices.IndexFunc(l.subjects, func(s *subject) bool { return s.Rule == rule }); i >= 0 {
		l.about = l.subjects[i]
		for _, s := range l.subjects {
			l.order(s)
		}
		l.suspect(l.about)
	}
	l.examples(rule)
	l.findings = slices.DeleteFunc(l.findings, func(f Finding) bool { return !slices.Contains(f.Rules, rule) })
	return l.sorted(rules)
}

// sorted returns the findings, the worst first.
func (l *linter) sorted(rules []*pattern.Rule) []Finding {
	place := map[*pattern.Rule]int{}
	for i, rule := range rules {
		place[rule] = i
	}
	slices.SortStableFunc(l.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(place[a.Rules[0]], place[b.Rules[0]]))
	})
	return l.findings
}

func newLinter(rules []*pattern.Rule) *linter {
	l := &linter{prover: newProver(), said: map[saying]bool{}}
	l.scalars = &prover{atoms: l.prover.atoms, known: map[string]solution{}, scalars: true}
	l.set = pattern.NewSet(rules)
	ordered := l.set.Ordered()
	for i, rule := range ordered {
		s := &subject{Rule: rule, at: i, form: l.prover.atoms.form(&rule.When)}
		s.prepare()
		l.subjects = append(l.subjects, s)
	}
	l.partners = newPartners(l.subjects)
	return l
}

// A linter collects findings.
type linter struct {
	prover *prover
	// scalars is a prover that expects no lists where texts are usual.
	scalars  *prover
	set      *pattern.Set
	subjects []*subject // in the order in which they are asked
	partners *partners
	findings []Finding
	// about is the one rule that findings are to concern, nil for all.
	about *subject
	said  map[saying]bool
	// pairs counts the pairs of rules for which a common record was searched.
	pairs int
	// skipped says that there were too many of them, or too many in vain.
	skipped bool
	// unjudged are rules that the search could not judge.
	unjudged []*pattern.Rule
}

// A subject is a rule with what the search knows of it.
type subject struct {
	*pattern.Rule
	at   int // its place in the order
	form form
	// witnesses are some records that it matches.
	witnesses []*record.Record
	// shadowed says that it can never decide.
	shadowed bool
	claims   []claim
	facets   []string
	kind     *kind
	// demanded are the facets without which it never matches.
	demanded []string
	// pairing is what comparing it with each other rule needs.
	pairing facetClaims
}

// A saying is what was found about a rule.
type saying struct {
	rule *pattern.Rule
	text string
}

func (l *linter) add(f Finding) {
	l.findings = append(l.findings, f)
	l.said[saying{f.Rules[0], f.Text}] = true
}

// each calls f for every test in the condition, with whether it has to hold.
func (s *subject) each(f func(demand)) { s.form.each(true, f) }

func (n *form) each(want bool, f func(demand)) {
	if n.op == pattern.Leaf {
		f(demand{n.atom, want})
		return
	}
	for i := range n.kids {
		n.kids[i].each(want != (n.op == pattern.Not), f)
	}
}

func (s *subject) matches(r *record.Record) bool {
	return s.When.Eval(r, &pattern.Input{}) == pattern.True
}
