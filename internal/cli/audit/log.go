package audit

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/decisions"
	"github.com/policyctl/policyctl/internal/cli/serve"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A logger shows the last decisions.
type logger struct {
	*console.Process
	serve.Database
	query          decisions.Query
	project, since string
	here           bool
	follow, json   bool
	viewer         *decisions.Viewer
}

// NewLog returns the command log.
func NewLog(p *console.Process) *cobra.Command {
	l := &logger{Process: p}
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show the last decisions about agents' calls, newest first",
		Long: `Show the last decisions about agents' calls, newest first: what the hooks on this
machine recorded, and what an approval service has collected of it since. No
service needs to run, and nothing is taken out of the record. Secrets are masked.

Denials and asks are always on record, allows only as far as record.allow_percent
says. policyctl why shows one decision whole.`,
		Example: `  policyctl log
  policyctl log --decision deny --since 24h
  policyctl log --here --agent claude --last 50
  policyctl log --follow`,
		Args: console.NoArgs,
		RunE: console.UntilStopped(l.run),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&l.query.Agent, "agent", "", "only calls of the agent `NAME`, such as claude")
	console.Completes(cmd, "agent", hook.Names()...)
	flags.StringVar(&l.query.Decision, "decision", "", "only `WORD`: deny, ask or allow")
	console.Completes(cmd, "decision", decisionWords()...)
	flags.StringVar(&l.project, "project", "", "only calls in the project `DIRECTORY`, or below it")
	flags.BoolVar(&l.here, "here", false, "only calls in the project around the working directory")
	flags.StringVar(&l.since, "since", "", "only what was decided since a `TIME`, such as 24h, 7d or 2027-01-31")
	flags.IntVar(&l.query.Limit, "last", 20, "how many decisions: `N`")
	flags.BoolVar(&l.follow, "follow", false, "go on with new decisions as they come, newest last")
	flags.BoolVar(&l.json, "json", false, "print each decision as a line of JSON")
	l.Register(flags)
	return cmd
}

// decisionWords are the words of decisions, the strictest first.
func decisionWords() []string { return []string{"deny", "ask", "allow"} }

// checkDecision refuses a word that is no decision.
func checkDecision(word string) error {
	for _, w := range decisionWords() {
		if word == "" || word == w {
			return nil
		}
	}
	return console.Unknown("decision", word, decisionWords(), "one of "+strings.Join(decisionWords(), ", "))
}

func (l *logger) run(ctx context.Context) (err error) {
	if err := l.resolve(); err != nil {
		return err
	}
	log, err := decisions.Open(ctx, l.Process, &l.Database)
	if err != nil {
		return err
	}
	defer func() {
		if shut := log.Close(); err == nil {
			err = shut
		}
	}()
	if l.follow {
		tick := time.NewTicker(followEvery)
		defer tick.Stop()
		return l.following(ctx, log, tick.C)
	}
	list, err := log.Newest(ctx, l.query)
	if err != nil {
		return err
	}
	return l.show(list, log.Notes())
}

// resolve reads the flags.
func (l *logger) resolve() (err error) {
	switch {
	case l.query.Limit < 1:
		return console.Usagef("--last %d: give a number above 0", l.query.Limit)
	case l.here && l.project != "":
		return console.Usagef("--here and --project both choose a project: give one of them")
	}
	if err := checkDecision(l.query.Decision); err != nil {
		return err
	}
	if l.query.Since, err = console.Since(l.since, time.Now()); err != nil {
		return err
	}
	if l.viewer, err = newViewer(l.Process); err != nil {
		return err
	}
	switch {
	case l.here:
		l.query.Under, err = projectHere(l.Process, l.viewer)
	case l.project != "":
		l.query.Under, err = l.Absolute(l.project)
	}
	return err
}

func newViewer(p *console.Process) (*decisions.Viewer, error) {
	place, err := p.Policies()
	return decisions.NewViewer(place.Home), err
}

// projectHere returns the project around the working directory.
func projectHere(p *console.Process, v *decisions.Viewer) (string, error) {
	dir, err := p.Absolute(".")
	return v.Project(dir), err
}

// show prints a list, the newest first, and what it lacks.
func (l *logger) show(list []*audit.Record, notes []string) error {
	if l.json {
		if err := l.lines(list); err != nil {
			return err
		}
		return tell(l.Process, notes)
	}
	page := l.Page()
	if len(list) == 0 {
		page.Text(l.none())
	} else {
		page.Log(l.views(list), render.LogOptions{Now: time.Now(), Short: l.viewer.Short})
	}
	below(page, notes)
	return page.Close()
}

// below writes notes below a table.
func below(page *render.Page, notes []string) {
	if len(notes) > 0 {
		page.Block("")
	}
	for _, note := range notes {
		page.Text(note)
	}
}

// none says what it means that there is no decision to show.
func (l *logger) none() string {
	if l.query != (decisions.Query{Limit: l.query.Limit}) {
		return "No decision on record is like that: policyctl log shows all. Allows are on record only as far as record.allow_percent says."
	}
	return "No decision is on record. Denials and asks are recorded by the hooks of agents: policyctl doctor shows whether they are installed."
}

func (l *logger) views(list []*audit.Record) []render.Logged {
	out := make([]render.Logged, len(list))
	for i, r := range list {
		d := l.viewer.Of(r)
		out[i] = render.Logged{ID: d.ID, Time: d.Time, Decision: d.Word(), Agent: d.Agent, Project: d.Project, Call: d.Call, Why: d.Cause()}
	}
	return out
}

func (l *logger) lines(list []*audit.Record) error {
	for _, r := range list {
		if err := render.NewLine(l.Stdout).Encode(l.viewer.Of(r)); err != nil {
			return err
		}
	}
	return nil
}

// tell tells people of what a program that reads the standard output need not know.
func tell(p *console.Process, notes []string) error {
	for _, note := range notes {
		if _, err := fmt.Fprintf(p.Stderr, "policyctl: %s\n", render.Plain(note)); err != nil {
			return err
		}
	}
	return nil
}

// followEvery is how often a follower looks for new decisions.
const followEvery = 500 * time.Millisecond

// following shows decisions as they come, until the context ends.
func (l *logger) following(ctx context.Context, log *decisions.Log, tick <-chan time.Time) error {
	told := make(map[string]bool)
	f := log.Follow(l.query)
	for {
		list, err := f.Next(ctx)
		if ctx.Err() != nil {
			return nil // Ctrl-C is how it ends
		}
		if err != nil {
			return err
		}
		if err := l.more(list); err != nil {
			return err
		}
		for _, note := range log.Gaps() {
			if !told[note] {
				told[note] = true
				if err := tell(l.Process, []string{note}); err != nil {
					return err
				}
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick:
		}
	}
}

// more prints decisions, the oldest first.
func (l *logger) more(list []*audit.Record) error {
	if l.json {
		return l.lines(list)
	}
	page := l.Page()
	page.Log(l.views(list), render.LogOptions{Now: time.Now(), Short: l.viewer.Short, Bare: true})
	return page.Close()
}
