package record

import (
	"maps"
	"slices"
	"strconv"
)

// shownFacets returns the facets with null for the values that are unknown:
// in a list it is an element, and at the end says that there may be more.
func (r *Record) shownFacets() map[string]map[string]any {
	out, copied := r.Facets, map[string]bool{}
	for _, u := range r.Unknown {
		keys, element := SplitUnknown(u)
		if len(keys) > 1 && keys[0] == facetsKey {
			keys = keys[1:]
		}
		fields, ok := out[keys[0]]
		if !ok || len(keys) < 2 {
			continue
		}
		if len(copied) == 0 {
			out = maps.Clone(out)
		}
		if !copied[keys[0]] {
			fields = maps.Clone(fields)
			out[keys[0]], copied[keys[0]] = fields, true
		}
		hideBelow(fields, keys[1:], element)
	}
	return out
}

// hideBelow hides the value at a path, if there is one. It changes m alone,
// not what m holds.
func hideBelow(m map[string]any, keys []string, element int) {
	for ; len(keys) > 1; keys = keys[1:] {
		next, ok := m[keys[0]].(map[string]any)
		if !ok {
			return
		}
		next = maps.Clone(next)
		m[keys[0]], m = next, next
	}
	if v, ok := m[keys[0]]; ok {
		m[keys[0]] = masked(v, element)
	}
}

// masked is [Masked] for a record, of which each null in a list is named among
// what is unknown: a place behind the end of the list is named alone.
func masked(v any, element int) any {
	n := element
	switch v := v.(type) {
	case []string:
		n = len(v)
	case []any:
		n = len(v)
	}
	if element > n {
		return v
	}
	return Masked(v, element)
}

// shownTags returns the tags with null for those that are unknown.
func (r *Record) shownTags() any {
	var out any = r.Tags
	for _, u := range r.Unknown {
		if keys, element := SplitUnknown(u); len(keys) == 1 && keys[0] == "tags" {
			out = masked(out, element)
		}
	}
	return out
}

// Masked returns what is known of a value of which an element, or with the
// element -1 some or all, is not: null, or the list with null for the element
// or at its end. It does not change the value.
func Masked(v any, element int) any {
	var list []any
	switch v := v.(type) {
	case []string:
		for _, s := range v {
			list = append(list, s)
		}
	case []any:
		list = slices.Clone(v)
	default:
		return nil
	}
	switch n := len(list); {
	case 0 <= element && element < n:
		list[element] = nil
	case n == 0 || list[n-1] != nil:
		list = append(list, nil)
	}
	return list
}

// SplitUnknown returns the keys of a path of [Record.Unknown], and the element
// of a list that it names, -1 for none. A path that is not well formed is one
// key.
func SplitUnknown(path string) (keys []string, element int) {
	text, place := cutElement(path)
	element = -1
	if place != "" && isPlace(place) {
		if n, err := strconv.Atoi(place[1 : len(place)-1]); err == nil {
			path, element = text, n
		}
	}
	keys, err := splitPath(path)
	if err != nil {
		return []string{path}, element
	}
	return keys, element
}
