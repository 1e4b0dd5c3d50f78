package cli

import (
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/bundles"
	"github.com/policyctl/policyctl/internal/hook"
)

func newHook(p *Process) *cobra.Command {
	return &cobra.Command{
		Use:   "hook AGENT",
		Short: "Answer one event of an agent's hook",
		Long: `Read one event of an agent's hook from the standard input and print the answer
in the agent's own form: ` + strings.Join(hook.Names(), ", ") + `. It is what "policyctl install"
registers where the smaller policyctl-hook does not stand beside policyctl.

Whatever goes wrong denies the call. The environment only tightens the policy,
and the home directory is that of the user database.`,
		Example:   `  policyctl hook claude < event.json`,
		ValidArgs: hook.Names(),
		Args:      exactlyOneAgent,
		RunE: func(cmd *cobra.Command, args []string) error {
			agent, ok := hook.Lookup(args[0])
			if !ok {
				return unknown("agent", args[0], hook.Names(), "one of "+strings.Join(hook.Names(), ", "))
			}
			signal.Ignore(syscall.SIGPIPE)
			g, err := p.Guard()
			if err != nil {
				return &status{exitUsage, err.Error()} // agents read it as no
			}
			g.Place.Bundler = bundles.New(bundles.Offline, g.Place.State, g.Place.Home)
			return exit(hook.Run(cmd.Context(), agent, hook.Host{
				Stdin: p.Stdin, Stdout: p.Stdout, Stderr: p.Stderr, Getenv: p.Getenv, Decide: g.Decide,
			}))
		},
	}
}

func exactlyOneAgent(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("name one agent: %s", strings.Join(hook.Names(), ", "))
	}
	return nil
}
