package effective

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
	"github.com/policyctl/policyctl/pkg/rego"
)

// engineFlag says what evaluates rules: policyctl, OPA, or both.
type engineFlag string

var engines = []string{"native", "opa", "both"}

// Engines are what may evaluate rules.
func Engines() []string { return engines }

// evaluate returns what makes the source of a set of rules; nil for policyctl
// itself.
func (e engineFlag) evaluate() (func(*pattern.Set) (policy.Source, error), error) {
	switch e {
	case "", "native":
		return nil, nil
	case "opa":
		return opaSource, nil
	case "both":
		return func(s *pattern.Set) (policy.Source, error) {
			opa, err := opaSource(s)
			return &comparison{pattern.NewSource(s), opa}, err
		}, nil
	}
	return nil, console.Unknown("engine", string(e), engines, "native, opa or both")
}

// opaDeadline bounds an evaluation by OPA. It is long, since no agent waits here.
const opaDeadline = 10 * time.Second

func opaSource(s *pattern.Set) (policy.Source, error) {
	rules, err := rego.NewRules(s, opaDeadline)
	if err != nil {
		return nil, err
	}
	return pattern.NewSourceBy(s, strictEvaluator{rules}), nil
}

// A strictEvaluator denies a call where OPA gives no answer.
type strictEvaluator struct{ pattern.Evaluator }

func (r strictEvaluator) Truths(ctx context.Context, rec *record.Record, scope pattern.Scope, in *pattern.Input) (sure, maybe []int, err error) {
	sure, maybe, err = r.Evaluator.Truths(ctx, rec, scope, in)
	if err != nil {
		err = &policy.Refusal{Err: err}
	}
	return sure, maybe, err
}

// A comparison asks two sources, and denies where they differ.
type comparison struct{ native, opa policy.Source }

func (c *comparison) Judge(ctx context.Context, in *policy.Input) (policy.Answer, error) {
	native, err := c.native.Judge(ctx, in)
	opa, opaErr := c.opa.Judge(ctx, in)
	switch {
	case opaErr != nil:
		return opa, opaErr
	case err != nil:
		return native, err
	}
	if !reflect.DeepEqual(native, opa) {
		return policy.Answer{}, &policy.Refusal{Err: fmt.Errorf("a mistake of policyctl, please report it: rules evaluated natively say %s, by OPA %s", said(native), said(opa))}
	}
	return native, nil
}

// said returns an answer in short.
func said(a policy.Answer) string {
	if a.Parts != nil {
		var parts []string
		for _, part := range a.Parts {
			parts = append(parts, said(part))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	if a.Silent {
		return "nothing"
	}
	text := a.Decision.String() + " by " + a.Rule
	if !a.Certain {
		text += ", perhaps"
	}
	for _, more := range a.More {
		text += " and " + said(more)
	}
	return text
}
