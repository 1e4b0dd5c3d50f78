package server_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A crowd is a service with pending requests and clients that follow it.
type crowd struct {
	*servertest.Service
	agent string
	count int // submissions so far
	size  int
	heard chan heard
}

// A heard is the moment in which a client learned of a request.
type heard struct {
	session string
	at      time.Time
}

// perName is how many streams one identity has: fewer than the hub permits.
const perName = 20

func newCrowd(t testing.TB, pending, listeners int) *crowd {
	t.Helper()
	c := &crowd{Service: start(t), size: listeners, heard: make(chan heard, listeners)}
	c.agent = c.Token(t, "agent", "submit")
	c.fill(t, pending)
	token := ""
	for i := range listeners {
		if i%perName == 0 {
			token = c.Token(t, "reader"+strconv.Itoa(i/perName), "read")
		}
		go c.listen(follow(t, c.Service, token, "/v1/events"))
	}
	return c
}

// fill submits requests that nobody decides.
func (c *crowd) fill(t testing.TB, n int) {
	var workers sync.WaitGroup
	next := make(chan int)
	for range 32 {
		workers.Go(func() {
			for i := range next {
				call := policy.Shell("make "+strconv.Itoa(i), "/src")
				call.Session = "old" + strconv.Itoa(i/approval.DefaultMaxPending)
				if r, err := c.Service.Service.Submit(t.Context(), "token:old"+strconv.Itoa(i/approval.DefaultMaxSubmitted), approval.Submission{Call: call}); err != nil || r.State != approval.Pending {
					t.Error(r, err)
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	workers.Wait()
}

func (c *crowd) listen(lines <-chan string) {
	for line := range lines {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		at := time.Now()
		var e approval.Event
		if json.Unmarshal([]byte(data), &e) == nil {
			c.heard <- heard{e.Session, at}
		}
	}
}

// tell submits a call, and returns how long it took until each client knew.
func (c *crowd) tell(t testing.TB) []time.Duration {
	t.Helper()
	c.count++
	session := "new" + strconv.Itoa(c.count)
	began := time.Now()
	submit(t, c.Service, c.agent, strings.Replace(push, "s1", session, 1))
	var took []time.Duration
	for len(took) < c.size {
		select {
		case h := <-c.heard:
			if h.session != session {
				t.Fatalf("a client hears of %s, and %s is told", h.session, session)
			}
			took = append(took, h.at.Sub(began))
		case <-time.After(10 * time.Second):
			t.Fatalf("%d of %d clients know of the submission %d", len(took), c.size, c.count)
		}
	}
	return took
}

// percentile returns the value that so many in a hundred do not exceed.
func percentile(all []time.Duration, n int) time.Duration {
	slices.Sort(all)
	return all[(len(all)-1)*n/100]
}

// With many pending requests, clients learn of a new one soon.
func TestLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	c := newCrowd(t, 1000, 50)
	var all []time.Duration
	for range 40 {
		all = append(all, c.tell(t)...)
	}
	if p99 := percentile(all, 99); p99 > time.Second {
		t.Errorf("from a submission to its event: p50 %s, p99 %s", percentile(all, 50), p99)
	}
}

// A choir is a server of net/http alone, whose clients all read the same line:
// what the machine can do at this moment.
type choir struct {
	say  []chan string
	told chan time.Time
}

func newChoir(t testing.TB, size int) *choir {
	t.Helper()
	c := &choir{say: make([]chan string, size), told: make(chan time.Time, size)}
	for i := range c.say {
		c.say[i] = make(chan string, 1)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i, _ := strconv.Atoi(r.URL.Query().Get("i"))
		rc := http.NewResponseController(w)
		_ = rc.Flush()
		for {
			select {
			case text := <-c.say[i]:
				_, _ = io.WriteString(w, text)
				_ = rc.Flush()
			case <-r.Context().Done():
				return
			}
		}
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	for i := range size {
		res, err := http.Get(s.URL + "/?i=" + strconv.Itoa(i))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { res.Body.Close() })
		go func() {
			for in := bufio.NewScanner(res.Body); in.Scan(); {
				c.told <- time.Now()
			}
		}()
	}
	return c
}

// tell returns how long it takes until each client has read a line.
func (c *choir) tell() (took []time.Duration) {
	began, line := time.Now(), "data: "+strings.Repeat("x", 300)+"\n"
	for _, say := range c.say {
		say <- line
	}
	for range c.say {
		took = append(took, (<-c.told).Sub(began))
	}
	return took
}

// The time from a submission until the clients know of it, and beside it the
// time in which net/http alone tells as many clients, in the same run.
func BenchmarkSubmitToWake(b *testing.B) {
	for _, size := range []struct{ pending, listeners int }{{0, 1}, {10_000, 200}, {10_000, 500}} {
		b.Run(fmt.Sprintf("pending=%d/listeners=%d", size.pending, size.listeners), func(b *testing.B) {
			c := newCrowd(b, size.pending, size.listeners)
			alone := newChoir(b, size.listeners)
			var all, bare []time.Duration
			b.ReportAllocs()
			for b.Loop() {
				bare = append(bare, alone.tell()...)
				all = append(all, c.tell(b)...)
			}
			b.ReportMetric(float64(percentile(bare, 99).Microseconds())/1000, "bare-p99-ms")
			b.ReportMetric(float64(percentile(all, 50).Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(percentile(all, 99).Microseconds())/1000, "p99-ms")
		})
	}
}
