package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/decisions"
	"github.com/policyctl/policyctl/internal/cli/judge"
	"github.com/policyctl/policyctl/internal/cli/serve"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/trail"
)

// A wherefore shows one decision whole.
type wherefore struct {
	*console.Process
	serve.Database
	json   bool
	viewer *decisions.Viewer
}

// NewWhy returns the command why.
func NewWhy(p *console.Process) *cobra.Command {
	w := &wherefore{Process: p}
	cmd := &cobra.Command{
		Use:   "why [ID]",
		Short: "Show why a recorded call was denied, and what would allow it now",
		Long: `Show one decision on record: the call, what decided it and why, and what would
allow the call under the policy of now. Without an ID it is the last denial in the
project around the working directory. An ID is that of a denial's message or of
policyctl log; its first 8 characters are enough.`,
		Example: `  policyctl why
  policyctl why 937eb891
  policyctl why 937eb891 --json`,
		Args: console.AtMostOne,
		RunE: func(cmd *cobra.Command, args []string) error { return w.run(cmd.Context(), args) },
	}
	cmd.Flags().BoolVar(&w.json, "json", false, "print the decision as JSON")
	w.Register(cmd.Flags())
	return cmd
}

// leastID is how much of an id names a decision: nobody finds one by guessing.
const leastID = 8

func (w *wherefore) run(ctx context.Context, args []string) error {
	var err error
	if w.viewer, err = newViewer(w.Process); err != nil {
		return err
	}
	q := decisions.Query{Limit: 2}
	switch {
	case len(args) == 0:
		q = decisions.Query{Decision: policy.Deny.String(), Limit: 1}
		q.Under, err = projectHere(w.Process, w.viewer)
	case len(args[0]) < leastID:
		err = console.Usagef("%q is too short: give at least the first %d characters of the id, as policyctl log shows it", args[0], leastID)
	default:
		q.ID = args[0]
	}
	if err != nil {
		return err
	}
	r, notes, err := w.find(ctx, q)
	if err != nil {
		return err
	}
	return w.show(ctx, r, notes)
}

// find returns the decision of a query.
func (w *wherefore) find(ctx context.Context, q decisions.Query) (*audit.Record, []string, error) {
	log, err := decisions.Open(ctx, w.Process, &w.Database)
	if err != nil {
		return nil, nil, err
	}
	list, err := log.Newest(ctx, q)
	if err := errors.Join(err, log.Close()); err != nil {
		return nil, nil, err
	}
	notes := log.Gaps()
	switch {
	case len(list) > 1 && q.Limit > 1:
		return nil, nil, fmt.Errorf("several decisions begin with %s: give more of the id", clip.Text(q.ID, 40))
	case len(list) > 0:
		return list[0], notes, nil
	}
	for _, note := range notes {
		console.Warn(w.Stderr, "", errors.New(note))
	}
	if q.ID != "" {
		return nil, nil, fmt.Errorf("no decision on record has the id %.80q: policyctl log shows the last ones", q.ID)
	}
	return nil, nil, fmt.Errorf("no denial is on record for %s: policyctl log --decision deny shows those of all projects", w.viewer.Short(q.Under))
}

// A whyJSON is a decision, and what would become of the call now.
type whyJSON struct {
	decisions.Decision
	Now *nowJSON `json:"now"`
}

// A nowJSON is what the policy of now says of a recorded call.
type nowJSON struct {
	Decision policy.Decision `json:"decision"`
	Advice   render.Advice   `json:"advice"`
}

func (w *wherefore) show(ctx context.Context, r *audit.Record, notes []string) error {
	d := w.viewer.Of(r)
	now, advice, untried, err := w.again(ctx, r)
	if err != nil {
		return err
	}
	if w.json {
		out := whyJSON{Decision: d}
		if now != nil {
			out.Now = &nowJSON{now.Decision, advice}
		}
		return render.JSON(w.Stdout, out)
	}
	page := w.Page()
	page.Recorded(render.Recorded{
		Logged: render.Logged{ID: d.ID, Time: d.Time.Local(), Decision: d.Decision, Agent: d.Agent, Project: w.viewer.Short(d.Project), Call: d.Call, Why: d.Why},
		Stage:  d.Stage, Rule: d.Rule, Source: d.Source, Reason: d.Reason, Session: d.Session, ApprovedBy: d.ApprovedBy, Record: d.Record,
	})
	if now != nil {
		page.Again(now.Decision, advice)
	} else {
		page.Text(untried)
	}
	below(page, notes)
	return page.Close()
}

// again decides a recorded call again. untried says why that cannot be, where it cannot.
func (w *wherefore) again(ctx context.Context, r *audit.Record) (now *render.Decided, a render.Advice, untried string, err error) {
	switch {
	case r.Detail["masked"] != "":
		return nil, a, "What would allow it is not known: its secrets are masked on record. policyctl explain tells for the call itself.", nil
	case r.Detail["cut"] != "":
		return nil, a, "What would allow it is not known: the record has only a part of the call. policyctl explain tells for the call itself.", nil
	}
	c := &policy.Call{Tool: r.Tool, Dir: r.Dir, Session: r.Session, Agent: r.Agent, Time: time.Now()}
	if len(r.Arguments) > 0 {
		if c.Input, err = policy.DecodeObject(json.RawMessage(r.Arguments)); err != nil {
			return nil, a, "", fmt.Errorf("the arguments of decision %s cannot be read: %w", r.Detail[trail.ID], err)
		}
	}
	d, a, err := judge.Again(ctx, w.Process, c)
	if err != nil {
		return nil, a, "", fmt.Errorf("decision %s cannot be made again: %w", r.Detail[trail.ID], err)
	}
	return &d, a, "", nil
}
