package pattern

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/clip"
)

// An operatorKind is the place of an operator in [operatorTable].
type operatorKind uint8

// The operators, in the order of the reference.
const (
	equals operatorKind = iota
	in
	listed // a bare list: equal to a list value element by element, else one of
	matches
	contains
	notContains
	glob
	globPath
	exists
	startsWith
	endsWith
	gt
	gte
	lt
	lte
	cidr
	within // time
)

// operatorTable holds the operators. A new one is a row here, and one in the
// table of package rego.
var operatorTable = []operatorRow{
	equals: {
		name: "equals", aliases: "== = eq is", negations: "!= ne neq notEquals not_equals",
		parse: func(c *compiler, o *operator, a argument) { o.value = c.literal(a.value) },
		text: func(o *operator, text string) bool {
			want, ok := o.value.(string)
			return ok && want == text
		},
		texts: func(o *operator, texts []string) bool {
			want, ok := o.value.([]any)
			return ok && sameTexts(texts, want)
		},
		value:  func(o *operator, v any) Truth { return same(v, o.value) },
		plan:   func(o *operator, path string) plan { return equalPlan(path, o.value) },
		export: func(o *operator, t *Test) { t.Value = exported(o.value) },
		witnessRow: witnessRow{
			arguments: oneArgument, spelled: spelledOne, pins: true,
			language: func(o *operator) string { return oneOf([]any{o.value}) },
		},
	},
	in: {
		name: "in", aliases: "oneOf anyOf", negations: "notIn not_in nin",
		parse:      func(c *compiler, o *operator, a argument) { o.values = c.oneOf(a.value) },
		text:       amongText,
		texts:      amongTexts,
		value:      among,
		plan:       func(o *operator, path string) plan { return amongPlan(path, o.values) },
		export:     exportValues,
		witnessRow: witnessRow{arguments: allArguments, spelled: spelledAll, language: oneOfValues, pins: true, elements: true},
	},
	listed: {
		text:       amongText,
		texts:      func(o *operator, texts []string) bool { return sameTexts(texts, o.values) },
		value:      equalOrOneOf,
		plan:       listedPlan,
		export:     exportValues,
		witnessRow: witnessRow{arguments: allArguments, spelled: spelledAll, language: oneOfValues, pins: true},
	},
	matches: {
		name: "pattern", aliases: "regex regexp matches match", negations: "notPattern",
		parse:  func(c *compiler, o *operator, a argument) { c.pattern(o, a) },
		text:   func(o *operator, text string) bool { return o.re.MatchString(text) },
		plan:   func(o *operator, path string) plan { return expressionPlan(path, o.re.String()) },
		export: func(o *operator, t *Test) { t.Text = o.re.String() },
		witnessRow: witnessRow{
			spelled:  func(o *operator) string { return clip.Quote(o.re.String()) },
			language: func(o *operator) string { return o.re.String() },
			clear:    func(a *atom) bool { return a.lang != nil },
			vague:    true,
		},
	},
	contains: {
		name: "contains", aliases: "has",
		parse: parseContained, text: containedText, texts: containedTexts, value: contained, export: exportFolded,
		plan: func(o *operator, path string) plan {
			if text, ok := o.value.(string); ok {
				return literalPlan(path, inside, text)
			}
			return equalPlan(path, o.value)
		},
		witnessRow: witnessRow{
			arguments: oneArgument, spelled: spelledOne, language: foldedLanguage, elements: true,
			suggest: func(o *operator, p *textParts) {
				if text, ok := o.value.(string); ok && !strings.Contains(p.text(), text) {
					p.middle += text
				}
			},
		},
	},
	notContains: {
		name:  "notContains",
		parse: parseContained, text: containedText, texts: containedTexts, value: contained, export: exportFolded,
		absent:  func(*operator) bool { return true },
		negates: true,
		witnessRow: witnessRow{
			arguments: oneArgument, spelled: spelledOne, language: foldedLanguage, elements: true,
		},
	},
	glob: {
		name: "glob", aliases: "like", negations: "notGlob",
		parse: func(c *compiler, o *operator, a argument) {
			c.shortText(o, a)
			o.wild = compileGlob(o.text)
		},
		text:   func(o *operator, text string) bool { return o.wild.match(text, false) },
		plan:   func(o *operator, path string) plan { return o.wild.plan(path) },
		export: func(o *operator, t *Test) { t.Text = o.wild.expression(".") },
		witnessRow: witnessRow{
			language: func(o *operator) string { return string([]rune(o.wild.expression("."))) },
			suggest:  suggestWild, begin: beginWild,
		},
	},
	globPath: {
		name: "globPath",
		parse: func(c *compiler, o *operator, a argument) {
			c.shortText(o, a)
			o.wild = compileGlobPath(o.text)
		},
		text:   func(o *operator, text string) bool { return o.wild.match(text, true) },
		plan:   func(o *operator, path string) plan { return o.wild.plan(path) },
		export: func(o *operator, t *Test) { t.Text = o.wild.expression("[^/]") },
		witnessRow: witnessRow{
			language: func(o *operator) string { return string([]rune(o.wild.expression("[^/]"))) },
			suggest:  suggestWild, begin: beginWild,
		},
	},
	exists: {
		name:   "exists",
		parse:  func(c *compiler, o *operator, a argument) { o.want = c.boolean(a.key, a.value) },
		text:   func(o *operator, _ string) bool { return o.want },
		texts:  func(o *operator, _ []string) bool { return o.want },
		value:  func(o *operator, v any) Truth { return truth((v != nil) == o.want) },
		absent: func(o *operator) bool { return !o.want },
		plan: func(o *operator, path string) plan {
			if !o.want {
				return plan{}
			}
			return presentPlan(o, path)
		},
		export:     func(o *operator, t *Test) { t.Value = o.want },
		witnessRow: witnessRow{spelled: func(o *operator) string { return fmt.Sprint(o.want) }},
	},
	startsWith: {
		name: "startsWith", aliases: "prefix", negations: "notStartsWith",
		parse: (*compiler).shortText,
		text:  func(o *operator, text string) bool { return strings.HasPrefix(text, o.text) },
		plan:  func(o *operator, path string) plan { return literalPlan(path, begins, o.text) },
		witnessRow: witnessRow{
			language: func(o *operator) string { return `\A` + escaped(o.text) },
			suggest:  func(o *operator, p *textParts) { p.begin = longer(p.begin, o.text) },
			begin:    func(o *operator) string { return o.text },
		},
	},
	endsWith: {
		name: "endsWith", aliases: "suffix", negations: "notEndsWith",
		parse: (*compiler).shortText,
		text:  func(o *operator, text string) bool { return strings.HasSuffix(text, o.text) },
		plan:  func(o *operator, path string) plan { return literalPlan(path, inside, o.text) },
		witnessRow: witnessRow{
			language: func(o *operator) string { return escaped(o.text) + `\z` },
			suggest:  func(o *operator, p *textParts) { p.end = longer(p.end, o.text) },
		},
	},
	gt:  comparison("gt", ">", func(c int) bool { return c > 0 }),
	gte: comparison("gte", ">=", func(c int) bool { return c >= 0 }),
	lt:  comparison("lt", "<", func(c int) bool { return c < 0 }),
	lte: comparison("lte", "<=", func(c int) bool { return c <= 0 }),
	cidr: {
		name:  "cidr",
		parse: func(c *compiler, o *operator, a argument) { o.prefixes = c.networks(a.value) },
		text:  inNetwork,
		plan:  presentPlan,
		export: func(o *operator, t *Test) {
			for _, p := range o.prefixes {
				t.Values = append(t.Values, p.Masked().String())
			}
		},
		witnessRow: witnessRow{
			spelled: func(*operator) string { return "" },
			suggest: func(o *operator, p *textParts) { p.begin = o.prefixes[0].Addr().String() },
			clear:   func(*atom) bool { return false },
			vague:   true,
		},
	},
	within: {
		name:    "time",
		parse:   func(c *compiler, o *operator, a argument) { o.hours = c.time(a.value) },
		instant: func(o *operator, now time.Time) bool { return o.hours.covers(now) },
		export:  func(o *operator, t *Test) { t.Hours = o.hours.export() },
		witnessRow: witnessRow{
			spelled: func(*operator) string { return "" },
			clear:   func(*atom) bool { return false },
		},
	},
}

