// Package observe has the command that has a policy decide and record every call without
// stopping any but what the floor stops, and that says what it would have done.
package observe

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/agents/install"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Command returns the command observe.
func Command(p *console.Process) *cobra.Command {
	return console.Family(&cobra.Command{
		Use:   "observe COMMAND",
		Short: "See what a policy would ask about and deny before it does so",
		Long: `While your policy observes, it decides every call and puts it on record, but stops
only what the floor stops; the agents work as if they had no hook. The denials of a
managed policy and of bundles hold. policyctl install --observe begins so.`,
		Example: `  policyctl observe start
  policyctl observe report
  policyctl observe stop`,
	}, newStart(p), newReport(p), newStop(p))
}

// text is the policy that observes, in a file of its own, so that the rest of the policy
// stays as it is.
const text = `# Written by policyctl observe start. Every call is decided and recorded, but only the
# floor stops one. policyctl observe stop removes this file, and your policy is in force.
version: 1
approvals:
  mode: observe
`

// file is where it stands.
func file(place layers.Place) string { return filepath.Join(place.More(), "observe.yaml") }

// Plan adds to a plan that the policy of the person observes.
func Plan(plan *install.Plan, place layers.Place) error { return plan.Write(file(place), text) }

func newStart(p *console.Process) *cobra.Command {
	return &cobra.Command{
		Use:   "start",
		Short: "Let every call run that the floor does not stop, and record what your policy says",
		Args:  console.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			place, err := p.Policies()
			if err != nil {
				return err
			}
			plan := &install.Plan{}
			if err := Plan(plan, place); err != nil {
				return err
			}
			for _, c := range plan.Changes {
				if _, err := c.Apply(time.Now()); err != nil {
					return err
				}
			}
			if loaded := layers.Load(place, ""); loaded.Settings.Mode != policy.Observe {
				return console.Usagef("your policy does not observe: %s", why(loaded))
			}
			_, err = fmt.Fprintln(p.Stdout, "Your policy observes: see policyctl observe report in a few days.")
			return err
		},
	}
}

// why says what keeps a policy from observing.
func why(loaded *layers.Policy) string {
	if loaded.Err != nil {
		return "it is invalid, see policyctl check"
	}
	for _, a := range loaded.Assignments {
		if a.Path == modeKey && a.Held != "" {
			return a.Held
		}
	}
	return "another of your files sets approvals.mode, see policyctl config show"
}

const modeKey = "approvals.mode"

func newStop(p *console.Process) *cobra.Command {
	return &cobra.Command{
		Use:   "stop",
		Short: "Put your policy in force",
		Args:  console.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			place, err := p.Policies()
			if err != nil {
				return err
			}
			if err := os.Remove(file(place)); err != nil && !os.IsNotExist(err) {
				return err
			}
			loaded := layers.Load(place, "")
			if loaded.Settings.Mode == policy.Observe {
				return console.Usagef("the policy still observes: %s sets approvals.mode", source(loaded))
			}
			_, err = fmt.Fprintln(p.Stdout, "Your policy is in force.")
			return err
		},
	}
}

// source names what has the policy observe.
func source(loaded *layers.Policy) string {
	at := "another file"
	for _, a := range loaded.Assignments {
		if a.Path == modeKey && a.Held == "" {
			at = a.Origin.String()
		}
	}
	return at
}
