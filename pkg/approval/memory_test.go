package approval

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
)

// memory is a store for tests. It keeps requests as JSON, so that nobody
// shares them.
type memory struct {
	mu       sync.Mutex
	order    []string
	requests map[string][]byte
	keys     []Key
	denials  []SessionDenial
	log      []*audit.Record
	broken   error         // what every write returns
	slow     time.Duration // how long a new request takes
	latest   time.Time
	due      int          // how many requests Due returns at most; 0 for all
	damaged  string       // the request that cannot be read
	fails    func() error // what reading lists returns, nil for nothing
	first    func() error // what AddKey does before anything, nil for nothing
	keysRead int          // how often the keys were read
	observed []time.Time
	reduced  int // how often Reduce was called
}

func newMemory() *memory { return &memory{requests: map[string][]byte{}} }

// look has a test look at the store while nothing changes it.
func (m *memory) look(at func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at()
}

func (m *memory) get(id string) (*Request, error) {
	text, ok := m.requests[id]
	if !ok {
		return nil, ErrNotFound
	}
	r := &Request{}
	return r, json.Unmarshal(text, r)
}

func (m *memory) put(r *Request, log []audit.Entry) error {
	if m.broken != nil {
		return m.broken
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := m.record(log); err != nil {
		return err
	}
	m.requests[r.ID] = text
	return nil
}

func (m *memory) record(log []audit.Entry) error {
	for _, e := range log {
		var last *audit.Record
		if n := len(m.log); n > 0 {
			last = m.log[n-1]
		}
		next, err := audit.Next(last, e)
		if err != nil {
			return err
		}
		m.log = append(m.log, next)
	}
	return nil
}

func (m *memory) Create(_ context.Context, r *Request, log ...audit.Entry) (stored *Request, created, undenied bool, err error) {
	time.Sleep(m.slow)
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range m.order {
		if stands, _ := m.get(id); id == r.ID || r.Key != "" && stands.Key == r.Key && stands.Submitter == r.Submitter {
			return stands, false, false, nil
		}
	}
	if err := m.put(r, log); err != nil {
		return nil, false, false, err
	}
	m.order = append(m.order, r.ID)
	stored, err = m.get(r.ID)
	return stored, true, len(m.denials) == 0, err
}

func (m *memory) Get(_ context.Context, id string) (*Request, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.get(id)
}

func (m *memory) all() []*Request {
	var out []*Request
	for _, id := range m.order {
		r, _ := m.get(id)
		out = append(out, r)
	}
	return out
}

func (m *memory) ByKey(_ context.Context, submitter, key string) (*Request, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.all() {
		if r.Submitter == submitter && r.Key == key {
			return r, nil
		}
	}
	return nil, ErrNotFound
}

func (m *memory) List(_ context.Context, f Filter) ([]*Request, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fails != nil {
		if err := m.fails(); err != nil {
			return nil, err
		}
	}
	var out []*Request
	behind := f.Before == ""
	for _, r := range m.all() {
		if !behind || f.Limit > 0 && len(out) == f.Limit {
			behind = behind || r.ID == f.Before
			continue
		}
		if (f.Session == "" || r.Session == f.Session) && (len(f.States) == 0 || slices.Contains(f.States, r.State)) &&
			(f.Submitter == "" || r.Submitter == f.Submitter) && (f.Name == "" || r.Name == f.Name) && (f.Alike == "" || r.Alike == f.Alike) && (!f.Owing || r.Owed != nil) {
			out = append(out, r)
		}
	}
	return out, nil
}

func (m *memory) Update(_ context.Context, id string, change func(*Request) ([]audit.Entry, error)) (*Request, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if id == m.damaged {
		return nil, ErrDamaged
	}
	r, err := m.get(id)
	if err != nil {
		return nil, err
	}
	log, err := change(r)
	if err != nil {
		return nil, err
	}
	r.Version++
	return r, m.put(r, log)
}

func (m *memory) Pending(ctx context.Context, submitter, session string) (there, all int, d *SessionDenial, err error) {
	list, err := m.List(ctx, Filter{States: []State{Pending}, Submitter: submitter})
	for _, r := range list {
		if r.Session == session {
			there++
		}
	}
	if err == nil {
		d, err = m.SessionDenial(ctx, session)
	}
	return there, len(list), d, err
}

func (m *memory) PutSessionDenial(_ context.Context, d SessionDenial, log ...audit.Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.record(log); err != nil {
		return err
	}
	m.denials = append(slices.DeleteFunc(m.denials, func(o SessionDenial) bool { return o.Session == d.Session }), d)
	return nil
}

func (m *memory) DropSessionDenial(_ context.Context, session string, log ...audit.Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.denials = slices.DeleteFunc(m.denials, func(o SessionDenial) bool { return o.Session == session })
	return m.record(log)
}

func (m *memory) SessionDenial(_ context.Context, session string) (*SessionDenial, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range m.denials {
		if d.Session == session {
			return &d, nil
		}
	}
	return nil, nil
}

func (m *memory) SessionDenials(context.Context) ([]SessionDenial, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fails != nil {
		if err := m.fails(); err != nil {
			return nil, err
		}
	}
	return slices.Clone(m.denials), nil
}

func (m *memory) Due(ctx context.Context, now time.Time, _ int) (ids []string, next time.Time, err error) {
	list, err := m.List(ctx, Filter{States: []State{Pending}})
	for _, r := range list {
		if r.due(now) {
			ids = append(ids, r.ID)
		} else if next.IsZero() || r.Expires.Before(next) {
			next = r.Expires
		}
	}
	if m.due > 0 && len(ids) > m.due {
		ids = ids[:m.due]
	}
	return ids, next, err
}

func (m *memory) Keys(context.Context) ([]Key, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keysRead++
	return slices.Clone(m.keys), nil
}

func (m *memory) AddKey(_ context.Context, k Key, log ...audit.Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.first != nil {
		if err := m.first(); err != nil {
			return err
		}
	}
	for i := range m.keys {
		if m.keys[i].Ended.IsZero() {
			m.keys[i].Ended = k.Created
		}
	}
	m.keys = append([]Key{k}, m.keys...)
	return m.record(log)
}

func (m *memory) Reduce(_ context.Context, to Kept, before time.Time, limit int, change func(*Request), log func(int) []audit.Entry) (n int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reduced++
	for _, r := range m.all() {
		if n == limit || r.State == Pending || r.Owed != nil || r.Kept() >= to || !r.Expires.Before(before) {
			continue
		}
		if change(r); r.Kept() < to {
			continue
		}
		n++
		r.Version++
		if err := m.put(r, nil); err != nil {
			return n, err
		}
	}
	if n == 0 {
		return 0, nil
	}
	return n, m.record(log(n))
}

func (m *memory) Observe(_ context.Context, at time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.observed = append(m.observed, at)
	if m.broken == nil && at.After(m.latest) {
		m.latest = at
	}
	return m.broken
}

func (m *memory) Latest(context.Context) (time.Time, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.latest, nil
}
