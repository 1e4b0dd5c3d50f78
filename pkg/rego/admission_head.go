package rego

import (
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/policyctl/policyctl/pkg/policy"
)

// written says what is wrong with the entries that a rule spells, whatever the
// call is. What is computed says nothing.
func (d decisionDocument) written(r *ast.Rule) error {
	if r.Head.Key != nil {
		return d.writtenEntry(r.Head.Key, r.Body, chase)
	}
	if r.Head.Value == nil {
		return nil
	}
	switch v := resolved(r.Head.Value, r.Body, chase).Value.(type) {
	case *ast.Array:
		return firstOf(v.Foreach, func(t *ast.Term) error { return d.writtenEntry(t, r.Body, chase) })
	case ast.Set:
		return firstOf(v.Foreach, func(t *ast.Term) error { return d.writtenEntry(t, r.Body, chase) })
	case *ast.ArrayComprehension:
		return d.writtenEntry(v.Term, v.Body, chase)
	case *ast.SetComprehension:
		return d.writtenEntry(v.Term, v.Body, chase)
	case ast.Object, ast.String, ast.Number, ast.Null, *ast.ObjectComprehension:
		return fmt.Errorf("found %s instead of a set: %s", found(v), writeAnswers)
	}
	return nil
}

// chase is how many variables are followed to what they stand for.
const chase = 8

// firstOf returns the first error over the terms of a collection.
func firstOf(each func(func(*ast.Term)), check func(*ast.Term) error) (first error) {
	each(func(t *ast.Term) {
		if err := check(t); err != nil && first == nil {
			first = err
		}
	})
	return first
}

// resolved returns what a variable is given in a body, where one expression
// gives it.
func resolved(t *ast.Term, body ast.Body, depth int) *ast.Term {
	name, ok := t.Value.(ast.Var)
	if !ok || depth == 0 {
		return t
	}
	var given *ast.Term
	for _, e := range body {
		if e.Negated || len(e.With) > 0 || !e.IsAssignment() && !e.IsEquality() || len(e.Operands()) != 2 {
			continue
		}
		switch left, right := e.Operand(0), e.Operand(1); {
		case left.Value.Compare(name) == 0 && given == nil:
			given = right
		case left.Value.Compare(name) == 0, right.Value.Compare(name) == 0:
			return t
		}
	}
	if given == nil {
		return t
	}
	return resolved(given, body, depth-1)
}

// writtenEntry says what is wrong with one entry as it is spelled.
func (d decisionDocument) writtenEntry(t *ast.Term, body ast.Body, depth int) error {
	v := resolved(t, body, depth).Value
	o, ok := v.(ast.Object)
	_, computed := v.(*ast.ObjectComprehension)
	switch {
	case !ok && !computed && spelled(v):
		return fmt.Errorf("found %s instead of an object with id and reason", found(v))
	case !ok:
		return nil
	case ast.IsConstant(v):
		_, err := d.entry(v)
		return err
	}
	e, all, held := entry{decision: policy.Decision(d)}, true, map[string]bool{}
	err := o.Iter(func(key, value *ast.Term) error {
		name, ok := key.Value.(ast.String)
		if !ok && !spelled(key.Value) {
			all = false
			return nil
		}
		held[string(name)] = true
		if value = resolved(value, body, depth); spelled(value.Value) {
			return e.set(key.Value, value.Value)
		}
		_, err := e.key(key.Value)
		return err
	})
	if err != nil || !all {
		return err
	}
	return e.lacking(func(key string) bool { return held[key] })
}

// spelled reports whether a value is of one type, whatever the variables in it.
func spelled(v ast.Value) bool {
	switch v.(type) {
	case ast.Var, ast.Ref, ast.Call, *ast.TemplateString:
		return false
	}
	return true
}

// typed says what is wrong with the type of what a rule gives: nothing of that
// type is an entry. A nil type is unknown.
func (d decisionDocument) typed(t types.Type) error {
	var elements types.Type
	switch t := t.(type) {
	case *types.Set:
		elements = t.Of()
	case *types.Array:
		if t.Len() == 0 {
			elements = t.Dynamic()
		}
	case types.String, types.Number, types.Boolean, types.Null, *types.Object:
		return fmt.Errorf("found %s instead of a set: %s", types.Sprint(t), writeAnswers)
	}
	if elements == nil {
		return nil
	}
	return d.typedEntry(elements)
}

func (d decisionDocument) typedEntry(t types.Type) error {
	switch t := t.(type) {
	case types.Any:
		return everyOf(t, d.typedEntry)
	case *types.Object:
		return d.typedObject(t)
	case *types.NamedType:
		return d.typedEntry(t.Type)
	case types.String, types.Number, types.Boolean, types.Null, *types.Array, *types.Set:
		return fmt.Errorf("found %s instead of an object with id and reason", types.Sprint(t))
	}
	return nil
}

// everyOf returns the error of the first type where each has one. An empty
// list is any type.
func everyOf(list types.Any, check func(types.Type) error) (first error) {
	for _, t := range list {
		err := check(t)
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

func (d decisionDocument) typedObject(o *types.Object) error {
	e, held := entry{decision: policy.Decision(d)}, map[string]bool{}
	for _, p := range o.StaticProperties() {
		name, ok := p.Key.(string)
		if !ok {
			return fmt.Errorf("found the key %v: %s", p.Key, entryForm)
		}
		k, err := e.key(ast.String(name))
		if err != nil {
			return err
		}
		if !overlaps(p.Value, k.typ) {
			return fmt.Errorf("key %q: found %s instead of %s", name, types.Sprint(p.Value), k.want)
		}
		held[name] = true
	}
	if o.DynamicProperties() != nil {
		return nil
	}
	return e.lacking(func(key string) bool { return held[key] })
}

// overlaps reports whether a value may be of both types; the second is a union of
// simple ones.
func overlaps(t types.Type, want types.Any) bool {
	switch t := t.(type) {
	case types.Any:
		return len(t) == 0 || slices.ContainsFunc(t, func(one types.Type) bool { return overlaps(one, want) })
	case *types.NamedType:
		return overlaps(t.Type, want)
	case nil, *types.Recursive:
		return true
	}
	for _, w := range want {
		if types.Compare(t, w) == 0 {
			return true
		}
	}
	return false
}
