package agents

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/agents/install"
	"github.com/policyctl/policyctl/internal/cli/console"
)

// NewUninstall returns the command uninstall.
func NewUninstall(p *console.Process) *cobra.Command {
	i := &installer{Process: p}
	cmd := &cobra.Command{
		Use:   "uninstall AGENT",
		Short: "Remove policyctl's hook from an agent's settings",
		Long: `Remove from the settings of an agent what install put there, and nothing
else. Agents: ` + strings.Join(install.Names(), ", ") + `. A copy of the old file is kept beside it.`,
		Example:   `  policyctl uninstall claude --scope project`,
		ValidArgs: install.Names(),
		Args:      console.AtMostOne,
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := i.request(args)
			if err != nil {
				return err
			}
			plan, err := install.Uninstall(r)
			if err != nil {
				return err
			}
			if len(plan.Changes) > 0 && !i.dryRun {
				plan.Notes = append(plan.Notes, "nothing guards "+r.Agent.Title+" through these settings any longer")
			}
			return i.carryOut(plan, "there is no hook of policyctl in these settings of "+r.Agent.Title)
		},
	}
	i.register(cmd)
	return cmd
}
