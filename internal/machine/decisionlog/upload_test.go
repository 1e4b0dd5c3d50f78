package decisionlog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

func logged(l *Logger, n int) (ids []string) {
	for i := range n {
		ids = append(ids, fmt.Sprintf("e%03d", i))
		l.Log(event(ids[i]))
	}
	return ids
}

func TestFlushSends(t *testing.T) {
	c := newCollector(t, always(200))
	l := manual(t, Config{URL: c.URL + "/a/b", Header: func() (http.Header, error) { return http.Header{"Authorization": {"Bearer x"}}, nil }})
	want := logged(l, 300)
	if err := l.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := c.ids(); !reflect.DeepEqual(got, want) {
		t.Errorf("%d events, want %d", len(got), len(want))
	}
	if c.header.Get("Authorization") != "Bearer x" || c.header.Get("Content-Encoding") != "gzip" || c.header.Get("Content-Type") != "application/json" {
		t.Errorf("%v", c.header)
	}
	if s := l.Stats(); s.Sent != 300 || s.Buffered != 0 || s.BufferedBytes != 0 || s.Dropped != 0 || s.LastSuccess != noon || s.LastError != "" {
		t.Errorf("%+v", s)
	}
}

func TestChunksStayBelowTheBound(t *testing.T) {
	c := newCollector(t, always(200))
	l := manual(t, Config{URL: c.URL, UploadBytes: 2048})
	want := logged(l, 500)
	if err := l.Flush(t.Context()); err != nil || !reflect.DeepEqual(c.ids(), want) {
		t.Fatalf("%v, %d events", err, len(c.ids()))
	}
	for _, n := range c.sizes {
		if n > 2048 {
			t.Errorf("a chunk of %d bytes", n)
		}
	}
	if len(c.sizes) < 2 || len(c.sizes) > 250 {
		t.Errorf("%d chunks", len(c.sizes))
	}
}

