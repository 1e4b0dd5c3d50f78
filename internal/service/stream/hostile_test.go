package stream

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// A client that does not read is dropped, and keeps nobody else waiting.
func TestSlow(t *testing.T) {
	r := newRig(t, Options{Queue: 4, WriteDeadline: 500 * time.Millisecond})
	slow := r.listen("")
	quick := r.listen("")
	eventually(t, "live", func() bool { return r.clients() == 2 })
	big := `"` + strings.Repeat("x", 1<<20) + `"`
	sent := int64(0)
	for ; r.clients() == 2 && sent < 200; sent++ {
		r.hub.Publish(r.log.addWith("", big))
		if n, err := quick.number(); n != sent+1 {
			t.Fatalf("the other client: %d, %v, want %d", n, err, sent+1)
		}
	}
	if r.clients() != 1 {
		t.Fatalf("%d clients follow after %d MiB", r.clients(), sent)
	}
	if err := r.why(); !errors.Is(err, ErrBehind) {
		t.Errorf("the slow client ended by %v", err)
	}
	r.publish(1)
	if n, err := quick.number(); n != sent+1 {
		t.Errorf("the other client: %d, %v", n, err)
	}
	_ = slow
}

// A client that falls behind and then reads again is told so, comes back, and
// has lost nothing.
func TestBehind(t *testing.T) {
	r := newRig(t, Options{Queue: 2})
	hold := make(chan struct{})
	r.filter = func(e Event) (Event, bool) { // a client that is busy
		<-hold
		return e, true
	}
	l := r.listen("")
	eventually(t, "live", func() bool { return r.clients() == 1 })
	for r.clients() == 1 {
		r.publish(1)
	}
	close(hold)
	seen := int64(0)
	for {
		n, err := l.number()
		if err != nil {
			t.Fatalf("no resync: %v", err)
		}
		if n == 0 {
			break
		}
		if seen++; n != seen {
			t.Fatalf("%d, want %d", n, seen)
		}
	}
	if err := r.why(); !errors.Is(err, ErrBehind) {
		t.Errorf("ended by %v", err)
	}
	back := r.listen(fmt.Sprint(seen))
	r.publish(1)
	for seen < r.log.last {
		seen++
		if n, err := back.number(); n != seen {
			t.Fatalf("%d, %v, want %d", n, err, seen)
		}
	}
}

func TestFull(t *testing.T) {
	key := func(q *http.Request) string { return q.Header.Get("Last-Event-ID") }
	for _, tc := range []struct {
		o    Options
		from []string
	}{
		{Options{MaxClients: 2}, []string{"", "", ""}},
		{Options{MaxClients: 3, MaxPerKey: 1, Key: key}, []string{"0", "1", "1"}},
	} {
		r := newRig(t, tc.o)
		r.publish(1)
		first := r.listen(tc.from[0])
		second := r.listen(tc.from[1])
		l, err := r.dial(tc.from[2])
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(l.resp.Body)
		if l.resp.StatusCode != 503 || l.resp.Header.Get("Retry-After") != "5" || !strings.Contains(string(body), `"code":"no-stream"`) || !errors.Is(r.why(), ErrFull) {
			t.Errorf("%d %s", l.resp.StatusCode, body)
		}
		l.close()
		second.close()
		_ = r.why()
		r.listen(tc.from[2]).close()
		first.close()
		eventually(t, "no place is taken", func() bool { return r.places() == 0 })
	}
}

// A log that fails is an answer before a stream begins, and ends those that
// need it.
func TestLogFails(t *testing.T) {
	r := newRig(t, Options{})
	l := r.listen("")
	eventually(t, "live", func() bool { return r.clients() == 1 })
	r.log.add("")
	r.log.set(func(m *memory) { m.err = errDisk })
	r.publish(1)
	if got, err := l.next(); got != "0 resync {}" {
		t.Errorf("%s, %v", got, err)
	}
	if err := r.why(); !errors.Is(err, ErrBehind) {
		t.Error(err)
	}
	broken, err := r.dial("")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(broken.resp.Body)
	if err := r.why(); broken.resp.StatusCode != 503 || strings.Contains(string(body), "disk") || !errors.Is(err, errDisk) {
		t.Errorf("%d %s, %v", broken.resp.StatusCode, body, err)
	}
	r.log.set(func(m *memory) { m.err = nil })
	r.listen("0").want(`1 request {"n":1}`, `2 request {"n":2}`)
}

// What is published and never written down ends in a resync, not in silence.
func TestNotInLog(t *testing.T) {
	r := newRig(t, Options{})
	l := r.listen("")
	eventually(t, "live", func() bool { return r.clients() == 1 })
	r.hub.Publish(Event{ID: 5, Type: "request", Data: []byte("{}")})
	l.want("0 resync {}")
	r.listen("0").want("0 resync {}")
}

func TestClose(t *testing.T) {
	r := newRig(t, Options{})
	l := r.listen("")
	eventually(t, "live", func() bool { return r.clients() == 1 })
	r.hub.Close()
	r.hub.Close()
	if got, err := l.next(); got != "" || err != io.EOF {
		t.Errorf("%q, %v", got, err)
	}
	if err := r.why(); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	r.publish(3)
	r.hub.Publish()
	after, err := r.dial("")
	if err != nil || after.resp.StatusCode != 503 || !errors.Is(r.why(), ErrClosed) {
		t.Errorf("%+v, %v", after, err)
	}
}

// Nothing is left of clients that went in any way.
func TestLeaks(t *testing.T) {
	r := newRig(t, Options{Heartbeat: 10 * time.Millisecond})
	before := runtime.NumGoroutine()
	for range 5 {
		var all []*listener
		for range 20 {
			all = append(all, r.listen("0"))
		}
		r.publish(10)
		r.log.add("")
		r.hub.Publish()
		for _, l := range all {
			l.close()
		}
	}
	eventually(t, "no place is taken", func() bool { return r.places() == 0 && r.clients() == 0 })
	eventually(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= before })
}

// A response that cannot be streamed is an error that the client can read.
func TestNoFlush(t *testing.T) {
	hub := NewHub(&memory{}, Options{})
	w := httptest.NewRecorder()
	err := hub.Serve(w, httptest.NewRequest("GET", "/", nil), nil)
	var p struct{ Code string }
	if json.Unmarshal(w.Body.Bytes(), &p) != nil || w.Code != 500 || p.Code != "no-stream" || !errors.Is(err, ErrNoFlush) {
		t.Errorf("%d %s, %v", w.Code, w.Body, err)
	}
}

// A log that gives new numbers to what it keeps, as after a fail-over, is told by a resync,
// and nothing of it twice.
func TestRenumbered(t *testing.T) {
	r := newRig(t, Options{})
	r.log.add("")
	l := r.listen("0")
	l.want(`1 request {"n":1}`)
	r.renumber()
	l.want("1 resync {}")
	r.listen("1").want("1002 resync {}")
}

// So does a client that is still reading the log when they get other numbers.
func TestRenumberedMeanwhile(t *testing.T) {
	r := newRig(t, Options{})
	r.log.add("")
	var once sync.Once
	r.log.set(func(m *memory) { m.hook = func() { once.Do(r.renumber) } })
	r.listen("0").want(`1 request {"n":1}`, "1 resync {}")
}

func (r *rig) renumber() {
	r.log.set(func(m *memory) {
		for i := range m.events {
			m.events[i].ID += 1000
		}
		m.last += 1000
	})
	r.log.add("")
	r.hub.Publish()
}
