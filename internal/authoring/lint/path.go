package pattern

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
func kindsOf(p Path) valueKinds {
	if p.Facet() != "" {
		return fieldKinds(p)
	}
	switch p.Field() {
	case "sensitivity":
		out := valueKinds{}
		for _, name := range sensitivityNames {
			out.words = append(out.words, name)
		}
		return out
	case "tags":
		return valueKinds{list: true, textElements: true}
	}
	return valueKinds{text: true}
}

// fieldKinds returns what a field of a facet can have.
func fieldKinds(p Path) valueKinds {
	t, known := fieldType(p.Facet(), p.Field())
	if !known || t == AnyField {
		return anything
	}
	if len(p.Deeper()) > 0 {
		if t == ObjectField {
			return anything
		}
		return valueKinds{missing: true}
	}
	out := valueKinds{missing: true, null: true}
	switch t {
	case TextField:
		out.text = true
	case NumberField:
		out.number = true
	case TextsField:
		out.list, out.textElements = true, true
	case ObjectField:
		out.object = true
	}
	return out
}
