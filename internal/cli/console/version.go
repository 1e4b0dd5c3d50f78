package console

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/internal/support/release"
)

// NewVersion returns the command version.
func NewVersion(p *Process) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return render.JSON(p.Stdout, release.Read())
			}
			return p.PrintVersion()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the version as JSON")
	return cmd
}

// PrintVersion prints the version on a line.
func (p *Process) PrintVersion() error {
	_, err := fmt.Fprintln(p.Stdout, "policyctl "+release.Of())
	return err
}
