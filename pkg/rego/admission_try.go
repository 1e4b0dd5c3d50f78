package rego

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A Sample is a call on which an admission is tried.
type Sample struct {
	// Name tells people which call it is, such as: the call read {"path": "a"}.
	Name  string
	Input *policy.Input
}

// maxTold is how many mistakes [Admission.Try] names, one for each place.
const maxTold = 10

// Try says what of an admission would deny calls as an error: it looks at what
// each rule writes, whether a call reaches it or not, and judges the samples,
// each within [policy.MaxAdmissionDeadline]. Rules that are undefined for them
// are right. The error joins what is wrong, each with file, line and column
// where they are known, and with the call that shows it.
func (a *Admission) Try(ctx context.Context, samples []Sample) error {
	p, err := newProbes(a.modules, a.data)
	if err != nil {
		return err
	}
	if err := p.check(); err != nil {
		return err
	}
	var errs []error
	told := map[string]bool{}
	for i := range samples {
		err := a.trySample(ctx, p, &samples[i])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			continue
		}
		at, _, _ := strings.Cut(err.Error(), ": ")
		if told[at] {
			continue
		}
		told[at] = true
		errs = append(errs, fmt.Errorf("%w (seen with %s)", err, samples[i].Name))
		var endless *endlessError
		if len(errs) == maxTold || errors.As(err, &endless) {
			break
		}
	}
	return errors.Join(errs...)
}

// trySample judges one sample.
func (a *Admission) trySample(ctx context.Context, p *probes, s *Sample) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the evaluation panicked: %v", p)
		}
	}()
	input, err := Input(s.Input)
	if err != nil {
		return fmt.Errorf("the call cannot be shown to it: %w", err)
	}
	b := spend(ctx, policy.MaxAdmissionDeadline)
	defer b.done()
	t := trial{a, p, b, s.Input}
	v, err := t.judge(input)
	if err == nil && v.doubtful() {
		_, err = t.judge(spelledOut(s.Input, input))
	}
	return err
}

// A trial is the judgment of one sample.
type trial struct {
	a      *Admission
	probes *probes
	budget *budget
	in     *policy.Input
}

func (t *trial) judge(input map[string]any) (*verdicts, error) {
	shown := inputValue(input)
	result, err := t.a.evaluate(t.budget, shown)
	var late *lateError
	switch {
	case errors.As(t.budget.err, &late):
		return nil, &endlessError{late}
	case err != nil:
		return nil, evaluationError(err)
	}
	v := &verdicts{in: t.in}
	if v.entries, err = readResult(result); err == nil {
		err = v.check()
	}
	if err != nil {
		return nil, t.explain(shown, err)
	}
	return v, nil
}

// An endlessError says that no deadline of a policy is long enough.
type endlessError struct{ late *lateError }

func (e *endlessError) Error() string {
	return fmt.Sprintf("the evaluation took more than %v of processor time, and %v in all, which no policy can permit: make the rules cheaper",
		e.late.used.Round(time.Millisecond), e.late.passed.Round(time.Millisecond))
}

// fails says what is wrong with a value of a document.
func (t *trial) fails(d decisionDocument, value ast.Value) error {
	v := verdicts{in: t.in}
	var err error
	if v.entries, err = d.read(value); err != nil {
		return fmt.Errorf("the document %s: %w", d, err)
	}
	return v.check()
}

// explain returns an error about the documents with the rule that it is about.
func (t *trial) explain(input ast.Value, err error) error {
	at, why := t.probes.culprit(t.a, t.budget, input, t.fails)
	if at == nil {
		return err
	}
	return fmt.Errorf("%s: %w", place(at.rule.Location), why)
}
