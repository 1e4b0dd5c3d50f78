package rego

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/policyctl/policyctl/pkg/policy"
)

// An evaluation returns the documents for an input.
type evaluation func(b *budget, input ast.Value) (ast.Value, error)

// Judge answers a call by the documents of the policy. An error says that they
// could not be had: nothing is known of the call then.
func (a *Admission) Judge(ctx context.Context, in *policy.Input) (policy.Answer, error) {
	answer, err := a.judge(ctx, in)
	if err != nil {
		return policy.Answer{}, refused(ctx, err)
	}
	return answer, nil
}

// refused is the one way out for errors. A caller that gave up gets its own.
func refused(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &policy.Refusal{Err: fmt.Errorf("admission policy: %w", err)}
}

// judge answers a call. A panic becomes an error.
func (a *Admission) judge(ctx context.Context, in *policy.Input) (out policy.Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = policy.Answer{}, fmt.Errorf("the evaluation panicked: %v", p)
		}
	}()
	input, err := Input(in)
	if err != nil {
		return policy.Answer{}, fmt.Errorf("the call cannot be shown to it: %w", err)
	}
	a.tally.all.Add(1)
	b := spend(ctx, cmp.Or(in.Deadline, a.deadline))
	defer b.done()
	entries, err := a.entries(b, input)
	if err != nil {
		return policy.Answer{}, err
	}
	v := verdicts{in: in, origin: a.origin, entries: entries}
	if err := v.check(); err != nil {
		return policy.Answer{}, err
	}
	if v.doubtful() {
		// Base names do not identify these programs: an allow must hold as
		// well where they bear the name that was written.
		if v.strict, err = a.entries(b, spelledOut(in, input)); err != nil {
			return policy.Answer{}, err
		}
	}
	return v.answer(), nil
}

// entries evaluates the policy for an input.
func (a *Admission) entries(b *budget, input map[string]any) ([]entry, error) {
	result, err := a.evaluate(b, inputValue(input))
	if err != nil {
		return nil, a.failed(b, err)
	}
	return readResult(result)
}

// failed returns why an evaluation ended with an error.
func (a *Admission) failed(b *budget, err error) error {
	var late *lateError
	switch {
	case errors.As(b.err, &late):
		a.tally.late.Add(1)
		late.count = a.tally.String()
		return late
	case b.err != nil:
		return b.err
	}
	return evaluationError(err)
}

// eval is the evaluation by OPA.
func (a *Admission) eval(b *budget, input ast.Value) (ast.Value, error) {
	return a.resultOf(b, a.query, input)
}

// resultOf evaluates a query for answers.
func (a *Admission) resultOf(b *budget, query rego.PreparedEvalQuery, input ast.Value) (ast.Value, error) {
	results, err := query.Eval(b.ctx, rego.EvalExternalCancel(b),
		rego.EvalParsedInput(input), rego.EvalInterQueryBuiltinValueCache(a.cache),
		// The index leaves out rules of which a built-in fails over null.
		rego.EvalRuleIndexing(false),
		rego.EvalGenerateJSON(func(t *ast.Term, _ *rego.EvalContext) (any, error) { return t.Value, nil }))
	if err != nil {
		return nil, err
	}
	if len(results) == 1 {
		if v, ok := results[0].Bindings["answers"].(ast.Value); ok {
			return v, nil
		}
	}
	return nil, errors.New("the documents are undefined")
}
