package rego

import (
	"fmt"
	"slices"

	"github.com/policyctl/policyctl/pkg/pattern"
)

// guard returns a guard on the record as it is, in a form that the index of
// OPA knows.
func (e *emitter) guard(g guard, path pattern.Path) []term {
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

// implied returns the line that says what a guard says on a field that is a
// text.
func (e *emitter) implied(g guard, path pattern.Path) term {
	name := map[guardKind]string{prefix: "startswith", suffix: "endswith"}[g.kind]
	if name == "" {
		return code(e.ref(path), " == ", e.value(g.value))
	}
	e.matched[e.field(path)] = true
	return code(name, fmt.Sprintf("(t%d, ", e.field(path)), e.value(g.value), ")")
}

// ref returns the value of the record at a path.
func (e *emitter) ref(path pattern.Path) term {
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

// isName says whether a key may stand behind a dot.
func isName(key string) bool {
	for i, r := range key {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return key != "" && !slices.Contains(keywords, key)
}
