package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

const (
	// maxPartners bounds how many contradictions are reported of one rule.
	maxPartners = 3
	// maxPairs bounds the searches for records that two rules match.
	maxPairs = 20_000
	// maxVain is how many searches in a row may find nothing for rules of two kinds
	// before these are taken not to meet, which leaves the others their share.
	maxVain = 2000
)

// contradictions reports earlier rules of the same rank that decide otherwise
// on records that this rule matches too.
func (l *linter) contradictions(s *subject) {
	found := 0
	for e := range l.partners.before(s) {
		if l.about != nil && l.about != e && l.about != s {
			continue
		}
		scope, ok := common(e.Scope, s.Scope)
		if !ok || e.shadowed || apart(e, s) {
			continue
		}
		if l.pairs >= maxPairs {
			l.skipped = true
			return
		}
		rec := l.overlap(e, s)
		if rec == nil {
			l.skipped = l.partners.inVain(e, s) || l.skipped
			continue
		}
		l.partners.met(e, s)
		l.contradicts(e, s, scope, rec)
		if found++; found == maxPartners {
			return
		}
	}
}

func (l *linter) contradicts(e, s *subject, scope pattern.Scope, rec *record.Record) {
	l.add(Finding{
		Kind: Contradicts, Severity: Warning, Rules: []*pattern.Rule{s.Rule, e.Rule}, Witness: rec, Scope: scope,
		Text: fmt.Sprintf("both it (%s) and %s (%s) match some records, and only the ids put %s first", s.Decision.Verb, e.ID, e.Decision.Verb, e.ID),
		Next: fmt.Sprintf("give one of them another priority than %d, or make their conditions exclude each other", s.Priority),
	})
}

// overlap returns a record that both rules match, nil where none is found.
func (l *linter) overlap(e, s *subject) *record.Record {
	if l.pairs >= maxPairs {
		l.skipped = true
		return nil
	}
	both := func(r *record.Record) bool { return e.matches(r) && s.matches(r) }
	goals := []goal{{&e.form, true}, {&s.form, true}}
	if named := l.named(e, s); named != nil {
		goals = append(goals, goal{named, true})
	} else if i := slices.IndexFunc(s.witnesses, both); i >= 0 {
		return s.witnesses[i]
	}
	l.pairs++
	rec, _ := l.scalars.possible(goals, both)
	return rec
}

// named returns that the text of a command begins with its program, where one
// rule demands a program and the other looks at the text.
func (l *linter) named(e, s *subject) *form {
	program, command := "shell\x00program", "shell\x00command"
	for _, pair := range [][2]*subject{{e, s}, {s, e}} {
		texts := pair[0].claimed(program)
		if texts == nil || !pair[1].tests(command) {
			continue
		}
		expression := `\A(?:\S*/)?(?:` + regexp.QuoteMeta(string([]rune(texts[0]))) + `)(?: |\z)`
		if _, err := regexp.Compile(expression); err != nil {
			return nil
		}
		return l.prover.test("shell.command", matches, document.Node{Kind: document.Text, Text: expression})
	}
	return nil
}

func (s *subject) tests(at string) bool {
	return s.testsOne(func(p record.Path) bool { return position(p) == at })
}

// claimed returns the texts of which the value at a path must be one.
func (s *subject) claimed(at string) []string {
	for _, c := range s.claims {
		if c.at == at && c.texts != nil {
			return c.texts
		}
	}
	return nil
}

// common returns the scope of calls to which rules of both scopes apply.
func common(a, b pattern.Scope) (pattern.Scope, bool) {
	out := a
	for _, part := range []struct{ to, other *string }{
		{&out.Plugin, &b.Plugin}, {&out.Profile, &b.Profile}, {&out.Integration, &b.Integration},
	} {
		if *part.to == "" {
			*part.to = *part.other
		}
	}
	return out, a.Covers(out) && b.Covers(out)
}

// companions are the programs whose commands have another facet beside that of
// the shell.
var companions = map[string]func(program string) bool{
	"http": func(p string) bool { return p == "curl" || p == "wget" },
	"ssh":  func(p string) bool { return program.Resolve(p) == "ssh" },
	"k8s":  func(p string) bool { return program.Has(p, program.IsCluster) },
	"sql":  record.IsSQLClient,
	"file": func(string) bool { return true },
}

// A facetSet is a set of facets; those that are not well-known share a bit.
type facetSet uint32

func facetsOf(names []string) facetSet {
	var out facetSet
	for _, name := range names {
		bit := 0
		if i := slices.Index(record.Facets(), name); i >= 0 {
			bit = i + 1
		}
		out |= 1 << bit
	}
	return out
}

// facetClaims are what a rule says of the facets of the records that it matches.
type facetClaims struct {
	facets, demanded facetSet
	// makes are the facets that its programs may have, lacks those that none
	// of its programs has.
	makes, lacks facetSet
	// wordless says that it allows calls, and never a command.
	wordless bool
}

