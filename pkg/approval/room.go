package approval

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// places are those that pending requests take which are not stored yet, by
// submitter. The zero value is ready.
type places struct {
	turns turns
	mu    sync.Mutex
	taken map[string]int
	// inAll and inSession are what the store counted lately, by submitter, and by submitter
	// and session.
	inAll     map[string]count
	inSession map[[2]string]count
}

// A count is how many requests are pending at most: those that the store counted at a
// time, and those that took a place since.
type count struct {
	at time.Time
	n  int
}

// countTime is how long a count is used, and maxCounts how many are remembered.
const (
	countTime = time.Second
	maxCounts = 4096
)

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

// counted remembers how many requests are pending.
func (p *places) counted(r *Request, at time.Time, there, all int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.inAll == nil || len(p.inSession) >= maxCounts {
		p.inAll, p.inSession = make(map[string]count), make(map[[2]string]count)
	}
	p.inAll[r.Submitter] = count{at, all}
	p.inSession[[2]string{r.Submitter, r.Session}] = count{at, there}
}

// forget has the store count anew.
func (p *places) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inAll, p.inSession = nil, nil
}

// take takes a place by what was counted lately, where less than half of each bound is
// taken. The other half is for what other instances of the service store meanwhile.
func (p *places) take(r *Request, now time.Time, most, mostInAll int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	session := [2]string{r.Submitter, r.Session}
	all, there := p.inAll[r.Submitter], p.inSession[session]
	if now.Sub(all.at) >= countTime || now.Sub(there.at) >= countTime || all.n >= mostInAll/2 || there.n >= most/2 {
		return false
	}
	p.inAll[r.Submitter] = count{all.at, all.n + 1}
	p.inSession[session] = count{there.at, there.n + 1}
	return true
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
//
// Where few requests were pending a moment ago, the store is not asked: a denial that came
// since is found when the request is stored.
func (s *Service) place(ctx context.Context, r *Request) (it room, err error) {
	turn := s.places.turns.of(r.Submitter, "")
	turn.Lock()
	defer turn.Unlock()
	it.free = func() {}
	if now := s.now(); !s.places.take(r, now, s.o.MaxPending, s.o.MaxSubmitted) {
		coming := s.places.add(r.Submitter, 0) // before those are counted that are stored
		there, all, denial, err := s.o.Store.Pending(ctx, r.Submitter, r.Session)
		if err != nil {
			return it, err
		}
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
		case denial == nil:
			s.places.counted(r, now, there+1, all+coming+1)
		}
	}
	s.places.add(r.Submitter, 1)
	it.free = func() { s.places.add(r.Submitter, -1) }
	return it, nil
}
