package tables

import (
	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/pkg/dangerous"
)

// NewDangerous returns the command dangerous.
func NewDangerous(p *console.Process) *cobra.Command {
	t := ruleTable{
		Process: p,
		name:    "dangerous",
		short:   "List the dangerous patterns, which ask, or show one",
		rules:   dangerous.Rules,
	}
	return t.command()
}
