package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// noSuchCommand refuses what the root command takes for an argument.
func noSuchCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	next := "see policyctl help"
	if root.HasParent() {
		next += strings.TrimPrefix(root.CommandPath(), root.Root().Name())
	}
	return unknown("command", args[0], commandNames(root), next)
}

func commandNames(root *cobra.Command) []string {
	var out []string
	for _, c := range root.Commands() {
		out = append(out, c.Name())
	}
	return out
}

// unknown is the error for a name that does not exist, with the nearest one,
// or else the next step.
func unknown(what, name string, names []string, next string) error {
	if near := nearest(name, names); near != "" {
		next = "did you mean " + near + "?"
	}
	return usagef("unknown %s %q: %s", what, name, next)
}

// atMostOne refuses more than one argument.
func atMostOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usagef("%s takes one argument, not %d: see %s --help", cmd.Name(), len(args), cmd.CommandPath())
	}
	return nil
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument: remove %q", cmd.Name(), args[0])
	}
	return nil
}

// oneCommand refuses a command line that the caller's shell has split.
func oneCommand(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return unquoted(cmd, args)
	}
	return nil
}

func unquoted(cmd *cobra.Command, args []string) error {
	return usagef("%s takes the whole command as one argument: put it in quotes, as in %s '%s …'",
		cmd.Name(), cmd.CommandPath(), args[0])
}

// flagError says of a wrong flag what was probably meant.
func flagError(cmd *cobra.Command, err error) error {
	before := cmd.Flags().Args()
	if !cmd.HasParent() && len(before) > 0 {
		return noSuchCommand(cmd, before)
	}
	var missing *pflag.NotExistError
	if !errors.As(err, &missing) {
		return usagef("%s: see %s --help", strings.ReplaceAll(err.Error(), `"`, ""), cmd.CommandPath())
	}
	name := "-" + missing.GetSpecifiedShortnames()
	if name == "-" {
		name = "--" + missing.GetSpecifiedName()
	}
	bare := strings.TrimLeft(name, "-")
	near := nearestFlag(cmd, bare)
	switch {
	case !cmd.HasParent() && slices.Contains(commandNames(cmd), bare):
		return usagef("unknown flag %s: did you mean policyctl %s?", name, bare)
	case near != "":
		return usagef("unknown flag %s: did you mean --%s?", name, near)
	case len(before) > 0 && cmd.Annotations[takesCommand] != "":
		return unquoted(cmd, before)
	}
	return usagef("unknown flag %s: see %s --help", name, cmd.CommandPath())
}

// takesCommand marks the commands whose argument is a command line.
const takesCommand = "takes-command"

func nearestFlag(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return nearest(name, names)
}
