package pattern

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/pkg/record"
)

// An Expression is a compiled condition for those who translate it to another
// language.
type Expression struct {
	Op ExpressionOp
	// Kids are the operands of All and Any, and the one of Not.
	Kids []Expression
	// Path and Tests are those of a Test; all tests must hold.
	Path  record.Path
	Tests []Test
}

// An ExpressionOp says what an expression does.
type ExpressionOp uint8

// The operations.
const (
	All ExpressionOp = iota // without kids: true
	Any
	Not
	Leaf
)

// A Test is one operator with its argument. Texts, booleans, nil, lists and
// objects are as JSON decodes them, numbers are json.Number.
type Test struct {
	// Operator is its name in rules; "" for a bare list.
	Operator string
	// Value is the argument of equals, contains, notContains, exists, gt, gte,
	// lt and lte.
	Value any
	// Values are those of in and of a bare list, the networks of cidr as texts; of size, lists
	// of an operator and a limit, and of semver alternatives, each a list of operators with
	// a version.
	Values []any
	// Text is the argument of startsWith and endsWith, the argument of
	// contains and notContains with each character in lower case where it is a
	// text, and for pattern, glob and globPath a regular expression (RE2) that
	// says the same.
	Text string
	// Hours is the argument of time.
	Hours Hours

	op *operator
}

// Hours are some hours of some days of the week.
type Hours struct {
	// Days are "Sunday" and so on; empty means every day.
	Days []string
	// From and To are minutes of the day. To does not belong to them; where it
	// is not after From, it is one of the next day.
	From, To int
	Zone     string
}

// Expression returns the condition for a translation.
func (c *Condition) Expression() Expression {
	if c.op == test {
		e := Expression{Op: Leaf, Path: c.leaf.path}
		for i := range c.leaf.tests {
			e.Tests = append(e.Tests, c.leaf.tests[i].export())
		}
		return e
	}
	e := Expression{Op: [...]ExpressionOp{all: All, any_: Any, none: Not}[c.op]}
	for i := range c.kids {
		e.Kids = append(e.Kids, c.kids[i].Expression())
	}
	return e
}

func (o *operator) export() Test {
	row := o.row()
	t := Test{Operator: row.name, Text: o.text, op: o}
	if row.export != nil {
		row.export(o, &t)
	}
	return t
}

func exportValues(o *operator, t *Test) { t.Values = exported(o.values).([]any) }

func exportFolded(o *operator, t *Test) { t.Value, t.Text = exported(o.value), o.folded }

// exported returns an argument with its numbers as JSON writes them.
func exported(v any) any {
	switch v := v.(type) {
	case number:
		return v.json()
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = exported(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key := range v {
			out[key] = exported(v[key])
		}
		return out
	}
	return v
}

// json returns the number as JSON writes it.
func (n number) json() json.Number {
	if n.digits == "" {
		return json.Number(strconv.FormatFloat(n.near+0, 'g', -1, 64))
	}
	sign := ""
	if n.negative {
		sign = "-"
	}
	exp := n.exp - len(n.digits)
	if exp == 0 {
		return json.Number(sign + n.digits)
	}
	return json.Number(sign + n.digits + "e" + strconv.Itoa(exp))
}

func (s *schedule) export() Hours {
	h := Hours{From: s.from, To: s.to, Zone: s.zone.String()}
	for day := range 7 {
		if s.days&(1<<day) != 0 {
			h.Days = append(h.Days, weekdayNames[day])
		}
	}
	return h
}

var weekdayNames = [...]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}

// expression returns the wildcard as a regular expression in which char is any
// character of it.
func (w wildcard) expression(char string) string {
	var b strings.Builder
	b.WriteString(`\A(?s:`)
	for _, p := range w {
		switch p.kind {
		case literal:
			b.WriteString(regexp.QuoteMeta(p.text))
		case one:
			b.WriteString(char)
		case many:
			b.WriteString(char + "*")
		case deep:
			b.WriteString(".*")
		case dirs:
			b.WriteString("(?:.*/)?")
		}
	}
	b.WriteString(`)\z`)
	return b.String()
}
