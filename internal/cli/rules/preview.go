package rules

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/authoring/preview"
	"github.com/policyctl/policyctl/internal/authoring/replay"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/cli/judge"
	"github.com/policyctl/policyctl/internal/render"
)

// A previewer shows what a rule would have matched.
type previewer struct {
	*console.Process
	effective.Flags
	judge.CallFlags
	rule              string
	calls             []string
	samples, lookback int
	json              bool
}

// NewPreview returns the command preview.
func NewPreview(p *console.Process) *cobra.Command {
	v := &previewer{Process: p}
	cmd := &cobra.Command{
		Use:   "preview RULE|FILE --calls FILE",
		Short: "Show which recorded calls a rule would have matched",
		Long: `Show which recorded calls a rule would have matched: a RULE of the policy that
applies, by its id, or one in a FILE, which need not be in force. Disabled rules
are shown too. Recordings are those that policyctl replay reads; their latest
calls count.

Calls that the rule matches outside its scope are counted separately, and so are
calls for which that is unknown. policyctl diff shows whether the rule would also
have decided.`,
		Example: `  policyctl preview no-force-push --calls ~/.claude/projects
  policyctl preview draft.yaml --calls calls.jsonl --samples 20`,
		Args: console.AtMostOne,
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&v.calls, "calls", nil, "a recording: a `FILE`, a directory, or -; may repeat")
	flags.StringVar(&v.rule, "rule", "", "the `ID` of the rule in the file")
	flags.IntVar(&v.samples, "samples", 8, fmt.Sprintf("show `N` calls, at most %d", preview.MaxSamples))
	flags.IntVar(&v.lookback, "lookback", 200, fmt.Sprintf("look at the latest `N` calls, at most %d", preview.MaxLookback))
	flags.BoolVar(&v.json, "json", false, "print the report as JSON")
	v.Flags.Register(cmd)
	v.RegisterPlaces(flags)
	return cmd
}

func (v *previewer) run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 0:
		return console.Usagef("no rule: name one of the policy by its id, or a file with a rule")
	case len(v.calls) == 0:
		return console.Usagef("no recording: name one with --calls, such as --calls ~/.claude/projects")
	}
	if err := within("samples", v.samples, 0, preview.MaxSamples); err != nil {
		return err
	}
	if err := within("lookback", v.lookback, 1, preview.MaxLookback); err != nil {
		return err
	}
	if err := v.Resolve(v.Process); err != nil {
		return err
	}
	v.Flags.Project = v.CallFlags.Project
	flags, id := &v.Flags, args[0]
	if isPolicyFile(args[0]) {
		flags, id = v.Alone(args[0]), v.rule
	} else if v.rule != "" {
		return console.Usagef("--rule is for a file: leave it out, or name the file")
	}
	r, err := loadRuled(v.Process, flags, v.CallFlags.Dir)
	if err != nil {
		return err
	}
	from := "the policy"
	if flags != &v.Flags {
		from = args[0]
	}
	rule, err := r.pick(id, from)
	if err != nil {
		return err
	}
	probe := preview.NewProbe(rule)
	r.Engine, err = only(probe, r.Settings.Tools, v.Surroundings())
	if err != nil {
		return err
	}
	return v.report(ctx, probe, r)
}

// report shows the latest calls to a probe.
func (v *previewer) report(ctx context.Context, probe *preview.Probe, r *ruleset) error {
	inputs, missing := recordings(v.Process, v.calls)
	var latest []replay.Recorded
	problems := replay.Each(ctx, inputs, replay.Options{Complete: v.Complete, Tools: r.Settings.Tools}, func(c replay.Recorded) {
		if latest = append(latest, c); len(latest) >= 2*v.lookback {
			latest = append(latest[:0], latest[v.lookback:]...)
		}
	})
	latest = latest[max(0, len(latest)-v.lookback):]
	report, err := probe.Run(ctx, r.Engine, latest, v.samples)
	if err != nil {
		return err
	}
	report.Problems = append(append(report.Problems, missing...), problems...)
	if err := v.Show(v.json, report, func(page *render.Page) { page.Preview(report) }); err != nil {
		return err
	}
	if err := judge.Unread(report.Problems); err != nil {
		return err
	}
	if report.Total == 0 {
		return judge.ErrNoCalls
	}
	return nil
}
