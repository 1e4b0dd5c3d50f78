package approval

import (
	"context"
	"fmt"
	"sync"
)

// places are those that pending requests take which are not stored yet, by
// submitter. The zero value is ready.
type places struct {
	turns turns
	mu    sync.Mutex
	taken map[string]int
}

// add adds to the places of a submitter, and returns how many there were.
func (p *places) add(submitter string, n int) (before int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken == nil {
		p.taken = make(map[string]int)
	}
	before = p.taken[submitter]
	if p.taken[submitter] += n; p.taken[submitter] == 0 {
		delete(p.taken, submitter)
	}
	return before
}

// room takes a place for one more pending request, or says that there is none.
// Those whose time is over take none. free gives the place back, when the
// request is stored or given up.
func (s *Service) room(ctx context.Context, r *Request) (free func(), err error) {
	free, full, err := s.place(ctx, r)
	if full == nil || err != nil {
		return free, err
	}
	if _, err := s.Expire(ctx); err != nil {
		return nil, err
	}
	if free, full, err = s.place(ctx, r); err != nil {
		return nil, err
	}
	return free, full
}

// place takes a place, or says why a submitter may have none. Submissions of
// several sessions at once do not all find the same number pending: what is
// about to be stored counts.
func (s *Service) place(ctx context.Context, r *Request) (free func(), full, err error) {
	turn := s.places.turns.of(r.Submitter, "")
	turn.Lock()
	defer turn.Unlock()
	coming := s.places.add(r.Submitter, 0) // before those are counted that are stored
	there, all, err := s.o.Store.Pending(ctx, r.Submitter, r.Session)
	switch {
	case err != nil:
		return nil, nil, err
	case there >= s.o.MaxPending:
		return nil, fmt.Errorf("%w in this session, %d: wait for a decision, or cancel some", ErrTooMany, there), nil
	case all+coming >= s.o.MaxSubmitted:
		return nil, fmt.Errorf("%w of %s in all its sessions, %d: wait for a decision, or cancel some", ErrTooMany, r.Submitter, all), nil
	}
	s.places.add(r.Submitter, 1)
	return func() { s.places.add(r.Submitter, -1) }, nil, nil
}
