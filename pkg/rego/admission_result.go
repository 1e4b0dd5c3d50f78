package rego

import (
	"fmt"
	"slices"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A decisionDocument is one of the documents that answer calls. Its value is the
// decision of its entries.
type decisionDocument policy.Decision

// documentNames are the names of the documents, by decision.
var documentNames = [...]string{policy.Deny: "deny", policy.Ask: "ask", policy.Allow: "allow"}

func (d decisionDocument) String() string { return documentNames[d] }

// documentRefs are the references of the documents, by decision.
var documentRefs = sync.OnceValue(func() [len(documentNames)]ast.Ref {
	var refs [len(documentNames)]ast.Ref
	for d, name := range documentNames {
		refs[d] = ast.MustParseRef("data." + AdmissionPackage + "." + name)
	}
	return refs
})

// readResult reads the documents of an evaluation, each in a list that is
// empty where the document is undefined. The entries are in the order of
// deny, ask, allow, and then of their ids.
func readResult(v ast.Value) ([]entry, error) {
	list, ok := v.(*ast.Array)
	if !ok || list.Len() != len(documentNames) {
		return nil, fmt.Errorf("the evaluation gave %s instead of the documents", ast.ValueName(v))
	}
	var out []entry
	for d := range documentNames {
		found, ok := list.Elem(d).Value.(*ast.Array)
		if !ok || found.Len() > 1 {
			return nil, fmt.Errorf("the document %s has several values", decisionDocument(d))
		}
		if found.Len() == 0 {
			continue
		}
		entries, err := decisionDocument(d).read(found.Elem(0).Value)
		if err != nil {
			return nil, fmt.Errorf("the document %s: %w", decisionDocument(d), err)
		}
		out = append(out, entries...)
	}
	return out, nil
}

// read reads the value of a document.
func (d decisionDocument) read(v ast.Value) ([]entry, error) {
	list, ok := v.(interface{ Foreach(func(*ast.Term)) })
	if _, object := v.(ast.Object); object || !ok {
		return nil, fmt.Errorf("found %s instead of a set: %s", found(v), writeAnswers)
	}
	var out []entry
	var failed error
	list.Foreach(func(t *ast.Term) {
		e, err := d.entry(t.Value)
		if err != nil && failed == nil {
			failed = err
		}
		out = append(out, e)
	})
	slices.SortFunc(out, entry.compare)
	return out, failed
}

// shownLength bounds what errors show of a value.
const shownLength = 80

// shown returns a value as Rego writes it, cut where it is long.
func shown(v ast.Value) string {
	s := []rune(v.String())
	if len(s) > shownLength {
		return string(s[:shownLength]) + "..."
	}
	return string(s)
}

// found names the type of a value and shows it.
func found(v ast.Value) string {
	switch v := v.(type) {
	case ast.Null:
		return "null"
	case ast.Object:
		if v.Len() == 0 {
			return "an empty object (an empty set is set())"
		}
	}
	return "the " + ast.ValueName(v) + " " + shown(v)
}
