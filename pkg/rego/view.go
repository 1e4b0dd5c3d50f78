package rego

import (
	"context"
	"fmt"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/policyctl/policyctl/pkg/pattern"
)

// A view is a record as compiled rules see it, with what of it is not known.
type view struct {
	record ast.Value
	// hidden are the paths of which nothing is known, part those of lists of
	// which some elements are not.
	hidden, part ast.Object
}

// view returns a record for the rules.
func (c *Compiled) view(r *pattern.Record, in *pattern.Input) (*view, error) {
	record, err := ast.InterfaceToValue(fieldsOf(r))
	if err != nil {
		return nil, fmt.Errorf("the record cannot be given to OPA: %w", err)
	}
	v := &view{record: record, hidden: ast.NewObject(), part: ast.NewObject()}
	if len(r.Unknown) > 0 {
		for _, p := range c.paths {
			if err := v.look(r, p); err != nil {
				return nil, err
			}
		}
	}
	if c.timed && (in == nil || in.Now.IsZero() || r.HidesClock()) {
		v.hidden.Insert(ast.StringTerm(clock), ast.BooleanTerm(true))
	}
	return v, nil
}

// look notes what is not known at a path.
func (v *view) look(r *pattern.Record, p pattern.Path) error {
	kind, known, before := r.Hides(p)
	path := ast.StringTerm(p.String())
	switch kind {
	case pattern.HiddenAll:
		v.hidden.Insert(path, ast.BooleanTerm(true))
	case pattern.HiddenElements:
		all, err := ast.InterfaceToValue(known)
		if err != nil {
			return fmt.Errorf("the record cannot be given to OPA: %w", err)
		}
		list := all.(*ast.Array)
		v.part.Insert(path, ast.ObjectTerm(
			[2]*ast.Term{ast.StringTerm("known"), ast.NewTerm(list)},
			[2]*ast.Term{ast.StringTerm("before"), ast.NewTerm(list.Slice(0, before))},
		))
	}
	return nil
}

// fieldsOf returns a record as JSON decodes it.
func fieldsOf(r *pattern.Record) map[string]any {
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
	return fields
}

// input returns what the query is asked with.
func (v *view) input(scope pattern.Scope, now time.Time) ast.Value {
	in := ast.NewObject(
		[2]*ast.Term{ast.StringTerm("record"), ast.NewTerm(v.record)},
		[2]*ast.Term{ast.StringTerm("hidden"), ast.NewTerm(v.hidden)},
		[2]*ast.Term{ast.StringTerm("part"), ast.NewTerm(v.part)},
	)
	named := ast.NewObject()
	for _, part := range [3][2]string{{"plugin", scope.Plugin}, {"profile", scope.Profile}, {"integration", scope.Integration}} {
		if part[1] != "" {
			named.Insert(ast.StringTerm(part[0]), ast.StringTerm(part[1]))
		}
	}
	in.Insert(ast.StringTerm("scope"), ast.NewTerm(named))
	if !now.IsZero() {
		in.Insert(ast.StringTerm("now"), ast.StringTerm(now.UTC().Format(time.RFC3339Nano)))
	}
	return in
}

// Truths says of a record which rules match, and which may match or do, by
// their positions in [pattern.Set.Ordered].
func (r *Rules) Truths(ctx context.Context, record *pattern.Record, scope pattern.Scope, in *pattern.Input) (sure, maybe []int, err error) {
	v, err := r.compiled.view(record, in)
	if err != nil {
		return nil, nil, err
	}
	var now time.Time
	if in != nil {
		now = in.Now
	}
	input := v.input(scope, now)
	if v.hidden.Len() == 0 && v.part.Len() == 0 {
		sure, err = r.positions(ctx, r.matched, input)
		return sure, sure, err
	}
	if sure, err = r.positions(ctx, r.surely, input); err != nil {
		return nil, nil, err
	}
	maybe, err = r.positions(ctx, r.maybe, input)
	return sure, maybe, err
}
