package webguard

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// A Bucket limits how often requests with one key may come. The key is "" for
// all that have none: they share a bucket.
type Bucket struct {
	PerSecond float64
	Burst     int // requests at once; 0 refuses all
	Key       func(*http.Request) string
}

// maxBuckets bounds how many keys are remembered. The one that came longest
// ago is forgotten first. Where who asks can choose the key, such as a session,
// they can have others forgotten: put a bucket before it whose key they cannot
// choose, such as who they are.
const maxBuckets = 10_000

// maxWait is the longest that a client is told to wait.
const maxWait = time.Hour

// Rate refuses requests that come too often by one of the buckets.
func Rate(buckets ...Bucket) func(http.Handler) http.Handler {
	var meters []*meter
	for _, b := range buckets {
		meters = append(meters, newMeter(b))
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for _, m := range meters {
				if wait := m.take(m.Key(r), time.Now()); wait > 0 {
					writeTooMany(w, wait)
					return
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}

func writeTooMany(w http.ResponseWriter, wait time.Duration) {
	seconds := int(math.Ceil(wait.Seconds()))
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	Write(w, http.StatusTooManyRequests, "too-many-requests", "requests come too often",
		fmt.Sprintf("wait %d s and send the request again", seconds))
}

// A meter is a bucket with what each key has left.
type meter struct {
	Bucket
	mu    sync.Mutex // so that a key has one limiter
	known *lru.Cache[string, *rate.Limiter]
}

func newMeter(b Bucket) *meter {
	known, err := lru.New[string, *rate.Limiter](maxBuckets)
	if err != nil { // the size is right
		panic(err)
	}
	return &meter{Bucket: b, known: known}
}

// take counts a request, or returns how long it has to wait. What is refused
// is not counted.
func (m *meter) take(key string, now time.Time) time.Duration {
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
