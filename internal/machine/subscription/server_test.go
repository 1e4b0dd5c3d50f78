package subscription

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// A testServer serves one bundle with a tag, and holds requests that ask for
// it until there is another.
type testServer struct {
	*httptest.Server
	mu      sync.Mutex
	archive []byte
	tag     string
	number  int
	changed chan struct{}
	instead http.HandlerFunc // answers where set
	seen    []http.Header
	full    int // answers with a bundle
}

func newTestServer(t *testing.T) *testServer {
	s := &testServer{changed: make(chan struct{})}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *testServer) publish(archive []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.number++
	s.archive, s.tag = archive, fmt.Sprintf(`"%d"`, s.number)
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *testServer) misbehave(h http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.instead = h
}

func (s *testServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.seen = append(s.seen, r.Header.Clone())
	archive, tag, changed, instead := s.archive, s.tag, s.changed, s.instead
	s.mu.Unlock()
	if instead != nil {
		instead(w, r)
		return
	}
	same := r.Header.Get("If-None-Match") == tag
	if _, wait, _ := strings.Cut(r.Header.Get("Prefer"), "wait="); same && wait != "" {
		limit, _ := time.ParseDuration(wait + "s")
		select {
		case <-changed:
			s.mu.Lock()
			archive, tag, same = s.archive, s.tag, false
			s.mu.Unlock()
		case <-time.After(limit):
		case <-r.Context().Done():
		}
	}
	w.Header().Set("ETag", tag)
	if same {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	s.mu.Lock()
	s.full++
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/vnd.openpolicyagent.bundles")
	_, _ = w.Write(archive)
}

// counts returns how many requests came, and how many got a bundle.
func (s *testServer) counts() (requests, full int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.seen), s.full
}

func (s *testServer) last() http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[len(s.seen)-1]
}
