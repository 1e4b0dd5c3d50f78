package requests

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/collector"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/trail"
)

// A shipper brings the decisions of this machine to a service elsewhere.
type shipper struct {
	visitor
	once bool
}

// NewShip returns the command ship.
func NewShip(p *console.Process) *cobra.Command {
	s := &shipper{visitor: visitor{Process: p}}
	cmd := &cobra.Command{
		Use:   "ship --to ADDRESS",
		Short: "Send the decisions of this machine to the audit log of a service elsewhere",
		Long: `Send the decisions of this machine to the audit log of an approval service
elsewhere, until you stop it. Hooks put each denial and each ask into a spool on
disk; where policyctl serve runs on the machine, it records them and nothing needs
to be sent.

The token needs the scope record, in --token-file or in the variable
POLICYCTL_TOKEN. What the service cannot take now stays and is sent again, with
longer and longer pauses. Nothing is recorded twice. What the service refuses
for good is counted: policyctl status shows it. Agents are denied this command.`,
		Example: `  policyctl ship --to https://policy.example.com:8765 --token-file record.token
  policyctl ship --once --to https://policy.example.com:8765 --token-file record.token`,
		Args: console.NoArgs,
		RunE: console.UntilStopped(s.run),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&s.service, "to", "", "the `ADDRESS` of the service: a URL, or unix:PATH")
	flags.StringVar(&s.tokenFile, "token-file", "", "the `FILE` with a token of the scope record")
	flags.BoolVar(&s.once, "once", false, "send what is there, and end")
	return cmd
}

func (s *shipper) run(ctx context.Context) error {
	if s.service == "" {
		return console.Usagef("--to is missing: give the address of the service, such as --to https://policy.example.com:8765")
	}
	place, err := s.Policies()
	if err == nil {
		err = s.visit(ctx)
	}
	if err != nil {
		return err
	}
	from := spool.Verdicts(place.State)
	if !s.once {
		collector.Follow(ctx, from, s.keep, s.tell)
		return nil
	}
	tally, err := collector.Drain(ctx, from, s.keep)
	if errors.Is(err, spool.ErrBusy) {
		return fmt.Errorf("%w: policyctl serve or another ship", err)
	}
	if err != nil {
		return fmt.Errorf("%d decisions are recorded, the rest stays in %s: %w", tally.Recorded, from.Dir(), unreached(err))
	}
	_, err = fmt.Fprintf(s.Stdout, "%d decisions are recorded, %d were refused for good\n", tally.Recorded, tally.Rejected)
	return err
}

// tell says that nothing can be sent, or that it can again.
func (s *shipper) tell(err error) {
	if err == nil {
		fmt.Fprintln(s.Stderr, "policyctl: the decisions are sent again")
		return
	}
	console.Warn(s.Stderr, "warning: ", fmt.Errorf("the decisions cannot be sent now, and stay: %w", unreached(err)))
}

// keep has the service record a batch.
func (s *shipper) keep(ctx context.Context, b trail.Batch) (int64, error) {
	var got trail.Receipt
	err := s.client.Do(ctx, http.MethodPost, "/v1/decisions", b, &got)
	var answer *approval.ServiceError
	if errors.As(err, &answer) {
		switch answer.Status {
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
			return 0, &collector.Refused{Err: err}
		}
	}
	return got.Position, err
}
