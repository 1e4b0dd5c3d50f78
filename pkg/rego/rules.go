package rego

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown/cache"

	"github.com/policyctl/policyctl/pkg/pattern"
)

// Rules evaluate compiled rules with OPA. They are immutable and safe for
// concurrent use.
type Rules struct {
	compiled *Compiled
	// matched says which rules match where all is known, surely and maybe
	// where it is not.
	matched, surely, maybe rego.PreparedEvalQuery
	values                 cache.InterQueryValueCache
	deadline               time.Duration
}

// NewRules compiles the rules of a set for OPA. deadline bounds one evaluation;
// 0 means [defaultDeadline].
func NewRules(s *pattern.Set, deadline time.Duration) (*Rules, error) {
	c, err := Compile(s)
	if err != nil {
		return nil, err
	}
	return c.Rules(deadline)
}

// Rules prepares the module for evaluation.
func (c *Compiled) Rules(deadline time.Duration) (*Rules, error) {
	if deadline <= 0 {
		deadline = defaultDeadline
	}
	ctx := context.Background()
	compiler := ast.NewCompiler().WithStrict(true).WithCapabilities(Capabilities())
	compiler.Compile(map[string]*ast.Module{"rules.rego": c.tree})
	if compiler.Failed() {
		return nil, fmt.Errorf("the compiled rules are refused: %w", compiler.Errors)
	}
	r := &Rules{compiled: c, values: newValueCache(ctx, len(c.set.Ordered())), deadline: deadline}
	for name, query := range map[string]*rego.PreparedEvalQuery{"matched": &r.matched, "surely": &r.surely, "maybe": &r.maybe} {
		var err error
		if *query, err = rego.New(
			rego.Query("data."+Package+"."+name), rego.Compiler(compiler), rego.Capabilities(Capabilities()), rego.StrictBuiltinErrors(true),
		).PrepareForEval(ctx); err != nil {
			return nil, fmt.Errorf("the compiled rules are refused: %w", err)
		}
	}
	return r, nil
}

// newValueCache keeps what rules compile while they are evaluated, such as
// regular expressions: without it OPA keeps a hundred in a process.
func newValueCache(ctx context.Context, rules int) cache.InterQueryValueCache {
	limit := max(1000, 4*rules)
	return cache.NewInterQueryValueCache(ctx, &cache.Config{
		InterQueryBuiltinValueCache: cache.InterQueryBuiltinValueCacheConfig{MaxNumEntries: &limit},
	})
}

// positions returns the positions of rules that a query returns.
func (r *Rules) positions(ctx context.Context, query rego.PreparedEvalQuery, input ast.Value) (positions []int, err error) {
	defer func() {
		if p := recover(); p != nil {
			positions, err = nil, fmt.Errorf("the rules cannot be evaluated by OPA: %v", p)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, r.deadline)
	defer cancel()
	results, err := query.Eval(ctx, rego.EvalParsedInput(input), rego.EvalInterQueryBuiltinValueCache(r.values))
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("the rules were not evaluated within %s", r.deadline)
	case err != nil:
		return nil, fmt.Errorf("the rules cannot be evaluated by OPA: %w", err)
	case len(results) != 1 || len(results[0].Expressions) != 1:
		return nil, errNothing
	}
	list, ok := results[0].Expressions[0].Value.([]any)
	if !ok {
		return nil, errNothing
	}
	for _, item := range list {
		n, err := position(item, len(r.compiled.set.Ordered()))
		if err != nil {
			return nil, err
		}
		positions = append(positions, n)
	}
	slices.Sort(positions)
	return positions, nil
}

var errNothing = errors.New("OPA did not say which rules match")

// position reads the position of a rule.
func position(item any, rules int) (int, error) {
	n, ok := item.(interface{ Int64() (int64, error) })
	if !ok {
		return 0, errNothing
	}
	i, err := n.Int64()
	if err != nil || i < 0 || i >= int64(rules) {
		return 0, errNothing
	}
	return int(i), nil
}
