package lint

import "github.com/policyctl/policyctl/pkg/record"

// valueKinds are the kinds of values that a path can have.
type valueKinds struct {
	missing, text, list, number, boolean, object, null bool
	// textElements says that lists are lists of texts.
	textElements bool
	// words are all values there are, where they are few.
	words []any
}

var anything = valueKinds{missing: true, text: true, list: true, number: true, boolean: true, object: true, null: true}

// kindsOf returns what a path can have: fields of the record itself and of
// facets in the catalogue have a type, others may have any.
func kindsOf(p record.Path) valueKinds {
	if p.Facet() != "" {
		return fieldKinds(p)
	}
	switch p.Field() {
	case "sensitivity":
		out := valueKinds{}
		for _, name := range record.Sensitivities() {
			out.words = append(out.words, name)
		}
		return out
	case "tags":
		return valueKinds{list: true, textElements: true}
	}
	return valueKinds{text: true}
}

// fieldKinds returns what a field of a facet can have.
func fieldKinds(p record.Path) valueKinds {
	t, known := record.TypeOf(p.Facet(), p.Field())
	if !known || t == record.AnyField {
		return anything
	}
	if len(p.Deeper()) > 0 {
		if t == record.ObjectField {
			return anything
		}
		return valueKinds{missing: true}
	}
	out := valueKinds{missing: true, null: true}
	switch t {
	case record.TextField:
		out.text = true
	case record.NumberField:
		out.number = true
	case record.TextsField:
		out.list, out.textElements = true, true
	case record.ObjectField:
		out.object = true
	}
	return out
}
