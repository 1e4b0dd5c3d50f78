package cli

import (
	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/render"
)

// explain shows how a call was read and what would have allowed it.
type explain struct {
	*Process
	policyFlags
	callFlags
	json bool
}

func newExplain(p *Process) *cobra.Command {
	e := &explain{Process: p}
	cmd := &cobra.Command{
		Use:   "explain 'COMMAND'",
		Short: "Show how a call is read, what judges each part, and what would allow it",
		Long: `Decide a call as eval does, and show how it was read: each simple command with
its words, what it reads, writes and runs, what allowed it or keeps it from
being proved to read only, and the permissions that would allow the call.

The exit code is that of eval.`,
		Example: `  policyctl explain 'cd web && npm test | tail -5'
  policyctl explain --policy policy.yaml 'sudo env A=1 make install'`,
		Args:        oneCommand,
		Annotations: map[string]string{takesCommand: "yes"},
		RunE:        e.run,
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&e.json, "json", false, "print the explanation as JSON")
	e.policyFlags.register(cmd)
	e.callFlags.register(cmd)
	return cmd
}

func (e *explain) run(cmd *cobra.Command, args []string) error {
	e.world, e.granted = e.surroundings(), true
	if err := e.resolve(e.Process); err != nil {
		return err
	}
	eff, err := e.load(e.Process, e.dir)
	if err != nil {
		return err
	}
	c, err := e.call(e.Process, &eff.settings, args)
	if err != nil {
		return err
	}
	x, _, err := eff.explained(cmd.Context(), c, false)
	if err != nil {
		return usagef("the call cannot be judged: %v", err)
	}
	if eff.unanswered(&x.Verdict) {
		return exit(exitUsage)
	}
	d := render.Decided{Call: c, Explanation: x}
	if err := e.show(d, advise(cmd.Context(), eff, d)); err != nil {
		return err
	}
	return exit(exitOf(x.Decision))
}

func (e *explain) show(d render.Decided, a render.Advice) error {
	if e.json {
		return render.JSON(e.Stdout, render.Explained(d, a))
	}
	page := e.page()
	page.Verdict(d)
	page.Commands(d)
	page.Rules(d.Steps)
	page.Advice(a)
	return page.Close()
}
