package agents

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/agents/install"
	"github.com/policyctl/policyctl/internal/cli/bundle"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/bundles"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/internal/render"
)

// NewDoctor returns the command doctor.
func NewDoctor(p *console.Process) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor AGENT",
		Short: "Check that an agent really asks policyctl",
		Long: `Find the hook in all settings of an agent, check it, and ask it about harmless
commands and a catastrophic one, as the agent would. It runs none of them. It
also asks the agent for its version and whether it trusts this folder, and lists
the ways to start it without the hook. Agents: ` + strings.Join(install.Names(), ", ") + `. Exits 1 if there is a problem.`,
		Example:   `  policyctl doctor claude`,
		ValidArgs: install.Names(),
		Args:      console.AtMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			findings, err := examine(p, cmd, args)
			switch {
			case err != nil:
				return err
			case asJSON:
				err = render.JSON(p.Stdout, findingRows(findings))
			default:
				err = show(p, findings)
			}
			if err == nil && slices.ContainsFunc(findings, isProblem) {
				return console.Exit(console.ExitFailure)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return cmd
}

// examine looks at the agent that the arguments name.
func examine(p *console.Process, cmd *cobra.Command, args []string) ([]install.Finding, error) {
	a, err := agentOf(args)
	if err != nil {
		return nil, err
	}
	place, err := place(p)
	if err != nil {
		return nil, err
	}
	all := install.Examine(cmd.Context(), a, place, install.Host{Run: install.Shell, Version: install.Version})
	policies, err := p.Policies()
	if err != nil {
		return nil, err
	}
	hooks, _ := p.Elsewhere(policies)
	if missing := spool.Verdicts(hooks.State).Missing(); missing != "" {
		all = append(all, install.Finding{Level: install.Note, Check: "record", Text: "the record of decisions has gaps", Next: missing})
	}
	return append(all, bundleFindings(p, hooks)...), nil
}

// bundleFindings looks at the bundles by which hooks decide, as they are on
// disk.
func bundleFindings(p *console.Process, place layers.Place) (all []install.Finding) {
	client := bundles.New(bundles.Offline, place.State, place.Home)
	defer client.Close()
	place.Bundler = client
	layers.Load(place, "")
	rows := bundle.Rows(client, time.Now())
	for i := range rows {
		b, f := &rows[i], install.Finding{Level: install.OK, Check: "bundle"}
		switch old := b.Old(); {
		case b.Broken():
			f.Level, f.Text, f.Next = install.Problem, "the bundle "+b.Name+" allows nothing", "see policyctl status"
		case old != "":
			f.Level, f.Text, f.Next = install.Problem, old, bundle.KeepCurrent
		default:
			f.Text = "the bundle " + b.Name + " is current"
		}
		all = append(all, f)
	}
	if len(rows) > 0 && !kept(p, place) {
		all = append(all, install.Finding{Level: install.Note, Check: "bundle", Text: "no job of the system keeps the bundles current",
			Next: "run policyctl bundle sync --install, unless policyctl bundle sync or policyctl serve runs as a service already"})
	}
	return all
}

// kept reports whether a job keeps the bundles current, of the machine or of the
// person.
func kept(p *console.Process, place layers.Place) bool {
	k := bundle.Keeper(p, place, time.Minute)
	machine, person := *k, *k
	machine.Root, person.Root = k.System != "windows", false
	return machine.Installed() || person.Installed()
}

func isProblem(f install.Finding) bool { return f.Level == install.Problem }

// A findingRow is a finding as JSON.
type findingRow struct {
	Level install.Level `json:"level"`
	Check string        `json:"check"`
	Text  string        `json:"text"`
	Next  *string       `json:"next"`
}

func findingRows(all []install.Finding) []findingRow {
	out := make([]findingRow, len(all))
	for i, f := range all {
		out[i] = findingRow{Level: f.Level, Check: f.Check, Text: f.Text}
		if f.Next != "" {
			out[i].Next = &f.Next
		}
	}
	return out
}

// show writes each finding with the next step below it.
func show(p *console.Process, all []install.Finding) error {
	page := p.Page()
	var rows [][]string
	for _, f := range all {
		rows = append(rows, []string{string(f.Level), f.Check, f.Text})
		if f.Next != "" {
			rows = append(rows, []string{"", "", "next: " + f.Next})
		}
	}
	page.Table(rows)
	return page.Close()
}
