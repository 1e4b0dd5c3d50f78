package webhook

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// seen are the answers that came, so that one which comes twice is decided once. The
// zero value is not ready.
type seen struct {
	mu  sync.Mutex
	all map[string]*heard // by the id of the answer
}

// A heard is an answer that came.
type heard struct {
	body  [sha256.Size]byte
	until time.Time
	done  chan struct{} // closed when reply is there
	reply channel.Reply
}

// keepFor is how long an answer is known: what is older is refused by its time. maxSeen
// bounds the answers that are.
const (
	keepFor = 2 * tolerance
	maxSeen = 4096
)

var (
	errOther = errors.New("another answer came under this id")
	errFull  = errors.New("too many answers came")
)

// once returns what hear says of an answer, of the first time that it came. What is
// wrong here is not kept: then the same may be said again.
func (s *seen) once(ctx context.Context, id string, body []byte, now time.Time, hear func() channel.Reply) (channel.Reply, error) {
	sum := sha256.Sum256(body)
	h, first, err := s.enter(id, sum, now)
	switch {
	case err != nil:
		return channel.Reply{}, err
	case !first && h.body != sum:
		return channel.Reply{}, errOther
	case !first:
		select {
		case <-h.done:
			return h.reply, nil
		case <-ctx.Done():
			return channel.Reply{}, ctx.Err()
		}
	}
	h.reply.Again = true // for those who wait, if hear does not return
	defer func() {
		if h.reply.Again {
			s.mu.Lock()
			delete(s.all, id)
			s.mu.Unlock()
		}
		close(h.done)
	}()
	h.reply = hear()
	return h.reply, nil
}

// enter returns the entry of an id, and whether it is new.
func (s *seen) enter(id string, sum [sha256.Size]byte, now time.Time) (h *heard, first bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for known, h := range s.all {
		if now.After(h.until) {
			delete(s.all, known)
		}
	}
	if h := s.all[id]; h != nil {
		return h, false, nil
	}
	if len(s.all) >= maxSeen {
		return nil, false, errFull
	}
	h = &heard{body: sum, until: now.Add(keepFor), done: make(chan struct{})}
	s.all[id] = h
	return h, true, nil
}
