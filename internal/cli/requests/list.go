package requests

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A lister lists requests.
type lister struct {
	visitor
	states  []string
	session string
	last    int
	all     bool
	json    bool
}

func newRequestsList(p *console.Process) *cobra.Command {
	l := &lister{visitor: visitor{Process: p}}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the requests that are pending, the newest first",
		Example: `  policyctl requests list
  policyctl requests list --state denied --state timed_out
  policyctl requests list --all --last 500 --json`,
		Args: l.args(console.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return l.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&l.states, "state", nil, "those in a `STATE` instead: "+stateNames()+"; may repeat")
	console.Completes(cmd, "state", strings.Split(stateNames(), ", ")...)
	flags.BoolVar(&l.all, "all", false, "those in every state")
	flags.StringVar(&l.session, "session", "", "those of one session, by its `ID`")
	flags.IntVar(&l.last, "last", approval.DefaultLimit, "how many at most: `N`")
	flags.BoolVar(&l.json, "json", false, "print each request whole, a line of JSON each")
	l.register(flags)
	return cmd
}

func stateNames() string {
	var names []string
	for _, s := range approval.States() {
		names = append(names, strings.ToLower(string(s)))
	}
	return strings.Join(names, ", ")
}

// filter returns what the flags ask for.
func (l *lister) filter() (approval.Filter, error) {
	f := approval.Filter{States: []approval.State{approval.Pending}, Session: l.session, Limit: l.last}
	if l.last < 1 || l.last > approval.MaxLimit {
		return f, console.Usagef("--last %d: give a number from 1 to %d", l.last, approval.MaxLimit)
	}
	if l.all && len(l.states) > 0 {
		return f, console.Usagef("--all and --state exclude each other: leave one out")
	}
	if l.all || len(l.states) > 0 {
		f.States = nil
	}
	for _, name := range l.states {
		s := approval.State(strings.ToUpper(name))
		if !slices.Contains(approval.States(), s) {
			return f, console.Unknown("state", name, strings.Split(stateNames(), ", "), stateNames())
		}
		f.States = append(f.States, s)
	}
	return f, nil
}

func (l *lister) run(ctx context.Context) error {
	f, err := l.filter()
	if err != nil {
		return err
	}
	if err := l.visit(ctx); err != nil {
		return err
	}
	defer l.leave(ctx)
	list, err := l.client.List(ctx, f)
	if err != nil {
		return unreached(err)
	}
	l.tellDenials(ctx)
	switch {
	case l.json:
		return eachLine(l.Process, list)
	case len(list) == 0 && !l.all && len(l.states) == 0:
		_, err := fmt.Fprintln(l.Stdout, "nothing waits for an approval")
		return err
	case len(list) == 0:
		_, err := fmt.Fprintln(l.Stdout, "there is no such request")
		return err
	}
	table := [][]string{{"ID", "STATE", "LEFT", "RISK", "BY", "SESSION", "WHAT"}}
	for _, r := range list {
		risk, _ := r.Harm()
		table = append(table, []string{r.ID, stateOf(r), left(r, time.Now()), console.OrNone(risk), r.Submitter, console.OrNone(r.Session), r.Title})
	}
	if err := l.WriteTable(table); err != nil {
		return err
	}
	if len(list) == f.Limit {
		console.Warn(l.Stderr, "", fmt.Errorf("there may be older ones: --last N shows up to %d", approval.MaxLimit))
	}
	return nil
}

// stateOf says where a request stands, with the votes about it.
func stateOf(r *approval.Request) string {
	if r.Tally == nil {
		return string(r.State)
	}
	return string(r.State) + ", " + r.Tally.Text()
}

// tellDenials says which sessions are denied as a whole. Who only submits is not
// told.
func (l *lister) tellDenials(ctx context.Context) {
	all, err := l.client.SessionDenials(ctx)
	if err != nil {
		return
	}
	for i := range all {
		if d := &all[i]; l.session == "" || l.session == d.Session {
			console.Warn(l.Stderr, "", errors.New(standingText(d)))
		}
	}
}

// eachLine prints requests as they are, one a line.
func eachLine(p *console.Process, list []*approval.Request) error {
	out := render.NewLine(p.Stdout)
	for _, r := range list {
		if err := out.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// left returns how long there is to decide, "-" where that is over.
func left(r *approval.Request, now time.Time) string {
	if r.State != approval.Pending {
		return "-"
	}
	return max(0, r.Expires.Sub(now)).Round(time.Second).String()
}
