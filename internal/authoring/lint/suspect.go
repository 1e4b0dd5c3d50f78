package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// suspect reports what in one rule matches more or less than it seems to.
func (l *linter) suspect(s *subject) {
	if s.Decision.Verb == pattern.Allow {
		l.anyVerb(s)
		l.wordless(s)
	}
	l.noSub(s)
	s.each(func(n demand) {
		switch {
		case l.never(s, n):
		case l.noOperation(s, n):
		case l.otherCase(s, n):
		case l.facetName(s, n):
		case l.form(s, n):
		case n.want && l.hostEscapes(s, n):
		case l.simpler(s, n):
		}
		l.dot(s, n)
		l.orMissing(s, n)
	})
}

func (l *linter) suspicious(s *subject, severity Severity, witness *record.Record, text, next string) {
	if l.said[saying{s.Rule, text}] {
		return
	}
	l.add(Finding{Kind: Suspicious, Severity: severity, Rules: []*pattern.Rule{s.Rule}, Text: text, Next: next, Witness: witness, Scope: s.Scope})
}

// never reports a test that no value of the field can meet.
func (l *linter) never(s *subject, n demand) bool {
	if len(s.witnesses) == 0 || l.prover.find([]demand{{n.atom, true}}).answer != no {
		return false
	}
	text := fmt.Sprintf("%s: %s never holds%s", n.path, n.test, typeNote(n.path))
	l.suspicious(s, Warning, nil, text, "use an operator and a value that fit the field")
	return true
}

func typeNote(p record.Path) string {
	if p.Facet() == "" && p.Field() == "sensitivity" {
		return ": it is one of " + strings.Join(record.Sensitivities(), ", ")
	}
	if p.Facet() == "" && p.Field() == "tags" {
		return ": tags are a list"
	}
	t, known := record.TypeOf(p.Facet(), p.Field())
	if !known || t == record.AnyField || len(p.Deeper()) > 0 {
		return ""
	}
	return map[record.FieldType]string{
		record.TextField: ": the field is a text", record.NumberField: ": the field is a number",
		record.TextsField: ": the field is a list of texts", record.ObjectField: ": the field is an object",
	}[t]
}

// upperCase and lowerCase are the fields that always have one case.
var (
	upperCase = []string{"http.method", "sql.verb"}
	lowerCase = []string{"http.host", "http.scheme", "shell.program", "shell.hosts", "ssh.host"}
)

// otherCase reports a text in a case that the field never has.
func (l *linter) otherCase(s *subject, n demand) bool {
	field, change, name := n.path.Facet()+"."+n.path.Field(), strings.ToUpper, "upper"
	if slices.Contains(lowerCase, field) {
		change, name = strings.ToLower, "lower"
	} else if !slices.Contains(upperCase, field) {
		return false
	}
	var texts []string
	switch {
	case n.Pins:
		for _, v := range n.Literals {
			if text, ok := v.(string); ok {
				texts = append(texts, text)
			}
		}
	case n.Begin+n.End != "" && !n.Elements:
		texts = []string{n.Argument}
	}
	for _, text := range texts {
		if other := change(text); other != text {
			l.suspicious(s, Warning, nil,
				fmt.Sprintf("%s is always in %s case, and this compares it with %s", n.path, name, clip.Quote(text)),
				"write "+clip.Quote(other))
			return true
		}
	}
	return false
}

// operations are what file.op may be.
var operations = []string{"read", "write", "search", "list"}

// noOperation reports a test that demands what file.op never is.
func (l *linter) noOperation(s *subject, n demand) bool {
	if n.path.Facet() != "file" || n.path.Field() != "op" || s.Scope.Plugin != "" || !n.Pins {
		return false
	}
	if slices.ContainsFunc(n.Literals, func(v any) bool { return slices.Contains(operations, fmt.Sprint(v)) }) {
		return false
	}
	l.suspicious(s, Warning, nil,
		fmt.Sprintf("file.op: %s never holds of a call: it is one of %s", n.test, strings.Join(operations, ", ")),
		`name "write", which stands for what moves, changes or removes a file`)
	return true
}

// simpler reports globs and regular expressions that say no more than a text.
func (l *linter) simpler(s *subject, n demand) bool {
	switch {
	case n.is(glob, globPath):
		if strings.ContainsAny(n.Argument, "*?") {
			return false
		}
		l.suspicious(s, Note, nil,
			fmt.Sprintf("%s: %s has no wildcard, so that it matches this text alone", n.path, n.test),
			fmt.Sprintf("write equals: %s, or add a *", clip.Quote(n.Argument)))
		return true
	case n.is(matches):
		name, text, ok := plainRegexp(n.test.Text)
		if !ok {
			return false
		}
		l.suspicious(s, Note, nil,
			fmt.Sprintf("%s: %s is a plain text", n.path, n.test),
			fmt.Sprintf("write %s: %s, which is easier to read", name, clip.Quote(text)))
		return true
	}
	return false
}

// verbFields are the fields that say what a call of a facet does.
var verbFields = map[string][]string{
	"http": {"method"}, "sql": {"verb"}, "k8s": {"verb"}, "ssh": {"command"}, "file": {"op"}, "mcp": {"tool"},
	"shell": {"program", "argv", "command"},
}

// anyVerb reports a rule that allows whatever a call does.
func (l *linter) anyVerb(s *subject) {
	found, open := false, false
	s.each(func(n demand) {
		facet, field := n.path.Facet(), n.path.Field()
		_, known := verbFields[facet]
		open = open || facet != "" && !known
		found = found || slices.Contains(verbFields[facet], field) ||
			facet == "" && slices.Contains([]string{"type", "verb", "sensitivity"}, field) && !n.is(exists)
	})
	if found || open || len(s.witnesses) == 0 {
		return
	}
	var fields []string
	for _, facet := range s.facets {
		fields = append(fields, facet+"."+verbFields[facet][0])
	}
	l.suspicious(s, Warning, s.witnesses[0], "allows whatever the call does: no condition is on what it is",
		"add a condition on "+strings.Join(append(fields, "verb", "sensitivity"), " or "))
}

// orMissing reports a rule that allows calls that lack a field because it says
// what the field must not be.
func (l *linter) orMissing(s *subject, n demand) {
	negative := n.want == n.Negates && !n.is(exists)
	if s.Decision.Verb != pattern.Allow || !negative || n.path.Facet() == "" {
		return
	}
	present := l.prover.test(n.path.String(), exists, boolean(true))
	goals := []goal{{&s.form, true}, {present, false}}
	witness, a := l.prover.possible(goals, s.matches)
	if a != yes {
		return
	}
	l.suspicious(s, Warning, witness,
		fmt.Sprintf("allows calls that have no %s, because it says only what that must not be", n.path),
		fmt.Sprintf("add %s: {exists: true}", n.path))
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
