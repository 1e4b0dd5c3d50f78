package grant

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/policyctl/policyctl/internal/support/shelf"
)

// A Shared keeps entries on a shelf, for all instances of a service and the team that
// uses it. It is safe for concurrent use.
type Shared struct {
	shelf shelf.Shelf
	now   func() time.Time
}

// NewShared returns the store on a shelf, which may be empty.
func NewShared(on shelf.Shelf, now func() time.Time) *Shared { return &Shared{on, now} }

// sharedTime bounds how long a shelf may take: who decides a call waits for it.
const sharedTime = 5 * time.Second

func (s *Shared) look() ([]byte, error) {
	ctx, stop := context.WithTimeout(context.Background(), sharedTime)
	defer stop()
	return s.shelf.Look(ctx)
}

// Read returns the entries that have not ended. Beside an error there are none.
func (s *Shared) Read() ([]Entry, error) {
	text, err := s.look()
	if err != nil {
		return nil, err
	}
	r, err := shared(text)
	return r.living(s.time()), err
}

// Stamp tells what the shelf holds apart from what it held before; "" where that cannot
// be read.
func (s *Shared) Stamp() string {
	text, err := s.look()
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Add stores entries as [Store.Add] does.
func (s *Shared) Add(entries ...Entry) (added []Entry, err error) {
	now := s.time()
	if entries, err = stamped(entries, now); err != nil {
		return nil, err
	}
	if err := s.change(adding(entries, now, &added)); err != nil {
		return nil, err
	}
	return added, nil
}

// Remove removes the entries that match, and returns them.
func (s *Shared) Remove(match func(*Entry) bool) (removed []Entry, err error) {
	if err := s.change(removing(match, &removed)); err != nil {
		return nil, err
	}
	return removed, nil
}

func (s *Shared) change(edit func([]Entry) ([]Entry, error)) error {
	ctx, stop := context.WithTimeout(context.Background(), sharedTime)
	defer stop()
	return s.shelf.Change(ctx, func(text []byte) ([]byte, error) {
		r, err := shared(text)
		if err != nil {
			return nil, err
		}
		if r, err = r.edited(s.time(), edit); err != nil {
			return nil, err
		}
		return json.Marshal(r)
	})
}

func (s *Shared) time() time.Time { return s.now().UTC().Truncate(time.Second) }

// shared reads the document of a shelf; one that is missing has no entries.
func shared(text []byte) (record, error) {
	if text == nil {
		return record{}, nil
	}
	r, err := decode(text)
	if err != nil {
		return record{}, fmt.Errorf("the service's stored approvals cannot be used and are ignored: %w: restore a backup of the database", err)
	}
	return r, nil
}
