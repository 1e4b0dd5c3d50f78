package requests

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/render"
)

// A shower shows one request.
type shower struct {
	visitor
	json bool
}

func newRequestsShow(p *console.Process) *cobra.Command {
	s := &shower{visitor: visitor{Process: p}}
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show a request whole: the call, what asks and why, and what each choice stores",
		Args:  s.args(console.OneOf("id", "policyctl requests show ID, as policyctl requests list shows it")),
		RunE:  func(cmd *cobra.Command, args []string) error { return s.run(cmd.Context(), args[0]) },

		ValidArgsFunction: s.complete,
	}
	cmd.Flags().BoolVar(&s.json, "json", false, "print the request as one line of JSON")
	s.register(cmd.Flags())
	return cmd
}

func (s *shower) run(ctx context.Context, id string) error {
	if err := s.visit(ctx); err != nil {
		return err
	}
	defer s.leave(ctx)
	d, err := s.client.Show(ctx, id)
	switch {
	case err != nil:
		return unreached(err)
	case s.json:
		return render.NewLine(s.Stdout).Encode(d)
	}
	page := s.Sheet()
	showRequest(page, d, time.Now())
	return page.Close()
}
