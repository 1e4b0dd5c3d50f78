package settings

import (
	"fmt"
	"regexp"
	"strings"
	"text/tabwriter"

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
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PACK\tASKS\tFOR")
	for _, name := range policies.Names() {
		readme, _ := policies.Readme(name)
		asks := "-"
		if m := share.FindSubmatch(readme); m != nil {
			asks = string(m[1]) + " %"
		}
		_, rest, _ := strings.Cut(string(readme), "\n\n")
		whom, _, _ := strings.Cut(rest, "\n")
		whom = strings.TrimPrefix(strings.TrimSuffix(whom, "."), "For ")
		if i := strings.IndexAny(whom, ",."); i > 0 {
			whom = whom[:i]
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", name, asks, whom)
	}
	return w.Flush()
}
