package cli

import (
	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/pkg/hardline"
)

func newFloor(p *Process) *cobra.Command {
	t := ruleTable{
		Process: p,
		name:    "floor",
		short:   "List the rules of the floor, which nothing overrides, or show one",
		rules:   hardline.Rules,
	}
	return t.command()
}
