package bundle

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/machine/bundles"
	"github.com/policyctl/policyctl/internal/machine/forms"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/render"
)

// A syncer keeps the bundles of the policy current on disk.
type syncer struct {
	*console.Process
	dir  string
	once bool
	// inst and uninst ask for the job of the system to be made or taken away.
	inst, uninst, dryRun bool
	every                time.Duration
	// said is what was told of the policy last.
	said string
}

func newBundleSync(p *console.Process) *cobra.Command {
	s := &syncer{Process: p}
	cmd := &cobra.Command{
		Use:   "sync",
		Short: "Keep the subscribed bundles up to date on disk",
		Long: `Keep the subscribed bundles up to date on disk, for the hooks
of agents, which never wait for a server. It runs until you stop it, prints what
changes, reports its status to status_url, and sends the decisions of hooks to
decision_log_url. A changed policy or key takes effect within a second. Run it as a
service of the user, or as a job with --once.

--install has the system run it every few minutes, by a systemd timer, a launchd
job or a scheduled task: one for the machine if you are root (Linux and macOS),
else one for your user. --uninstall removes it; --dry-run only shows what would
change.

A bundle that is refused leaves the last good one in force. The exit code of
--once is 1 if a bundle could not be brought up to date, or a collector did not
take all decisions; these stay on disk until the next time.`,
		Example: `  policyctl bundle sync
  policyctl bundle sync --once
  policyctl bundle sync --install --every 10m`,
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			run := s.run
			switch {
			case s.inst:
				run = s.install
			case s.uninst:
				run = s.uninstall
			case s.dryRun || cmd.Flags().Changed("every"):
				return errors.New("--dry-run and --every go with --install")
			}
			return console.UntilStopped(run)(cmd, args)
		},
	}
	cmd.Flags().BoolVar(&s.once, "once", false, "ask each server once, then end")
	cmd.Flags().BoolVar(&s.inst, "install", false, "have the system run it with --once")
	cmd.Flags().BoolVar(&s.uninst, "uninstall", false, "remove what --install set up")
	cmd.Flags().DurationVar(&s.every, "every", 5*time.Minute, "the `TIME` between two runs that --install sets up")
	cmd.Flags().BoolVar(&s.dryRun, "dry-run", false, "show what --install or --uninstall would do")
	cmd.MarkFlagsMutuallyExclusive("install", "uninstall", "once")
	console.Directory(cmd, &s.dir)
	cmd.MarkFlagsMutuallyExclusive("install", "dir")
	return cmd
}

func (s *syncer) run(ctx context.Context) error {
	place, dir, err := s.PoliciesIn(s.dir)
	if err != nil {
		return err
	}
	mode := bundles.Following
	if s.once {
		mode = bundles.Fetching
	}
	client := bundles.New(mode, place.State, place.Home)
	client.KeepForms(forms.New(place.Managed, place.State))
	place.Bundler = client
	live, err := layers.NewLive(place, dir, nil, nil, s.changed)
	if err != nil {
		client.Close()
		return err
	}
	told := s.tell(client, nil)
	if len(told) == 0 {
		client.Close()
		return errors.New("the policy subscribes to no bundle: see bundles in docs/reference/policy-file.md")
	}
	if s.once {
		return errors.Join(client.Ship(), client.Close(), s.result(client))
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return client.Close()
		case <-tick.C:
			live.Engine() // which looks at the files
			told = s.tell(client, told)
		}
	}
}

// changed tells of a policy that was read, less what is told of each bundle.
func (s *syncer) changed(p *layers.Policy) {
	var text strings.Builder
	rest := *p
	rest.Bundles, rest.Err = nil, p.FilesErr
	effective.Tell(&text, &rest)
	if s.said != text.String() {
		s.said = text.String()
		io.WriteString(s.Stderr, s.said)
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
			console.Warn(s.Stdout, "", errors.New("bundle "+h.Source.Name+": "+render.Plain(text)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(told)) {
		if _, still := now[name]; !still {
			console.Warn(s.Stdout, "", errors.New("bundle "+name+": the policy subscribes to it no more"))
		}
	}
	return now
}

// result is an error where a bundle could not be brought up to date.
func (s *syncer) result(c *bundles.Client) error {
	for _, h := range c.Healths() {
		if h.Err != nil {
			return console.Exit(console.ExitFailure)
		}
	}
	return nil
}
