package bundle

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/pkg/bundle"
)

// An inspector shows what is in a bundle.
type inspector struct {
	*console.Process
	json bool
}

func newBundleInspect(p *console.Process) *cobra.Command {
	i := &inspector{Process: p}
	cmd := &cobra.Command{
		Use:   "inspect FILE",
		Short: "Show what is in a bundle, without trusting it",
		Long: `Show what is in a bundle, even one made by opa build: its revision, sequence and
dates, its policies with their rules and settings, its modules, tests and data.
inspect runs no test and verifies no signature: policyctl bundle verify does both.`,
		Example: `  policyctl bundle inspect acme.tar.gz
  policyctl bundle inspect --json acme.tar.gz | jq .policies`,
		Args: oneBundle,
		RunE: func(_ *cobra.Command, args []string) error { return i.run(args[0]) },
	}
	cmd.Flags().BoolVar(&i.json, "json", false, "print what is in the bundle as JSON")
	return cmd
}

func (i *inspector) run(file string) error {
	archive, err := openArchive(file)
	if err != nil {
		return err
	}
	b, err := bundle.Read(archive, nil, bundle.Limits{})
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	v := newView(file, archive, b)
	if v.problem != nil {
		console.Warn(i.Stderr, "warning: "+effective.SubscriptionName(file)+": ", v.problem)
	}
	if i.json {
		return i.PrintJSON(v)
	}
	return i.PrintTable(v.table())
}
