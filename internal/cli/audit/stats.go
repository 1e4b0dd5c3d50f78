package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/decisions"
	"github.com/policyctl/policyctl/internal/cli/serve"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/trail"
)

// A counter counts what is on record.
type counter struct {
	*console.Process
	serve.Database
	since string
	json  bool
}

// NewStats returns the command stats.
func NewStats(p *console.Process) *cobra.Command {
	c := &counter{Process: p}
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Count what was decided, by reason, rule, agent and session",
		Long: `Count what was decided, from what hooks recorded on this machine and from the audit
log of the approval service, if there is one: the decisions of policies with their
reasons, what asks most, the slowest decisions, and how long people took to answer. Allows are counted only as far as the policy
puts them on record (record.allow_percent).`,
		Example: `  policyctl stats
  policyctl stats --since 30d --json`,
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&c.since, "since", "7d", "count what was recorded since a `TIME`, such as 24h, 7d or 2027-01-31")
	flags.BoolVar(&c.json, "json", false, "print the numbers as JSON")
	c.Register(flags)
	return cmd
}

// A count is how often something was decided.
type count struct {
	Name string `json:"name"`
	N    int    `json:"count"`
}

// A slow is a decision that took long.
type slow struct {
	Seq  int64  `json:"seq"`
	Took int64  `json:"took_us"`
	Tool string `json:"tool"`
	Rule string `json:"rule,omitempty"`
}

// figures are the numbers.
type figures struct {
	Since     time.Time `json:"since"`
	Verdicts  int       `json:"verdicts"`
	Decisions []count   `json:"decisions"`
	Reasons   []count   `json:"reasons"`
	// Rules are those that denied or asked, Agents those whose calls were denied or
	// asked about, and Sessions those that were asked about most.
	Rules    []count `json:"rules"`
	Agents   []count `json:"agents"`
	Sessions []count `json:"asks_by_session"`
	Slowest  []slow  `json:"slowest"`
	// Answers are those of people, and Median and Longest how long they took, in
	// milliseconds.
	Answers []count `json:"answers"`
	Median  int64   `json:"answer_median_ms"`
	Longest int64   `json:"answer_longest_ms"`
}

// most is how many rows a table of the numbers has.
const most = 10

func (c *counter) run(ctx context.Context) error {
	since, err := console.Since(c.since, time.Now())
	if err != nil {
		return err
	}
	log, err := decisions.Open(ctx, c.Process, &c.Database)
	if err != nil {
		return err
	}
	found, err := countSince(ctx, log, since)
	if err := errors.Join(err, log.Close()); err != nil {
		return err
	}
	if c.json {
		if err := render.JSON(c.Stdout, found); err != nil {
			return err
		}
		return tell(c.Process, log.Notes())
	}
	return c.show(found, log.Notes())
}

// countSince counts what was decided from a time on: what hooks recorded and nobody has
// chained yet, and the log.
func countSince(ctx context.Context, log *decisions.Log, since time.Time) (*figures, error) {
	t := newTally()
	waiting, err := log.Unchained(ctx, decisions.Query{Since: since})
	if err != nil {
		return nil, err
	}
	if log.DB != nil {
		if waiting, err = t.chained(ctx, log, since, waiting); err != nil {
			return nil, err
		}
	}
	for _, r := range waiting {
		t.add(r)
	}
	return t.figures(since), nil
}

// chained adds the records of the log up, and returns those that wait without those that
// are in it.
func (t *tally) chained(ctx context.Context, log *decisions.Log, since time.Time, waiting []*audit.Record) ([]*audit.Record, error) {
	for f := (audit.Filter{From: since, OldestFirst: true, Limit: serve.AuditPage}); ; {
		page, err := log.DB.SearchAudit(ctx, f)
		if err != nil || len(page) == 0 {
			return waiting, err
		}
		waiting = log.Without(waiting, page)
		for _, r := range page {
			t.add(r)
		}
		f.After = page[len(page)-1].Seq
	}
}

// A tally adds records up.
type tally struct {
	verdicts                                             int
	decisions, reasons, rules, agents, sessions, answers map[string]int
	slowest                                              []slow
	asked                                                map[string]time.Time // requests that nobody has answered yet
	took                                                 []time.Duration
}

func newTally() *tally {
	t := &tally{asked: make(map[string]time.Time)}
	for _, m := range []*map[string]int{&t.decisions, &t.reasons, &t.rules, &t.agents, &t.sessions, &t.answers} {
		*m = make(map[string]int)
	}
	return t
}

