package ruledb

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/pattern"
)

// A Written is what became of a rule that was stored.
type Written struct {
	ID string
	// Created says that there was no rule of the id.
	Created bool
	// Notes are what a person should know of the rule.
	Notes []string
	// Change is the number of the change, and Hash that of the row; "" where the rule
	// is gone.
	Change int64
	Hash   string
}

// A Basis is the hash of the row that a change is based on, "" for no rule. Nil changes
// whatever stands.
type Basis *string

// Put stores a draft in the name of somebody: it counts from the next call on.
// The rule of its id is replaced; without an id there is a new one. The error is an
// [*Invalid] where the rule is none, or not surely the one that was meant, and a [*Stale]
// where the rule is not the one that the draft is based on; then nothing was stored.
func (r *Rules) Put(ctx context.Context, by string, d Draft) (*Written, error) {
	w, notes, err := d.wish()
	if err != nil {
		return nil, err
	}
	done, err := r.apply(ctx, by, []wish{w})
	if err != nil {
		return nil, err
	}
	return written(&done[0], notes), nil
}

func written(c *Change, notes []string) *Written {
	out := &Written{ID: c.Rule, Created: c.Before == nil, Notes: notes, Change: c.ID}
	if c.After != nil {
		out.Hash = c.After.Hash()
	}
	return out
}

// Delete removes a rule in the name of somebody, from the next call on. It returns the
// number of the change, 0 where there was no such rule.
func (r *Rules) Delete(ctx context.Context, by, id string, based Basis) (change int64, err error) {
	done, err := r.apply(ctx, by, []wish{{id: id, based: based}})
	if err != nil || len(done) == 0 {
		return 0, err
	}
	return done[0].ID, nil
}

// Undo makes a rule what it was before a change, whatever came after it. That is a change
// of its own. The errors are those of [Rules.Put], and [ErrNoChange].
func (r *Rules) Undo(ctx context.Context, by string, change int64, based Basis) (*Written, error) {
	c, err := r.table.Change(ctx, change)
	if err != nil {
		return nil, err
	}
	w := wish{id: c.Rule, based: based}
	var notes []string
	if c.Before != nil {
		d := Draft{Row: *c.Before, cases: true, Based: based}
		if w, notes, err = d.wish(); err != nil {
			return nil, err
		}
	}
	done, err := r.apply(ctx, by, []wish{w})
	if err != nil {
		return nil, err
	}
	if len(done) == 0 {
		return nil, &Stale{ID: c.Rule}
	}
	return written(&done[0], notes), nil
}

// A wish is what a rule is to become.
type wish struct {
	id    string
	row   *Row // nil for none
	rule  *pattern.Rule
	based Basis
	// keep says that the cases of the rule stay.
	keep bool
}

// wish returns what a draft wants, and what a person should know of it.
func (d Draft) wish() (wish, []string, error) {
	row := d.Row
	if row.ID == "" {
		row.ID = uuid.NewString()
	}
	rule, more, err := row.compile()
	if err != nil {
		return wish{}, nil, &Invalid{err}
	}
	notes := slices.Clone(d.Notes)
	for _, n := range more {
		if !slices.Contains(notes, n) {
			notes = append(notes, n)
		}
	}
	return wish{id: row.ID, row: &row, rule: rule, based: d.Based, keep: !d.cases && row.Cases == nil}, notes, nil
}

// taken are ids that paths of the API and of the desk mean something else by. Rules that
// have them already keep them.
var taken = []string{"changes", "export", "new"}

// apply stores what rules are to become, all or none, and puts it into force. To delete
// what is not there is no change.
func (r *Rules) apply(ctx context.Context, by string, list []wish) ([]Change, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rows, err := r.table.Rules(ctx)
	if err != nil {
		return nil, err
	}
	var changes []Change
	var log []audit.Entry
	inForce := make(map[string]*entry)
	at := r.moment()
	for _, w := range list {
		before, err := w.before(rows)
		if err != nil {
			return nil, err
		}
		if inForce[w.id] = w.entry(before, by, at); before == nil && w.row == nil {
			continue
		}
		c := Change{Rule: w.id, At: at, By: by, Before: before, After: w.row}
		changes, log = append(changes, c), append(log, c.entry())
	}
	if len(changes) > 0 {
		if err := r.table.ChangeRules(ctx, changes, log...); err != nil {
			return nil, err
		}
	}
	// It goes on where the context ends, because the change is stored.
	s := r.state.Load()
	rows, err = r.read(context.WithoutCancel(ctx))
	r.state.Store(s.next(s.with(inForce), rows, err))
	return changes, nil
}

// before returns the row that stands, nil for none. The error says that it is not the one
// that was meant, or that there can be none of the id.
func (w *wish) before(rows []Row) (*Row, error) {
	var before *Row
	hash := ""
	if row, ok := find(rows, w.id); ok {
		before, hash = &row, row.Hash()
	}
	switch {
	case w.based != nil && *w.based != hash:
		return nil, &Stale{ID: w.id, Now: before}
	case before == nil && w.row != nil && slices.Contains(taken, w.id):
		return nil, &Invalid{fmt.Errorf("id: %q is taken: choose another", w.id)}
	}
	return before, nil
}

// entry completes the row, and returns what is in force of it.
func (w *wish) entry(before *Row, by string, at time.Time) *entry {
	if w.row == nil {
		return nil
	}
	w.row.CreatedBy, w.row.UpdatedBy, w.row.CreatedAt, w.row.UpdatedAt = &by, &by, at, at
	if before != nil {
		w.row.CreatedBy, w.row.CreatedAt = before.CreatedBy, cmp.Or(before.CreatedAt, at)
		if w.keep {
			w.row.Cases = before.Cases
		}
	}
	return &entry{w.row.says(), w.rule}
}

func (r *Rules) moment() time.Time { return r.now().UTC().Truncate(time.Microsecond) }

// entry returns the record of a change, which holds the rules as they were
// and are.
func (c *Change) entry() audit.Entry {
	detail := map[string]string{"action": "changed"}
	of := c.After
	switch {
	case c.Before == nil:
		detail["action"] = "created"
	case c.After == nil:
		detail["action"], of = "deleted", c.Before
	}
	detail["id"], detail["decision"] = of.ID, of.Decision
	rules := map[string]json.RawMessage{}
	if c.Before != nil {
		detail["before"], rules["before"] = c.Before.Hash(), json.RawMessage(c.Before.says())
	}
	if c.After != nil {
		detail["after"], rules["after"] = c.After.Hash(), json.RawMessage(c.After.says())
	}
	text, err := json.Marshal(rules)
	if err != nil {
		panic(err) // it is made of JSON
	}
	return audit.Entry{Time: c.At, Kind: audit.KindRule, Actor: c.By, Arguments: text, Detail: detail}
}
