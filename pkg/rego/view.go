package rego

import (
	"context"
	"fmt"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/record"
)

// fieldsOf returns a record as JSON decodes it.
func fieldsOf(r *record.Record) map[string]any {
	fields := map[string]any{"sensitivity": r.Sensitivity.String()}
	if len(r.Facets) > 0 {
		facets := make(map[string]any, len(r.Facets))
		for name, values := range r.Facets {
			facets[name] = values
		}
		fields["facets"] = facets
	}
	for key, text := range map[string]string{"type": r.Type, "summary": r.Summary, "description": r.Description, "verb": r.Verb, "primary": r.Primary} {
		if text != "" {
			fields[key] = text
		}
	}
	if len(r.Tags) > 0 {
		fields["tags"] = r.Tags
	}
	if len(r.Unknown) > 0 {
		fields["unknown"] = r.Unknown
	}
	return fields
}

// input returns what the query is asked with.
func input(rec ast.Value, scope pattern.Scope, now time.Time) ast.Value {
	in := ast.NewObject([2]*ast.Term{ast.StringTerm("record"), ast.NewTerm(rec)})
	named := ast.NewObject()
	for _, part := range scopeParts(scope) {
		named.Insert(ast.StringTerm(part[0]), ast.StringTerm(part[1]))
	}
	in.Insert(ast.StringTerm("scope"), ast.NewTerm(named))
	if !now.IsZero() {
		in.Insert(ast.StringTerm("now"), ast.StringTerm(now.UTC().Format(time.RFC3339Nano)))
	}
	return in
}

// Truths says of a record which rules match, and which may match or do, by
// their positions in [pattern.Set.Ordered].
func (r *Rules) Truths(ctx context.Context, rec *record.Record, scope pattern.Scope, in *pattern.Input) (sure, maybe []int, err error) {
	value, err := ast.InterfaceToValue(fieldsOf(rec))
	if err != nil {
		return nil, nil, fmt.Errorf("the record cannot be given to OPA: %w", err)
	}
	var now time.Time
	known := in != nil && in.HasTime()
	if known {
		now = in.Now
	}
	asked := input(value, scope, now)
	if len(rec.Unknown) == 0 && (known || !r.compiled.timed) {
		sure, err = r.positions(ctx, r.matched, asked)
		return sure, sure, err
	}
	if sure, err = r.positions(ctx, r.surely, asked); err != nil {
		return nil, nil, err
	}
	maybe, err = r.positions(ctx, r.maybe, asked)
	return sure, maybe, err
}
