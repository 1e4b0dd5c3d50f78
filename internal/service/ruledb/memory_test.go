package ruledb

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A memory is a table for tests.
type memory struct {
	mu     sync.Mutex
	rows   map[string]Row
	graves []Tombstone
	log    []*audit.Record
	down   error
	// unsealed is what sealing fails with, nil for nothing.
	unsealed error
	seals    map[string]string
	// changes are numbered from 1 in order.
	changes []Change
}

func (m *memory) Rules(context.Context) ([]Row, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.SortedFunc(maps.Values(m.rows), func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.ID, b.ID))
	}), m.down
}

func (m *memory) Rule(_ context.Context, id string) (Row, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.rows[id]
	return r, ok, m.down
}

func (m *memory) Search(ctx context.Context, _ Search) ([]Row, int, int, error) {
	rows, err := m.Rules(ctx)
	return rows, len(rows), len(rows), err
}

func (m *memory) ChangeRules(_ context.Context, list []Change, log ...audit.Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.record(log); err != nil {
		return err
	}
	if m.rows == nil {
		m.rows = make(map[string]Row)
	}
	for i := range list {
		c := &list[i]
		c.ID = int64(len(m.changes) + 1)
		m.changes = append(m.changes, *c)
		if c.After == nil {
			delete(m.rows, c.Rule)
			m.seal(c.Rule, "")
			m.graves = slices.Insert(m.graves, 0, Tombstone{*c.Before, c.By, c.At})
			continue
		}
		m.rows[c.Rule] = *c.After
		m.seal(c.Rule, c.After.Hash())
	}
	return nil
}

func (m *memory) Changes(_ context.Context, rule string, before int64, limit int) (out []Change, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range slices.Backward(m.changes) {
		if (rule == "" || c.Rule == rule) && (before == 0 || c.ID < before) && len(out) < limit {
			out = append(out, c)
		}
	}
	return out, m.down
}

func (m *memory) Change(_ context.Context, id int64) (Change, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if id < 1 || id > int64(len(m.changes)) {
		return Change{}, ErrNoChange
	}
	return m.changes[id-1], m.down
}

func (m *memory) seal(id, hash string) {
	if m.seals == nil {
		m.seals = make(map[string]string)
	}
	if m.seals[id] = hash; hash == "" {
		delete(m.seals, id)
	}
}

func (m *memory) Seals(context.Context) (map[string]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.seals), m.down
}

func (m *memory) Seal(_ context.Context, id, hash string, by *Change, log ...audit.Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.unsealed != nil {
		return m.unsealed
	}
	if err := m.record(log); err != nil {
		return err
	}
	if by != nil {
		by.ID = int64(len(m.changes) + 1)
		m.changes = append(m.changes, *by)
	}
	m.seal(id, hash)
	return nil
}

func (m *memory) Tombstones(_ context.Context, limit int) ([]Tombstone, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.graves[:min(limit, len(m.graves))]), nil
}

func (m *memory) record(log []audit.Entry) error {
	if m.down != nil {
		return m.down
	}
	for _, e := range log {
		var last *audit.Record
		if len(m.log) > 0 {
			last = m.log[len(m.log)-1]
		}
		r, err := audit.Next(last, e)
		if err != nil {
			return err
		}
		m.log = append(m.log, r)
	}
	return nil
}

// fail has the table fail, or work again with nil.
func (m *memory) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.down = err
}

// byHand changes the table as nobody else sees.
func (m *memory) byHand(id, source, decision string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.rows == nil {
		m.rows = make(map[string]Row)
	}
	m.rows[id] = Row{ID: id, Enabled: 1, Dialect: "pattern", Source: source, Decision: decision}
}

// clear removes all rows as nobody else sees.
func (m *memory) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.rows)
}

var errDown = errors.New("the disk is full")

func clock() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 8901, time.UTC) }

func open(t testing.TB, m *memory) *Rules {
	t.Helper()
	r, err := Open(t.Context(), m, clock)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// put stores a rule and returns its id.
func put(t testing.TB, r *Rules, body string) string {
	t.Helper()
	d, err := Decode([]byte(body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	w, err := r.Put(t.Context(), "token:ops", d)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return w.ID
}

// following is a source that always has the rules in force, as a service that
// makes a new engine for each revision.
type following struct{ r *Rules }

func (f following) Judge(ctx context.Context, in *policy.Input) (policy.Answer, error) {
	sources, _ := f.r.InForce()
	return sources[0].Judge(ctx, in)
}

// engine returns an engine that follows the rules.
func engine(t testing.TB, s policy.Source) *policy.Engine {
	t.Helper()
	e, err := policy.New(policy.Defaults(), policy.Options{Sources: []policy.Source{s}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// decide returns the decision and the rule on a command.
func decide(t testing.TB, e *policy.Engine, command string) string {
	t.Helper()
	v, err := e.Decide(t.Context(), nil, policy.Shell(command, "/w"))
	if err != nil {
		t.Fatal(err)
	}
	if v.Rule == "" {
		return v.Decision.String()
	}
	return v.Decision.String() + " " + v.Rule
}
