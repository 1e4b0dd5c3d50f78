package pattern

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/record"
)

// Traits say which values a test accepts, for tools that search for a value
// that meets some tests and not others.
type Traits struct {
	// Argument is the argument where it is one text, as rules write it.
	Argument string
	// Literals are the values that the argument names, as records hold them: a
	// number is a float64, or a json.Number where that is not exact.
	Literals []any
	// Language is a regular expression (RE2) for the texts that the test
	// accepts, or where it Negates refuses; "" where it does not say.
	Language string
	// Prefix is what every text that it accepts begins with.
	Prefix string
	// Begin, Middle and End are what some text that it accepts begins with,
	// contains and ends with.
	Begin, Middle, End string
	// Pins: it accepts no value but the literals, or lists of them.
	Pins bool
	// Elements: of a list, it looks for an element.
	Elements bool
	// Compares: it compares numbers.
	Compares bool
	// Ranked: it accepts what lies between some values of an order, such as sizes or
	// versions. The literals of all such tests by one operator stand for every value: to
	// each other value, one of them is the same in all these tests.
	Ranked bool
	// Negates: it holds where another test on the same argument does not.
	Negates bool
	// Absent: it holds where the record has no value.
	Absent bool
	// Instant: it is about the time of the call, and not about a value.
	Instant bool
	// Vague: it depends on the letters of a text, and Language, where there is
	// one, does not say all of it.
	Vague bool
	// Unclear: values that the traits do not tell may meet it, or not.
	Unclear bool
}

// Traits returns which values the test accepts. The test must be one of
// [Condition.Expression].
func (t *Test) Traits() Traits {
	o := t.op
	row := o.row()
	out := Traits{
		Argument: o.text, Pins: row.pins, Elements: row.elements, Negates: row.negates,
		Absent: row.absent != nil && row.absent(o), Instant: row.instant != nil,
	}
	if row.traits != nil {
		row.traits(o, &out)
	}
	return out
}

// Eval reports whether what a record has at the path of the test meets it. The
// test must be one of [Condition.Expression].
func (t *Test) Eval(v record.Entry, in *Input) Truth {
	if v.Unknown {
		return Unknown
	}
	return t.op.eval(v, in)
}

// String returns the test as rules write it.
func (t *Test) String() string {
	o := t.op
	row, text := o.row(), clip.Quote(o.text)
	if row.spelled != nil {
		text = row.spelled(o)
	}
	if row.name == "" || text == "" {
		return row.name + text
	}
	return row.name + ": " + text
}

func spelledOne(o *operator) string { return spelledJSON(plain(o.value)) }
func spelledAll(o *operator) string { return spelledJSON(plain(o.values)) }

func spelledJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return "…"
	}
	return clip.Shorten(string(data))
}

// names notes the values of which one is accepted.
func (t *Traits) names(values ...any) {
	t.Literals, t.Language = plain(values).([]any), oneOf(values)
}

// holds notes what a text or a list must contain. An element has no language.
func (t *Traits) holds(v any) {
	t.Literals = []any{plain(v)}
	if text, ok := v.(string); ok {
		t.Language = folded(text)
	}
}

// wild notes a text with wildcards, of which each stands for some of the
// characters of a class.
func (t *Traits) wild(o *operator, class string) {
	t.Language = string([]rune(o.wild.expression(class)))
	t.Prefix, _, _ = strings.Cut(o.text, "*")
	t.Prefix, _, _ = strings.Cut(t.Prefix, "?")
	t.Begin = strings.NewReplacer("*", "", "?", "x").Replace(o.text)
}

// plain returns an argument as a value of a record.
func plain(v any) any {
	switch v := v.(type) {
	case number:
		if v.digits == "" {
			return v.near
		}
		sign := ""
		if v.negative {
			sign = "-"
		}
		return json.Number(fmt.Sprintf("%s0.%se%d", sign, v.digits, v.exp))
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plain(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, each := range v {
			out[key] = plain(each)
		}
		return out
	}
	return v
}

// oneOf accepts the texts among values.
func oneOf(values []any) string {
	var texts []string
	for _, v := range values {
		if text, ok := v.(string); ok {
			texts = append(texts, escaped(text))
		}
	}
	if texts == nil {
		return `[^\x00-\x{10FFFF}]`
	}
	return `\A(?:` + strings.Join(texts, "|") + `)\z`
}

// escaped returns an expression for a text. A byte that is no character stands
// for U+FFFD, since an expression must not hold it.
func escaped(text string) string { return regexp.QuoteMeta(string([]rune(text))) }

// folded accepts what contains a text, whatever the case of its letters.
func folded(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteByte('[')
		for _, same := range sameLower(unicode.ToLower(r)) {
			b.WriteString(quoteClass(same))
		}
		b.WriteByte(']')
	}
	return b.String()
}

func quoteClass(r rune) string {
	if r < utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsDigit(r) && r > ' ' {
		return `\` + string(r)
	}
	return string(r)
}

// sameLower returns all runes that become a lower-case one.
func sameLower(lower rune) []rune {
	out := []rune{lower}
	for r := unicode.SimpleFold(lower); r != lower; r = unicode.SimpleFold(r) {
		if unicode.ToLower(r) == lower {
			out = append(out, r)
		}
	}
	if lower == 'i' {
		out = append(out, 'İ') // its fold is itself, its lower case is i
	}
	return out
}
