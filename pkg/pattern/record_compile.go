package pattern

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/spelling"
)

// A recordReader reads a record of a document.
type recordReader struct {
	checker
	// open are the elements that are null in a list of texts.
	open []string
}

// CompileRecord reads a record. Where there are problems, the record must not be
// used. A sensitivity that is not given is [Mutate].
func CompileRecord(n Node) (*Record, []Problem) {
	var c recordReader
	r := &Record{Sensitivity: Mutate}
	if n.Kind != MapNode {
		c.fail(n, "a record is a mapping with type, facets and so on, not %s", n.describe())
		return r, c.problems
	}
	c.repeated(n)
	for i, key := range n.Keys {
		c.recordEntry(r, key, n.Items[i])
	}
	for _, element := range c.open {
		if list, _ := cutElement(element); !slices.Contains(r.Unknown, element) && !slices.Contains(r.Unknown, list) {
			r.Unknown = append(r.Unknown, element)
		}
	}
	return r, c.problems
}

func (c *recordReader) recordEntry(r *Record, key, value Node) {
	switch key.Text {
	case "type":
		r.Type = c.text(key, value)
	case "summary":
		r.Summary = c.text(key, value)
	case "description":
		r.Description = c.text(key, value)
	case "verb":
		r.Verb = c.text(key, value)
	case "sensitivity":
		c.sensitivity(r, value)
	case "primary":
		r.Primary = c.text(key, value)
	case "tags":
		r.Tags = c.tags(key, value)
	case "facets":
		r.Facets = c.facets(value)
	case "unknown":
		r.Unknown = c.unknownPaths(key, value)
	default:
		c.unknownRecordKey(key)
	}
}

// unknownRecordKey knows that facets are written one level too high at times.
func (c *recordReader) unknownRecordKey(key Node) {
	if slices.Contains(Facets(), key.Text) {
		c.fail(key, "%s is a facet: it stands below facets in a record", key.Text)
		return
	}
	c.suggest(key, spelling.Nearest(key.Text, recordKeys), "unknown key %s of a record: one of %s",
		clip.Quote(key.Text), strings.Join(recordKeys, ", "))
}

func (c *recordReader) sensitivity(r *Record, n Node) {
	if n.Kind != TextNode || r.Sensitivity.UnmarshalText([]byte(n.Text)) != nil {
		c.suggest(n, spelling.Nearest(n.Text, sensitivityNames[:]), "sensitivity is one of %s, not %s",
			strings.Join(sensitivityNames[:], ", "), n.describe())
	}
}

func (c *recordReader) texts(key, n Node) []string {
	if n.Kind != ListNode {
		c.fail(n, "%s takes a list of texts, not %s", key.Text, n.describe())
		return nil
	}
	out := make([]string, len(n.Items))
	for i, item := range n.Items {
		if item.Kind != TextNode {
			c.fail(item, "%s takes a list of texts; here is %s", key.Text, item.describe())
		}
		out[i] = item.Text
	}
	return out
}

// tags reads the tags. One that is not known keeps its place as "".
func (c *recordReader) tags(key, n Node) []string {
	list, ok := c.openTexts(key, n).([]any)
	if !ok {
		return nil
	}
	out := make([]string, len(list))
	for i, v := range list {
		out[i], _ = v.(string)
	}
	return out
}

// openTexts reads a list of texts in which null stands for elements that are not
// known.
func (c *recordReader) openTexts(key, n Node) any {
	if n.Kind != ListNode {
		return c.texts(key, n)
	}
	out := make([]any, len(n.Items))
	for i, item := range n.Items {
		switch item.Kind {
		case NullNode:
			c.open = append(c.open, key.Text+"["+strconv.Itoa(i)+"]")
		case TextNode:
			out[i] = item.Text
		default:
			c.fail(item, "%s takes a list of texts; here is %s", key.Text, item.describe())
		}
	}
	return out
}

func (c *recordReader) facets(n Node) map[string]map[string]any {
	if n.Kind != MapNode {
		c.fail(n, "facets takes a mapping of facets, not %s", n.describe())
		return nil
	}
	c.repeated(n)
	out := make(map[string]map[string]any, len(n.Keys))
	for i, key := range n.Keys {
		if fields := n.Items[i]; fields.Kind == MapNode {
			out[key.Text] = c.fields(key, fields)
			continue
		}
		c.fail(n.Items[i], "the facet %s is a mapping of fields, not %s", clip.Line(key.Text), n.Items[i].describe())
	}
	return out
}

func (c *recordReader) fields(facet, n Node) map[string]any {
	c.repeated(n)
	out := make(map[string]any, len(n.Keys))
	for i, key := range n.Keys {
		path := Node{TextNode, facet.Text + "." + key.Text, nil, nil, key.Line, key.Column}
		if isField(&c.checker, path, facet.Text, key.Text) {
			t, _ := fieldType(facet.Text, key.Text)
			out[key.Text] = c.fieldValue(path, n.Items[i], t)
		}
	}
	return out
}

// isField reports whether a facet may have a field, and notes a problem at a
// node where it has not.
func isField(c *checker, at Node, facet, field string) bool {
	fields, known := Fields(facet)
	if !known || slices.ContainsFunc(fields, func(f Field) bool { return f.Name == field }) {
		return true
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	hint := spelling.Nearest(field, names)
	if hint != "" {
		hint = facet + "." + hint
	}
	c.suggest(at, hint, "unknown field %s: the facet %s has %s", clip.Quote(facet+"."+field), facet, strings.Join(names, ", "))
	return false
}

// fieldValue reads the value of a field. null is nothing, of whatever type the
// field is.
func (c *recordReader) fieldValue(key, n Node, t FieldType) any {
	switch {
	case n.Kind == NullNode:
		return nil
	case t == TextField:
		return c.text(key, n)
	case t == TextsField && slices.ContainsFunc(n.Items, func(item Node) bool { return item.Kind == NullNode }):
		return c.openTexts(key, n)
	case t == TextsField:
		return c.texts(key, n)
	case t == NumberField && n.Kind != NumberNode:
		c.fail(n, "%s takes a number, not %s", key.Text, n.describe())
	case t == ObjectField && n.Kind != MapNode:
		c.fail(n, "%s takes a mapping, not %s", key.Text, n.describe())
	}
	return c.value(n)
}

// value returns a node as JSON decodes it, numbers as they are written.
func (c *recordReader) value(n Node) any {
	switch n.Kind {
	case TextNode:
		return n.Text
	case NumberNode:
		if !json.Valid([]byte(n.Text)) {
			c.fail(n, "the number %s is not decimal: write it with digits", clip.Line(n.Text))
		}
		return json.Number(n.Text)
	case BoolNode:
		return n.Text == "true"
	case ListNode:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = c.value(item)
		}
		return out
	case MapNode:
		c.repeated(n)
		out := make(map[string]any, len(n.Keys))
		for i, key := range n.Keys {
			out[key.Text] = c.value(n.Items[i])
		}
		return out
	}
	return nil
}
