package observe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/agents/install"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/decisions"
	"github.com/policyctl/policyctl/internal/cli/serve"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
	"github.com/policyctl/policyctl/policies"
)

// A reporter says what a policy would have done that only observed.
type reporter struct {
	*console.Process
	serve.Database
	since string
	json  bool
}

func newReport(p *console.Process) *cobra.Command {
	o := &reporter{Process: p}
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Show what would have been asked and denied, by rule, and which pack fits",
		Long: `Show what the policy would have asked about and denied while it observed, by the
rule that decided, and how often each ready-made policy would have asked about the
same calls. The calls come from the record of the hooks, in which secrets are masked
and long texts cut.`,
		Example: `  policyctl observe report
  policyctl observe report --since 24h --json`,
		Args: console.NoArgs,
		RunE: console.UntilStopped(o.run),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.since, "since", "7d", "only what was decided since a `TIME`, such as 24h, 7d or 2027-01-31")
	flags.BoolVar(&o.json, "json", false, "print the report as JSON")
	o.Register(flags)
	return cmd
}

// An observation is what a policy would have done.
type observation struct {
	Calls  int       `json:"calls"`
	Since  time.Time `json:"since"` // the first of them
	Asks   int       `json:"asks"`
	Denies int       `json:"denies"`
	// Left is how many calls the policy would have left to the agents' own permissions.
	Left   int     `json:"left_to_agents"`
	Causes []cause `json:"causes"`
	Packs  []fit   `json:"packs"`
}

// A cause is what would have asked or denied, the most frequent first.
type cause struct {
	Decision string `json:"decision"`
	Cause    string `json:"cause"`
	Calls    int    `json:"calls"`
	Example  string `json:"example"` // the newest of the calls
}

// A fit is what a pack says of the same calls.
type fit struct {
	Pack   string `json:"pack"`
	Asks   int    `json:"asks"`
	Denies int    `json:"denies"`
}

func (o *reporter) run(ctx context.Context) (err error) {
	since, err := console.Since(o.since, time.Now())
	if err != nil {
		return err
	}
	log, err := decisions.Open(ctx, o.Process, &o.Database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	list, err := log.Newest(ctx, decisions.Query{Since: since})
	if err != nil {
		return err
	}
	place, err := o.Policies()
	if err != nil {
		return err
	}
	viewer := decisions.NewViewer(place.Home)
	list = slices.DeleteFunc(list, func(r *audit.Record) bool {
		return viewer.Of(r).Observed == "" || install.IsTrial(r.Session)
	})
	report, err := o.report(ctx, viewer, place.Home, list)
	if err != nil {
		return err
	}
	if o.json {
		return render.JSON(o.Stdout, report)
	}
	for _, note := range log.Notes() {
		console.Warn(o.Stderr, "", errors.New(note))
	}
	return o.show(report)
}

// report counts records, the newest first, and has the packs judge their calls.
func (o *reporter) report(ctx context.Context, viewer *decisions.Viewer, home string, list []*audit.Record) (*observation, error) {
	out := &observation{Calls: len(list), Causes: []cause{}, Packs: []fit{}}
	for _, r := range list {
		d := viewer.Of(r)
		out.Since = d.Time
		switch {
		case d.Left:
			out.Left++
		case d.Observed != policy.Allow.String():
			out.count(&d)
		}
	}
	slices.SortStableFunc(out.Causes, func(a, b cause) int { return cmp.Compare(b.Calls, a.Calls) })
	if len(list) == 0 {
		return out, nil
	}
	for _, name := range policies.Names() {
		f, err := fits(ctx, name, home, list)
		if err != nil {
			return nil, err
		}
		out.Packs = append(out.Packs, f)
	}
	return out, nil
}

// count adds what would have been asked or denied.
func (o *observation) count(d *decisions.Decision) {
	if d.Observed == policy.Deny.String() {
		o.Denies++
	} else {
		o.Asks++
	}
	why := d.Cause()
	i := slices.IndexFunc(o.Causes, func(c cause) bool { return c.Decision == d.Observed && c.Cause == why })
	if i < 0 {
		i, o.Causes = len(o.Causes), append(o.Causes, cause{d.Observed, why, 0, d.Call})
	}
	o.Causes[i].Calls++
}

// fits has a pack judge the calls of records.
func fits(ctx context.Context, pack, home string, list []*audit.Record) (fit, error) {
	out := fit{Pack: pack}
	p, err := packed(pack)
	if err != nil {
		return out, err
	}
	for _, r := range list {
		c := policy.Call{Tool: r.Tool, Dir: r.Dir, Home: home, OS: runtime.GOOS, Agent: r.Agent, Session: r.Session, Time: decisions.At(r)}
		if c.Input, err = policy.DecodeObject(r.Arguments); err != nil {
			out.Asks++ // its arguments were too long for the record
			continue
		}
		switch v, err := p.Review(ctx, nil, &c); {
		case ctx.Err() != nil:
			return out, ctx.Err()
		case err == nil && v.Decision == policy.Ask && v.Undecided: // left to the agent
		case err != nil || v.Decision == policy.Ask:
			out.Asks++
		case v.Decision == policy.Deny:
			out.Denies++
		}
	}
	return out, nil
}

// packed returns the engine of a pack.
func packed(pack string) (*policy.Engine, error) {
	text, _ := policies.Lookup(pack)
	loaded, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: pack, Data: text, Admit: config.Everything})
	if err != nil {
		return nil, err
	}
	return policy.New(loaded.Settings, policy.Options{Sources: loaded.Sources(), World: world.New(os.Environ())})
}

