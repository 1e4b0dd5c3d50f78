package deploy_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/postgres"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// number reads how many of something a test is to have.
func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// fill stores requests that wait, of many submitters, as quickly as the database takes
// them.
func (s *stack) fill(n int) {
	s.Helper()
	s.Setenv("PGPASSFILE", filepath.Join(s.dir, "secrets", "pgpass"))
	db, err := postgres.Open(s.Context(), "postgres://policyctl_serve@/policyctl?host="+s.dir+"/postgres/run", postgres.Options{})
	if err != nil {
		s.Fatal(err)
	}
	defer db.Close()
	next := make(chan int)
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for i := range next {
				now := time.Now().UTC().Truncate(time.Microsecond)
				id := fmt.Sprintf("req_old%d", i)
				r := &approval.Request{
					ID: id, State: approval.Pending, Kind: approval.KindCall, Submitter: fmt.Sprint("token:old", i/500), Digest: id, Tool: "Bash",
					Call: json.RawMessage(`{"tool":"Bash","input":{"command":"make"}}`), Session: fmt.Sprint("old", i/50), Title: "Bash: make",
					Offers: []approval.Offer{{Scope: approval.Once, Stores: []string{}}}, OnTimeout: approval.TimedOut, Created: now, Expires: now.Add(2 * time.Hour),
				}
				e := audit.Entry{Time: now, Kind: audit.KindRequest, Actor: r.Submitter, RequestID: id}
				if _, _, _, err := db.Create(s.Context(), r, e); err != nil {
					s.Error(err)
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	all.Wait()
}

// follow tells when each event of a new session comes to a listener at an instance.
func (s *stack) follow(instance int, token string, heard chan<- time.Time) {
	req, err := http.NewRequestWithContext(s.Context(), http.MethodGet, fmt.Sprintf("https://localhost:%d/v1/events", s.port+instance), nil)
	if err != nil {
		s.Error(err)
		return
	}
	req.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(req)
	if err != nil || answer.StatusCode != http.StatusOK {
		s.Errorf("%+v, %v", answer, err)
		return
	}
	go func() {
		defer answer.Body.Close()
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && strings.Contains(data, `"new`) && strings.Contains(data, `"PENDING"`) {
				heard <- time.Now()
			}
		}
	}()
}

// percentile returns the value that so many in a hundred do not exceed.
func percentile(all []time.Duration, n int) time.Duration {
	slices.Sort(all)
	return all[(len(all)-1)*n/100]
}

// With many requests that wait, and many who listen at two instances, all learn soon of
// what one instance has stored, and who waits at the other one is released soon.
// PENDING=10000 LISTENERS=500 tries it in full.
func TestLoad(t *testing.T) {
	seed.Slow(t)
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("it starts PostgreSQL, nginx and two instances of the service")
	}
	pending, listeners, rounds := number("PENDING", 500), number("LISTENERS", 40), number("ROUNDS", 20)
	s := newStack(t, program(t), 2)
	s.run("up")
	if t.Failed() {
		return
	}
	s.trust()
	began := time.Now()
	s.fill(pending)
	t.Logf("%d requests stored in %s", pending, time.Since(began).Round(time.Millisecond))
	heard := make(chan time.Time, listeners)
	token := ""
	for i := range listeners {
		if i%20 == 0 { // an instance has at most 32 streams of one name
			text, _ := s.policyctl("token", "create", fmt.Sprint("reader", i/20), "--scope", "read")
			token, _, _ = strings.Cut(text, "\n")
		}
		s.follow(1+i%2, token, heard)
	}
	one, other := s.client(1, "agent", "submit"), s.client(2, "agent", "submit")
	boss := s.client(1, "ann", "approve,read")
	var told, released []time.Duration
	for round := range rounds {
		call := policy.Shell(fmt.Sprint("make new", round), "/srv/app")
		call.Session = fmt.Sprint("new", round)
		since := time.Now()
		r, err := one.Submit(t.Context(), approval.Submission{Call: call})
		if err != nil {
			t.Fatal(err)
		}
		for range listeners {
			select {
			case at := <-heard:
				told = append(told, at.Sub(since))
			case <-time.After(10 * time.Second):
				t.Fatalf("%d of %d listeners know of request %d", len(told)-round*listeners, listeners, round)
			}
		}
		waits := s.await(other, r.ID)
		time.Sleep(50 * time.Millisecond) // it hangs at the other instance
		since = time.Now()
		if _, err := boss.Decide(context.Background(), r.ID, once); err != nil {
			t.Fatal(err)
		}
		a := <-waits
		if a.err != nil || a.r.State != approval.Approved {
			t.Fatalf("%+v, %v", a.r, a.err)
		}
		released = append(released, a.after.Sub(since))
	}
	t.Logf("from a submission to %d listeners at two instances, with %d pending: p50 %s, p99 %s", listeners, pending, percentile(told, 50), percentile(told, 99))
	t.Logf("from a decision to who waits at the other instance: p50 %s, p99 %s", percentile(released, 50), percentile(released, 99))
	if p99 := max(percentile(told, 99), percentile(released, 99)); p99 > time.Second {
		t.Errorf("p99 %s", p99)
	}
}
