package webguard

import (
	"encoding"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// fieldsOf returns the keys of a struct with the types of their values, and
// whether there are no others.
func fieldsOf(t reflect.Type) (map[string]reflect.Type, bool) {
	t = plain(t)
	if t == nil || t.Kind() != reflect.Struct {
		return nil, false
	}
	fields := make(map[string]reflect.Type)
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Tag.Get("json") == "-" || !f.IsExported() || f.Anonymous && name == "" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		fields[name] = f.Type
	}
	return fields, true
}

// elemOf returns the type of what lies in a list or a map, nil for any.
func elemOf(t reflect.Type) reflect.Type {
	t = plain(t)
	if t == nil {
		return nil
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return t.Elem()
	}
	return nil
}

// plain returns what a type points to, or nil where the type reads itself and
// so has any form.
func plain(t reflect.Type) reflect.Type {
	if t == nil || readsItself(t) {
		return nil
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// readsItself reports whether a type, or what it points to, has a method that
// reads it from JSON or text.
func readsItself(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

func sorted(fields map[string]reflect.Type) []string {
	return slices.Sorted(maps.Keys(fields))
}
