package console

import (
	"context"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// UntilStopped returns what runs a command whose end may be that somebody stops
// it.
func UntilStopped(run func(context.Context) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
		defer stop()
		return run(ctx)
	}
}