func (t *tally) add(r *audit.Record) {
	switch r.Kind {
	case audit.KindVerdict:
		t.verdict(r)
	case audit.KindRequest:
		t.asked[r.RequestID] = r.Time
	case audit.KindDecision:
		if at, waited := t.asked[r.RequestID]; waited && r.Detail["late"] == "" && byPerson(r.DecidedBy) {
			t.answers[r.Decision]++
			t.took = append(t.took, r.Time.Sub(at))
		}
		delete(t.asked, r.RequestID)
	}
}

// byPerson reports whether an identity is that of somebody, and not of the service
// or its policy.
func byPerson(identity string) bool {
	kind, _, named := strings.Cut(identity, ":")
	return named && kind != "reviewer"
}

func (t *tally) verdict(r *audit.Record) {
	t.verdicts++
	t.decisions[r.Decision]++
	if r.Decision != "allow" {
		t.rules[cmp.Or(r.Rule, r.Stage)]++
		t.agents[cmp.Or(r.Agent, "unknown")]++
	}
	switch r.Decision {
	case "deny":
		t.reasons[r.Reason]++
	case "ask":
		t.sessions[cmp.Or(r.Session, "none")]++
	}
	took, err := strconv.ParseInt(r.Detail[trail.Took], 10, 64)
	if err != nil || len(t.slowest) == most && took <= t.slowest[most-1].Took {
		return
	}
	t.slowest = append(t.slowest, slow{r.Seq, took, r.Tool, r.Rule})
	slices.SortStableFunc(t.slowest, func(a, b slow) int { return cmp.Compare(b.Took, a.Took) })
	t.slowest = t.slowest[:min(most, len(t.slowest))]
}

func (t *tally) figures(since time.Time) *figures {
	out := &figures{
		Since: since.UTC(), Verdicts: t.verdicts, Decisions: ranked(t.decisions), Reasons: ranked(t.reasons), Rules: ranked(t.rules),
		Agents: ranked(t.agents), Sessions: ranked(t.sessions), Slowest: append([]slow{}, t.slowest...), Answers: ranked(t.answers),
	}
	if slices.Sort(t.took); len(t.took) > 0 {
		out.Median, out.Longest = t.took[len(t.took)/2].Milliseconds(), t.took[len(t.took)-1].Milliseconds()
	}
	return out
}

// ranked returns the greatest counts, the greatest first.
func ranked(counts map[string]int) []count {
	out := []count{}
	for name, n := range counts {
		out = append(out, count{name, n})
	}
	slices.SortFunc(out, func(a, b count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
	return out[:min(most, len(out))]
}

func (c *counter) show(f *figures, notes []string) error {
	page := c.Page()
	page.Text(fmt.Sprintf("%d decisions on record since %s", f.Verdicts, f.Since.Format("2006-01-02 15:04Z")))
	for _, s := range []struct {
		title string
		rows  []count
	}{
		{"Decisions", f.Decisions}, {"Reasons of denials", f.Reasons}, {"Rules that deny or ask", f.Rules},
		{"Denials and asks by agent", f.Agents}, {"Asks by session", f.Sessions},
	} {
		counts(page, s.title, s.rows)
	}
	if len(f.Slowest) > 0 {
		page.Heading("Slowest decisions")
		rows := [][]string{}
		for _, s := range f.Slowest {
			rows = append(rows, []string{(time.Duration(s.Took) * time.Microsecond).String(), s.Tool, s.Rule, recordOf(s.Seq)})
		}
		page.Table(rows)
	}
	if counts(page, "Answers of people", f.Answers); len(f.Answers) > 0 {
		page.Text(fmt.Sprintf("half of them within %s, all within %s", milliseconds(f.Median), milliseconds(f.Longest)))
	}
	below(page, notes)
	return page.Close()
}

func milliseconds(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// recordOf names a record, "" for one that is in no log yet.
func recordOf(seq int64) string {
	if seq == 0 {
		return ""
	}
	return fmt.Sprintf("record %d", seq)
}

// counts writes a table of counts, if there are any.
func counts(page *render.Page, title string, rows []count) {
	if len(rows) == 0 {
		return
	}
	page.Heading(title)
	table := [][]string{}
	for _, row := range rows {
		table = append(table, []string{fmt.Sprint(row.N), row.Name})
	}
	page.Table(table)
}
