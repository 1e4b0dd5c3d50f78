package spool_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/machine/spool"
)

// What waits is what was added and not taken yet, over several segments.
func TestDepth(t *testing.T) {
	s := spool.New(t.TempDir(), 4000)
	depth := func() int64 {
		n, err := s.Depth()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if depth() != 0 {
		t.Errorf("nothing has %d bytes", depth())
	}
	event := []byte(`{"x":"` + strings.Repeat("x", 400) + `"}`)
	for range 5 {
		if err := s.Add(event); err != nil {
			t.Fatal(err)
		}
	}
	all := depth()
	if least := int64(5 * len(event)); all < least || all > least+50 {
		t.Errorf("5 events of %d bytes have %d", len(event), all)
	}
	out, err := s.Ship()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if _, err := out.Next(); err != nil {
		t.Fatal(err)
	}
	if err := out.Done(1); err != nil {
		t.Fatal(err)
	}
	if gone := all - depth(); gone < int64(len(event)) || gone > int64(len(event))+10 {
		t.Errorf("an event of %d bytes was taken, and %d went", len(event), gone)
	}
	if err := out.Reject(1); err != nil {
		t.Fatal(err)
	}
	if l := s.Losses(); l[spool.Rejected] != 1 || l[spool.Dropped] != 0 || l[spool.Damaged] != 0 {
		t.Errorf("lost: %v", l)
	}
}
