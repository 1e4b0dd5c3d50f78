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

// A room is what there is for one more pending request.
type room struct {
	// free gives the place back, when the request is stored or given up.
	free func()
	// denied ends the request at once, since its session is denied; nil where it is not.
	denied *Decision
	// full says why there is no place, nil where there is one.
	full error
}

// room takes a place for one more pending request, or says that there is none.
// Those whose time is over take none.
func (s *Service) room(ctx context.Context, r *Request) (room, error) {
	it, err := s.place(ctx, r)
	if it.full == nil || err != nil {
		return it, err
	}
	if _, err := s.Expire(ctx); err != nil {
		return room{}, err
	}
	if it, err = s.place(ctx, r); err != nil {
		return room{}, err
	}
	return it, it.full
}

// place takes a place, or says why a submitter may have none. Submissions of
// several sessions at once do not all find the same number pending: what is
// about to be stored counts.
func (s *Service) place(ctx context.Context, r *Request) (it room, err error) {
	turn := s.places.turns.of(r.Submitter, "")
	turn.Lock()
	defer turn.Unlock()
	coming := s.places.add(r.Submitter, 0) // before those are counted that are stored
	there, all, denial, err := s.o.Store.Pending(ctx, r.Submitter, r.Session)
	if err != nil {
		return it, err
	}
	it.free = func() {}
	it.denied = s.denies(denial, r)
	switch {
	case it.denied != nil: // it will not be pending
		return it, nil
	case there >= s.o.MaxPending:
		it.full = fmt.Errorf("%w in this session, %d: wait for a decision, or cancel some", ErrTooMany, there)
		return it, nil
	case all+coming >= s.o.MaxSubmitted:
		it.full = fmt.Errorf("%w of %s in all its sessions, %d: wait for a decision, or cancel some", ErrTooMany, r.Submitter, all)
		return it, nil
	}
	s.places.add(r.Submitter, 1)
	it.free = func() { s.places.add(r.Submitter, -1) }
	return it, nil
}
