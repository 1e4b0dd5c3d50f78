package ruledb

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// Rules are the rules of a table, in force. A row that cannot be understood is
// a [Rules.Problem], and no other row suffers from it: it allows nothing, and
// denies and asks only what it did as it was last understood. A table that
// cannot be read leaves the last rules in force. They are safe for concurrent
// use.
type Rules struct {
	table Table
	now   func() time.Time

	mu    sync.Mutex // held by who writes
	state atomic.Pointer[state]
	found findings
}

// Open returns the rules of a table. The error says that the table cannot be
// read; what is wrong with its rows is a [Rules.Problem].
func Open(ctx context.Context, t Table, now func() time.Time) (*Rules, error) {
	r := &Rules{table: t, now: now}
	rows, err := t.Rules(ctx)
	if err != nil {
		return nil, fmt.Errorf("approval_rules: %w", err)
	}
	if err := r.notice(ctx, rows); err != nil {
		return nil, fmt.Errorf("approval_rules: %w", err)
	}
	r.state.Store(firstState(rows))
	return r, nil
}

// refresh reads the table again, for what others wrote to it. The error is
// that of [Rules.Problem].
func (r *Rules) refresh(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.state.Load()
	rows, err := r.read(ctx)
	if err == nil {
		err = r.notice(ctx, rows)
	}
	r.state.Store(s.next(s.rules, rows, err))
	return r.Problem()
}

// Follow reads the table again at each tick until the context ends. told hears
// of each new problem, and of nil when there is none any more.
func (r *Rules) Follow(ctx context.Context, ticks <-chan time.Time, told func(error)) {
	last := problemText(r.Problem())
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
		}
		err := r.refresh(ctx)
		if text := problemText(err); text != last && ctx.Err() == nil {
			last = text
			told(err)
		}
	}
}

func problemText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func (r *Rules) read(ctx context.Context) ([]Row, error) {
	rows, err := r.table.Rules(ctx)
	if err != nil {
		return nil, fmt.Errorf("approval_rules: %w: the rules that were read before stay in force", err)
	}
	return rows, nil
}

// InForce returns the rules of this moment as sources that do not change, and
// their revision.
func (r *Rules) InForce() (sources []policy.Source, revision string) {
	s := r.state.Load()
	return []policy.Source{s.source}, s.revision
}

// Revision identifies the rules in force, and changes with every change of a
// rule, also of one that is disabled.
func (r *Rules) Revision() string { return r.state.Load().revision }

// Problem says why the rules in force are not those of the table, nil where
// they are.
func (r *Rules) Problem() error { return r.state.Load().problem }

// List returns all rows, by priority descending, then by id.
func (r *Rules) List(ctx context.Context) ([]Row, error) { return r.table.Rules(ctx) }

// Get returns the row of an id and whether there is one.
func (r *Rules) Get(ctx context.Context, id string) (row Row, ok bool, err error) {
	return r.table.Rule(ctx, id)
}

// Search returns some rows, how many it finds, and how many there are.
func (r *Rules) Search(ctx context.Context, s Search) (rows []Row, found, all int, err error) {
	return r.table.Search(ctx, s)
}

func find(rows []Row, id string) (Row, bool) {
	for i := range rows {
		if rows[i].ID == id {
			return rows[i], true
		}
	}
	return Row{}, false
}

// Deleted returns the rules that were deleted, the newest first.
func (r *Rules) Deleted(ctx context.Context, limit int) ([]Tombstone, error) {
	return r.table.Tombstones(ctx, limit)
}

// Changes returns what was changed of a rule, or of all rules for "", the newest first, and
// before a change where that is not 0.
func (r *Rules) Changes(ctx context.Context, rule string, before int64, limit int) ([]Change, error) {
	return r.table.Changes(ctx, rule, before, limit)
}
