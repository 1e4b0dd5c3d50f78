package judge

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/authoring/extent"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/policy"
)

// whyNot shows which permissions come near to a call, and why they do not decide it.
type whyNot struct {
	*console.Process
	effective.Flags
	CallFlags
	json bool
}

// NewWhyNot returns the command why-not.
func NewWhyNot(p *console.Process) *cobra.Command {
	w := &whyNot{Process: p}
	cmd := &cobra.Command{
		Use:   "why-not 'COMMAND'",
		Short: "Show which permissions nearly cover a call, why they do not, and what would",
		Long: `Decide a call as eval does, and show for each command that is not allowed the
permissions that come nearest, each with the first reason why it does not cover the
command: a word, an option that it leaves out, an assignment, a redirection, or a
directory outside the project. For a call that is allowed, show the denials and
asks that come near in the same way. Then show which permissions would cover the
call, and what else each of them would newly allow.

The exit code is that of eval.`,
		Example: `  policyctl why-not 'pytest tests/unit -p myplugin'
  policyctl why-not --policy policy.yaml 'GH_HOST=ghe.example gh api repos/o/r'
  policyctl why-not --tool write --input '{"file_path":"lib/a.py"}'`,
		Args:        console.OneCommand,
		Annotations: map[string]string{console.TakesCommand: "yes"},
		RunE:        w.run,
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&w.json, "json", false, "print the reasons as JSON")
	w.Flags.Register(cmd)
	w.CallFlags.register(cmd)
	return cmd
}

func (w *whyNot) run(cmd *cobra.Command, args []string) error {
	w.World, w.Granted = w.Surroundings(), true
	eff, d, err := w.judged(cmd.Context(), w.Process, &w.Flags, args, false)
	if err != nil {
		return err
	}
	if eff.Unanswered(&d.Verdict) {
		return console.Exit(console.ExitUsage)
	}
	near, err := eff.Nearest(d.Call, d.Decision)
	if err != nil {
		return console.Usagef("the call cannot be read: %v", err)
	}
	report := render.NewWhyNot(d, near)
	report.Advice = advise(cmd.Context(), eff, d)
	report.Gains = gains(cmd.Context(), eff, d.Call, report.Advice.Allow)
	if err := w.Show(w.json, report, func(page *render.Page) { page.WhyNot(d, report) }); err != nil {
		return err
	}
	return console.Exit(console.ExitOf(d.Decision))
}

// gains returns, for each alternative, calls that it would newly allow beside the one that was
// asked about.
func gains(ctx context.Context, e *effective.Policy, of *policy.Call, alternatives [][]string) [][]string {
	out := make([][]string, len(alternatives))
	for i, list := range alternatives {
		out[i] = []string{}
		text, _ := of.Input["command"].(string)
		for _, match := range list {
			for _, s := range extent.Samples(policy.Permission{Match: match, Action: policy.Allow}) {
				if s.Text == text || slices.Contains(out[i], s.Text) {
					continue
				}
				c := *s.Call
				c.Dir, c.Home, c.ProjectDir = of.Dir, of.Home, of.ProjectDir
				v, err := e.Decide(ctx, e.Session(of.Session), &c)
				if err == nil && v.Decision != policy.Allow && allowedWith(e, ctx, &c, list) {
					out[i] = append(out[i], s.Text)
				}
			}
		}
		out[i] = out[i][:min(len(out[i]), maxGains)]
	}
	return out
}

// maxGains bounds the calls that are shown for one alternative.
const maxGains = 3

// meaning returns what the permission means that decided a call, with calls that it covers and
// calls that it leaves; nil where none did.
func meaning(e *effective.Policy, v *policy.Verdict) (*render.Meaning, error) {
	lists := [][]policy.Permission{e.Settings.Permissions}
	for _, list := range e.Settings.Agents {
		lists = append(lists, list)
	}
	for _, list := range lists {
		for _, p := range list {
			if p.Match != v.Rule || p.Action != v.Decision || p.Origin != v.Origin {
				continue
			}
			of, err := extent.Of(p, e.Settings)
			if err != nil || len(of.Covers)+len(of.Leaves) == 0 {
				return nil, err
			}
			return &render.Meaning{Match: p.Match, Covers: of.Covers, Leaves: of.Leaves}, nil
		}
	}
	return nil, nil
}
