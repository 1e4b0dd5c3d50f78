package pattern

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/record"
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
	size
	semver
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
		pins:   true, spelled: spelledOne,
		traits: func(o *operator, t *Traits) { t.names(o.value) },
	},
	in: {
		name: "in", aliases: "oneOf anyOf", negations: "notIn not_in nin",
		parse:  func(c *compiler, o *operator, a argument) { o.values = c.oneOf(a.value) },
		text:   amongText,
		texts:  amongTexts,
		value:  among,
		plan:   func(o *operator, path string) plan { return amongPlan(path, o.values) },
		export: exportValues,
		pins:   true, elements: true, spelled: spelledAll,
		traits: func(o *operator, t *Traits) { t.names(o.values...) },
	},
	listed: {
		text:   amongText,
		texts:  func(o *operator, texts []string) bool { return sameTexts(texts, o.values) },
		value:  equalOrOneOf,
		plan:   listedPlan,
		export: exportValues,
		pins:   true, spelled: spelledAll,
		traits: func(o *operator, t *Traits) { t.names(o.values...) },
	},
	matches: {
		name: "pattern", aliases: "regex regexp matches match", negations: "notPattern",
		parse:   func(c *compiler, o *operator, a argument) { c.pattern(o, a) },
		text:    func(o *operator, text string) bool { return o.re.MatchString(text) },
		plan:    func(o *operator, path string) plan { return expressionPlan(path, o.re.String()) },
		export:  func(o *operator, t *Test) { t.Text = o.re.String() },
		spelled: func(o *operator) string { return clip.Quote(o.re.String()) },
		traits:  func(o *operator, t *Traits) { t.Language, t.Vague = o.re.String(), true },
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
		elements: true, spelled: spelledOne,
		traits: func(o *operator, t *Traits) {
			t.holds(o.value)
			t.Middle = o.text
		},
	},
	notContains: {
		name:  "notContains",
		parse: parseContained, text: containedText, texts: containedTexts, value: contained, export: exportFolded,
		absent:   func(*operator) bool { return true },
		negates:  true,
		elements: true, spelled: spelledOne,
		traits: func(o *operator, t *Traits) { t.holds(o.value) },
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
		traits: func(o *operator, t *Traits) { t.wild(o, ".") },
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
		traits: func(o *operator, t *Traits) { t.wild(o, "[^/]") },
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
		export:  func(o *operator, t *Test) { t.Value = o.want },
		spelled: func(o *operator) string { return fmt.Sprint(o.want) },
	},
	startsWith: {
		name: "startsWith", aliases: "prefix", negations: "notStartsWith",
		parse: (*compiler).shortText,
		text:  func(o *operator, text string) bool { return strings.HasPrefix(text, o.text) },
		plan:  func(o *operator, path string) plan { return literalPlan(path, begins, o.text) },
		traits: func(o *operator, t *Traits) {
			t.Language, t.Prefix, t.Begin = `\A`+escaped(o.text), o.text, o.text
		},
	},
	endsWith: {
		name: "endsWith", aliases: "suffix", negations: "notEndsWith",
		parse:  (*compiler).shortText,
		text:   func(o *operator, text string) bool { return strings.HasSuffix(text, o.text) },
		plan:   func(o *operator, path string) plan { return literalPlan(path, inside, o.text) },
		traits: func(o *operator, t *Traits) { t.Language, t.End = escaped(o.text)+`\z`, o.text },
	},
	gt:  comparison("gt", ">"),
	gte: comparison("gte", ">="),
	lt:  comparison("lt", "<"),
	lte: comparison("lte", "<="),
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
		spelled: func(*operator) string { return "" },
		traits: func(o *operator, t *Traits) {
			t.Begin, t.Vague, t.Unclear = o.prefixes[0].Addr().String(), true, true
		},
	},
	size: {
		name: "size", aliases: "length len count",
		parse: func(c *compiler, o *operator, a argument) { o.bounds = c.bounds(a.key, a.value) },
		text:  sizeOfText,
		texts: func(o *operator, texts []string) bool { return o.sized(len(texts)) },
		value: sizeOf, plan: presentPlan, counts: true,
		export:  func(o *operator, t *Test) { t.Values = exportedBounds(o.bounds) },
		spelled: func(o *operator) string { return spelledBounds(o.bounds) },
		traits:  func(o *operator, t *Traits) { t.Literals, t.Vague, t.Ranked = o.sizes(), true, true },
	},
	semver: {
		name: "semver", aliases: "version",
		parse: func(c *compiler, o *operator, a argument) {
			o.text, o.versions = a.value.Text, c.versions(a.key, a.value)
		},
		text:   func(o *operator, text string) bool { return o.versions.hold(text) },
		plan:   presentPlan,
		export: func(o *operator, t *Test) { t.Values = exportedVersions(o.versions) },
		traits: func(o *operator, t *Traits) { t.Literals, t.Vague, t.Ranked = o.versions.samples(), true, true },
	},
	within: {
		name:    "time",
		parse:   func(c *compiler, o *operator, a argument) { o.hours = c.time(a.value) },
		instant: func(o *operator, now time.Time) bool { return o.hours.covers(now) },
		export:  func(o *operator, t *Test) { t.Hours = o.hours.export() },
		spelled: func(*operator) string { return "" },
		traits:  func(_ *operator, t *Traits) { t.Unclear = true },
	},
}

// orders reports whether a value and an argument stand as gt, gte, lt, lte or equals wants;
// c is what a comparison of the two returned.
func orders(operator string, c int) bool {
	switch operator {
	case "gt":
		return c > 0
	case "gte":
		return c >= 0
	case "lt":
		return c < 0
	case "lte":
		return c <= 0
	}
	return c == 0
}

// comparison returns the row of a comparison of numbers.
func comparison(name, alias string) operatorRow {
	holds := func(c int) bool { return orders(name, c) }
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
		plan:    presentPlan,
		export:  func(o *operator, t *Test) { t.Value = exported(o.number) },
		spelled: func(o *operator) string { return spelledJSON(plain(o.number)) },
		traits: func(o *operator, t *Traits) {
			t.Literals = []any{plain(o.number)}
			t.Compares, t.Vague, t.Unclear = true, true, o.number.digits != ""
		},
	}
}

func kindOf(name string) (operatorKind, bool) {
	i := slices.IndexFunc(operatorTable, func(r operatorRow) bool { return r.name == name })
	return operatorKind(max(i, 0)), i >= 0 && name != ""
}

// Fitting returns the operators that can hold of a field of a type, in the order of the
// reference. Those of any type fit a field that may have any.
func Fitting(t record.FieldType) []string {
	var out []string
	for _, r := range operatorTable {
		fits := t == record.AnyField
		switch t {
		case record.TextField:
			fits = r.text != nil
		case record.TextsField:
			fits = r.texts != nil
		case record.NumberField:
			fits = r.value != nil && !r.elements && !r.counts || r.name == operatorTable[in].name
		case record.ObjectField:
			fits = r.counts || r.name == operatorTable[equals].name || r.name == operatorTable[exists].name
		}
		if fits && r.name != "" && r.instant == nil {
			out = append(out, r.name)
		}
	}
	return out
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
