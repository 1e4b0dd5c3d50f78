package stream

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"
)

// Publishers race, clients come and go, and each client sees each event once
// and in order.
func TestRace(t *testing.T) {
	const publishers, each, total = 8, 150, 8 * 150
	r := newRig(t, Options{Queue: 4096})
	var wg sync.WaitGroup
	for p := range publishers {
		wg.Go(func() {
			for i := range each {
				e := r.log.add("")
				runtime.Gosched() // so that others overtake
				switch {
				case i == each-1, p > 0:
					r.hub.Publish(e)
				default: // as if another process had written it
					r.hub.Publish()
				}
				if i%16 == 0 {
					time.Sleep(time.Millisecond)
				}
			}
		})
	}
	for range 12 {
		wg.Go(func() { follow(r, total) })
	}
	wg.Wait()
}

// follow reads all events up to one, and leaves and comes back now and then.
func follow(r *rig, until int64) {
	for seen := int64(0); seen < until; {
		l, err := r.dial(fmt.Sprint(seen))
		if errors.Is(err, io.EOF) { // a busy server did not read it in time
			continue
		}
		if err != nil || l.resp.StatusCode != 200 {
			r.t.Errorf("%+v, %v", l, err)
			return
		}
		for range rand.IntN(200) + 1 {
			n, err := l.number()
			if err != nil || n == 0 { // dropped: it comes back
				break
			}
			if n != seen+1 {
				r.t.Errorf("%d behind %d", n, seen)
				l.close()
				return
			}
			if seen = n; seen == until {
				break
			}
		}
		l.close()
	}
}

// What is published between the last look at the log and the moment when the
// client is live is neither lost nor told twice.
func TestBetween(t *testing.T) {
	for name, publish := range map[string]func(*Hub, Event){
		"own":                func(h *Hub, e Event) { h.Publish(e) },
		"of another process": func(h *Hub, _ Event) { h.Publish() },
	} {
		r := newRig(t, Options{})
		r.publish(2)
		var once sync.Once
		r.log.set(func(m *memory) {
			m.hook = func() { once.Do(func() { publish(r.hub, r.log.add("")) }) }
		})
		l := r.listen("1")
		l.want(`2 request {"n":2}`, `3 request {"n":3}`)
		r.publish(1)
		l.want(`4 request {"n":4}`)
		l.close()
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// The hub may have handed out more than was published, as it reads the log too.
// Who has seen less reads it first, even where all others have left.
func TestJoinBehind(t *testing.T) {
	r := newRig(t, Options{})
	join := func(seen int64) *client {
		c, err := r.hub.join(seen, r.hub.mark())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := join(3)
	r.hub.mu.Lock()
	r.hub.catchUp([]Event{{ID: 4}, {ID: 5}})
	r.hub.mu.Unlock()
	r.hub.leave(first)
	if join(3) != nil || join(4) != nil {
		t.Error("a client is live that has not seen 5")
	}
	if join(5) == nil {
		t.Error("a client that has seen 5 is not live")
	}
}

// Events come in order even if they are published in another, twice or in one.
func TestOrder(t *testing.T) {
	r := newRig(t, Options{})
	l := r.listen("")
	eventually(t, "live", func() bool { return r.clients() == 1 })
	a, b, c := r.log.add(""), r.log.add(""), r.log.add("")
	r.hub.Publish(c)
	r.hub.Publish(a, a, b)
	r.hub.Publish(b, a, c)
	l.want(`1 request {"n":1}`, `2 request {"n":2}`, `3 request {"n":3}`)
	r.log.set(func(m *memory) { m.last += 5 }) // numbers that were never used
	r.publish(2)
	l.want(`9 request {"n":9}`, `10 request {"n":10}`)
}

// After a restart the hub knows of no event, and a client still misses none.
func TestRestart(t *testing.T) {
	r := newRig(t, Options{})
	for range 2*batch + 10 {
		r.log.add("")
	}
	l := r.listen("0")
	for id := int64(1); id <= 2*batch+10; id++ {
		if n, err := l.number(); n != id {
			t.Fatalf("%d, %v, want %d", n, err, id)
		}
	}
	eventually(t, "live", func() bool { return r.clients() == 1 })
	reads := r.log.read()
	r.publish(1)
	l.want(`523 request {"n":523}`)
	if r.log.read() != reads {
		t.Error("the log is read for what has been published in order")
	}
}

// What comes while the hub reads the log is not left there.
func TestWhileReading(t *testing.T) {
	r := newRig(t, Options{})
	l := r.listen("")
	eventually(t, "live", func() bool { return r.clients() == 1 })
	var once sync.Once
	r.log.set(func(m *memory) {
		m.hook = func() {
			once.Do(func() {
				r.log.add("")
				r.hub.Publish()
			})
		}
	})
	r.hub.Publish()
	l.want(`1 request {"n":1}`)
}

// What a client has been handed takes no place in its queue again.
func TestTwice(t *testing.T) {
	r := newRig(t, Options{Queue: 1})
	hold := make(chan struct{})
	r.filter = func(e Event) (Event, bool) {
		<-hold
		return e, true
	}
	l := r.listen("")
	eventually(t, "live", func() bool { return r.clients() == 1 })
	e := r.log.add("")
	for range 10 {
		r.hub.Publish(e)
		r.hub.mu.Lock()
		r.hub.catchUp([]Event{e})
		r.hub.mu.Unlock()
	}
	close(hold)
	l.want(`1 request {"n":1}`)
	r.publish(1)
	l.want(`2 request {"n":2}`)
}

// More than one batch that others wrote comes whole, at once.
func TestManyAtOnce(t *testing.T) {
	r := newRig(t, Options{})
	l := r.listen("")
	eventually(t, "live", func() bool { return r.clients() == 1 })
	for range 3 * batch {
		r.log.add("")
	}
	r.hub.Publish()
	for id := int64(1); id <= 3*batch; id++ {
		if n, err := l.number(); n != id {
			t.Fatalf("%d, %v, want %d", n, err, id)
		}
	}
}

// Publish waits for nothing: neither for a client nor for the log.
func TestPublishNeverWaits(t *testing.T) {
	r := newRig(t, Options{})
	r.listen("")
	eventually(t, "live", func() bool { return r.clients() == 1 })
	stuck := make(chan struct{})
	defer close(stuck)
	r.log.set(func(m *memory) { m.hook = func() { <-stuck } })
	began := time.Now()
	r.log.add("")
	for range 1000 {
		r.publish(1)
		r.hub.Publish()
	}
	if d := time.Since(began); d > 5*time.Second {
		t.Errorf("it took %v", d)
	}
}

// One event to 200 clients is written once.
func BenchmarkPublish200(b *testing.B) {
	h := NewHub(&memory{}, Options{})
	var all []*client
	for range 200 {
		c, err := h.join(0, h.mark())
		if err != nil || c == nil {
			b.Fatal(err)
		}
		all = append(all, c)
	}
	e := Event{Type: "request.new", Data: []byte(`{"id":"req-1","tool":"shell","command":"git push"}`)}
	b.ReportAllocs()
	for b.Loop() {
		e.ID++
		h.Publish(e)
		for _, c := range all {
			if next := <-c.queue; next[0].ID != e.ID {
				b.Fatal(next)
			}
		}
	}
}