// show writes the report for people.
func (o *reporter) show(r *observation) error {
	page := o.Page()
	if r.Calls == 0 {
		page.Prose("Nothing was observed in that time. If your policy does not observe, policyctl observe start begins.")
		return page.Close()
	}
	page.Entries([][2]string{
		{"observed", console.Count(r.Calls, "call") + " since " + r.Since.Local().Format("2006-01-02 15:04")},
		{"would ask", fmt.Sprintf("about %d, which is %.1f %%", r.Asks, share(r.Asks, r.Calls))},
		{"would deny", fmt.Sprintf("%d, which is %.1f %%", r.Denies, share(r.Denies, r.Calls))},
		{"would leave", fmt.Sprintf("%d to the agents' own permissions", r.Left)},
	})
	if len(r.Causes) > 0 {
		rows := [][]string{{"CALLS", "WOULD", "BECAUSE OF", "FOR EXAMPLE"}}
		for _, c := range r.Causes[:min(len(r.Causes), mostCauses)] {
			rows = append(rows, []string{fmt.Sprint(c.Calls), c.Decision, c.Cause, c.Example})
		}
		page.Block("")
		page.Table(rows)
	}
	rows := [][]string{{"PACK", "WOULD ASK", "WOULD DENY"}}
	for _, f := range r.Packs {
		rows = append(rows, []string{f.Pack, fmt.Sprintf("%d (%.1f %%)", f.Asks, share(f.Asks, r.Calls)), fmt.Sprint(f.Denies)})
	}
	page.Block("")
	page.Table(rows)
	page.Block("")
	page.Prose(advice(r))
	return page.Close()
}

// mostCauses bounds the table for people.
const mostCauses = 20

func share(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// bearable is how many of a hundred calls a person answers who does not turn the policy
// off.
const bearable = 5

// advice says which pack fits, and what comes next: the first of the packs, which are
// for the most people first, that asks seldom enough, or else the one that asks least.
func advice(r *observation) string {
	seldom := func(f fit) bool { return share(f.Asks+f.Denies, r.Calls) <= bearable }
	i := slices.IndexFunc(r.Packs, seldom)
	text := fmt.Sprintf("The pack %%s asks about at most %d of 100 of these calls.", bearable)
	if i < 0 {
		least := slices.MinFunc(r.Packs, func(a, b fit) int { return cmp.Compare(a.Asks+a.Denies, b.Asks+b.Denies) })
		i = slices.Index(r.Packs, least)
		text = "The pack %s asks least."
	}
	return fmt.Sprintf(text, r.Packs[i].Pack) +
		" policyctl learn proposes permissions for the rest, and policyctl observe stop puts the policy in force."
}
