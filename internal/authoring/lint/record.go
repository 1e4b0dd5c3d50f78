package lint

import (
	"slices"

	"github.com/policyctl/policyctl/pkg/record"
)

// A builder puts values into a record.
type builder struct{ record *record.Record }

// put sets what the record has at a path, and reports whether there is a place
// for it.
func (b *builder) put(p record.Path, v record.Entry) bool {
	if p.Facet() == "" {
		return b.putTop(p.Field(), v.Value)
	}
	if v.Missing {
		return true
	}
	r := b.record
	if r.Facets == nil {
		r.Facets = map[string]map[string]any{}
	}
	if r.Facets[p.Facet()] == nil {
		r.Facets[p.Facet()] = map[string]any{}
	}
	at, keys := r.Facets[p.Facet()], append([]string{p.Field()}, p.Deeper()...)
	last := len(keys) - 1
	for _, key := range keys[:last] {
		if at[key] == nil {
			at[key] = map[string]any{}
		}
		next, ok := at[key].(map[string]any)
		if !ok {
			return false
		}
		at = next
	}
	at[keys[last]] = unshared(v.Value)
	return true
}

// unshared returns a copy of an object, into which more may be put.
func unshared(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := make(map[string]any, len(m))
	for key, each := range m {
		out[key] = unshared(each)
	}
	return out
}

func (b *builder) putTop(field string, v any) bool {
	if field == "tags" {
		texts, ok := v.([]string)
		b.record.Tags = slices.Clone(texts)
		return ok
	}
	text, ok := v.(string)
	switch field {
	case "type":
		b.record.Type = text
	case "summary":
		b.record.Summary = text
	case "description":
		b.record.Description = text
	case "verb":
		b.record.Verb = text
	case "primary":
		b.record.Primary = text
	case "sensitivity":
		ok = ok && b.record.Sensitivity.UnmarshalText([]byte(text)) == nil
	default:
		return false
	}
	return ok
}
