package console

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Completes has the shell offer values for a flag, and nothing else.
func Completes(cmd *cobra.Command, flag string, values ...string) {
	complete(cmd, flag, cobra.ShellCompDirectiveNoFileComp, func() []string { return values })
}

// CompletesWith is Completes for values that are found when they are asked for.
func CompletesWith(cmd *cobra.Command, flag string, values func() []string) {
	complete(cmd, flag, cobra.ShellCompDirectiveNoFileComp, values)
}

// CompletesBeside is Completes for values that files may stand in the place of.
func CompletesBeside(cmd *cobra.Command, flag string, values func() []string) {
	complete(cmd, flag, cobra.ShellCompDirectiveDefault, values)
}

// CompletesList is Completes for a flag that takes some of the values, with commas between
// them.
func CompletesList(cmd *cobra.Command, flag string, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, begun string) (out []string, _ cobra.ShellCompDirective) {
		given := begun[:strings.LastIndexByte(begun, ',')+1]
		for _, v := range values {
			if strings.HasPrefix(given+v, begun) && !slices.Contains(strings.Split(given, ","), v) {
				out = append(out, given+v)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
	if err != nil {
		panic(err) // the command has no such flag
	}
}

// CompletesStart is CompletesWith for values that are typed on, such as KEY=.
func CompletesStart(cmd *cobra.Command, flag string, values func() []string) {
	complete(cmd, flag, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace, values)
}

// CompletesArgs returns what offers values for arguments, and nothing else. They
// are found when they are asked for.
func CompletesArgs(values func() []string) cobra.CompletionFunc {
	return completion(cobra.ShellCompDirectiveNoFileComp, values)
}

func complete(cmd *cobra.Command, flag string, directive cobra.ShellCompDirective, values func() []string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, completion(directive, values)); err != nil {
		panic(err) // the command has no such flag
	}
}

func completion(directive cobra.ShellCompDirective, values func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, begun string) (out []string, _ cobra.ShellCompDirective) {
		for _, v := range values() {
			if strings.HasPrefix(v, begun) {
				out = append(out, v)
			}
		}
		return out, directive
	}
}
