package lint

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// stranger is a host that nobody means.
const stranger = "evil.example"

// isURL and isHost say what a field holds, by its name.
func isURL(p record.Path) bool { return p.Facet() != "" && len(p.Deeper()) == 0 && p.Field() == "url" }

func isHost(p record.Path) bool {
	return p.Facet() != "" && len(p.Deeper()) == 0 && (p.Field() == "host" || p.Field() == "hosts")
}

// hostEscapes reports a test on an URL or a host that another host meets too.
func (l *linter) hostEscapes(s *subject, n demand) bool {
	if !isURL(n.path) && !isHost(n.path) {
		return false
	}
	text, next := hostProblem(n)
	if text == "" && (s.Decision.Verb != pattern.Allow || n.Pins) {
		return false
	}
	escape := n.escape()
	switch {
	case text == "" && escape == "":
		return false
	case text == "":
		text, next = "leaves room for another host", "match http.host too, or write the host with the / that ends it"
	}
	text = fmt.Sprintf("%s: %s %s", n.path, n.test, text)
	if escape != "" {
		text += ": it matches " + clip.Quote(escape)
	}
	l.suspicious(s, Warning, s.with(n.path, escape), text, next)
	return true
}

// hostProblem names what is known to go wrong, "" where nothing is.
func hostProblem(n demand) (text, next string) {
	switch {
	case n.is(matches):
		begin, end := anchors(n.test.Text)
		switch {
		case !begin:
			return "is not anchored at its start", "begin it with ^"
		case !end && isHost(n.path):
			return "is not anchored at its end", "end it with $"
		}
	case n.is(glob, globPath):
		host := n.Argument
		if _, rest, ok := strings.Cut(host, "://"); ok && isURL(n.path) {
			host = rest
		} else if isURL(n.path) && !strings.HasPrefix(host, "*") {
			return "", ""
		}
		after := strings.TrimLeft(host, "*")
		if after != host && after != "" && isWord([]rune(after)[0]) {
			return "has a star right before the host", "write a dot behind the star, and the bare host beside it where it is meant"
		}
	}
	return "", ""
}

// escape returns an URL or a host that the test accepts and that belongs to
// somebody else, "" where none is found.
func (n demand) escape() string {
	sample := n.sample()
	scheme, rest, ok := strings.Cut(sample, "://")
	if !ok {
		scheme, rest = "https", sample
	}
	end := strings.IndexAny(rest+"/", "/?#:")
	host, tail := strings.Trim(rest[:end], "."), rest[end:]
	if !strings.Contains(host, ".") {
		return ""
	}
	probes := []string{"evil" + host, host + "." + stranger}
	if isURL(n.path) {
		if tail == "" {
			tail = "/"
		}
		probes = []string{
			scheme + "://evil" + host + tail, scheme + "://" + host + "." + stranger + "/", scheme + "://" + host + "@" + stranger + "/",
			scheme + "://" + stranger + "/?" + host + tail, scheme + "://" + stranger + "/." + host + tail, scheme + "://" + stranger + "/" + sample,
		}
	}
	i := slices.IndexFunc(probes, func(text string) bool {
		return n.test.Eval(record.Entry{Value: text}, &pattern.Input{}) == pattern.True || n.test.Eval(record.Entry{Value: []string{text}}, &pattern.Input{}) == pattern.True
	})
	if i < 0 {
		return ""
	}
	return probes[i]
}

// sample returns a short text that the test accepts.
func (n demand) sample() string {
	var p textParts
	p.add(&n.Traits)
	text := p.text()
	if text == "" && n.lang != nil && !n.Negates {
		text, _, _ = findText([]*language{n.lang}, []bool{true})
		n.lang.trim()
	}
	return text
}

// with returns a record that the rule matches with another text at a path, nil
// where it does not.
func (s *subject) with(p record.Path, text string) *record.Record {
	if text == "" || len(s.witnesses) == 0 {
		return nil
	}
	r := copied(s.witnesses[0])
	b := builder{record: r}
	var v any = text
	if kindsOf(p).textElements {
		v = []string{text}
	}
	if !b.put(p, record.Entry{Value: v}) || !s.matches(r) {
		return nil
	}
	return r
}

// copied returns a copy of a record, of which facets and fields may be set.
func copied(r *record.Record) *record.Record {
	out := *r
	out.Facets = map[string]map[string]any{}
	for facet, fields := range r.Facets {
		out.Facets[facet] = map[string]any{}
		for name, v := range fields {
			out.Facets[facet][name] = unshared(v)
		}
	}
	return &out
}

// anchors reports whether every match of an expression begins and ends where the
// text does.
func anchors(expression string) (begin, end bool) {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return false, false
	}
	return anchored(re, syntax.OpBeginText, 0), anchored(re, syntax.OpEndText, 1)
}

// anchored looks at the first part of the expression, or the last.
func anchored(re *syntax.Regexp, op syntax.Op, last int) bool {
	switch re.Op {
	case op:
		return true
	case syntax.OpCapture:
		return anchored(re.Sub[0], op, last)
	case syntax.OpConcat:
		return anchored(re.Sub[last*(len(re.Sub)-1)], op, last)
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !anchored(sub, op, last) })
	}
	return false
}

// plainRegexp returns the operator that says what an expression of plain
// letters says.
func plainRegexp(expression string) (name, text string, ok bool) {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return "", "", false
	}
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	var begin, end bool
	if parts[0].Op == syntax.OpBeginText {
		begin, parts = true, parts[1:]
	}
	if last := len(parts) - 1; last >= 0 && parts[last].Op == syntax.OpEndText {
		end, parts = true, parts[:last]
	}
	if len(parts) != 1 || parts[0].Op != syntax.OpLiteral || parts[0].Flags&syntax.FoldCase != 0 {
		return "", "", false
	}
	name = map[[2]bool]string{{true, true}: "equals", {true, false}: "startsWith", {false, true}: "endsWith", {}: "contains"}[[2]bool{begin, end}]
	return name, string(parts[0].Rune), true
}

// dot reports a dot between letters of a host, which stands for any character.
func (l *linter) dot(s *subject, n demand) {
	if !n.is(matches) || !isURL(n.path) && !isHost(n.path) {
		return
	}
	re, err := syntax.Parse(n.test.Text, syntax.Perl)
	if err == nil && hasBareDot(re) {
		l.suspicious(s, Warning, nil,
			fmt.Sprintf("%s: %s has a dot, which matches any character", n.path, n.test), `write \. for a dot`)
	}
}

func hasBareDot(re *syntax.Regexp) bool {
	if re.Op == syntax.OpConcat {
		for i := 1; i+1 < len(re.Sub); i++ {
			isDot := re.Sub[i].Op == syntax.OpAnyCharNotNL || re.Sub[i].Op == syntax.OpAnyChar
			if isDot && re.Sub[i-1].Op == syntax.OpLiteral && re.Sub[i+1].Op == syntax.OpLiteral {
				return true
			}
		}
	}
	return slices.ContainsFunc(re.Sub, hasBareDot)
}
