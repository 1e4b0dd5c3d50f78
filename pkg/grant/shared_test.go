package grant_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/support/shelf/shelftest"
	"github.com/policyctl/policyctl/pkg/grant"
)

// What one instance stores another one reads, and can remove.
func TestShared(t *testing.T) {
	m := &shelftest.Memory{}
	now := start
	clock := func() time.Time { return now }
	a, b := grant.NewShared(m, clock), grant.NewShared(m, clock)
	empty := a.Stamp()
	list := here(t, "git commit in /home/dev/app; npm run anywhere")
	for i := range 2 { // the second time they are there already
		added, err := a.Add(list...)
		if err != nil || len(added) != 2-2*i {
			t.Fatalf("%q, %v", texts(added), err)
		}
	}
	if entries, err := b.Read(); err != nil || texts(entries) != "git commit in /home/dev/app; npm run anywhere" {
		t.Errorf("%q, %v", texts(entries), err)
	}
	if a.Stamp() != b.Stamp() || a.Stamp() == empty {
		t.Errorf("stamps %q and %q, %q before", a.Stamp(), b.Stamp(), empty)
	}
	removed, err := b.Remove(func(e *grant.Entry) bool { return e.Scope == grant.Anywhere })
	if texts(removed) != "npm run anywhere" || err != nil {
		t.Errorf("%q, %v", texts(removed), err)
	}
	if entries, _ := a.Read(); texts(entries) != "git commit in /home/dev/app" {
		t.Errorf("%q", texts(entries))
	}
	ending := here(t, "make in /home/dev/app")[0]
	ending.Until = start.Add(time.Hour)
	if _, err := a.Add(ending); err != nil {
		t.Fatal(err)
	}
	now = start.Add(2 * time.Hour)
	if entries, _ := b.Read(); texts(entries) != "git commit in /home/dev/app" {
		t.Errorf("one that has ended counts: %q", texts(entries))
	}
}

// Instances that store at once lose nothing of each other.
func TestSharedAtOnce(t *testing.T) {
	m := &shelftest.Memory{}
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			e := here(t, fmt.Sprintf("make in /home/dev/app%d", i))[0]
			if _, err := grant.NewShared(m, func() time.Time { return start }).Add(e); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if entries, err := grant.NewShared(m, func() time.Time { return start }).Read(); err != nil || len(entries) != 16 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}

// What cannot be read approves nothing, and nothing is written over it.
func TestSharedFails(t *testing.T) {
	m := &shelftest.Memory{}
	s := grant.NewShared(m, func() time.Time { return start })
	e := here(t, "make in /home/dev/app")[0]
	if _, err := s.Add(e); err != nil {
		t.Fatal(err)
	}
	gone := errors.New("the database is gone")
	m.Fail(gone)
	_, add := s.Add(e)
	_, remove := s.Remove(func(*grant.Entry) bool { return true })
	entries, read := s.Read()
	if !errors.Is(add, gone) || !errors.Is(remove, gone) || !errors.Is(read, gone) || len(entries) > 0 || s.Stamp() != "" {
		t.Errorf("%v, %v, %v, %d entries", add, remove, read, len(entries))
	}
	m.Fail(nil)
	damaged := []byte(`{"version": 2, "entries": [{"verb": ""}]}`)
	if err := m.Change(t.Context(), func([]byte) ([]byte, error) { return damaged, nil }); err != nil {
		t.Fatal(err)
	}
	if entries, err := s.Read(); err == nil || len(entries) > 0 {
		t.Errorf("%d entries of a damaged document, %v", len(entries), err)
	}
	if _, err := s.Add(e); err == nil {
		t.Error("it was added to a damaged document")
	}
	if text, _ := m.Look(t.Context()); string(text) != string(damaged) {
		t.Errorf("it was written over: %s", text)
	}
}
