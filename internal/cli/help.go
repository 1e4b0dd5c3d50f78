package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/render"
)

const about = `Before a coding agent's tool call runs, policyctl decides whether to allow it,
to ask a person, or to deny it, and says why. It never runs what it judges.

Usage: policyctl COMMAND [ARGUMENT] [flags]`

const examples = `Examples
  policyctl eval 'git status && rm -rf ~'
  policyctl explain 'cd web && npm test | tail -5'
  echo '{"id":"1","command":"ls"}' | policyctl eval --jsonl
  policyctl init && policyctl config show --origin

Exit codes: 0 allow, 1 failure, 2 wrong usage or invalid policy, 3 deny, 4 ask.
--color sets when the output has colors: auto, always or never.
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

// showHelp returns the help function of all commands. The page of the root command
// keeps to one screen.
func showHelp(p *console.Process) func(*cobra.Command, []string) {
	return func(cmd *cobra.Command, _ []string) {
		page := p.Page()
		page.Width = helpWidth(page.Width)
		if cmd.HasParent() {
			showCommand(page, cmd)
		} else {
			showRoot(page, cmd)
		}
		page.Close() // a help function cannot return the error
	}
}

// usualWidth is that of help where the output tells none, and of help on a wider
// terminal.
const usualWidth = 80

func helpWidth(width int) int {
	if width <= 0 {
		return usualWidth
	}
	return min(width, usualWidth)
}

func showRoot(page *render.Page, root *cobra.Command) {
	writeLines(page, about)
	for _, g := range root.Groups() {
		page.Heading(g.Title)
		page.Table(members(root, g.ID))
	}
	page.Block("")
	writeLines(page, examples)
}

// writeLines writes lines that begin a new row each, and examples, which a terminal would
// wrap inside a word.
func writeLines(page *render.Page, text string) {
	for line := range strings.Lines(text) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case line == "":
			page.Block("")
		case line[0] == ' ':
			page.Command(line)
		default:
			page.Prose(line)
		}
	}
}

// showCommand writes what a command does, how it is called, the commands below
// it, its flags and its examples.
func showCommand(page *render.Page, cmd *cobra.Command) {
	about := cmd.Long
	if about == "" {
		about = cmd.Short + "."
	}
	page.Prose(about)
	use := cmd.UseLine()
	if cmd.HasSubCommands() && !hasOwn(cmd.LocalFlags()) {
		use = strings.TrimSuffix(use, " [flags]")
	}
	page.Prose("\nUsage: " + use)
	if len(cmd.Aliases) > 0 {
		page.Prose("Aliases: " + strings.Join(cmd.Aliases, ", "))
	}
	for _, g := range cmd.Groups() {
		page.Heading(g.Title)
		page.Table(members(cmd, g.ID))
	}
	if rest := members(cmd, ""); len(rest) > 0 {
		page.Heading("Commands")
		page.Table(rest)
	}
	if own := cmd.LocalFlags(); !cmd.HasSubCommands() || hasOwn(own) {
		page.Heading("Flags")
		page.Hanging(strings.TrimRight(own.FlagUsagesWrapped(page.Width), "\n"))
	}
	if cmd.Example != "" {
		page.Heading("Examples")
		writeLines(page, cmd.Example)
	}
	if cmd.HasSubCommands() {
		page.Prose("\n" + cmd.Root().Name() + " help" + strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()) + " COMMAND shows the flags of a command.")
	}
}

// hasOwn reports whether there is a flag but that for help.
func hasOwn(flags *pflag.FlagSet) (own bool) {
	flags.VisitAll(func(f *pflag.Flag) { own = own || f.Name != "help" })
	return own
}

func members(of *cobra.Command, group string) (rows [][]string) {
	for _, c := range of.Commands() {
		if c.GroupID == group && c.IsAvailableCommand() {
			rows = append(rows, []string{fmt.Sprintf("  %-10s", c.Name()), c.Short})
		}
	}
	return rows
}
