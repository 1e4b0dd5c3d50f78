package webguard

import (
	"sync"
	"testing"
)

func TestWaits(t *testing.T) {
	w := NewWaits(2)
	begin := func(who string) (end func(), text string) {
		end, err := w.Begin(who)
		if err != nil {
			text = err.Error()
		}
		return end, text
	}
	const full = "ann has 2 answers held back already"
	first, _ := begin("ann")
	for i, row := range []struct{ want, who string }{{"", "ann"}, {full, "ann"}, {full, "ann"}, {"", "bob"}} {
		if _, got := begin(row.who); got != row.want {
			t.Errorf("%d: %q, want %q", i, got, row.want)
		}
	}
	first()
	for i, want := range []string{"", full} {
		if _, got := begin("ann"); got != want {
			t.Errorf("with a place given back, %d: %q, want %q", i, got, want)
		}
	}
}

// Who waits for nothing takes no room.
func TestWaitsEnd(t *testing.T) {
	w := NewWaits(50)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			end, err := w.Begin("ann")
			if err != nil {
				t.Error(err)
				return
			}
			end()
		})
	}
	all.Wait()
	if len(w.held) != 0 {
		t.Errorf("%v is held, want nothing", w.held)
	}
}
