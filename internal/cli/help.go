package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/render"
)

const about = `policyctl answers, before a coding agent's tool call runs, whether it is allowed,
must be asked about, or is denied, and says why. It runs nothing of what it
judges.

Usage: policyctl COMMAND [ARGUMENT] [flags]`

const examples = `Examples
  policyctl eval 'git status && rm -rf ~'
  policyctl explain 'cd web && npm test | tail -5'
  echo '{"id":"1","command":"ls"}' | policyctl eval --jsonl
  policyctl init && policyctl config show --origin

Exit codes: 0 allow, 1 failure, 2 wrong usage or invalid policy, 3 deny, 4 ask.
policyctl help COMMAND shows the flags of a command.`

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show this page, or the flags of a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return console.NoSuchCommand(cmd.Root(), rest)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// showHelp returns a help function that keeps the page of the root command to
// one screen.
func showHelp(other func(*cobra.Command, []string)) func(*cobra.Command, []string) {
	return func(cmd *cobra.Command, args []string) {
		if cmd.HasParent() {
			other(cmd, args)
			return
		}
		page := render.NewPage(cmd.OutOrStdout())
		page.Block(about)
		for _, g := range cmd.Groups() {
			page.Heading(g.Title)
			page.Table(members(cmd, g.ID))
		}
		page.Block("\n" + examples)
		page.Close() // a help function cannot return the error
	}
}

func members(root *cobra.Command, group string) (rows [][]string) {
	for _, c := range root.Commands() {
		if c.GroupID == group {
			rows = append(rows, []string{fmt.Sprintf("  %-10s", c.Name()), c.Short})
		}
	}
	return rows
}
