package storetest

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Service returns a service on a store whose policy asks about everything. All such
// services have one signing key.
func Service(ctx context.Context, s Store) (*approval.Service, error) {
	return approval.NewService(ctx, approval.Options{
		Store: s, Judge: asks{}, Now: time.Now, MaxPending: 1 << 20, MaxSubmitted: 1 << 20, Signer: approval.PrivateKey(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))),
	})
}

// Victim is a process that is to be killed: it moves requests through their life, and
// prints each step that was acknowledged. Passing reports whether an error passes: then
// the step is done again; nil stands for none.
func Victim(s Store, passing func(error) bool) {
	ctx := context.Background()
	v := &victim{passing: passing}
	err := v.insist(func() (err error) { v.Service, err = Service(ctx, s); return err })
	if err != nil {
		fmt.Println("error", err)
		return
	}
	fmt.Println("ready")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for {
				if err := v.live(ctx); err != nil {
					fmt.Println("error", err)
					return
				}
			}
		})
	}
	all.Wait()
}

type victim struct {
	*approval.Service
	passing func(error) bool
}

// insist does something until it has no error that passes.
func (v *victim) insist(do func() error) error {
	for {
		err := do()
		if err == nil || v.passing == nil || !v.passing(err) {
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// live is the life of one request. A step that is done again may have been stored before.
func (v *victim) live(ctx context.Context) error {
	call := &policy.Call{Tool: "Bash", Input: map[string]any{"command": strings.Repeat("make ", rand.IntN(500))}}
	in := approval.Submission{Key: fmt.Sprint(rand.Uint64()), Call: call}
	var r *approval.Request
	steps := []struct {
		name string
		done error // says that it was done before
		do   func() (*approval.Request, error)
	}{
		{"submit", nil, func() (*approval.Request, error) { return v.Submit(ctx, "token:agent", in) }},
		{"decide", nil, func() (*approval.Request, error) {
			return v.Decide(ctx, r.ID, "token:human", approval.Answer{Word: approval.ApprovedOnce})
		}},
		{"consume", approval.ErrConsumed, func() (*approval.Request, error) { return v.Consume(ctx, "token:agent", r.Receipt.Text) }},
		{"report", approval.ErrReported, func() (*approval.Request, error) {
			return v.Report(ctx, r.ID, "token:agent", approval.Execution{Outcome: approval.Executed})
		}},
	}
	for _, step := range steps {
		tries := 0
		err := v.insist(func() error {
			tries++
			now, err := step.do()
			if err == nil {
				r = now
			}
			return err
		})
		if err != nil && (tries == 1 || step.done == nil || !errors.Is(err, step.done)) {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		fmt.Println(step.name, r.ID)
	}
	return nil
}

// A Ledger is what victims have acknowledged. It is safe for concurrent use.
type Ledger struct {
	mu    sync.Mutex
	last  map[string]string // the last step of each request
	steps int
	kills int // how many lives were given
}

// Life returns how long a victim may still live: a random time, which is below most unless
// the machine is so slow that those before it have acknowledged few steps.
func (l *Ledger) Life(most time.Duration) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	behind := min(max(0, 2*l.kills-l.steps), 6)
	l.kills++
	return rand.N(most << behind)
}

// Steps returns how many steps were acknowledged.
func (l *Ledger) Steps() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.steps
}

// Hear notes what a victim says until its end, and calls ready when it is. A line that is
// cut short is one that nobody heard.
func (l *Ledger) Hear(t *testing.T, from io.Reader, ready func()) {
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Error(err)
			}
			return
		}
		switch step, id, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); step {
		case "ready":
			ready()
		case "error":
			t.Errorf("the victim: %s", id)
		default:
			l.note(id, step)
		}
	}
}

func (l *Ledger) note(id, step string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == nil {
		l.last = make(map[string]string)
	}
	l.last[id] = step
	l.steps++
}

// reached says which steps a request has behind it.
func reached(r *approval.Request) map[string]bool {
	return map[string]bool{
		"submit": true, "decide": r.Receipt != nil, "consume": r.Receipt != nil && r.Receipt.Consumed != nil, "report": r.Execution != nil,
	}
}

// Check fails unless a store has all that was acknowledged, nothing by half, and no
// receipt that is good twice. It keeps a number of events.
func (l *Ledger) Check(t *testing.T, s Store, kept int64) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	service, err := Service(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	records := checkLogs(t, s, kept)
	for id, step := range l.last {
		r, err := s.Get(t.Context(), id)
		if err != nil || !reached(r)[step] {
			t.Errorf("%s: %s was acknowledged: %+v, %v", id, step, r, err)
			continue
		}
		want := 0
		if reached(r)["consume"] {
			want = 1
			if _, err := service.Consume(t.Context(), "token:agent", r.Receipt.Text); !errors.Is(err, approval.ErrConsumed) {
				t.Errorf("%s: its receipt is good twice: %v", id, err)
			}
		}
		if n := records[id]; n != want {
			t.Errorf("%s: %d records of a consumption, want %d", id, n, want)
		}
	}
}

// checkLogs verifies that each change has its records and its event, and each
// record its change, and returns how often each request was consumed.
func checkLogs(t *testing.T, s Store, kept int64) map[string]int {
	t.Helper()
	consumed, changes := map[string]int{}, map[string]int64{}
	for _, r := range verify(t, s) {
		switch r.Kind {
		case audit.KindKey, audit.KindReceipt: // a receipt is part of a decision
			continue
		case audit.KindConsumption:
			consumed[r.RequestID]++
		}
		changes[r.RequestID]++
	}
	total := int64(0)
	for id, n := range changes {
		if r, err := s.Get(t.Context(), id); err != nil || r.Version != n {
			t.Errorf("%s has the records of %d changes: %+v, %v", id, n, r, err)
		}
		total += n
	}
	if first, last, err := s.EventBounds(t.Context()); err != nil || last != total || last-first >= kept {
		t.Errorf("events %d to %d of %d changes: %v", first, last, total, err)
	}
	return consumed
}
