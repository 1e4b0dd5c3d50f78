package record

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/document"
)

// A recordReader reads a record of a document.
type recordReader struct {
	document.Checker
	// open are the elements that are null in a list of texts.
	open []string
}

// Compile reads a record. Where there are problems, the record must not be
// used. A sensitivity that is not given is [Mutate].
func Compile(n document.Node) (*Record, []document.Problem) {
	var c recordReader
	r := &Record{Sensitivity: Mutate}
	if n.Kind != document.Map {
		c.Fail(n, "a record is a mapping with type, facets and so on, not %s", n.Describe())
		return r, c.Problems
	}
	c.Repeated(n)
	for i, key := range n.Keys {
		c.recordEntry(r, key, n.Items[i])
	}
	for _, element := range c.open {
		if list, _ := cutElement(element); !slices.Contains(r.Unknown, element) && !slices.Contains(r.Unknown, list) {
			r.Unknown = append(r.Unknown, element)
		}
	}
	return r, c.Problems
}

func (c *recordReader) recordEntry(r *Record, key, value document.Node) {
	switch key.Text {
	case "type":
		r.Type = c.Text(key, value)
	case "summary":
		r.Summary = c.Text(key, value)
	case "description":
		r.Description = c.Text(key, value)
	case "verb":
		r.Verb = c.Text(key, value)
	case "sensitivity":
		c.sensitivity(r, value)
	case "primary":
		r.Primary = c.Text(key, value)
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
func (c *recordReader) unknownRecordKey(key document.Node) {
	if slices.Contains(Facets(), key.Text) {
		c.Fail(key, "%s is a facet: it belongs below facets in a record", key.Text)
		return
	}
	c.Suggest(key, spelling.Nearest(key.Text, recordKeys()), "unknown key %s of a record: one of %s",
		clip.Quote(key.Text), strings.Join(recordKeys(), ", "))
}

func (c *recordReader) sensitivity(r *Record, n document.Node) {
	if n.Kind != document.Text || r.Sensitivity.UnmarshalText([]byte(n.Text)) != nil {
		c.Suggest(n, spelling.Nearest(n.Text, sensitivityNames[:]), "sensitivity is one of %s, not %s",
			strings.Join(sensitivityNames[:], ", "), n.Describe())
	}
}

func (c *recordReader) texts(key, n document.Node) []string {
	if n.Kind != document.List {
		c.Fail(n, "%s takes a list of texts, not %s", key.Text, n.Describe())
		return nil
	}
	out := make([]string, len(n.Items))
	for i, item := range n.Items {
		if item.Kind != document.Text {
			c.Fail(item, "%s takes a list of texts; here is %s", key.Text, item.Describe())
		}
		out[i] = item.Text
	}
	return out
}

// tags reads the tags. One that is unknown keeps its place as "".
func (c *recordReader) tags(key, n document.Node) []string {
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
func (c *recordReader) openTexts(key, n document.Node) any {
	if n.Kind != document.List {
		return c.texts(key, n)
	}
	out := make([]any, len(n.Items))
	for i, item := range n.Items {
		switch item.Kind {
		case document.Null:
			c.open = append(c.open, key.Text+"["+strconv.Itoa(i)+"]")
		case document.Text:
			out[i] = item.Text
		default:
			c.Fail(item, "%s takes a list of texts; here is %s", key.Text, item.Describe())
		}
	}
	return out
}

func (c *recordReader) facets(n document.Node) map[string]map[string]any {
	if n.Kind != document.Map {
		c.Fail(n, "facets takes a mapping of facets, not %s", n.Describe())
		return nil
	}
	c.Repeated(n)
	out := make(map[string]map[string]any, len(n.Keys))
	for i, key := range n.Keys {
		if fields := n.Items[i]; fields.Kind == document.Map {
			out[key.Text] = c.fields(key, fields)
			continue
		}
		c.Fail(n.Items[i], "the facet %s is a mapping of fields, not %s", clip.Line(key.Text), n.Items[i].Describe())
	}
	return out
}

func (c *recordReader) fields(facet, n document.Node) map[string]any {
	c.Repeated(n)
	out := make(map[string]any, len(n.Keys))
	for i, key := range n.Keys {
		path := document.Node{Kind: document.Text, Text: facet.Text + "." + key.Text, Line: key.Line, Column: key.Column}
		if CheckField(&c.Checker, path, facet.Text, key.Text) {
			t, _ := TypeOf(facet.Text, key.Text)
			out[key.Text] = c.fieldValue(path, n.Items[i], t)
		}
	}
	return out
}

// CheckField reports whether a facet may have a field, and notes a problem at a
// node where it has not.
func CheckField(c *document.Checker, at document.Node, facet, field string) bool {
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
	c.Suggest(at, hint, "unknown field %s: the facet %s has %s", clip.Quote(facet+"."+field), facet, strings.Join(names, ", "))
	return false
}

// fieldValue reads the value of a field. null is nothing, of whatever type the
// field is.
func (c *recordReader) fieldValue(key, n document.Node, t FieldType) any {
	switch {
	case n.Kind == document.Null:
		return nil
	case t == TextField:
		return c.Text(key, n)
	case t == TextsField && slices.ContainsFunc(n.Items, func(item document.Node) bool { return item.Kind == document.Null }):
		return c.openTexts(key, n)
	case t == TextsField:
		return c.texts(key, n)
	case t == NumberField && n.Kind != document.Number:
		c.Fail(n, "%s takes a number, not %s", key.Text, n.Describe())
	case t == ObjectField && n.Kind != document.Map:
		c.Fail(n, "%s takes a mapping, not %s", key.Text, n.Describe())
	}
	return c.value(n)
}

// value returns a node as JSON decodes it, numbers as they are written.
func (c *recordReader) value(n document.Node) any {
	switch n.Kind {
	case document.Text:
		return n.Text
	case document.Number:
		if !json.Valid([]byte(n.Text)) {
			c.Fail(n, "the number %s is not decimal: write it with digits", clip.Line(n.Text))
		}
		return json.Number(n.Text)
	case document.Bool:
		return n.Text == "true"
	case document.List:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = c.value(item)
		}
		return out
	case document.Map:
		c.Repeated(n)
		out := make(map[string]any, len(n.Keys))
		for i, key := range n.Keys {
			out[key.Text] = c.value(n.Items[i])
		}
		return out
	}
	return nil
}