// at once fires every timer.
func atOnce(time.Duration) <-chan time.Time {
	fired := make(chan time.Time, 1)
	fired <- time.Time{}
	return fired
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 1000 {
		if is() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("never: " + what)
}

// A server that is down and comes back loses nothing that fits the buffer.
func TestDownAndBack(t *testing.T) {
	for _, status := range []int{500, 503, 429, 408, 302} {
		c := newCollector(t, func(n int) int {
			if n <= 4 {
				return status
			}
			return 200
		})
		l := started(t, Config{URL: c.URL}, atOnce)
		logged(l, 50)
		eventually(t, "all events", func() bool { return len(c.ids()) >= 50 })
		eventually(t, "all counted", func() bool { s := l.Stats(); return s.Sent == 50 && s.FailedUploads == 4 && s.Dropped+s.Rejected == 0 })
		if s := l.Stats(); strings.Contains(s.LastError, "hunter2") || !strings.Contains(s.LastError, fmt.Sprint(status)) {
			t.Errorf("last error %q", s.LastError)
		}
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestNoServer(t *testing.T) {
	l := manual(t, Config{URL: "http://127.0.0.1:1/x?token=k7Qz2mXa9RtY"})
	logged(l, 3)
	if err := l.Flush(t.Context()); err == nil {
		t.Error("no error")
	}
	if s := l.Stats(); s.Buffered != 3 || s.FailedUploads != 1 || strings.Contains(s.LastError, "k7Qz") {
		t.Errorf("%+v", s)
	}
	if err := l.Close(t.Context()); err == nil || !strings.Contains(err.Error(), "3 events are lost") {
		t.Errorf("%v", err)
	}
}

func TestRefusedForGood(t *testing.T) {
	for _, status := range []int{400, 409, 415, 422} {
		c := newCollector(t, always(status))
		l := manual(t, Config{URL: c.URL})
		logged(l, 5)
		err := l.Flush(t.Context())
		if s := l.Stats(); err == nil || s.Rejected != 5 || s.Buffered != 0 || len(c.sizes) != 7 {
			t.Errorf("%d: %v, %+v, %d requests", status, err, s, len(c.sizes))
		}
	}
}

// What says nothing of the events, but of the address or the token, loses none.
func TestRefusedForNow(t *testing.T) {
	for _, status := range []int{401, 403, 404, 405, 407, 408, 425, 429, 500, 503} {
		c := newCollector(t, always(status))
		l := manual(t, Config{URL: c.URL})
		want := logged(l, 5)
		if err := l.Flush(t.Context()); err == nil || l.Stats().Rejected != 0 || l.Stats().Buffered != 5 {
			t.Errorf("%d: %v, %+v", status, err, l.Stats())
		}
		c.answer = always(200)
		if err := l.Flush(t.Context()); err != nil || !reflect.DeepEqual(c.ids(), want) {
			t.Errorf("%d: %v, %v", status, err, c.ids())
		}
	}
}

// An event that the server refuses takes no other with it.
func TestPoison(t *testing.T) {
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c.sizes = append(c.sizes, len(body))
		other := &collector{}
		if other.take(body); slices.ContainsFunc(other.ids(), func(id string) bool { return strings.HasPrefix(id, "bad") }) {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		c.take(body)
	}))
	defer c.Close()
	l := manual(t, Config{URL: c.URL})
	l.Log(event("bad0"))
	want := logged(l, 100)
	l.Log(event("bad1"))
	l.Log(event("bad2"))
	want = append(want, logged(l, 100)...)
	_ = l.Flush(t.Context())
	if s := l.Stats(); s.Rejected != 3 || !reflect.DeepEqual(c.ids(), want) || len(c.sizes) > 80 {
		t.Errorf("%d events after %d requests, %+v", len(c.ids()), len(c.sizes), s)
	}
}

// A server with a bound of its own gets smaller chunks.
func TestTooLarge(t *testing.T) {
	c := newCollector(t, nil)
	c.answer = func(n int) int {
		if c.sizes[n-1] > 900 {
			return 413
		}
		return 200
	}
	l := manual(t, Config{URL: c.URL})
	want := logged(l, 400)
	if err := l.Flush(t.Context()); err != nil || !reflect.DeepEqual(c.ids(), want) {
		t.Errorf("%v, %d events, %+v", err, len(c.ids()), l.Stats())
	}
	if len(c.sizes) > 150 {
		t.Errorf("%d requests", len(c.sizes))
	}
	// What the server takes of several says nothing of one.
	l.Log(wide("wide"))
	c.answer = always(200)
	if err := l.Flush(t.Context()); err != nil || c.sizes[len(c.sizes)-1] < 900 {
		t.Errorf("%v, %d bytes", err, c.sizes[len(c.sizes)-1])
	}
	c.answer = always(413)
	l.Log(event("x"))
	if err := l.Flush(t.Context()); err == nil || l.Stats().Rejected != 1 {
		t.Errorf("%v, %+v", err, l.Stats())
	}
}

// wide returns an event that does not pack well.
func wide(id string) Event {
	e := event(id)
	for i := range 200 {
		e.Call.Input[fmt.Sprintf("k%d", i*i*7919)] = fmt.Sprint(i * i * i * 104729)
	}
	return e
}

func TestEventLargerThanAChunk(t *testing.T) {
	c := newCollector(t, always(200))
	l := manual(t, Config{URL: c.URL, UploadBytes: 1024})
	l.Log(wide("large"))
	l.Log(event("small"))
	if err := l.Flush(t.Context()); err == nil || !strings.Contains(err.Error(), "larger than a chunk") {
		t.Errorf("%v", err)
	}
	if s := l.Stats(); s.Rejected != 1 || s.Sent != 1 {
		t.Errorf("%+v", s)
	}
}

// A server that does not answer delays nobody; Close ends with its context.
func TestSlowServer(t *testing.T) {
	block := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		select {
		case <-block:
		case <-r.Context().Done():
		}
	}))
	defer s.Close()
	defer close(block)
	before := runtime.NumGoroutine()
	l := started(t, Config{URL: s.URL, Client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}, atOnce)
	start := time.Now()
	logged(l, 1000)
	eventually(t, "an upload runs", func() bool { return len(l.sender) == 1 })
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("1000 events took %v", d)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := l.Close(ctx); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "1000 events are lost") {
		t.Errorf("%v", err)
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("closed after %v", d)
	}
	eventually(t, "goroutines end", func() bool { return runtime.NumGoroutine() <= before+2 })
}

