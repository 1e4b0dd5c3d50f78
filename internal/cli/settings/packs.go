package settings

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/policies"
)

// NewPacks returns the command packs.
func NewPacks(p *console.Process) *cobra.Command {
	return &cobra.Command{
		Use:   "packs",
		Short: "List the ready-made policies and how often each asks",
		Long: `List the ready-made policies, whom each is for, and the share of recorded calls
that it asks about. Start from one with policyctl init --pack NAME, or decide by
one with --policy builtin:NAME.`,
		Example: `  policyctl packs
  policyctl init --pack developer`,
		Args: console.NoArgs,
		RunE: func(*cobra.Command, []string) error { return listPacks(p) },
	}
}

func listPacks(p *console.Process) error {
	// Where the README of a pack says how often it asks.
	share := regexp.MustCompile(`asked\s+about\s+\(([0-9.]+) %\)`)
	table := [][]string{{"PACK", "ASKS", "FOR"}}
	for _, name := range policies.Names() {
		readme, _ := policies.Readme(name)
		asks := "-"
		if m := share.FindSubmatch(readme); m != nil {
			asks = string(m[1]) + " %"
		}
		table = append(table, []string{name, asks, whomFor(string(readme))})
	}
	return p.PrintTable(table)
}

// whomFor returns whom a pack is for, as the first sentence of its README says.
func whomFor(readme string) string {
	_, rest, _ := strings.Cut(readme, "\n\n")
	paragraph, _, _ := strings.Cut(rest, "\n\n")
	sentence, _, _ := strings.Cut(strings.Join(strings.Fields(paragraph), " ")+" ", ". ")
	return strings.TrimPrefix(strings.TrimSuffix(strings.TrimSpace(sentence), "."), "For ")
}
