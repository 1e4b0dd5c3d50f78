package decisions

import (
	"context"
	"slices"
	"time"

	"github.com/policyctl/policyctl/internal/cli/serve"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/trail"
)

// A Follower returns decisions as they come.
type Follower struct {
	log   *Log
	query Query
	begun bool
	// at is how far the spool was read, and seq how far the audit log.
	at  spool.Place
	seq int64
	// seen are the decisions that were read lately: a collector moves them from the spool
	// into the audit log.
	seen recent
	// since is when the follower began, where there was no audit log then: what was decided
	// before is none of the news of one that is opened later.
	since time.Time
}

// Follow returns a follower of a query.
func (l *Log) Follow(q Query) *Follower { return &Follower{log: l, query: q} }

// early is how much earlier a decision may be than what is told of it.
const early = time.Minute

// Next returns what is new since the last time, the oldest first; the first time it
// returns the last decisions of the query, up to its limit.
func (f *Follower) Next(ctx context.Context) ([]*audit.Record, error) {
	f.log.broken = nil
	all := Query{}
	// The spool comes first: what a collector takes out of it meanwhile is then in the database.
	waiting, end, err := f.log.waits(ctx, f.at, all)
	if err != nil {
		return nil, err
	}
	chained, err := f.chained(ctx)
	if err != nil {
		return nil, err
	}
	f.at = end
	list := once(f.seen.news(slices.Concat(chained, waiting)))
	list = slices.DeleteFunc(list, func(r *audit.Record) bool { return !f.query.matches(r) })
	if !f.begun && f.query.full(len(list)) {
		list = list[:f.query.Limit]
	}
	f.begun = true
	f.log.waiting = unchained(list)
	slices.Reverse(list)
	return list, nil
}

// chained returns what is new in the audit log.
func (f *Follower) chained(ctx context.Context) (list []*audit.Record, err error) {
	if f.log.DB == nil {
		if f.since.IsZero() {
			f.since = time.Now().Add(-early)
		}
		if !f.begun || !f.log.reopen(ctx) {
			return nil, nil
		}
	}
	if !f.begun {
		newest, err := f.log.DB.SearchAudit(ctx, audit.Filter{Limit: 1})
		if err != nil {
			return nil, err
		}
		if len(newest) > 0 {
			f.seq = newest[0].Seq
		}
		return f.log.collected(ctx, f.query)
	}
	for {
		page, err := f.log.DB.SearchAudit(ctx, audit.Filter{After: f.seq, OldestFirst: true, Limit: serve.AuditPage})
		if err != nil || len(page) == 0 {
			return list, err
		}
		f.seq = page[len(page)-1].Seq
		for _, r := range page {
			if r.Kind == audit.KindVerdict && !At(r).Before(f.since) {
				list = append(list, r)
			}
		}
	}
}

// recent are the ids that were seen lately, at least maxRecent of them.
type recent struct{ now, before map[string]bool }

// maxRecent is more than a spool holds.
const maxRecent = 1 << 17

// news returns the records that were not seen, and remembers them.
func (s *recent) news(list []*audit.Record) []*audit.Record {
	return slices.DeleteFunc(list, func(r *audit.Record) bool {
		id := r.Detail[trail.ID]
		if id == "" {
			return false
		}
		known := s.now[id] || s.before[id]
		if len(s.now) >= maxRecent {
			s.before, s.now = s.now, nil
		}
		if s.now == nil {
			s.now = make(map[string]bool)
		}
		s.now[id] = true
		return known
	})
}
