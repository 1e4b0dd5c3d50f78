package agents

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/agents/install"
	"github.com/policyctl/policyctl/internal/cli/console"
)

// NewUninstall returns the command uninstall.
func NewUninstall(p *console.Process) *cobra.Command {
	i := &installer{Process: p}
	cmd := &cobra.Command{
		Use:   "uninstall [AGENT]",
		Short: "Remove policyctl's hook from the settings of agents",
		Long: `Remove from the settings of an agent what install put there, and nothing
else. Agents: ` + strings.Join(install.Names(), ", ") + `. A copy of the old file is kept beside it.

Without AGENT, uninstall removes the hook from the settings of every agent. Your
policy stays.`,
		Example: `  policyctl uninstall
  policyctl uninstall claude --scope project`,
		ValidArgs: install.Names(),
		Args:      console.AtMostOne,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return i.uninstallAll()
			}
			r, err := i.request(args)
			if err != nil {
				return err
			}
			plan, err := i.removal(r)
			if err != nil {
				return err
			}
			return i.carryOut(plan, "there is no hook of policyctl in these settings of "+r.Agent.Title)
		},
	}
	i.register(cmd)
	return cmd
}

// removal plans what takes the hook of an agent out.
func (i *installer) removal(r install.Request) (*install.Plan, error) {
	plan, err := install.Uninstall(r)
	if err == nil && len(plan.Changes) > 0 && !i.dryRun {
		plan.Notes = append(plan.Notes, "nothing guards "+r.Agent.Title+" through these settings any longer")
	}
	return plan, err
}

// uninstallAll takes the hooks of all agents out. What it cannot take out of one does
// not keep it from the others.
func (i *installer) uninstallAll() error {
	all := &install.Plan{}
	var failed error
	for _, name := range install.Names() {
		r, err := i.request([]string{name})
		if err != nil {
			return err
		}
		if !r.Agent.Has(r.Scope, r.Place) {
			continue
		}
		plan, err := i.removal(r)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		all.Changes = append(all.Changes, plan.Changes...)
		all.Notes = append(all.Notes, plan.Notes...)
	}
	return errors.Join(i.carryOut(all, "there is no hook of policyctl in the "+i.scope+" settings of any agent"), failed)
}
