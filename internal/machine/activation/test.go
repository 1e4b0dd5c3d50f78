package activation

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/policyctl/policyctl/internal/authoring/suite"
	"github.com/policyctl/policyctl/pkg/bundle"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// maxFailures is how many failed cases an error names.
const maxFailures = 3

// test decides the cases that the bundle carries, and the examples of its
// rules, under the bundle alone.
func (p *Policy) test(ctx context.Context, fixtures []bundle.File) error {
	alone := *p // where rules have the ids that the bundle gives them
	alone.Files = slices.Clone(p.Files)
	for i := range alone.Files {
		alone.Files[i].Bundle = ""
	}
	loaded, err := config.Load(policy.Defaults(), alone.Files...)
	if err != nil {
		return fmt.Errorf("the policies of the bundle are refused: %w", err)
	}
	engine, err := alone.Engine(policy.Defaults(), policy.Options{})
	if err != nil {
		return fmt.Errorf("the policies of the bundle are refused: %w", err)
	}
	var rules []*pattern.Rule
	for _, layer := range loaded.Rules {
		rules = append(rules, layer.Rules...)
	}
	runner, subject := suite.NewRunner(), &suite.Subject{Engine: engine, Rules: rules}
	runner.Examples(subject)
	for _, f := range fixtures {
		fixture, err := suite.Parse(p.place(f.Name), []byte(f.Text))
		if err != nil {
			return fmt.Errorf("the tests of the bundle are refused: %w", err)
		}
		runner.Run(ctx, fixture, subject)
	}
	return failures(runner.Report())
}

// failures is nil where all cases passed.
func failures(r *suite.Report) error {
	if r.Failed == 0 {
		return nil
	}
	errs := []error{fmt.Errorf("%d of %d tests of the bundle fail", r.Failed, r.Failed+r.Passed)}
	for i := range r.Cases {
		c := &r.Cases[i]
		if c.Passed {
			continue
		}
		if len(errs) > maxFailures {
			errs = append(errs, errors.New("…"))
			break
		}
		errs = append(errs, fmt.Errorf("%s:%d: %s: expected %s, got %s", c.File, c.Line, c.Name, c.Expected(), c.Actual()))
	}
	return errors.Join(errs...)
}