func (s *subject) pair() {
	p := facetClaims{facets: facetsOf(s.facets), demanded: facetsOf(s.demanded)}
	programs := s.claimed("shell\x00program")
	for name, makes := range companions {
		bit := facetsOf([]string{name})
		switch {
		case slices.ContainsFunc(programs, makes) || name == "file":
			p.makes |= bit
		case programs != nil:
			p.lacks |= bit
		}
	}
	if p.facets&facetsOf([]string{"shell"}) == 0 {
		p.makes = 0
	}
	p.wordless = s.Decision.Verb == pattern.Allow && len(s.demanded) > 0 && s.beside() && !s.testsWords()
	s.pairing = p
}

// together reports whether one record usually has the facets of both rules.
// Fields of the record itself go with all.
func together(a, b *subject) bool {
	p, q := &a.pairing, &b.pairing
	if len(a.facets) == 0 || len(b.facets) == 0 {
		return true
	}
	if p.excludes(q) || q.excludes(p) {
		return false
	}
	if p.facets&q.facets&^1 != 0 || p.makes&q.facets != 0 || q.makes&p.facets != 0 {
		return true
	}
	return p.facets&q.facets&1 != 0 && slices.ContainsFunc(a.facets, func(facet string) bool { return slices.Contains(b.facets, facet) })
}

// excludes says that no command which another rule is about is one for this
// rule: it demands a facet that the program does not have, or it allows calls
// by what is no word of a command.
func (p *facetClaims) excludes(other *facetClaims) bool {
	shell := facetSet(1 << 1)
	return other.demanded&shell != 0 && (p.wordless || p.demanded&other.lacks != 0)
}

// A claim is a set of texts, or a beginning, that a rule demands at a path.
type claim struct {
	at    string
	texts []string // nil: begin alone
	begin string
	list  bool // the field is a list, or may be one
}

// prepare notes what a rule demands whatever else holds.
func (s *subject) prepare() {
	s.each(func(n demand) {
		if facet := n.path.Facet(); facet != "" && !slices.Contains(s.facets, facet) {
			s.facets = append(s.facets, facet)
		}
	})
	s.collect(&s.form)
	for _, text := range s.claimed("\x00type") {
		facet, _, _ := strings.Cut(text, ".")
		if _, known := record.Fields(facet); known && !slices.Contains(s.facets, facet) {
			s.facets = append(s.facets, facet)
		}
	}
	s.pair()
}

func (s *subject) collect(f *form) {
	if f.op == pattern.All {
		for i := range f.kids {
			s.collect(&f.kids[i])
		}
	}
	if f.op != pattern.Leaf {
		return
	}
	if facet := f.atom.path.Facet(); facet != "" && f.atom.demands() {
		s.demanded = append(s.demanded, facet)
	}
	s.claim(f.atom)
}

// demands reports whether the test never holds where there is no value.
func (a *atom) demands() bool {
	return !a.Absent && !slices.ContainsFunc(a.Literals, func(v any) bool { return v == nil })
}

func (s *subject) claim(a *atom) {
	c := claim{at: a.at, list: !kindsOf(a.path).text}
	switch {
	case a.is(listed):
		switch t, _ := record.TypeOf(a.path.Facet(), a.path.Field()); {
		case a.at == "shell\x00argv":
			s.claimProgram(a.Literals)
		case t == record.TextField, a.path.Facet() == "" && a.path.Field() != "tags":
			s.claimTexts(c, a.Literals)
		}
	case a.Pins:
		s.claimTexts(c, a.Literals)
	case a.Prefix != "":
		c.begin = a.Prefix
		s.claims = append(s.claims, c)
	}
}

func (s *subject) claimTexts(c claim, values []any) {
	for _, v := range values {
		text, ok := v.(string)
		if !ok {
			return
		}
		c.texts = append(c.texts, text)
	}
	s.claims = append(s.claims, c)
}

// claimProgram notes the program of the words of a command.
func (s *subject) claimProgram(argv []any) {
	if len(argv) == 0 {
		return
	}
	if text, ok := argv[0].(string); ok {
		s.claimTexts(claim{at: "shell\x00program"}, []any{strings.ToLower(shell.Base(text))})
	}
}

// apart says that two rules demand what no text is, so that nothing needs to be
// searched. Lists are left out of account, as contradictions leave them out.
func apart(a, b *subject) bool {
	for _, g := range a.claims {
		for _, h := range b.claims {
			if !g.list && g.at == h.at && g.apart(h) {
				return true
			}
		}
	}
	return false
}

func (g claim) apart(h claim) bool {
	if g.texts == nil {
		g, h = h, g
	}
	switch {
	case g.texts == nil:
		return !strings.HasPrefix(g.begin, h.begin) && !strings.HasPrefix(h.begin, g.begin)
	case h.texts == nil:
		return !slices.ContainsFunc(g.texts, func(t string) bool { return strings.HasPrefix(t, h.begin) })
	}
	return !slices.ContainsFunc(g.texts, func(t string) bool { return slices.Contains(h.texts, t) })
}
