// Package decisions reads what was decided on a machine, wherever it is by now: in the
// spool to which hooks write, or in the audit log of the service that has collected it.
//
// A [Log] shows each decision once, and says what it cannot show. It takes nothing out of
// the spool and needs no service. It writes nothing and shows nothing itself.
package decisions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/serve"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/permission"
	"github.com/policyctl/policyctl/pkg/trail"
)

// A Log is what is on record on a machine. It is for one goroutine.
type Log struct {
	// DB is the database of the service, nil where there is none to read.
	DB    serve.Store
	spool *spool.Spool
	// path is where the database would be, absent why there is none here, and unread why
	// one cannot be read; named says that the person has named it.
	path   string
	unread error
	absent error
	named  bool
	// open opens the database, which may be made later.
	open func(context.Context) (serve.Store, error)
	// elsewhere is where hooks record, "" where that is the spool.
	elsewhere string
	// broken says which lines of the spool are no decisions.
	broken []string
	// waiting is how much of what was returned last is in no audit log.
	waiting int
}

// Open opens what is on record. A database that is named must be there; one that is not
// named may be missing, or not be ours to read, which [Log.Notes] says.
func Open(ctx context.Context, p *console.Process, d *serve.Database) (*Log, error) {
	place, err := p.Policies()
	if err != nil {
		return nil, err
	}
	l := &Log{spool: spool.Verdicts(place.State), named: d.Named()}
	if hooks, differs := p.Elsewhere(place); differs && hooks.State != place.State {
		l.elsewhere = spool.Verdicts(hooks.State).Dir()
	}
	l.open = func(ctx context.Context) (serve.Store, error) { return d.Open(ctx, p) }
	l.DB, err = l.open(ctx)
	switch {
	case err == nil:
		return l, nil
	case l.named:
		return nil, err
	}
	l.path, _ = d.Find(p)
	l.absent = err
	if !errors.Is(err, fs.ErrNotExist) {
		l.unread = err
	}
	return l, nil
}

// Chain opens the audit log of the service. Where there is none, the error also says what
// waits to be put into it.
func Chain(ctx context.Context, p *console.Process, d *serve.Database) (serve.Store, error) {
	l, err := Open(ctx, p, d)
	if err != nil {
		return nil, err
	}
	return l.DB, l.Absent()
}

// reopen reports whether the database is there by now.
func (l *Log) reopen(ctx context.Context) bool {
	if l.unread != nil {
		return false
	}
	var err error
	l.DB, err = l.open(ctx)
	return err == nil
}

// Close closes the database.
func (l *Log) Close() error {
	if l.DB == nil {
		return nil
	}
	return l.DB.Close()
}

// A Query chooses decisions; the zero value chooses all.
type Query struct {
	Decision, Stage, Rule, Agent, Session string
	// ID is that of the decision, or how it begins.
	ID string
	// Under is the directory in or below which the call was made.
	Under string
	// Since is when the decision was made at the earliest.
	Since time.Time
	// Limit is how many are returned at most, 0 for all.
	Limit int
}

// At returns when a decision was made.
func At(r *audit.Record) time.Time {
	if r.DecidedAt != nil {
		return *r.DecidedAt
	}
	return r.Time
}

// matches reports whether a query chooses a record.
func (q *Query) matches(r *audit.Record) bool {
	same := func(want, got string) bool { return want == "" || want == got }
	return r.Kind == audit.KindVerdict && same(q.Decision, r.Decision) && same(q.Stage, r.Stage) && same(q.Rule, r.Rule) &&
		same(q.Agent, r.Agent) && same(q.Session, r.Session) && strings.HasPrefix(r.Detail[trail.ID], q.ID) &&
		(q.Under == "" || permission.IsWithin(r.Dir, q.Under)) && !At(r).Before(q.Since)
}

// full reports whether so many are enough.
func (q *Query) full(n int) bool { return q.Limit > 0 && n >= q.Limit }

// Newest returns the decisions of a query, the newest first, each once. Those that are in
// no audit log yet have the number 0.
func (l *Log) Newest(ctx context.Context, q Query) ([]*audit.Record, error) {
	l.broken = nil
	// The spool comes first: what a collector takes out of it meanwhile is then in the database.
	list, _, err := l.waits(ctx, spool.Place{}, q)
	if err != nil {
		return nil, err
	}
	collected, err := l.collected(ctx, q)
	switch {
	case err != nil && (l.named || ctx.Err() != nil):
		return nil, err
	case err != nil:
		l.unread = err
	}
	list = once(slices.Concat(collected, list))
	if q.full(len(list)) {
		list = list[:q.Limit]
	}
	l.waiting = unchained(list)
	return list, nil
}

// unchained counts the records that are in no audit log.
func unchained(list []*audit.Record) (n int) {
	for _, r := range list {
		if r.Seq == 0 {
			n++
		}
	}
	return n
}

