package stream

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A memory is a log in memory.
type memory struct {
	mu     sync.Mutex
	events []Event
	last   int64
	reads  int
	err    error
	hook   func() // called behind each read, with nothing locked
}

// add writes an event with the next number.
func (m *memory) add(session string) Event { return m.addWith(session, `{"n":%d}`) }

func (m *memory) addWith(session, data string) Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last++
	if strings.Contains(data, "%d") {
		data = fmt.Sprintf(data, m.last)
	}
	e := Event{ID: m.last, Type: "request", Data: []byte(data), Session: session}
	m.events = append(m.events, e)
	return e
}

func (m *memory) set(change func(*memory)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(m)
}

// read returns how often the log was read.
func (m *memory) read() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.reads
}

func (m *memory) After(_ context.Context, id int64, limit int) ([]Event, error) {
	m.mu.Lock()
	m.reads++
	var found []Event
	for _, e := range m.events {
		if e.ID > id && len(found) < limit {
			found = append(found, e)
		}
	}
	err, hook := m.err, m.hook
	m.mu.Unlock()
	if hook != nil {
		hook()
	}
	return found, err
}

func (m *memory) Bounds(context.Context) (first, last int64, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.events) == 0 {
		return m.last + 1, m.last, m.err
	}
	return m.events[0].ID, m.last, m.err
}

// A rig serves a hub.
type rig struct {
	t      *testing.T
	hub    *Hub
	log    *memory
	server *httptest.Server
	filter func(Event) (Event, bool)
	ended  chan error // why each stream ended
}

func newRig(t *testing.T, o Options) *rig {
	r := &rig{t: t, log: &memory{}, ended: make(chan error, 10_000)}
	r.hub = NewHub(r.log, o)
	r.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.ended <- r.hub.Serve(w, q, r.filter)
	}))
	// The stream must outlive what the server says of time.
	r.server.Config.ReadTimeout, r.server.Config.WriteTimeout = 200*time.Millisecond, 200*time.Millisecond
	r.server.Start()
	t.Cleanup(func() {
		r.hub.Close()
		r.server.Close()
	})
	return r
}

// publish writes so many events to the log and publishes them.
func (r *rig) publish(n int) {
	for range n {
		r.hub.Publish(r.log.add(""))
	}
}

// A listener is a client of a rig.
type listener struct {
	t      *testing.T
	resp   *http.Response
	lines  *bufio.Reader
	cancel context.CancelFunc
}

// listen opens a stream from an event, "" for now, and returns it once it has
// begun.
func (r *rig) listen(from string) *listener {
	r.t.Helper()
	l, err := r.dial(from)
	if err != nil || l.resp.StatusCode != 200 {
		r.t.Fatalf("%v, %+v", err, l)
	}
	return l
}

func (r *rig) dial(from string) (*listener, error) {
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	q, err := http.NewRequestWithContext(ctx, "GET", r.server.URL, nil)
	if err != nil {
		cancel()
		return nil, err
	}
	if from != "" {
		q.Header.Set("Last-Event-ID", from)
	}
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(q)
	if err != nil {
		cancel()
		return nil, err
	}
	return &listener{r.t, resp, bufio.NewReader(resp.Body), cancel}, nil
}

func (l *listener) close() {
	l.cancel()
	l.resp.Body.Close()
}

// block returns the next block of the stream, as it is written.
func (l *listener) block() (string, error) {
	var b strings.Builder
	for {
		line, err := l.lines.ReadString('\n')
		if err != nil {
			return b.String(), err
		}
		if line == "\n" {
			return b.String(), nil
		}
		b.WriteString(line)
	}
}

// next returns the next event as "id type data"; what is none is left out.
func (l *listener) next() (string, error) {
	for {
		block, err := l.block()
		if err != nil {
			return "", err
		}
		var id, kind, data string
		for line := range strings.Lines(block) {
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
			switch name {
			case "id":
				id = value
			case "event":
				kind = value
			case "data":
				data = value
			}
		}
		if data != "" {
			return id + " " + kind + " " + data, nil
		}
	}
}

// want fails unless the next events are these.
func (l *listener) want(events ...string) {
	l.t.Helper()
	for _, want := range events {
		if got, err := l.next(); got != want {
			l.t.Fatalf("%q, %v, want %q", got, err, want)
		}
	}
}

// number returns the number of the next event of the log, 0 for a resync.
func (l *listener) number() (int64, error) {
	text, err := l.next()
	if err != nil {
		return 0, err
	}
	id, rest, _ := strings.Cut(text, " ")
	if strings.HasPrefix(rest, resync) {
		return 0, nil
	}
	return strconv.ParseInt(id, 10, 64)
}

// why returns why a stream ended.
func (r *rig) why() error {
	r.t.Helper()
	select {
	case err := <-r.ended:
		return err
	case <-time.After(20 * time.Second):
		r.t.Fatal("no stream ends")
		return nil
	}
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for range 1000 {
		if so() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	buf := make([]byte, 1<<16)
	t.Fatalf("%s: never so\n%s", what, buf[:runtime.Stack(buf, true)])
}

func (r *rig) clients() int {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	return len(r.hub.clients)
}

func (r *rig) places() int {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	return r.hub.taken + len(r.hub.keys)
}

var errDisk = errors.New("the disk is gone")
