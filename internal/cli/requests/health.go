package requests

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/render"
)

// healthWait is how long the service may take to answer.
const healthWait = 5 * time.Second

// NewHealth returns the command health of the family serve.
func NewHealth(p *console.Process) *cobra.Command {
	v := &visitor{Process: p}
	cmd := &cobra.Command{
		Use:   "health",
		Short: "Check whether the approval service is running",
		Long: `Check whether an approval service is running: the one on this machine, or
another. Exits 0 if it answers within five seconds, else 1. You need no token.`,
		Example: `  policyctl serve health
  policyctl serve health --service https://policy.example.com:8765`,
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return v.health(cmd.Context()) },
	}
	cmd.Flags().StringVar(&v.service, "service", "", "the `ADDRESS` of the service: a URL, or unix:PATH (default the service of this machine)")
	return cmd
}

func (v *visitor) health(ctx context.Context) error {
	if err := v.visit(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, healthWait)
	defer cancel()
	var about struct {
		Status   string   `json:"status"`
		Version  string   `json:"version"`
		Problems []string `json:"problems"`
	}
	if err := v.client.Do(ctx, http.MethodGet, "/health", nil, &about); err != nil {
		return fmt.Errorf("the approval service does not answer: %w", err)
	}
	for _, problem := range about.Problems {
		fmt.Fprintln(v.Stderr, "policyctl: "+render.Plain(problem))
	}
	_, err := fmt.Fprintf(v.Stdout, "the approval service is %s (version %s)\n", render.Plain(about.Status), render.Plain(about.Version))
	return err
}
