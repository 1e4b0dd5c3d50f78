package tables

import (
	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/pkg/hardline"
)

// NewFloor returns the command floor.
func NewFloor(p *console.Process) *cobra.Command {
	t := ruleTable{
		Process: p,
		name:    "floor",
		short:   "List the rules of the floor, which nothing overrides, or show one",
		rules:   hardline.Rules,
	}
	return t.command()
}
