package agents

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/agents/install"
	"github.com/policyctl/policyctl/internal/cli/bundle"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/bundles"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/policy"
)

// NewDoctor returns the command doctor.
func NewDoctor(p *console.Process) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor [AGENT]",
		Short: "Check that an agent really asks policyctl",
		Long: `Find the hook in all settings of an agent, check it, and ask it about harmless
commands and a catastrophic one, as the agent would. It runs none of them. It
also asks the agent for its version and whether it trusts this folder, checks the
policy, says what the hook answers in each permission mode of the agent, and lists
the ways to start it without the hook. Without AGENT it does so for every agent
that has the hook. Agents: ` + strings.Join(install.Names(), ", ") + `. Exits 1 if there is a problem:
if the policy is invalid, if the hook cannot answer, or if the agent drops it.`,
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

// examine looks at the agent that the arguments name, or at all that have the hook, and
// at the policy.
func examine(p *console.Process, cmd *cobra.Command, args []string) ([]install.Finding, error) {
	place, err := place(p)
	if err != nil {
		return nil, err
	}
	agents, err := agentsOf(args, place)
	if err != nil {
		return nil, err
	}
	policies, err := p.Policies()
	if err != nil {
		return nil, err
	}
	hooks, differs := p.Elsewhere(policies)
	inForce := layers.Load(hooks, place.Dir)
	var all []install.Finding
	for _, a := range agents {
		found := install.Examine(cmd.Context(), a, place, install.Host{Run: install.Shell, Version: install.Version})
		if install.Installed(a, place) {
			found = append(found, modeFindings(a, &inForce.Settings)...)
		}
		for i := range found {
			if len(agents) > 1 {
				found[i].Check = a.Name + ": " + found[i].Check
			}
		}
		all = append(all, found...)
	}
	all = append(all, policyFinding(inForce))
	if differs {
		all = append(all, policyFinding(layers.Load(policies, place.Dir))) // which the commands go by
	}
	if missing := spool.Verdicts(hooks.State).Missing(); missing != "" {
		all = append(all, install.Finding{Level: install.Note, Check: "record", Text: "the record of decisions has gaps", Next: missing})
	}
	return append(all, bundleFindings(p, hooks)...), nil
}

// agentsOf returns the agents that the arguments name, or all that have the hook.
func agentsOf(args []string, place install.Place) (out []*install.Agent, err error) {
	for i := range args {
		a, err := agentOf(args[i:])
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	if len(out) > 0 {
		return out, nil
	}
	for _, name := range install.Names() {
		if a, ok := install.Lookup(name); ok && install.Installed(a, place) {
			out = append(out, a)
		}
	}
	if len(out) == 0 {
		_, err := agentOf(args)
		return nil, err
	}
	return out, nil
}

// policyFinding says whether the policy by which hooks decide is valid.
func policyFinding(inForce *layers.Policy) install.Finding {
	f := install.Finding{Level: install.OK, Check: "policy", Text: "the policy is valid"}
	if err := errors.Join(inForce.Err, inForce.TrustErr); err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		f.Level, f.Text, f.Next = install.Problem, "the policy is invalid and allows nothing: "+line, "run policyctl check, which lists all that is wrong"
	}
	return f
}

// modeFindings say what the hook of an agent answers, mode by mode, about a call that is
// undecided and about one that a rule asks about.
func modeFindings(a *install.Agent, s *policy.Settings) (out []install.Finding) {
	agent, ok := hook.Lookup(a.Name)
	if !ok {
		return nil
	}
	left := s.Undecided == policy.UndecidedAgent
	for _, about := range []struct {
		what string
		v    policy.Verdict
	}{
		{"undecided", policy.Verdict{Decision: policy.Ask, Undecided: left, UndecidedModes: s.UndecidedModes}},
		{"ask", policy.Verdict{Decision: policy.Ask}},
	} {
		for _, w := range agent.Words(&policy.Call{}, &about.v) {
			answer := render.HookAnswer{Agent: a.Title, Says: w.Says, Modes: w.Modes}
			out = append(out, install.Finding{Level: install.OK, Check: about.what, Text: answer.String()})
		}
	}
	return out
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