func TestBufferStaysBelowItsBound(t *testing.T) {
	for limit := int64(1500); limit < 2500; limit += 37 {
		l := manual(t, Config{URL: "http://x.test", BufferBytes: limit})
		logged(l, 20)
		if s := l.Stats(); s.BufferedBytes > limit || s.BufferedBytes < limit-600 {
			t.Errorf("%d bytes of %d", s.BufferedBytes, limit)
		}
	}
}

func TestFullBuffer(t *testing.T) {
	c := newCollector(t, always(200))
	l := manual(t, Config{URL: c.URL, BufferBytes: 2000})
	logged(l, 100)
	s := l.Stats()
	if s.Buffered == 0 || s.BufferedBytes > 2000 || s.Dropped != uint64(100-s.Buffered) {
		t.Errorf("%+v", s)
	}
	if err := l.Close(t.Context()); err != nil || len(c.ids()) != s.Buffered {
		t.Errorf("%v", err)
	}
	l.Log(event("late"))
	if got := l.Stats().Dropped; got != s.Dropped+1 {
		t.Errorf("%d dropped after close", got)
	}
	if err := l.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// A redirect to another host, or one that makes a GET of the request, is not
// followed: the events stay.
func TestRedirect(t *testing.T) {
	other := newCollector(t, always(200))
	for _, r := range []struct {
		status int
		to     string
		sent   uint64
	}{{307, other.URL, 0}, {308, other.URL, 0}, {302, "/ok", 0}, {307, "/ok", 1}} {
		got := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if req.URL.Path == "/ok" {
				body, _ := io.ReadAll(req.Body)
				got = len(body)
				return
			}
			http.Redirect(w, req, r.to, r.status)
		}))
		l := manual(t, Config{URL: s.URL + "/logs"})
		l.Log(event("x"))
		l.Flush(t.Context())
		if st := l.Stats(); st.Sent != r.sent || r.sent == 1 && got == 0 || uint64(st.Buffered) != 1-r.sent {
			t.Errorf("%d to %s: %+v", r.status, r.to, st)
		}
		s.Close()
	}
	if len(other.sizes) > 0 {
		t.Error("another host got the events")
	}
}

func TestHeaderFails(t *testing.T) {
	c := newCollector(t, always(200))
	l := manual(t, Config{URL: c.URL, Header: func() (http.Header, error) { return nil, errors.New("no token") }})
	l.Log(event("x"))
	if err := l.Flush(t.Context()); err == nil || l.Stats().Buffered != 1 || len(c.sizes) != 0 {
		t.Errorf("%v %+v", err, l.Stats())
	}
}

func TestDelay(t *testing.T) {
	l := manual(t, Config{URL: "http://x.test", MinDelay: time.Second, MaxDelay: 10 * time.Second})
	for failures, want := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 10 * time.Second, 10 * time.Second} {
		l.random = func() float64 { return 0 }
		if got := l.delay(failures); got != want {
			t.Errorf("after %d failures %v, want %v", failures, got, want)
		}
		l.random = func() float64 { return 1 }
		if got := l.delay(failures); got != max(time.Second, want/2) {
			t.Errorf("after %d failures at least %v", failures, got)
		}
	}
	if got := l.delay(1 << 20); got > 10*time.Second || got < time.Second {
		t.Errorf("%v", got)
	}
}

