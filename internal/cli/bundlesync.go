package cli

import (
	"context"
	"errors"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/bundles"
	"github.com/policyctl/policyctl/internal/layers"
	"github.com/policyctl/policyctl/internal/render"
)

// A syncer keeps the bundles of the policy current on disk.
type syncer struct {
	*Process
	dir  string
	once bool
}

func newBundleSync(p *Process) *cobra.Command {
	s := &syncer{Process: p}
	cmd := &cobra.Command{
		Use:   "sync",
		Short: "Keep the bundles to which the policy subscribes current on disk",
		Long: `Keep the bundles to which the policy subscribes current on disk, for the hooks
of agents, which never wait for a server. It runs until it is stopped, says what
changes, and reports the status where status_url says so. Run it as a service of
the user; with --once, as a job.

A bundle that is refused leaves the last good one in force. The exit code of
--once is 1 if a bundle could not be brought up to date.`,
		Example: `  policyctl bundle sync
  policyctl bundle sync --once`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			return s.run(ctx)
		},
	}
	cmd.Flags().BoolVar(&s.once, "once", false, "ask each server once, then end")
	directory(cmd, &s.dir)
	return cmd
}

func (s *syncer) run(ctx context.Context) error {
	place, err := s.policies()
	if err != nil {
		return err
	}
	dir, err := s.absolute(s.dir)
	if err != nil {
		return err
	}
	mode := bundles.Following
	if s.once {
		mode = bundles.Fetching
	}
	client := bundles.New(mode, place.State, place.Home)
	place.Bundler = client
	l := layers.Load(place, dir)
	tell(s.Stderr, l)
	told := s.tell(client, nil)
	if len(told) == 0 {
		client.Close()
		return errors.New("the policy subscribes to no bundle: see bundles in docs/reference/policy-file.md")
	}
	if s.once {
		return errors.Join(client.Close(), s.result(client))
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return client.Close()
		case <-tick.C:
			told = s.tell(client, told)
		}
	}
}

// tell writes a line about each bundle that changed, and returns the lines of
// all.
func (s *syncer) tell(c *bundles.Client, told map[string]string) map[string]string {
	now := map[string]string{}
	for _, h := range c.Healths() {
		text := "not loaded"
		if h.Revision != "" {
			text = "revision " + h.Revision
		}
		if h.Err != nil {
			text += "; " + strings.ReplaceAll(h.Err.Error(), "\n", "; ")
		}
		now[h.Source.Name] = text
		if told[h.Source.Name] != text {
			warn(s.Stdout, "", errors.New("bundle "+h.Source.Name+": "+render.Plain(text)))
		}
	}
	return now
}

// result is an error where a bundle could not be brought up to date.
func (s *syncer) result(c *bundles.Client) error {
	for _, h := range c.Healths() {
		if h.Err != nil {
			return exit(exitFailure)
		}
	}
	return nil
}
