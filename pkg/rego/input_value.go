package rego

import (
	"encoding/json"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
)

// inputValue returns a document of [Input] as OPA holds it. Its record is
// always the first of its records.
func inputValue(input map[string]any) ast.Value {
	tuples := make([][2]*ast.Term, 0, len(input))
	for key, v := range input {
		if key != "record" {
			tuples = append(tuples, [2]*ast.Term{keyTerm(key), valueTerm(v)})
		}
	}
	out := ast.NewObject(tuples...)
	first := ast.NullTerm()
	if records, ok := out.Get(keyTerm("records")).Value.(*ast.Array); ok && records.Len() > 0 {
		first = records.Elem(0)
	}
	out.Insert(keyTerm("record"), first)
	return out
}

// valueTerm returns a value of [jsonValue] as a term.
func valueTerm(v any) *ast.Term {
	switch v := v.(type) {
	case string:
		return ast.InternedTerm(v)
	case bool:
		return ast.InternedTerm(v)
	case json.Number:
		if t := ast.InternedIntNumberTermFromString(string(v)); t != nil {
			return t
		}
		return ast.NumberTerm(v)
	case []any:
		terms := make([]*ast.Term, len(v))
		for i, e := range v {
			terms[i] = valueTerm(e)
		}
		return ast.ArrayTerm(terms...)
	case map[string]any:
		tuples := make([][2]*ast.Term, 0, len(v))
		for key, e := range v {
			tuples = append(tuples, [2]*ast.Term{keyTerm(key), valueTerm(e)})
		}
		return ast.ObjectTerm(tuples...)
	}
	return ast.InternedNullTerm
}

// keyTerm returns the term of a key, which is shared for those of every call.
func keyTerm(key string) *ast.Term {
	if t, ok := keyTerms()[key]; ok {
		return t
	}
	return ast.StringTerm(key)
}

// keyTerms are the terms of the keys of the schema and of the shell's record.
var keyTerms = sync.OnceValue(func() map[string]*ast.Term {
	return stringTerms(
		"agent", "alters", "argv", "audience", "call", "command", "commands", "context", "dangerous", "deletes", "dir", "facets", "groups",
		"home", "hosts", "id", "index", "input", "integration", "kind", "known", "line", "moves", "name", "os", "parent", "path", "plugin",
		"primary", "profile", "program", "project_dir", "readonly", "reads", "record", "records", "risk", "runs", "scope", "sensitivity",
		"session", "session_dir", "shell", "summary", "tags", "text", "time", "tool", "type", "unknown", "unreadable", "verb", "words", "writes",
	)
})

func stringTerms(texts ...string) map[string]*ast.Term {
	out := make(map[string]*ast.Term, len(texts))
	for _, s := range texts {
		out[s] = ast.StringTerm(s)
	}
	return out
}
