package tables

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/policy"
)

// StageNames returns the names of the stages in the order of the chain.
func StageNames() (names []string) {
	for _, s := range policy.Stages() {
		names = append(names, s.Stage.String())
	}
	return names
}

// NewStages returns the command stages.
func NewStages(p *console.Process) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stages",
		Short: "List the stages of the chain: the first with an answer decides",
		Args:  console.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return render.JSON(p.Stdout, stageList())
			}
			rows := [][]string{{"#", "STAGE", "WHEN", "ANSWER"}}
			for _, s := range stageList() {
				rows = append(rows, []string{fmt.Sprint(s.Number), s.Stage.String(), s.Speaks, s.Answer})
			}
			return p.PrintTable(rows)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the stages as JSON")
	return cmd
}

// A stageRow is one stage as JSON.
type stageRow struct {
	Number int          `json:"number"`
	Stage  policy.Stage `json:"stage"`
	Speaks string       `json:"speaks_when"`
	Answer string       `json:"answer"`
}

func stageList() []stageRow {
	var out []stageRow
	for i, s := range policy.Stages() {
		out = append(out, stageRow{i + 1, s.Stage, s.Speaks, s.Answer})
	}
	return out
}
