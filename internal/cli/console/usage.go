package console

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// NoSuchCommand refuses what the root command takes for an argument.
func NoSuchCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	next := "see policyctl help"
	if root.HasParent() {
		next += strings.TrimPrefix(root.CommandPath(), root.Root().Name())
	}
	return Unknown("command", args[0], commandNames(root), next)
}

// Family returns a command that only holds others: alone it shows its help.
func Family(cmd *cobra.Command, members ...*cobra.Command) *cobra.Command {
	cmd.Args = NoSuchCommand
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.AddCommand(members...)
	return cmd
}

// A Group is commands of a family that belong together.
type Group struct {
	Title   string
	Members []*cobra.Command
}

// Grouped is Family for one with groups.
func Grouped(cmd *cobra.Command, groups ...Group) *cobra.Command {
	for _, g := range groups {
		cmd.AddGroup(&cobra.Group{ID: g.Title, Title: g.Title})
		for _, c := range g.Members {
			c.GroupID = g.Title
		}
		Family(cmd, g.Members...)
	}
	return cmd
}

func commandNames(root *cobra.Command) []string {
	var out []string
	for _, c := range root.Commands() {
		out = append(out, c.Name())
	}
	return out
}

// Unknown is the error for a name that does not exist, with the nearest one,
// or else the next step.
func Unknown(what, name string, names []string, next string) error {
	if near := Nearest(name, names); near != "" {
		next = "did you mean " + near + "?"
	}
	return Usagef("unknown %s %q: %s", what, name, next)
}

// AtMostOne refuses more than one argument.
func AtMostOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return Usagef("%s takes one argument, not %d: see %s --help", cmd.Name(), len(args), cmd.CommandPath())
	}
	return nil
}

// NoArgs refuses all arguments.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usagef("%s takes no argument: remove %q", cmd.Name(), args[0])
	}
	return nil
}

// OneCommand refuses a command line that the caller's shell has split.
func OneCommand(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return unquoted(cmd, args)
	}
	return nil
}

func unquoted(cmd *cobra.Command, args []string) error {
	return Usagef("%s takes the whole command as one argument: put it in quotes, as in %s '%s …'",
		cmd.Name(), cmd.CommandPath(), args[0])
}

// FlagError says of a wrong flag what was probably meant.
func FlagError(cmd *cobra.Command, err error) error {
	before := cmd.Flags().Args()
	if !cmd.HasParent() && len(before) > 0 {
		return NoSuchCommand(cmd, before)
	}
	var missing *pflag.NotExistError
	if !errors.As(err, &missing) {
		return Usagef("%s: see %s --help", strings.ReplaceAll(err.Error(), `"`, ""), cmd.CommandPath())
	}
	name := "-" + missing.GetSpecifiedShortnames()
	if name == "-" {
		name = "--" + missing.GetSpecifiedName()
	}
	bare := strings.TrimLeft(name, "-")
	near := nearestFlag(cmd, bare)
	switch {
	case !cmd.HasParent() && slices.Contains(commandNames(cmd), bare):
		return Usagef("unknown flag %s: did you mean policyctl %s?", name, bare)
	case near != "":
		return Usagef("unknown flag %s: did you mean --%s?", name, near)
	case len(before) > 0 && cmd.Annotations[TakesCommand] != "":
		return unquoted(cmd, before)
	}
	return Usagef("unknown flag %s: see %s --help", name, cmd.CommandPath())
}

// TakesCommand marks the commands whose argument is a command line.
const TakesCommand = "takes-command"

func nearestFlag(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return Nearest(name, names)
}

// OneOf refuses anything but one argument, and shows how it is given.
func OneOf(what, example string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return Usagef("the %s is missing: write %s", what, example)
		case len(args) > 1:
			return Usagef("%s takes one %s, not %d arguments: remove %q", cmd.Name(), what, len(args), args[1])
		}
		return nil
	}
}

// SomeOf is oneOf for one or more.
func SomeOf(what, example string) cobra.PositionalArgs {
	one := OneOf(what, example)
	return func(cmd *cobra.Command, args []string) error { return one(cmd, args[:min(len(args), 1)]) }
}
