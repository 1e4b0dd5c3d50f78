package ruledb

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/pattern"
)

// Put stores a draft in the name of somebody: it counts from the next call on.
// The rule of its id is replaced; without an id there is a new one. The notes
// say what a person should know of it. The error is an [*Invalid] where the
// rule is none, or not surely the one that was meant; otherwise nothing was
// stored.
func (r *Rules) Put(ctx context.Context, by string, d Draft) (id string, created bool, notes []string, err error) {
	row := d.Row
	if row.ID == "" {
		row.ID = uuid.NewString()
	}
	rule, more, err := row.compile()
	if err != nil {
		return "", false, nil, &Invalid{err}
	}
	if created, err = r.store(ctx, by, row, rule); err != nil {
		return "", false, nil, err
	}
	notes = slices.Clone(d.Notes)
	for _, n := range more {
		if !slices.Contains(notes, n) {
			notes = append(notes, n)
		}
	}
	return row.ID, created, notes, nil
}

// store writes a row and puts its rule into force.
func (r *Rules) store(ctx context.Context, by string, row Row, rule *pattern.Rule) (created bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rows, err := r.table.Rules(ctx)
	if err != nil {
		return false, err
	}
	c := change{by: by, at: r.moment(), after: &row}
	row.CreatedBy, row.CreatedAt, row.UpdatedAt = &by, c.at, c.at
	before, stood := find(rows, row.ID)
	if stood {
		row.CreatedBy, row.CreatedAt = before.CreatedBy, cmp.Or(before.CreatedAt, c.at)
		c.before = &before
	}
	if err := r.table.PutRule(ctx, row, c.entry()); err != nil {
		return false, err
	}
	r.changed(ctx, row.ID, &entry{row.says(), rule})
	return !stood, nil
}

// Delete removes a rule in the name of somebody, from the next call on, and
// reports whether there was one.
func (r *Rules) Delete(ctx context.Context, by, id string) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rows, err := r.table.Rules(ctx)
	if err != nil {
		return false, err
	}
	before, stood := find(rows, id)
	if !stood {
		s := r.state.Load()
		r.state.Store(s.next(s.with(id, nil), rows, nil))
		return false, nil
	}
	c := change{by: by, at: r.moment(), before: &before}
	removed, err := r.table.DeleteRule(ctx, id, by, c.at, c.entry())
	if err != nil {
		return false, err
	}
	r.changed(ctx, id, nil)
	return removed, nil
}

// changed puts a change into force, and what others have written meanwhile. It
// goes on where the context ends, because the change is stored.
func (r *Rules) changed(ctx context.Context, id string, e *entry) {
	s := r.state.Load()
	rows, err := r.read(context.WithoutCancel(ctx))
	r.state.Store(s.next(s.with(id, e), rows, err))
}

func (r *Rules) moment() time.Time { return r.now().UTC().Truncate(time.Microsecond) }

// A change is what the audit log records.
type change struct {
	by            string
	at            time.Time
	before, after *Row // nil where there was or is none
}

// entry returns the record of a change, which holds the rules as they were
// and are.
func (c *change) entry() audit.Entry {
	detail := map[string]string{"action": "changed"}
	of := c.after
	switch {
	case c.before == nil:
		detail["action"] = "created"
	case c.after == nil:
		detail["action"], of = "deleted", c.before
	}
	detail["id"], detail["decision"] = of.ID, of.Decision
	rules := map[string]json.RawMessage{}
	if c.before != nil {
		detail["before"], rules["before"] = c.before.Hash(), json.RawMessage(c.before.says())
	}
	if c.after != nil {
		detail["after"], rules["after"] = c.after.Hash(), json.RawMessage(c.after.says())
	}
	text, err := json.Marshal(rules)
	if err != nil {
		panic(err) // it is made of JSON
	}
	return audit.Entry{Time: c.at, Kind: audit.KindRule, Actor: c.by, Arguments: text, Detail: detail}
}
