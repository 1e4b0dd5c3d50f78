// Package cli is the command line tool policyctl: it reads flags and input,
// lets the engine decide, and chooses who is shown the answer in which form.
//
// Each family of commands has a package below this one, which puts them
// together; the package console names the exit codes. What is shown, to people
// and as JSON, is made by the package render. None of them decides anything
// itself or runs anything of what is judged.
package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/agents"
	"github.com/policyctl/policyctl/internal/cli/audit"
	"github.com/policyctl/policyctl/internal/cli/bundle"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/judge"
	"github.com/policyctl/policyctl/internal/cli/observe"
	"github.com/policyctl/policyctl/internal/cli/requests"
	"github.com/policyctl/policyctl/internal/cli/review"
	"github.com/policyctl/policyctl/internal/cli/rules"
	"github.com/policyctl/policyctl/internal/cli/serve"
	"github.com/policyctl/policyctl/internal/cli/settings"
	"github.com/policyctl/policyctl/internal/cli/tables"
	"github.com/policyctl/policyctl/internal/cli/trust"
	"github.com/policyctl/policyctl/internal/render"
)

// Run runs the tool and returns its exit code.
func Run(ctx context.Context, p console.Process) int {
	root := newRoot(&p)
	root.SetArgs(append([]string{}, p.Args...)) // for nil it would take os.Args
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	err := root.ExecuteContext(ctx)
	if err != nil && err.Error() != "" {
		fmt.Fprintf(p.Stderr, "policyctl: %s\n", render.Plain(err.Error()))
	}
	return console.CodeOf(err)
}

// Commands returns all commands, for what documents them.
func Commands() *cobra.Command {
	return newRoot(&console.Process{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard, Getenv: func(string) string { return "" }})
}

func newRoot(p *console.Process) *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:               "policyctl",
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              console.NoSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				return p.PrintVersion()
			}
			return cmd.Help()
		},
		PersistentPreRunE: func(*cobra.Command, []string) error { return p.CheckColour() },
	}
	root.Flags().BoolVar(&version, "version", false, "print the version")
	root.PersistentFlags().StringVar(&p.Colour, "color", console.Auto, "when the output has colors: `auto`, always or never")
	console.Completes(root, "color", console.Auto, console.Always, console.Never)
	root.SetFlagErrorFunc(console.FlagError)
	help := newHelp()
	add := func(group string, commands ...*cobra.Command) {
		root.AddGroup(&cobra.Group{ID: group, Title: group})
		for _, c := range commands {
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	add("Judge a call", newDemo(p), judge.NewEval(p), judge.NewExplain(p), judge.NewWhyNot(p), judge.NewReplay(p))
	add("Look up what decides", tables.NewStages(p), tables.NewFloor(p), tables.NewDangerous(p), tables.NewSensitive(p), tables.NewReadonly(p))
	add("Guard an agent", agents.NewInstall(p), agents.NewUninstall(p), agents.NewDoctor(p), agents.NewHook(p))
	add("Write a policy", settings.NewInit(p), settings.NewPacks(p), settings.NewCheck(p), rules.NewTest(p), rules.NewPreview(p), rules.NewDiff(p), settings.NewLearn(p), settings.NewConfig(p), trust.NewTrust(p), settings.NewStatus(p), trust.NewApprovals(p),
		rules.NewImport(p), rules.NewExport(p))
	add("Distribute a policy", bundle.NewCompile(p), bundle.Command(p), judge.NewAdmission(p))
	add("Ask a human", serve.Command(p, requests.NewHealth(p)), requests.Command(p), requests.NewChannel(p), review.Command(p), serve.NewToken(p))
	add("Look at what was decided", audit.NewLog(p), audit.NewWhy(p), observe.Command(p), audit.Command(p), audit.NewStats(p), requests.NewShip(p))
	add("The tool itself", help, settings.NewSchema(p), newMock(p), console.NewVersion(p), newCompletion(p), newMan(p))
	root.SetHelpCommand(help)
	root.SetHelpFunc(showHelp(p))
	return root
}
