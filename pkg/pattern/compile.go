package pattern

import (
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/record"
)

// The bounds of a condition.
const (
	maxDepth      = 16
	maxConditions = 10_000
)

// CompileWhen compiles the "when" of a rule. Where there are problems, the
// condition must not be used.
func CompileWhen(n document.Node) (Condition, []document.Problem) {
	c := compiler{whole: &n}
	when := c.matcher(n, 1)
	return when, c.Problems
}

// A compiler compiles one condition.
type compiler struct {
	document.Checker
	size int
	// whole is all of the condition. besides says that a mapping has more than one entry.
	whole   *document.Node
	besides bool
}

// combinators are the keys that hold conditions.
var combinators = []string{"all", "any", "not"}

// matcher compiles a mapping, of which all entries must hold.
func (c *compiler) matcher(n document.Node, depth int) Condition {
	switch {
	case n.Kind != document.Map:
		c.Fail(n, "a condition is a mapping such as http.method: DELETE, not %s", n.Describe())
		return Condition{}
	case len(n.Keys) == 0:
		c.Fail(n, "an empty condition would match every call: to mean that write type: {exists: true}")
		return Condition{}
	case depth > maxDepth:
		c.Fail(n, "all, any and not are nested more than %d levels deep", maxDepth)
		return Condition{}
	}
	c.Repeated(n)
	c.besides = c.besides || len(n.Keys) > 1
	kids := make([]Condition, 0, len(n.Keys))
	for i, key := range n.Keys {
		if c.size++; c.size > maxConditions {
			c.FailOnce(key, fmt.Sprintf("a rule has at most %d conditions: split it", maxConditions))
			break
		}
		kids = append(kids, c.entry(key, n.Items[i], depth))
	}
	if len(kids) == 1 {
		return kids[0]
	}
	return Condition{op: all, kids: kids}
}

func (c *compiler) entry(key, value document.Node, depth int) Condition {
	switch key.Text {
	case "all":
		return Condition{op: all, kids: c.matchers(key, value, depth)}
	case "any":
		return Condition{op: any_, kids: c.matchers(key, value, depth)}
	case "not":
		if value.Kind == document.List {
			c.Fail(value, "not takes one condition: write not: {any: […]} or not: {all: […]}")
			return Condition{}
		}
		return Condition{op: none, kids: []Condition{c.matcher(value, depth+1)}}
	case rateKey:
		return c.rate(key, value)
	case record.ClockKey:
		return Condition{op: test, leaf: leaf{path: record.ClockPath(), tests: []operator{{kind: within, hours: c.time(value)}}}}
	}
	return c.test(key, value)
}

// matchers compiles the list of all and any.
func (c *compiler) matchers(key, n document.Node, depth int) []Condition {
	switch {
	case n.Kind != document.List:
		c.Fail(n, "%s takes a list of conditions, not %s", key.Text, n.Describe())
		return nil
	case len(n.Items) == 0:
		c.Fail(n, "%s has an empty list: name a condition, or leave it out", key.Text)
		return nil
	}
	c.besides = c.besides || len(n.Items) > 1
	kids := make([]Condition, len(n.Items))
	for i, item := range n.Items {
		kids[i] = c.matcher(item, depth+1)
	}
	return kids
}

// test compiles one path with its conditions.
func (c *compiler) test(key, value document.Node) Condition {
	switch {
	case strings.HasPrefix(key.Text, "$"):
		c.Fail(key, "%s: a path has no $: write it like http.method", clip.Quote(key.Text))
		return Condition{}
	}
	path, ok := c.path(key)
	tests := c.tests(path, key, value)
	if !ok {
		return Condition{}
	}
	c.named(path, value)
	return Condition{op: test, leaf: leaf{path: path, tests: tests}}
}

// path reads a path and checks what is known of its facet.
func (c *compiler) path(key document.Node) (record.Path, bool) {
	path, err := record.ParsePath(key.Text)
	if err != nil {
		c.Suggest(key, meantPath(key.Text), "%s", err)
		return path, false
	}
	if path.Facet() == "" {
		return path, true
	}
	if !record.CheckField(&c.Checker, key, path.Facet(), path.Field()) {
		return path, false
	}
	t, known := record.TypeOf(path.Facet(), path.Field())
	if known && len(path.Deeper()) > 0 && t != record.ObjectField && t != record.AnyField {
		c.Fail(key, "%s has no %s: it is a %s", path.Facet()+"."+path.Field(), clip.Quote(path.Deeper()[0]), kindOfField[t])
		return path, false
	}
	return path, true
}

// meantPath returns what was probably meant by the name of no field of a
// record: another name, a field of a facet, or the first field of a facet.
func meantPath(text string) string {
	switch strings.ToLower(text) {
	case "and", "&&":
		return "all"
	case "or", "||":
		return "any"
	}
	for _, facet := range record.Facets() {
		fields, _ := record.Fields(facet)
		if facet == text {
			return text + "." + fields[0].Name
		}
		for _, f := range fields {
			if f.Name == text {
				return facet + "." + text
			}
		}
	}
	return spelling.Nearest(text, slices.Concat(record.TopLevel(), combinators, []string{record.ClockKey, rateKey}))
}

// kindOfField names the types of fields for messages.
var kindOfField = map[record.FieldType]string{record.TextField: "text", record.NumberField: "number", record.TextsField: "list of texts"}
