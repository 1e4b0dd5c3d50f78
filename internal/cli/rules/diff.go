package rules

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/authoring/differ"
	"github.com/policyctl/policyctl/internal/authoring/replay"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/cli/judge"
	"github.com/policyctl/policyctl/internal/render"
)

// A difference shows what two policies decide differently.
type difference struct {
	*console.Process
	effective.Flags
	judge.CallFlags
	calls  []string
	format string
	json   bool
}

// NewDiff returns the command diff.
func NewDiff(p *console.Process) *cobra.Command {
	d := &difference{Process: p}
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Show which calls another policy decides differently",
		Long: `Show which calls the policy file NEW decides differently from OLD, each taken
alone. It tries recorded calls if --calls names some, the examples of the rules,
calls made up from the rules, permissions and tools of both files, and the
examples of the built-in tables. It looks for no loops. Recorded calls are decided
with today's file system, in the project that an agent's hook would find; those
that are made up, without.

A change is looser, stricter, or a move: the same decision at another stage, by
another rule, or on other terms. Finding no difference is not a proof; the last
line says how many calls were tried.

The exit code is 0 if no verdict differs, 1 if one does, 2 if a policy is
invalid.`,
		Example: `  policyctl diff old.yaml new.yaml
  policyctl diff old.yaml new.yaml --calls ~/.claude/projects --json
  policyctl diff old.yaml new.yaml --format markdown > comment.md`,
		RunE: func(cmd *cobra.Command, args []string) error { return d.run(cmd.Context(), args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&d.calls, "calls", nil, "a recording: a `FILE`, a directory, or -; may repeat")
	flags.StringVar(&d.format, "format", "text", "print the report as `FORMAT`: text, json or markdown, for a comment on a pull request")
	console.Completes(cmd, "format", "text", "json", "markdown")
	flags.BoolVar(&d.json, "json", false, "the same as --format json")
	d.RegisterPlaces(flags)
	d.FlagSet = flags
	return cmd
}

func (d *difference) run(ctx context.Context, args []string) error {
	if len(args) != 2 {
		return console.Usagef("diff takes two policy files, not %d: policyctl diff OLD NEW", len(args))
	}
	if formats := []string{"text", "json", "markdown"}; !slices.Contains(formats, d.format) {
		return console.Unknown("format", d.format, formats, "one of text, json, markdown")
	}
	d.json = d.json || d.format == "json"
	if err := d.Resolve(d.Process); err != nil {
		return err
	}
	old, err := loadRuled(d.Process, d.Alone(args[0]), d.CallFlags.Dir)
	if err != nil {
		return err
	}
	new, err := loadRuled(d.Process, d.Alone(args[1]), d.CallFlags.Dir)
	if err != nil {
		return err
	}
	differ := differ.New(ctx, old.Engine, new.Engine)
	problems, err := d.recorded(ctx, differ, old, new)
	if err != nil {
		return err
	}
	differ.Tables()
	for _, r := range []*ruleset{old, new} {
		differ.Policy(r.corpus())
	}
	differ.Pairs(old.rules, new.rules)
	differ.Mix()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	report := differ.Report()
	report.Problems = append(report.Problems, problems...)
	if err := d.Show(d.json, report, d.draw(report)); err != nil {
		return err
	}
	if err := judge.Unread(problems); err != nil {
		return err
	}
	if !report.Same() {
		return console.Exit(console.ExitFailure)
	}
	return nil
}

// draw returns what writes the report for people.
func (d *difference) draw(report *differ.Report) func(*render.Page) {
	return func(page *render.Page) {
		if d.format == "markdown" {
			page.DifferMarkdown(report)
		} else {
			page.Differ(report)
		}
	}
}

// corpus returns what calls are made up from.
func (r *ruleset) corpus() *differ.Policy {
	return &differ.Policy{Settings: r.Settings, Rules: r.rules}
}

// recorded compares the verdicts on recorded calls.
func (d *difference) recorded(ctx context.Context, into *differ.Differ, old, new *ruleset) ([]replay.Problem, error) {
	inputs, missing := recordings(d.Process, d.calls)
	world := d.Surroundings()
	was, err := old.In(world)
	if err != nil {
		return nil, err
	}
	is, err := new.In(world)
	if err != nil {
		return nil, err
	}
	wrong := replay.Each(ctx, inputs, replay.Options{Complete: d.Complete, Tools: new.Settings.Tools}, func(c replay.Recorded) {
		into.TryBy(was, is, c.Call, differ.Sample{Kind: differ.Recorded, At: c.Sample.At, Text: c.Sample.Text})
	})
	return append(missing, wrong...), nil
}
