package webguard

import (
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// A Bucket limits how often requests with one key may come.
type Bucket struct {
	PerSecond float64
	Burst     int // requests at once; 0 refuses all
}

// Or returns the bucket, or another one where it has no burst.
func (b Bucket) Or(otherwise Bucket) Bucket {
	if b.Burst == 0 {
		return otherwise
	}
	return b
}

// maxBuckets bounds how many keys are remembered. The one that came longest
// ago is forgotten first. Where who asks can choose the key, such as a session,
// they can have others forgotten: put a bucket before it whose key they cannot
// choose, such as who they are.
const maxBuckets = 10_000

// maxWait is the longest that a client is told to wait.
const maxWait = time.Hour

// A Meter is a bucket with what each key has left. It is safe for concurrent
// use.
type Meter struct {
	Bucket
	now   func() time.Time
	mu    sync.Mutex // so that a key has one limiter
	known *lru.Cache[string, *rate.Limiter]
}

// NewMeter returns the meter of a bucket, which fills as the clock goes.
func NewMeter(b Bucket, now func() time.Time) *Meter {
	known, err := lru.New[string, *rate.Limiter](maxBuckets)
	if err != nil { // the size is right
		panic(err)
	}
	return &Meter{Bucket: b, now: now, known: known}
}

// Take counts a request with a key, or returns the refusal of one that comes
// too often, which is not counted. All that have no key share one, "".
func (m *Meter) Take(key string) *Refusal {
	wait := m.take(key)
	if wait == 0 {
		return nil
	}
	seconds := int(math.Ceil(wait.Seconds()))
	return &Refusal{
		Status: http.StatusTooManyRequests, Code: "too-many-requests", RetryAfter: seconds,
		Detail: "requests come too often", Hint: fmt.Sprintf("wait %d s and send the request again", seconds),
	}
}

// take counts a request, or returns how long it has to wait.
func (m *Meter) take(key string) time.Duration {
	now := m.now()
	m.mu.Lock()
	l, ok := m.known.Get(key)
	if !ok {
		l = rate.NewLimiter(rate.Limit(m.PerSecond), m.Burst)
		m.known.Add(key, l)
	}
	m.mu.Unlock()
	if l.AllowN(now, 1) {
		return 0
	}
	seconds := (1 - l.TokensAt(now)) / m.PerSecond
	if m.Burst < 1 || !(seconds <= maxWait.Seconds()) { // it may be infinite, or no number
		return maxWait
	}
	return max(time.Duration(seconds*float64(time.Second)), 1)
}