// The server's Retry-After counts, up to the greatest delay.
func TestRetryAfter(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer s.Close()
	delays := make(chan time.Duration, 8)
	l := started(t, Config{URL: s.URL, MinDelay: time.Second, MaxDelay: 10 * time.Second}, func(d time.Duration) <-chan time.Time {
		select {
		case delays <- d:
		default:
		}
		if d == time.Second {
			return atOnce(d)
		}
		return nil
	})
	l.Log(event("x"))
	if first, second := <-delays, <-delays; first != time.Second || second != 7*time.Second {
		t.Errorf("%v, then %v", first, second)
	}
	l.Close(t.Context())
}

func TestBadConfig(t *testing.T) {
	for want, c := range map[string]Config{
		"the URL must be whole":    {URL: "logs.test/x"},
		"check its scheme":         {URL: "ftp://logs.test"},
		"must not be negative":     {URL: "http://x.test", BufferBytes: -1},
		"is less than the least":   {URL: "http://x.test", MinDelay: time.Minute, MaxDelay: time.Second},
		"a chunk of 10 bytes":      {URL: "http://x.test", UploadBytes: 10},
		"such as https://logs.exa": {},
	} {
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Many log and flush at once; every event arrives once.
func TestConcurrent(t *testing.T) {
	c := newCollector(t, always(200))
	l := started(t, Config{URL: c.URL, MinDelay: time.Millisecond}, time.After)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 50 {
				l.Log(event(fmt.Sprintf("%d-%d", g, i)))
				if i%20 == 0 {
					l.Flush(t.Context())
				}
			}
		})
	}
	wg.Wait()
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]int)
	for _, id := range c.ids() {
		seen[id]++
	}
	if len(seen) != 200 || len(c.ids()) != 200 {
		t.Errorf("%d ids in %d events", len(seen), len(c.ids()))
	}
}

func TestSendStatus(t *testing.T) {
	var got map[string]any
	status := 200
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		json.NewDecoder(r.Body).Decode(&got)
		w.WriteHeader(status)
	}))
	defer s.Close()
	r := StatusReport{Bundles: map[string]BundleStatus{"org": {
		ActiveRevision: "7", LastSuccessfulActivation: noon, Code: "bundle_error", Message: "https://ann:hunter2@x.test: 404", HTTPCode: "404",
		Errors: []StatusError{{Code: "rego_parse_error", Message: "password=hunter2", Location: &Location{"a.rego", 1, 2}}},
	}}}
	if err := SendStatus(t.Context(), nil, s.URL, nil, r); err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(got)
	for _, want := range []string{`"labels":{}`, `"name":"org"`, `"active_revision":"7"`, `"last_request":"0001-01-01T00:00:00Z"`, `"http_code":404`, `"col":2`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if strings.Contains(string(text), "hunter2") || r.Bundles["org"].Name != "" || !strings.Contains(r.Bundles["org"].Errors[0].Message, "hunter2") {
		t.Errorf("%s\n%v", text, r)
	}
	status = 500
	if err := SendStatus(t.Context(), s.Client(), s.URL, nil, r); err == nil || !strings.Contains(err.Error(), "500") {
		t.Errorf("%v", err)
	}
}

func BenchmarkLog(b *testing.B) {
	bench := func(name string, c Config, e Event) {
		b.Run(name, func(b *testing.B) {
			c.URL = "http://x.test"
			l := manual(b, c)
			b.ReportAllocs()
			for b.Loop() {
				l.Log(e)
			}
		})
	}
	bench("room", Config{BufferBytes: 1 << 40}, event("x"))
	bench("full", Config{BufferBytes: 1}, event("x"))
	large := event("x")
	large.Call = &policy.Call{Tool: "write", Input: map[string]any{"content": strings.Repeat("a line of text\n", 70_000)}}
	bench("write of 1 MiB", Config{BufferBytes: 1 << 40}, large)
}
