// Package tables has the commands that show the tables which decide: stages, floor,
// dangerous, sensitive and readonly. They judge nothing.
package tables

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/dangerous"
	"github.com/policyctl/policyctl/pkg/hardline"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A ruleTable is a command that shows a table of rules.
type ruleTable struct {
	*console.Process
	name, short string
	rules       func() []hazard.Rule
	json        bool
}

// RuleIDs returns the ids of the rules of the floor and of the dangerous patterns.
func RuleIDs() (ids []string) {
	for _, r := range slices.Concat(hardline.Rules(), dangerous.Rules()) {
		ids = append(ids, r.ID)
	}
	return ids
}

// ToolNames returns the names of the built-in tools, without their aliases.
func ToolNames() (names []string) {
	for _, t := range policy.BuiltinTools() {
		names = append(names, t.Name)
	}
	return names
}

// NewFloor returns the command floor.
func NewFloor(p *console.Process) *cobra.Command {
	t := ruleTable{Process: p, name: "floor", short: "List the rules of the floor, which nothing overrides, or show one", rules: hardline.Rules}
	return t.command()
}

// NewDangerous returns the command dangerous.
func NewDangerous(p *console.Process) *cobra.Command {
	t := ruleTable{Process: p, name: "dangerous", short: "List the dangerous patterns, which ask, or show one", rules: dangerous.Rules}
	return t.command()
}

func (t *ruleTable) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:               t.name + " [ID]",
		Short:             t.short,
		Args:              console.AtMostOne,
		ValidArgsFunction: t.complete,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return t.list()
			}
			return t.show(args[0])
		},
	}
	cmd.Flags().BoolVar(&t.json, "json", false, "print the rules as JSON")
	return cmd
}

func (t *ruleTable) ids() []string {
	var ids []string
	for _, r := range t.rules() {
		ids = append(ids, r.ID)
	}
	return ids
}

func (t *ruleTable) complete(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return t.ids(), cobra.ShellCompDirectiveNoFileComp
}

func (t *ruleTable) list() error {
	return t.Show(t.json, render.NewRules(t.rules()), func(page *render.Page) { page.RuleList(t.rules()) })
}

func (t *ruleTable) show(id string) error {
	rules := t.rules()
	i := slices.IndexFunc(rules, func(r hazard.Rule) bool { return r.ID == id })
	if i < 0 {
		return console.Unknown("rule", id, t.ids(), "see policyctl "+t.name)
	}
	return t.Show(t.json, render.NewRules(rules[i : i+1])[0], func(page *render.Page) { page.Rule(&rules[i]) })
}
