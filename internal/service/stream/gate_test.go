package stream

import (
	"bufio"
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// However many guests read the whole log again and again, they take a small
// part of the time, and members do not wait for them.
func TestGuestsShare(t *testing.T) {
	r := newRig(t, Options{MaxPerKey: 100, Guest: func(q *http.Request) bool { return q.Header.Get("Member") == "" }})
	r.publish(20 * batch)
	var busy, most, now atomic.Int64
	const cost = 4 * time.Millisecond
	r.log.set(func(m *memory) {
		m.hook = func() {
			now.Add(1)
			for n := now.Load(); n > most.Load(); n = now.Load() {
				most.Store(n)
			}
			time.Sleep(cost)
			busy.Add(int64(cost))
			now.Add(-1)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	began := time.Now()
	for range 32 {
		go func() {
			for ctx.Err() == nil {
				q, _ := http.NewRequestWithContext(ctx, "GET", r.server.URL, nil)
				q.Header.Set("Last-Event-ID", "0")
				if res, err := http.DefaultClient.Do(q); err == nil {
					lines := bufio.NewScanner(res.Body)
					for i := 0; i < 200 && lines.Scan(); i++ {
					}
					res.Body.Close()
				}
			}
		}()
	}
	time.Sleep(600 * time.Millisecond)
	took, used := time.Since(began), time.Duration(busy.Load())
	cancel()
	if most.Load() != 1 || used > took/5 || used == 0 {
		t.Errorf("%d guests read at once, %s of %s", most.Load(), used, took)
	}
}
