package stream

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

func TestEncode(t *testing.T) {
	for _, tc := range []struct {
		want string
		e    Event
	}{
		{"id: 7\nevent: request.new\ndata: {\"a\":1}\n\n", Event{ID: 7, Type: "request.new", Data: []byte(`{"a":1}`), Session: "s"}},
		{"id: 7\ndata: {}\n\n", Event{ID: 7, Data: []byte(`{}`)}},
		{"id: 7\ndata: \n\n", Event{ID: 7}},
		{"id: 7\ndata: a\ndata: b\n\n", Event{ID: 7, Data: []byte("a\nb")}},
		{"id: 7\ndata: a\ndata: event: approved\n\n", Event{ID: 7, Data: []byte("a\revent: approved")}},
		{"id: 7\ndata: a\ndata: \ndata: \ndata: id: 9\n\n", Event{ID: 7, Data: []byte("a\r\n\nid: 9")}},
		{"id: 7\ndata: {}\n\n", Event{ID: 7, Type: "a\ndata: forged", Data: []byte(`{}`)}},
		{"id: 7\ndata: {}\n\n", Event{ID: 7, Type: "a b", Data: []byte(`{}`)}},
	} {
		if got := string(encode(tc.e)); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

func TestLive(t *testing.T) {
	r := newRig(t, Options{})
	r.publish(3)
	l := r.listen("")
	for name, want := range map[string]string{
		"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
	} {
		if got := l.resp.Header.Get(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if block, _ := l.block(); block != "retry: 2000\nid: 3\n" {
		t.Errorf("begins with %q", block)
	}
	r.publish(1)
	l.want(`4 request {"n":4}`)
	time.Sleep(500 * time.Millisecond) // longer than the server lets others take
	r.publish(2)
	l.want(`5 request {"n":5}`, `6 request {"n":6}`)
	l.close()
	if err := r.why(); err != nil {
		t.Errorf("the client left: %v", err)
	}
}

func TestReplay(t *testing.T) {
	for _, tc := range []struct{ want, header, query string }{
		{"301 request", "", ""},
		{"3 request", "2", ""},
		{"1 request", "0", ""},
		{"299 request", "298", "?last_event_id=5"},
		{"6 request", "", "?last_event_id=5"},
		{"301 request", "300", ""},
		{"300 resync", "301", ""}, // from another log
		{"300 resync", "9223372036854775807", ""},
	} {
		r := newRig(t, Options{})
		r.publish(300)
		r.server.URL += "/" + tc.query
		l := r.listen(tc.header)
		r.publish(1)
		got, err := l.next()
		if !strings.HasPrefix(got, tc.want+" ") || err != nil {
			t.Errorf("%s%s: %s, %v, want %s", tc.header, tc.query, got, err, tc.want)
		}
		// All that follows comes once.
		var id int64
		fmt.Sscan(got, &id)
		for ; id < 301; id++ {
			if n, err := l.number(); n != id+1 {
				t.Fatalf("%s%s: %d behind %d, %v", tc.header, tc.query, n, id, err)
			}
		}
		l.close()
	}
}

// Where the log has been cut, a client behind the cut misses nothing, and one
// before it reads the state anew.
func TestGap(t *testing.T) {
	for _, tc := range []struct {
		want, from string
		kept       int
	}{
		{"101 request", "100", 200},
		{"102 request", "101", 200},
		{"300 resync", "99", 200},
		{"300 resync", "0", 200},
		{"300 resync", "299", 0},
		{"301 request", "300", 0},
	} {
		r := newRig(t, Options{})
		r.publish(300)
		r.log.set(func(m *memory) { m.events = m.events[300-tc.kept:] })
		l := r.listen(tc.from)
		r.publish(1)
		if got, err := l.next(); !strings.HasPrefix(got, tc.want+" ") {
			t.Errorf("%d kept, from %s: %s, %v, want %s", tc.kept, tc.from, got, err, tc.want)
		}
		l.close()
	}
}

func TestBadID(t *testing.T) {
	r := newRig(t, Options{})
	for _, id := range []string{"x", "-1", "1.5", "0x1", "1 2", "99999999999999999999"} {
		l, err := r.dial(id)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(l.resp.Body)
		if l.resp.StatusCode != 400 || !strings.Contains(string(body), `"code":"bad-last-event-id"`) || !errors.Is(r.why(), ErrBadID) {
			t.Errorf("%s: %d %s", id, l.resp.StatusCode, body)
		}
		l.close()
	}
}

func TestHeartbeat(t *testing.T) {
	r := newRig(t, Options{Heartbeat: 30 * time.Millisecond})
	r.filter = func(e Event) (Event, bool) { return e, e.Session == "mine" }
	l := r.listen("")
	var blocks []string
	read := func() string {
		block, err := l.block()
		if err != nil {
			t.Fatal(err)
		}
		blocks = append(blocks, block)
		return block
	}
	read() // where it begins
	for range 3 {
		if got := read(); got != ":\n" {
			t.Fatalf("%q", got)
		}
	}
	r.publish(2) // of no concern
	for range 100 {
		if read() == "id: 2\n" {
			return
		}
	}
	t.Errorf("the client does not learn where it is: %q", blocks)
}

// A filter hides and changes events, for its client alone.
func TestFilter(t *testing.T) {
	r := newRig(t, Options{})
	plain := r.listen("")
	r.filter = func(e Event) (Event, bool) {
		if e.Session == "secret" {
			return e, false
		}
		if e.ID%2 == 0 {
			e.Data, e.ID = []byte(`"masked"`), 1000
		}
		return e, true
	}
	masked := r.listen("0")
	eventually(t, "live", func() bool { return r.clients() == 2 })
	for _, session := range []string{"a", "a", "secret", "a"} {
		r.hub.Publish(r.log.add(session))
	}
	masked.want(`1 request {"n":1}`, `2 request "masked"`, `4 request "masked"`)
	plain.want(`1 request {"n":1}`, `2 request {"n":2}`, `3 request {"n":3}`, `4 request {"n":4}`)
	r.listen("0").want(`1 request {"n":1}`, `2 request "masked"`, `4 request "masked"`)
}
