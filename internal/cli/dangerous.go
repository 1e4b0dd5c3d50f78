package cli

import (
	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/pkg/dangerous"
)

func newDangerous(p *Process) *cobra.Command {
	t := ruleTable{
		Process: p,
		name:    "dangerous",
		short:   "List the dangerous patterns, which ask, or show one",
		rules:   dangerous.Rules,
	}
	return t.command()
}
