package cli

import (
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
)

func newCompletion(p *console.Process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print the completion script for bash, zsh, fish or powershell",
		Long: `Print the completion script for bash, zsh, fish or powershell. The bash script
needs the package bash-completion.`,
		Example: `  source <(policyctl completion bash)
  policyctl completion zsh > "${fpath[1]}/_policyctl"
  policyctl completion fish > ~/.config/fish/completions/policyctl.fish`,
		ValidArgs: slices.Sorted(maps.Keys(scripts())),
	}
	cmd.Args = console.AtMostOne
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return console.Usagef("no shell is named: write one of %s", strings.Join(cmd.ValidArgs, ", "))
		}
		write, ok := scripts()[args[0]]
		if !ok {
			return console.Unknown("shell", args[0], cmd.ValidArgs, "one of "+strings.Join(cmd.ValidArgs, ", "))
		}
		return write(cmd.Root(), p.Stdout)
	}
	return cmd
}

// scripts returns the writers of completion scripts by shell.
func scripts() map[string]func(*cobra.Command, io.Writer) error {
	return map[string]func(*cobra.Command, io.Writer) error{
		"bash":       func(c *cobra.Command, w io.Writer) error { return c.GenBashCompletionV2(w, true) },
		"zsh":        (*cobra.Command).GenZshCompletion,
		"fish":       func(c *cobra.Command, w io.Writer) error { return c.GenFishCompletion(w, true) },
		"powershell": (*cobra.Command).GenPowerShellCompletionWithDesc,
	}
}