// comparison returns the row of a comparison of numbers; holds gets what
// [number.compare] says of the value and the argument.
func comparison(name, alias string, holds func(int) bool) operatorRow {
	return operatorRow{
		name: name, aliases: alias,
		parse: func(c *compiler, o *operator, a argument) { o.number = c.limit(a.key, a.value) },
		text: func(o *operator, text string) bool { // a text that is a decimal number
			n, ok := parseNumber(text)
			return ok && holds(n.compare(o.number))
		},
		value: func(o *operator, v any) Truth {
			n, ok := numberOf(v)
			return truth(ok && holds(n.compare(o.number)))
		},
		plan:   presentPlan,
		export: func(o *operator, t *Test) { t.Value = exported(o.number) },
		witnessRow: witnessRow{
			arguments: func(o *operator) []any { return []any{o.number} },
			spelled:   func(o *operator) string { return spelledJSON(plain(o.number)) },
			clear:     func(a *atom) bool { return a.op.number.digits == "" },
			compares:  true,
			vague:     true,
		},
	}
}

func kindOf(name string) (operatorKind, bool) {
	i := slices.IndexFunc(operatorTable, func(r operatorRow) bool { return r.name == name })
	return operatorKind(max(i, 0)), i >= 0 && name != ""
}

// Operators returns the keys of a mapping of operators, in the order of the
// reference.
func Operators() []string {
	var out []string
	for _, r := range operatorTable {
		if r.name != "" {
			out = append(out, r.name)
		}
	}
	return append(out, flags)
}
