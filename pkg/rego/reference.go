package rego

import (
	"slices"

	"github.com/policyctl/policyctl/pkg/record"
)

// guard returns a guard on the record as it is, in a form that the index of
// OPA knows.
func (e *emitter) guard(g guard, path record.Path) []term {
	ref, value := e.ref(path), e.value(g.value)
	switch g.kind {
	case element:
		return []term{code(value, " in ", ref)}
	case prefix:
		return []term{code("is_string(", ref, ")"), code("startswith(", ref, ", ", value, ")")}
	case suffix:
		return []term{code("is_string(", ref, ")"), code("endswith(", ref, ", ", value, ")")}
	}
	return []term{code(ref, " == ", value)}
}

// ref returns the value of the record at a path.
func (e *emitter) ref(path record.Path) term {
	pieces := []any{"input.record"}
	for _, key := range path.Keys() {
		pieces = append(pieces, e.key(key))
	}
	return code(pieces...)
}

// key returns a key behind a reference, as "opa fmt" writes it.
func (e *emitter) key(key string) term {
	if isName(key) {
		return term{text: "." + key}
	}
	return code("[", e.text(key), "]")
}

// keywords cannot stand behind a dot.
var keywords = []string{"as", "contains", "default", "else", "every", "false", "if", "import", "in", "not", "null", "package", "some", "true", "with", "or", "and"}

// isName reports whether a key may stand behind a dot.
func isName(key string) bool {
	for i, r := range key {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return key != "" && !slices.Contains(keywords, key)
}
