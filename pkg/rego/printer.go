package rego

import (
	"context"
	"fmt"
	"time"

	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown/print"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A Printer shows what the calls of print in the modules of an admission say.
// It evaluates them once more, apart from the [Admission] that decides, which
// prints nothing: no print changes a decision. It is immutable and safe for
// concurrent use.
type Printer struct{ query rego.PreparedEvalQuery }

// NewPrinter compiles modules over base documents, which may be nil, with
// their prints. The error joins what is wrong, as that of [NewAdmission] does.
func NewPrinter(modules []Module, data map[string]any) (*Printer, error) {
	l := loader{modules: modules, prints: true}
	if err := l.load(data); err != nil {
		return nil, err
	}
	query, err := l.prepare()
	if err != nil {
		return nil, err
	}
	return &Printer{query: query}, nil
}

// printDeadline bounds the evaluation for prints. It is long, since a person
// waits here and no agent.
const printDeadline = 10 * time.Second

// Print shows the modules a call and gives each line that they print to out,
// "FILE:LINE: TEXT" in the order of printing. The error says why there may be
// more that was not printed.
func (p *Printer) Print(ctx context.Context, in *policy.Input, out func(line string)) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the evaluation panicked: %v", v)
		}
	}()
	input, err := Input(in)
	if err != nil {
		return fmt.Errorf("the call cannot be shown to it: %w", err)
	}
	limited, cancel := context.WithTimeout(ctx, printDeadline)
	defer cancel()
	_, err = p.query.Eval(limited, rego.EvalParsedInput(inputValue(input)), rego.EvalRuleIndexing(false), rego.EvalPrintHook(printHook(out)))
	switch {
	case err == nil || ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return fmt.Errorf("the evaluation took longer than %v", printDeadline)
	}
	return evaluationError(err)
}

// printHook takes what is printed.
type printHook func(line string)

// Print implements [print.Hook].
func (p printHook) Print(c print.Context, text string) error {
	where := "rego"
	if c.Location != nil {
		where = fmt.Sprintf("%s:%d", c.Location.File, c.Location.Row)
	}
	p(where + ": " + text)
	return nil
}
