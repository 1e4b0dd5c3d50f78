package sqlstore

import (
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Who runs when somebody begins to store shares the transaction: its end costs most.
func TestGathers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const writers = 20
	w := &wire{}
	d := New(w, &Dialect{Send: w.send}, nil, Options{})
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			if err := d.write(t.Context(), later("stored")); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	sent := strings.Join(w.messages, "\n")
	if n := strings.Count(sent, "stored"); n != writers {
		t.Errorf("%d of %d stored", n, writers)
	}
	if n := strings.Count(sent, "BEGIN"); n > 2 {
		t.Errorf("%d transactions for %d who wrote at once", n, writers)
	}
}
