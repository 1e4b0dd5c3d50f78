package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/pkg/approval"
)

// A repealer takes approvals back.
type repealer struct {
	visitor
	reason string
}

func newRequestsRevoke(p *Process) *cobra.Command {
	v := &repealer{visitor: visitor{Process: p}}
	cmd := &cobra.Command{
		Use:   "revoke ID...",
		Short: "Take approvals back that were not used",
		Long: `Take one or more approvals back that were not used. The requests are denied from
then on, and their receipts are void. What was used is over, and the exit code is 1.

What an approval has stored for longer than once still counts: policyctl approvals
revoke takes that back. Agents are denied this command.`,
		Example: `  policyctl requests revoke req_7XK2… --login
  policyctl requests revoke req_7XK2… --reason 'wrong branch' --token-file ada.token`,
		Args: v.args(someOf("id", "policyctl requests revoke ID, as policyctl requests list --state approved shows it")),
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&v.reason, "reason", "", "a `TEXT` that the agent is told")
	v.register(flags)
	return cmd
}

func (v *repealer) run(ctx context.Context, ids []string) error {
	if err := v.mayDecide(); err != nil {
		return err
	}
	if err := v.visit(ctx); err != nil {
		return err
	}
	defer v.leave(ctx)
	var errs []error
	for _, id := range ids {
		errs = append(errs, v.revoke(ctx, id))
	}
	return errors.Join(errs...)
}

func (v *repealer) revoke(ctx context.Context, id string) error {
	r, err := v.client.Revoke(ctx, id, v.reason)
	switch {
	case errors.Is(err, approval.ErrConsumed):
		return fmt.Errorf("nothing was changed: the approval of %s was used already", id)
	case errors.Is(err, approval.ErrDecided) && r != nil:
		return fmt.Errorf("nothing was changed, the request is over: %s", resolution(r))
	case err != nil:
		return unreached(err)
	}
	return v.writeLine(resolution(r))
}
