package auth

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/support/shelf"
)

// shelfTime bounds how long a shelf may take.
const shelfTime = 5 * time.Second

// A shelved is a value on a shelf, or in memory where there is none. It is safe for
// concurrent use; what it hands out must not be kept.
type shelved[T any] struct {
	shelf shelf.Shelf // nil for the memory

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
