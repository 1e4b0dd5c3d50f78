// Package cli is the command line tool policyctl: it reads flags and input,
// lets the engine decide, and chooses who is shown the answer in which form.
//
// Each command has a file of its own; exit.go names the exit codes. What is
// shown, to people and as JSON, is made by the package render. The package
// decides nothing itself and runs nothing of what is judged.
package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/guard"
	"github.com/policyctl/policyctl/internal/layers"
	"github.com/policyctl/policyctl/internal/render"
)

// A Process is what the tool is given by its surroundings.
type Process struct {
	Args           []string // without the name of the program
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Getwd          func() (string, error)
	// Environ returns all variables; nil for none.
	Environ func() []string
	// Place returns where policies lie; nil for where the environment says.
	Place func() (layers.Place, error)
	// Guard returns what decides the calls of agents' hooks.
	Guard func() (*guard.Guard, error)
}

// Run runs the tool and returns its exit code.
func Run(ctx context.Context, p Process) int {
	root := newRoot(&p)
	root.SetArgs(append([]string{}, p.Args...)) // for nil it would take os.Args
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	err := root.ExecuteContext(ctx)
	if err != nil && err.Error() != "" {
		fmt.Fprintf(p.Stderr, "policyctl: %s\n", render.Plain(err.Error()))
	}
	return codeOf(err)
}

// The groups of commands as help shows them.
const (
	judging = "Judge a call"
	tables  = "Look up what decides"
	others  = "The tool itself"
)

func newRoot(p *Process) *cobra.Command {
	root := &cobra.Command{
		Use:               "policyctl",
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              noSuchCommand,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(flagError)
	help := newHelp()
	add := func(group string, commands ...*cobra.Command) {
		root.AddGroup(&cobra.Group{ID: group, Title: group})
		for _, c := range commands {
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	add(judging, newEval(p), newExplain(p), newReplay(p))
	add(tables, newStages(p), newFloor(p), newDangerous(p), newSensitive(p), newReadonly(p))
	add(agents, newInstall(p), newUninstall(p), newDoctor(p), newHook(p))
	add("Write a policy", newInit(p), newCheck(p), newTest(p), newPreview(p), newDiff(p), newConfig(p), newTrust(p), newStatus(p), newApprovals(p),
		newImport(p), newExport(p))
	add("Hand out a policy", newCompile(p), newBundle(p), newAdmission(p))
	add("Ask a human", newServe(p), newRequests(p), newToken(p), newAudit(p))
	add(others, help, newSchema(p), newMock(p), newVersion(p), newCompletion(p))
	root.SetHelpCommand(help)
	root.SetHelpFunc(showHelp(root.HelpFunc()))
	return root
}
