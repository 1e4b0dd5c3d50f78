package cli

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/policyctl/policyctl/internal/cli/console"
)

func newMan(p *console.Process) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIRECTORY",
		Short: "Write the manual pages of all commands into a directory",
		Long: `Write the manual pages of policyctl and of all its commands into a directory,
which is made if need be. Packages bring them along; this is for policyctl from
go install or from an archive.`,
		Example: `  policyctl man ~/.local/share/man/man1
  man policyctl-eval`,
		Args: console.OneOf("directory for the pages", "policyctl man ~/.local/share/man/man1"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := writePages(cmd.Root(), args[0]); err != nil {
				return fmt.Errorf("%w: name a directory that can be written", err)
			}
			return p.WriteLine("the manual pages are in " + args[0] + ": man policyctl shows the first, if the directory above it is one of man's")
		},
	}
}

// writePages writes a page for each command. They have no date of their own: the same
// commands make the same pages.
func writePages(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root.DisableAutoGenTag = true
	date := time.Unix(0, 0).UTC()
	return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "policyctl", Manual: "policyctl", Date: &date}, dir)
}
