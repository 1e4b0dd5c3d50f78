package audit

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/decisions"
	"github.com/policyctl/policyctl/internal/cli/serve"
	"github.com/policyctl/policyctl/internal/cli/tables"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A lister shows the end of the log.
type lister struct {
	*console.Process
	serve.Database
	filter audit.Filter
	since  string
	json   bool
}

func newAuditList(p *console.Process) *cobra.Command {
	l := &lister{Process: p}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Show the last records, newest last",
		Long: `Show the last records, newest last. The kind verdict is what a policy decided in
a hook, in the service, or in a program that embeds the engine. What hooks have
recorded and no service has collected has no number yet. If you give several flags,
only records that match all of them are shown.`,
		Example: `  policyctl audit list --kind verdict --decision deny --since 24h
  policyctl audit list --stage hardline --agent claude --last 100`,
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return l.run(cmd.Context()) },
	}
	l.flags(cmd)
	cmd.Flags().StringVar(&l.filter.Kind, "kind", "", "those of a `KIND`, such as verdict or decision")
	console.Completes(cmd, "kind", audit.Kinds()...)
	return cmd
}

// newAuditApprovals is the list of what was decided about requests.
func newAuditApprovals(p *console.Process) *cobra.Command {
	l := &lister{Process: p, filter: audit.Filter{Kind: audit.KindDecision}}
	cmd := &cobra.Command{
		Use:   "approvals",
		Short: "Show the last decisions about requests, newest last",
		Long: `Show the last decisions about requests, newest last: those of people, of language
models, and of the clock. It is policyctl audit list --kind decision.`,
		Example: `  policyctl audit approvals --last 50
  policyctl audit approvals --decision rejected --since 7d`,
		Args: console.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return l.run(cmd.Context()) },
	}
	l.flags(cmd)
	return cmd
}

// flags adds the flags of every list.
func (l *lister) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.IntVar(&l.filter.Limit, "last", 20, "how many records: `N`")
	flags.StringVar(&l.filter.Decision, "decision", "", "those that decided a `WORD`, such as deny or ask")
	console.Completes(cmd, "decision", l.words()...)
	flags.StringVar(&l.filter.Stage, "stage", "", "those of a `STAGE`, such as hardline")
	console.CompletesWith(cmd, "stage", tables.StageNames)
	flags.StringVar(&l.filter.Rule, "rule", "", "those of a `RULE`")
	console.CompletesWith(cmd, "rule", tables.RuleIDs)
	flags.StringVar(&l.filter.Agent, "agent", "", "those of an `AGENT`")
	console.Completes(cmd, "agent", hook.Names()...)
	flags.StringVar(&l.filter.Session, "session", "", "those of a `SESSION`")
	flags.StringVar(&l.since, "since", "", "those since a `TIME`, such as 24h, 7d or 2027-01-31")
	flags.BoolVar(&l.json, "json", false, "print each record whole, a line of JSON each")
	l.Register(flags)
}

// words are the words of the decisions that the list may show.
func (l *lister) words() []string {
	var out []string
	if l.filter.Kind == "" {
		out = decisionWords()
	}
	for _, w := range approval.Words() {
		out = append(out, string(w))
	}
	return out
}

func (l *lister) run(ctx context.Context) error {
	if l.filter.Limit < 1 {
		return console.Usagef("--last %d: give a number above 0", l.filter.Limit)
	}
	if kind := l.filter.Kind; kind != "" && !slices.Contains(audit.Kinds(), kind) {
		return console.Unknown("kind", kind, audit.Kinds(), "one of "+strings.Join(audit.Kinds(), ", "))
	}
	var err error
	if l.filter.From, err = console.Since(l.since, time.Now()); err != nil {
		return err
	}
	log, err := decisions.Open(ctx, l.Process, &l.Database)
	if err != nil {
		return err
	}
	records, err := l.records(ctx, log)
	if err := errors.Join(err, log.Close()); err != nil {
		return err
	}
	slices.Reverse(records)
	if l.json {
		if err := l.lines(records); err != nil {
			return err
		}
		return tell(l.Process, log.Notes())
	}
	page := l.Page()
	table := [][]string{{"SEQ", "TIME", "KIND", "ACTOR", "WHAT"}}
	for _, r := range records {
		table = append(table, []string{numberOf(r), r.Time.UTC().Format("2006-01-02 15:04:05Z"), r.Kind, r.Actor, whatOf(r)})
	}
	if len(records) > 0 {
		page.Table(table)
	} else {
		page.Block(l.none())
	}
	below(page, log.Notes())
	return page.Close()
}

// records returns the end of the log, the newest first: what hooks have recorded and
// nobody has chained yet comes before the rest.
func (l *lister) records(ctx context.Context, log *decisions.Log) (out []*audit.Record, err error) {
	if l.filter.Kind == "" || l.filter.Kind == audit.KindVerdict {
		out, err = log.Unchained(ctx, decisions.Query{
			Decision: l.filter.Decision, Stage: l.filter.Stage, Rule: l.filter.Rule, Agent: l.filter.Agent, Session: l.filter.Session,
			Since: l.filter.From, Limit: l.filter.Limit,
		})
	} else if log.DB == nil {
		return nil, log.Absent()
	}
	if err != nil || log.DB == nil {
		return out, err
	}
	chained, err := log.DB.SearchAudit(ctx, l.filter)
	if err != nil {
		return nil, err
	}
	out = append(log.Without(out, chained), chained...)
	return out[:min(len(out), l.filter.Limit)], nil
}

// none says what it means that there is no record.
func (l *lister) none() string {
	if l.filter != (audit.Filter{Limit: l.filter.Limit}) {
		return "no record is like that"
	}
	return "the audit log is empty"
}

// numberOf returns the number of a record in the log.
func numberOf(r *audit.Record) string {
	if r.Seq == 0 {
		return "-"
	}
	return fmt.Sprint(r.Seq)
}

// lines prints records as JSON, the oldest first. Those in no chain yet are no part of an
// export, and have the number 0.
func (l *lister) lines(records []*audit.Record) error {
	chained := slices.DeleteFunc(slices.Clone(records), func(r *audit.Record) bool { return r.Seq == 0 })
	if err := audit.WriteJSONL(l.Stdout, withoutErrors(chained)); err != nil {
		return err
	}
	for _, r := range records {
		if r.Seq == 0 {
			if err := render.NewLine(l.Stdout).Encode(r); err != nil {
				return err
			}
		}
	}
	return nil
}

func withoutErrors(records []*audit.Record) iter.Seq2[*audit.Record, error] {
	return func(yield func(*audit.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// whatOf says in one line what a record is about.
func whatOf(r *audit.Record) string {
	var parts []string
	add := func(name, text string) {
		if text != "" {
			parts = append(parts, name+clipped(text))
		}
	}
	add("", r.RequestID)
	add("", r.Tool)
	add("", string(r.Arguments))
	add("", r.Decision)
	add("", r.ExecutionResult)
	for _, key := range slices.Sorted(maps.Keys(r.Detail)) {
		add(strings.ReplaceAll(key, "_", " ")+" ", r.Detail[key])
	}
	add("", r.Reason)
	return strings.Join(parts, ", ")
}

// clipped makes a text of a table one short line; --json has it whole.
func clipped(text string) string {
	const most = 80
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
