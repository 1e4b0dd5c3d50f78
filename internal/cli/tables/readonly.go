package tables

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/readonly"
	"github.com/policyctl/policyctl/pkg/workspace"
)

// programs shows the table of what reads only.
type programs struct {
	*console.Process
	json bool
}

// NewReadonly returns the command readonly.
func NewReadonly(p *console.Process) *cobra.Command {
	t := &programs{Process: p}
	cmd := &cobra.Command{
		Use:   "readonly [PROGRAM [SUB-COMMAND…]]",
		Short: "List the programs known to only read, or show one",
		Long: `List the programs known to only read, or show one with its harmless
options and operands. policyctl assumes that any other program may
change something.`,
		Example: `  policyctl readonly
  policyctl readonly git log`,
		ValidArgsFunction: t.complete,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return t.list()
			}
			return t.show(args)
		},
	}
	cmd.Flags().BoolVar(&t.json, "json", false, "print the entries as JSON")
	return cmd
}

func (t *programs) list() error {
	return t.Show(t.json, render.NewPrograms(readonly.Programs()), func(page *render.Page) { page.ProgramList(readonly.Programs()) })
}

func (t *programs) show(args []string) error {
	e, err := find(readonly.Programs(), args)
	if err != nil {
		return err
	}
	return t.Show(t.json, render.NewPrograms([]*program.Program{e})[0], func(page *render.Page) { page.Program(strings.Join(args, " "), e) })
}

// find returns the entry of a program or of its sub-command.
func find(table []*program.Program, path []string) (*program.Program, error) {
	what, next := "program", "it is not known to be read-only; see policyctl readonly"
	for i, name := range path {
		k := slices.IndexFunc(table, func(e *program.Program) bool { return slices.Contains(strings.Fields(e.Names), name) })
		switch {
		case k < 0 && i == 0 && workspace.RunsScript(name):
			return nil, console.Usagef("%s has no entry: a script on the command line is allowed if its text shows that it only reads; policyctl explain 'LINE' says what in it may do more", name)
		case k < 0:
			return nil, console.Unknown(what, name, entryNames(table), next)
		case i == len(path)-1:
			return table[k], nil
		}
		table = program.Readers(table[k].Subs)
		what, next = "sub-command", "see policyctl readonly "+strings.Join(path[:i+1], " ")
	}
	return nil, nil
}

func entryNames(table []*program.Program) []string {
	var all []string
	for _, e := range table {
		all = append(all, strings.Fields(e.Names)...)
	}
	return all
}

func (t *programs) complete(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	table := readonly.Programs()
	if len(args) > 0 {
		e, err := find(table, args)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		table = program.Readers(e.Subs)
	}
	return entryNames(table), cobra.ShellCompDirectiveNoFileComp
}
