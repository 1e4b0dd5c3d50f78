package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/install"
	"github.com/policyctl/policyctl/internal/render"
)

func newDoctor(p *Process) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor AGENT",
		Short: "See whether an agent really asks policyctl",
		Long: `Look for the hook in all settings of an agent, check what stands there, and ask
the hook about harmless commands and a catastrophic one, as the agent would. None
of them is run. The agent is asked for its version, and whether it trusts this
folder; how it can be started without the hook is listed. Agents: ` + strings.Join(install.Names(), ", ") + `. Exits 1 if there is a problem.`,
		Example:   `  policyctl doctor claude`,
		ValidArgs: install.Names(),
		Args:      atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			findings, err := p.examine(cmd, args)
			switch {
			case err != nil:
				return err
			case asJSON:
				err = render.JSON(p.Stdout, findingRows(findings))
			default:
				err = p.findings(findings)
			}
			if err == nil && slices.ContainsFunc(findings, isProblem) {
				return exit(exitFailure)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return cmd
}

// examine looks at the agent that the arguments name.
func (p *Process) examine(cmd *cobra.Command, args []string) ([]install.Finding, error) {
	a, err := agentOf(args)
	if err != nil {
		return nil, err
	}
	place, err := p.place()
	if err != nil {
		return nil, err
	}
	return install.Examine(cmd.Context(), a, place, install.Host{Run: install.Shell, Version: install.Version}), nil
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

// findings shows each finding with the next step below it.
func (p *Process) findings(all []install.Finding) error {
	page := p.page()
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
