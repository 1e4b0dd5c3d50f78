package draft

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A Rule is a rule about a line, for what no permission says: how commands are joined, and
// where their output goes.
type Rule struct {
	ID     string
	Action policy.Decision
	// When is the condition in YAML, on one line.
	When, Entry string
}

// operators are those that join commands, or lead their input and output elsewhere.
const operators = "|&;<>"

// shells are programs that run what they read, as people name them behind a pipe.
const shells = " sh bash zsh dash ksh fish ash python python3 node perl ruby php "

// refuseLine imports a deny or an ask with operators as a rule about lines: a permission means
// one command, and would be far wider. It is false for one that has none.
func (b *builder) refuseLine(e *Entry) bool {
	if e.Line != "" {
		b.line(e, fmt.Sprintf("{shell.line: {pattern: %s}}", quoted(e.Line)))
		return true
	}
	spec := strings.TrimSpace(spread(e.Spec))
	if !strings.ContainsAny(variables().ReplaceAllString(spec, ""), operators) || strings.ContainsAny(spec, "\n") {
		return false
	}
	when := fmt.Sprintf("{shell.line: {pattern: %s}}", quoted(linePattern(spec)))
	before, last, piped := cutLast(spec, "|")
	switch {
	case strings.Trim(spec, "*> ") == "" && strings.Contains(spec, ">"):
		when = "{all: [{shell.line: {pattern: '>'}}, {not: {shell.writes: {equals: []}}}]}"
	case piped && isShell(last):
		when = fmt.Sprintf("{any: [{shell.line: {pattern: %s}}%s]}", quoted(linePattern(spec)), downloads(before))
	}
	b.line(e, when)
	return true
}

// line adds a rule about lines.
func (b *builder) line(e *Entry, when string) {
	rule := Rule{fmt.Sprintf("%s-%s-line-%d", b.in.Agent.Name, e.Action, len(b.out.Rules)+1), e.Action, when, named(e)}
	b.out.Rules = append(b.out.Rules, rule)
	differs := "it is about the text of a line, since no permission says how commands are joined; the same commands alone are not meant"
	if e.Line != "" {
		differs = "it is about the text of a line, since no permission says this expression"
	}
	b.out.Notes = append(b.out.Notes, Note{rule.Entry, "the rule " + rule.ID, differs})
}

// downloads returns the condition for what is fetched and run, however that is written, where a
// rule may mean it.
func downloads(before string) string {
	program, _, _ := strings.Cut(strings.TrimSpace(before), " ")
	if program = strings.TrimRight(program, "*"); program != "" && program != "curl" && program != "wget" {
		return ""
	}
	return ", {shell.dangerous: {in: [download-to-interpreter]}}"
}

// isShell reports whether the last part of a line is a program that runs what it reads.
func isShell(piece string) bool {
	for word := range strings.FieldsSeq(piece) {
		if word == "sudo" || strings.HasPrefix(word, "-") {
			continue
		}
		word = strings.TrimRight(word[strings.LastIndexByte(word, '/')+1:], "*")
		return strings.Contains(shells, " "+word+" ")
	}
	return false
}

func cutLast(s, sep string) (before, after string, found bool) {
	at := strings.LastIndex(s, sep)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(sep):], true
}

// linePattern returns an expression that matches the lines which a pattern of Claude Code
// matches as text, and others that differ in blanks and in how a shell behind a pipe is
// started.
func linePattern(spec string) string {
	var b strings.Builder
	b.WriteString("(?s)")
	if !strings.HasPrefix(spec, "*") {
		b.WriteString(`(^|[\s;&|("'])`)
	}
	for i := 0; i < len(spec); {
		n := run(spec[i:])
		switch token := spec[i : i+n]; {
		case strings.Trim(token, " ") == "":
			b.WriteString(`\s+`)
		case strings.Trim(token, "*") == "":
			b.WriteString(`.*`)
		case strings.ContainsAny(token, operators):
			b.WriteString(`\s*` + regexp.QuoteMeta(strings.TrimSpace(token)) + `\s*`)
			if strings.TrimSpace(token) == "|" && isShell(spec[i+n:]) {
				b.WriteString(`(sudo\s+(-\S+\s+)*)?(\S*/)?`)
			}
		default:
			b.WriteString(regexp.QuoteMeta(token))
		}
		i += n
	}
	if !strings.HasSuffix(spec, "*") {
		b.WriteString(`($|[\s;&|)"'])`)
	}
	return b.String()
}

// run returns the length of the token that a text begins with: operators with the blanks
// around them, blanks, stars, or other text.
func run(s string) int {
	joint := len(s) - len(strings.TrimLeft(s, " "))
	if n := len(s[joint:]) - len(strings.TrimLeft(s[joint:], operators)); n > 0 {
		rest := s[joint+n:]
		return len(s) - len(strings.TrimLeft(rest, " "))
	}
	switch {
	case joint > 0:
		return joint
	case s[0] == '*':
		return len(s) - len(strings.TrimLeft(s, "*"))
	}
	if end := strings.IndexAny(s, " *"+operators); end > 0 {
		return end
	}
	return len(s)
}

// yaml returns the rule as an entry of a list.
func (r *Rule) yaml() string {
	decision := "deny"
	if r.Action == policy.Ask {
		decision = "require_human"
	}
	of := Visible(r.Entry)
	return fmt.Sprintf("  # %s\n  - id: %s\n    when: %s\n    decision: %s\n    reason: %s\n",
		of, r.ID, r.When, decision, quoted("the line is what "+of+" means"))
}
