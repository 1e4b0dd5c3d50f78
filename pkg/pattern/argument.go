package pattern

import (
	"regexp"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/record"
)

// maxText bounds the texts that are looked for, so that looking takes no longer
// than it should.
const maxText = 4096

// flags is the key of the flags of a pattern.
const flags = "flags"

// An argument is what stands at the name of an operator.
type argument struct {
	key, value document.Node
	flags      *document.Node // those beside it; nil where there are none
}

// tests compiles what stands at a path.
func (c *compiler) tests(path record.Path, key, value document.Node) []operator {
	switch value.Kind {
	case document.List:
		return []operator{{kind: listed, values: c.literals(value)}}
	case document.Map:
		return c.operators(path, value)
	case document.Null:
		if value.Text != "null" {
			c.Fail(value, "%s has no value: to match calls without it write {exists: false}", clip.Quote(key.Text))
		}
	}
	return []operator{{kind: equals, value: c.literal(value)}}
}

// operators compiles a mapping of operators, all of which must hold.
func (c *compiler) operators(path record.Path, n document.Node) []operator {
	if len(n.Keys) == 0 {
		c.Fail(n, "an operator is missing here: one of %s", strings.Join(Operators(), ", "))
		return nil
	}
	c.Repeated(n)
	var out []operator
	for i, key := range n.Keys {
		if key.Text == flags {
			if n.Entry(operatorTable[matches].name) == nil {
				c.Fail(key, "flags belong to a pattern, which is missing here")
			}
			continue
		}
		kind, ok := kindOf(key.Text)
		if !ok {
			c.unknownOperator(path, key)
			continue
		}
		o := operator{kind: kind}
		o.row().parse(c, &o, argument{key, n.Items[i], n.Entry(flags)})
		out = append(out, o)
	}
	return out
}

func parseContained(c *compiler, o *operator, a argument) {
	o.value = c.scalar(a.key, a.value)
	c.short(a)
	if text, isText := o.value.(string); isText {
		o.text, o.folded = text, fold(text)
	}
}

// shortText compiles an argument that is a text.
func (c *compiler) shortText(o *operator, a argument) {
	o.text = c.Text(a.key, a.value)
	c.short(a)
}

// oursFor returns our name for one that names of a row has, "" if none has it.
func oursFor(name string, names func(*operatorRow) string) string {
	for i := range operatorTable {
		if row := &operatorTable[i]; slices.Contains(strings.Fields(names(row)), name) {
			return row.name
		}
	}
	return ""
}

func (c *compiler) unknownOperator(path record.Path, key document.Node) {
	name, operators := key.Text, Operators()
	opposite := oursFor(name, func(r *operatorRow) string { return r.negations })
	switch {
	case name == rateKey:
		c.Fail(key, "rate stands beside paths, not below one: rate: {more_than: 10, per: 1m}")
	case strings.HasPrefix(name, "$") && slices.Contains(operators, name[1:]):
		c.Suggest(key, name[1:], "unknown operator %s: operators have no $", clip.Quote(name))
	case opposite != "":
		c.Fail(key, "unknown operator %s: write it below not, as in not: {%s: {%s: …}}", clip.Quote(name), path, opposite)
	case slices.Contains(combinators, name):
		c.Fail(key, "%s combines conditions and belongs beside or above a path, not below it", name)
	default:
		hint := oursFor(name, func(r *operatorRow) string { return r.aliases })
		if hint == "" {
			hint = spelling.Nearest(name, operators)
		}
		c.Suggest(key, hint, "unknown operator %s: one of %s, or write {equals: {…}} for an object",
			clip.Quote(name), strings.Join(operators, ", "))
	}
}

func (c *compiler) boolean(key, n document.Node) bool {
	if n.Kind != document.Bool {
		c.Fail(n, "%s takes true or false, not %s", key.Text, n.Describe())
	}
	return n.Text == "true"
}

// short reports texts of operators that are too long.
func (c *compiler) short(a argument) {
	if len(a.value.Text) > maxText {
		c.Fail(a.value, "%s takes a text of at most %d bytes", a.key.Text, maxText)
	}
}

// limit compiles what numbers are compared with.
func (c *compiler) limit(key, n document.Node) number {
	x, ok := parseNumber(n.Text)
	if !ok || n.Kind != document.Number && n.Kind != document.Text {
		c.Fail(n, "%s takes a decimal number, not %s", key.Text, n.Describe())
	}
	return x
}

// pattern compiles a regular expression with its flags.
func (c *compiler) pattern(o *operator, a argument) {
	n, flagged := a.value, a.flags
	o.text = n.Text
	if n.Kind != document.Text {
		c.Fail(n, "pattern takes a regular expression as a text, not %s", n.Describe())
		return
	}
	var err error
	if o.re, err = regexp.Compile(n.Text); err != nil {
		c.Fail(n, "pattern: %s", RegexpError(err))
		return
	}
	if flagged == nil {
		return
	}
	if flagged.Kind != document.Text || flagged.Text == "" || strings.Trim(flagged.Text, "ims") != "" {
		c.Fail(*flagged, "flags takes a text of the letters i (any case), m (^ and $ at each line) and s (. is a line end too), not %s", flagged.Describe())
		return
	}
	if o.re, err = regexp.Compile("(?" + flagged.Text + ")" + n.Text); err != nil {
		c.Fail(n, "pattern: %s", RegexpError(err))
	}
}
