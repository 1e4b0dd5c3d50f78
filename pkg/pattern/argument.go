package pattern

import (
	"regexp"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/spelling"
)

// later are operators that the dialect will have.
var later = []string{"rate", "semver", "size"}

func notYet(name string) string { return name + " is not supported yet: leave it out" }

// maxText bounds the texts that are looked for, so that looking takes no longer
// than it should.
const maxText = 4096

// flags is the key of the flags of a pattern.
const flags = "flags"

// operators are the keys of a mapping of operators.
var operators = slices.DeleteFunc(append(slices.Clone(operatorNames[:]), flags), func(name string) bool { return name == "" })

// tests compiles what stands at a path.
func (c *compiler) tests(path Path, key, value Node) []operator {
	switch value.Kind {
	case ListNode:
		return []operator{{kind: listed, values: c.literals(value)}}
	case MapNode:
		return c.operators(path, value)
	case NullNode:
		if value.Text != "null" {
			c.fail(value, "%s has no value: to match calls without it write {exists: false}", quoted(key.Text))
		}
	}
	return []operator{{kind: equals, value: c.literal(value)}}
}

// operators compiles a mapping of operators, all of which must hold.
func (c *compiler) operators(path Path, n Node) []operator {
	if len(n.Keys) == 0 {
		c.fail(n, "an operator is missing here: one of %s", strings.Join(operators, ", "))
		return nil
	}
	c.repeated(n)
	var out []operator
	for i, key := range n.Keys {
		switch name := key.Text; {
		case name == flags:
			if n.entry(operatorNames[matches]) == nil {
				c.fail(key, "flags belong to a pattern, which is missing here")
			}
		case name == operatorNames[matches]:
			out = append(out, c.pattern(n.Items[i], n.entry(flags)))
		default:
			if o, ok := c.operator(path, key, n.Items[i]); ok {
				out = append(out, o)
			}
		}
	}
	return out
}

func (c *compiler) operator(path Path, key, arg Node) (operator, bool) {
	kind, ok := kindOf(key.Text)
	if !ok {
		c.unknownOperator(path, key)
		return operator{}, false
	}
	o := operator{kind: kind}
	switch kind {
	case equals:
		o.value = c.literal(arg)
	case in:
		o.values = c.oneOf(arg)
	case contains, notContains:
		o.value = c.scalar(key, arg)
		c.short(key, arg)
		if text, isText := o.value.(string); isText {
			o.text, o.folded = text, fold(text)
		}
	case exists:
		o.want = c.boolean(key, arg)
	case gt, gte, lt, lte:
		o.number = c.limit(key, arg)
	case cidr:
		o.prefixes = c.networks(arg)
	case within:
		return c.time(arg), true
	default:
		o.text = c.text(key, arg)
		c.short(key, arg)
		switch kind {
		case glob:
			o.wild = compileGlob(o.text)
		case globPath:
			o.wild = compileGlobPath(o.text)
		}
	}
	return o, true
}

func kindOf(name string) (operatorKind, bool) {
	i := slices.Index(operatorNames[:], name)
	return operatorKind(max(i, 0)), i >= 0 && name != ""
}

// otherOperators are the names that other languages have for operators, with
// ours.
var otherOperators = [][2]string{
	{"pattern", "regex regexp matches match"}, {"glob", "like"}, {"equals", "== = eq is"}, {"in", "oneOf anyOf"}, {"contains", "has"},
	{"startsWith", "prefix"}, {"endsWith", "suffix"}, {"gt", ">"}, {"gte", ">="}, {"lt", "<"}, {"lte", "<="},
}

// negations are those that are written below not here.
var negations = [][2]string{
	{"equals", "!= ne neq notEquals not_equals"}, {"in", "notIn not_in nin"}, {"pattern", "notPattern"}, {"glob", "notGlob"},
	{"startsWith", "notStartsWith"}, {"endsWith", "notEndsWith"},
}

// oursFor returns our name for one of a table, "" if it is not there.
func oursFor(name string, table [][2]string) string {
	for _, row := range table {
		if slices.Contains(strings.Fields(row[1]), name) {
			return row[0]
		}
	}
	return ""
}

func (c *compiler) unknownOperator(path Path, key Node) {
	name := key.Text
	switch {
	case slices.Contains(later, name):
		c.fail(key, "%s", notYet(name))
	case strings.HasPrefix(name, "$") && slices.Contains(operators, name[1:]):
		c.suggest(key, name[1:], "unknown operator %s: operators have no $", quoted(name))
	case oursFor(name, negations) != "":
		c.fail(key, "unknown operator %s: write it below not, as in not: {%s: {%s: …}}", quoted(name), path, oursFor(name, negations))
	case slices.Contains(combinators, name):
		c.fail(key, "%s combines conditions and stands beside or above a path, not below it", name)
	default:
		hint := oursFor(name, otherOperators)
		if hint == "" {
			hint = spelling.Nearest(name, operators)
		}
		c.suggest(key, hint, "unknown operator %s: one of %s, or write {equals: {…}} for an object",
			quoted(name), strings.Join(operators, ", "))
	}
}

func (c *compiler) boolean(key, n Node) bool {
	if n.Kind != BoolNode {
		c.fail(n, "%s takes true or false, not %s", key.Text, n.describe())
	}
	return n.Text == "true"
}

func (c *compiler) text(key, n Node) string {
	if n.Kind != TextNode {
		c.fail(n, "%s takes a text, not %s", key.Text, n.describe())
	}
	return n.Text
}

// short reports texts of operators that are too long.
func (c *compiler) short(key, n Node) {
	if len(n.Text) > maxText {
		c.fail(n, "%s takes a text of at most %d bytes", key.Text, maxText)
	}
}

// limit compiles what numbers are compared with.
func (c *compiler) limit(key, n Node) number {
	x, ok := parseNumber(n.Text)
	if !ok || n.Kind != NumberNode && n.Kind != TextNode {
		c.fail(n, "%s takes a decimal number, not %s", key.Text, n.describe())
	}
	return x
}

// pattern compiles a regular expression with its flags, nil for none.
func (c *compiler) pattern(n Node, flagged *Node) operator {
	o := operator{kind: matches, text: n.Text}
	if n.Kind != TextNode {
		c.fail(n, "pattern takes a regular expression as a text, not %s", n.describe())
		return o
	}
	var err error
	if o.re, err = regexp.Compile(n.Text); err != nil {
		c.fail(n, "pattern: %s", RegexpError(err))
		return o
	}
	if flagged == nil {
		return o
	}
	if flagged.Kind != TextNode || flagged.Text == "" || strings.Trim(flagged.Text, "ims") != "" {
		c.fail(*flagged, "flags takes a text of the letters i (any case), m (^ and $ at each line) and s (. is a line end too), not %s", flagged.describe())
		return o
	}
	if o.re, err = regexp.Compile("(?" + flagged.Text + ")" + n.Text); err != nil {
		c.fail(n, "pattern: %s", RegexpError(err))
	}
	return o
}

// Operators returns the keys of a mapping of operators, in the order of the
// reference.
func Operators() []string { return slices.Clone(operators) }