// once returns records the newest first, of those with the same id the first.
func once(list []*audit.Record) []*audit.Record {
	seen := make(map[string]bool, len(list))
	list = slices.DeleteFunc(list, func(r *audit.Record) bool {
		id := r.Detail[trail.ID]
		known := id != "" && seen[id]
		seen[id] = true
		return known
	})
	slices.SortStableFunc(list, func(a, b *audit.Record) int { return At(b).Compare(At(a)) })
	return list
}

// waits returns what of a query waits in the spool behind a place, and where it ends.
func (l *Log) waits(ctx context.Context, from spool.Place, q Query) (list []*audit.Record, end spool.Place, err error) {
	end = from
	for p, err := range l.spool.Pieces(from) {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return nil, end, fmt.Errorf("the decisions of hooks in %s: %w", l.spool.Dir(), plainfile.Bare(err))
		}
		if end == from {
			end = p.End
		}
		l.broken = append(l.broken, p.Broken...)
		for _, line := range slices.Backward(p.Events) {
			e, err := trail.Decode(line)
			if err != nil {
				l.broken = append(l.broken, fmt.Sprintf("%s: a line that is no decision: %v", l.spool.Dir(), err))
				continue
			}
			if r := (&audit.Record{Entry: e}); q.matches(r) {
				list = append(list, r)
			}
		}
		if q.full(len(list)) {
			return list, end, nil
		}
	}
	return list, end, nil
}

// collected returns what of a query is in the database.
func (l *Log) collected(ctx context.Context, q Query) (list []*audit.Record, err error) {
	if l.DB == nil {
		return nil, nil
	}
	f := audit.Filter{
		Kind: audit.KindVerdict, Decision: q.Decision, Stage: q.Stage, Rule: q.Rule, Agent: q.Agent, Session: q.Session,
		From: q.Since, Limit: serve.AuditPage, // what was decided since then was recorded since then
	}
	for {
		page, err := l.DB.SearchAudit(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, r := range page {
			if q.matches(r) {
				list = append(list, r)
			}
		}
		if len(page) < f.Limit || q.full(len(list)) {
			return list, nil
		}
		f.Before = page[len(page)-1].Seq
	}
}

// Unchained returns the decisions of a query that wait to be put into an audit log, the
// newest first. A collector may be about to do so.
func (l *Log) Unchained(ctx context.Context, q Query) ([]*audit.Record, error) {
	l.broken = nil
	list, _, err := l.waits(ctx, spool.Place{}, q)
	list = once(list)
	l.waiting = len(list)
	return list, err
}

// Without returns records without those that are among others too.
func (l *Log) Without(list, others []*audit.Record) []*audit.Record {
	known := make(map[string]bool, len(others))
	for _, r := range others {
		known[r.Detail[trail.ID]] = true
	}
	list = slices.DeleteFunc(list, func(r *audit.Record) bool { return known[r.Detail[trail.ID]] })
	l.waiting = unchained(list)
	return list
}

// Absent returns why there is no database, with where what hooks recorded is shown; nil
// where there is one.
func (l *Log) Absent() error {
	if l.DB != nil {
		return nil
	}
	if n, err := l.spool.Waiting(); err == nil && n > 0 {
		return fmt.Errorf("%w; %s of hooks wait for it: policyctl log shows them", l.absent, console.Count(n, "decision"))
	}
	return l.absent
}

// Notes say where what was returned last comes from, and what it lacks.
func (l *Log) Notes() []string {
	var notes []string
	switch n := console.Count(l.waiting, "decision"); {
	case l.waiting > 0 && l.DB == nil:
		notes = append(notes, "not yet chained: "+n+"; policyctl serve keeps them in a log that shows any change")
	case l.waiting > 0:
		notes = append(notes, "not yet chained: "+n+"; the rest is in the audit log")
	}
	return append(notes, l.Gaps()...)
}

// Gaps say what is not shown.
func (l *Log) Gaps() []string {
	var notes []string
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	taken, ok := l.spool.Taken()
	switch {
	case l.unread != nil:
		add("the audit log cannot be read, so what policyctl serve has collected is not shown: %v", l.unread)
	case l.DB == nil && ok:
		add("policyctl serve or policyctl ship has collected decisions, last at %s, which are not shown: "+
			"there is no audit log in %s; name its database with --db, or look at the service that they were sent to",
			taken.Local().Format("2006-01-02 15:04"), l.path)
	}
	if l.elsewhere != "" {
		add("hooks of agents record in %s, which is not shown: they heed neither HOME nor XDG_STATE_HOME", l.elsewhere)
	}
	if missing := l.spool.Missing(); missing != "" {
		add("the record has gaps: %s", missing)
	}
	const most = 3
	for i, b := range l.broken {
		if i == most {
			add("and %s more like that", console.Count(len(l.broken)-most, "line"))
			break
		}
		add("skipped: %s", b)
	}
	return notes
}
