package auth

import (
	"context"
	"encoding/json"
	"sync"
	"time"
)

// A Shelf keeps one value for all instances of a service. It is safe for concurrent use.
type Shelf interface {
	// Look returns the value, nil where there is none yet.
	Look(ctx context.Context) ([]byte, error)
	// Change puts what change makes of the value in its place. No other change comes
	// between; change may be called again. An error of change is returned as it is, and
	// nothing is stored.
	Change(ctx context.Context, change func([]byte) ([]byte, error)) error
}

// shelfTime bounds how long a shelf may take.
const shelfTime = 5 * time.Second

// A shelved is a value on a shelf, or in memory where there is none. It is safe for
// concurrent use; what it hands out must not be kept.
type shelved[T any] struct {
	shelf Shelf // nil for the memory

	mu    sync.Mutex
	value T
}

// look gives the value as it is to see, which may change it for itself alone.
func (s *shelved[T]) look(see func(*T)) error {
	if s.shelf == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		see(&s.value)
		return nil
	}
	ctx, stop := context.WithTimeout(context.Background(), shelfTime)
	defer stop()
	text, err := s.shelf.Look(ctx)
	if err != nil {
		return err
	}
	v, err := unshelve[T](text)
	if err == nil {
		see(v)
	}
	return err
}

// change gives the value to edit, and keeps what that makes of it.
func (s *shelved[T]) change(edit func(*T)) error {
	if s.shelf == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		edit(&s.value)
		return nil
	}
	ctx, stop := context.WithTimeout(context.Background(), shelfTime)
	defer stop()
	return s.shelf.Change(ctx, func(text []byte) ([]byte, error) {
		v, err := unshelve[T](text)
		if err != nil {
			return nil, err
		}
		edit(v)
		return json.Marshal(v)
	})
}

func unshelve[T any](text []byte) (*T, error) {
	var v T
	if text == nil {
		return &v, nil
	}
	err := json.Unmarshal(text, &v)
	return &v, err
}
