package judge

import (
	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/render"
)

// explain shows how a call was read and what would have allowed it.
type explain struct {
	*console.Process
	effective.Flags
	CallFlags
	json bool
}

// NewExplain returns the command explain.
func NewExplain(p *console.Process) *cobra.Command {
	e := &explain{Process: p}
	cmd := &cobra.Command{
		Use:   "explain 'COMMAND'",
		Short: "Show how a call is read, what judges each part, and what would allow it",
		Long: `Decide a call as eval does, and show how it was read: each simple command with
its words, what it reads, writes and runs, what allowed it or why it may do more than
read, the permissions that would allow the call, and calls that the permission
that decided covers, and does not.

The exit code is that of eval.`,
		Example: `  policyctl explain 'cd web && npm test | tail -5'
  policyctl explain --policy policy.yaml 'sudo env A=1 make install'`,
		Args:        console.OneCommand,
		Annotations: map[string]string{console.TakesCommand: "yes"},
		RunE:        e.run,
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&e.json, "json", false, "print the explanation as JSON")
	e.Flags.Register(cmd)
	e.CallFlags.register(cmd)
	return cmd
}

func (e *explain) run(cmd *cobra.Command, args []string) error {
	e.World, e.Granted = e.Surroundings(), true
	eff, d, err := e.judged(cmd.Context(), e.Process, &e.Flags, args, false)
	if err != nil {
		return err
	}
	if eff.Unanswered(&d.Verdict) {
		return console.Exit(console.ExitUsage)
	}
	a := advise(cmd.Context(), eff, d)
	m, err := meaning(eff, &d.Verdict)
	if err != nil {
		return err
	}
	if err := e.Show(e.json, render.Explained(d, a, m), func(page *render.Page) {
		page.Verdict(d)
		page.Project(d)
		page.Commands(d)
		page.Rules(d.Steps)
		page.Meaning(m)
		page.Advice(a)
	}); err != nil {
		return err
	}
	return console.Exit(console.ExitOf(d.Decision))
}
