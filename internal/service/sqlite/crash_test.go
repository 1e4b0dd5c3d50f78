package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// The names of what the crash test hears from its environment.
const (
	victimEnv = "POLICYCTL_CRASH_DATABASE" // in the child: the database
	cyclesEnv = "POLICYCTL_CRASH_CYCLES"   // how many children are killed
)

// keptEvents is how many events the children keep.
const keptEvents = 50

func TestMain(m *testing.M) {
	if path := os.Getenv(victimEnv); path != "" {
		victim(path)
		return
	}
	os.Exit(m.Run())
}

// asks is a judge that asks about everything.
type asks struct{}

func (asks) Judge(context.Context, *policy.Call) (policy.Verdict, []approval.Offer, error) {
	return policy.Verdict{Decision: policy.Ask}, nil, nil
}

func (asks) Plan(context.Context, *approval.Request, approval.Scope) (approval.Plan, error) {
	return approval.Plan{}, nil
}

func (asks) Save(context.Context, approval.Plan) (string, error) { return "", nil }

func newService(ctx context.Context, d *sqlite.DB) (*approval.Service, error) {
	return approval.NewService(ctx, approval.Options{Store: d, Judge: asks{}, Now: time.Now, MaxPending: 1 << 20, MaxSubmitted: 1 << 20})
}

// victim is the child: it moves requests through their life, and says each
// step that was acknowledged, until it is killed.
func victim(path string) {
	ctx := context.Background()
	d, err := sqlite.Open(ctx, path, sqlite.Options{KeepEvents: keptEvents})
	if err != nil {
		fmt.Println("error", err)
		return
	}
	service, err := newService(ctx, d)
	if err != nil {
		fmt.Println("error", err)
		return
	}
	fmt.Println("ready")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for {
				if err := live(ctx, service); err != nil {
					fmt.Println("error", err)
					return
				}
			}
		})
	}
	all.Wait()
}

// live is the life of one request.
func live(ctx context.Context, service *approval.Service) error {
	call := &policy.Call{Tool: "Bash", Input: map[string]any{"command": strings.Repeat("make ", rand.IntN(500))}}
	r, err := service.Submit(ctx, "token:agent", approval.Submission{Call: call})
	if err != nil {
		return err
	}
	fmt.Println("submit", r.ID)
	if r, err = service.Decide(ctx, r.ID, "token:human", approval.Answer{Word: approval.ApprovedOnce}); err != nil {
		return err
	}
	fmt.Println("decide", r.ID)
	if _, err = service.Consume(ctx, "token:agent", r.Receipt.Text); err != nil {
		return err
	}
	fmt.Println("consume", r.ID)
	if _, err = service.Report(ctx, r.ID, "token:agent", approval.Execution{Outcome: approval.Executed}); err != nil {
		return err
	}
	fmt.Println("report", r.ID)
	return nil
}

// A process is killed at any moment, again and again. What it has acknowledged
// is there, nothing is there by half, and no receipt is good twice. The cache
// of the kernel outlives the process: a loss of power is not tested.
func TestCrash(t *testing.T) {
	cycles := 100
	if testing.Short() {
		cycles = 10
	}
	cycles = seed.Count(t, cyclesEnv, cycles)
	const perFile = 20 // so that what is checked stays small
	steps := 0
	for done := 0; done < cycles; done += perFile {
		path := newPath(t)
		acknowledged := map[string]string{}
		for range min(perFile, cycles-done) {
			steps += killOne(t, path, acknowledged)
			checkCrashed(t, path, acknowledged)
			if t.Failed() {
				t.FailNow()
			}
		}
	}
	t.Logf("%d children killed, %d acknowledged steps", cycles, steps)
	if steps < cycles {
		t.Errorf("%d steps of %d children are too few to say something", steps, cycles)
	}
}

// killOne starts a child, kills it, and notes the last step of each request
// that it has acknowledged.
func killOne(t *testing.T, path string, acknowledged map[string]string) (steps int) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), victimEnv+"="+path)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Wait()
	kill := func(most time.Duration) {
		time.AfterFunc(rand.N(most), func() { _ = child.Process.Kill() })
	}
	ready := func() { kill(100 * time.Millisecond) }
	if rand.IntN(5) == 0 {
		kill(60 * time.Millisecond) // perhaps before the schema is there
		ready = func() {}
	}
	return hear(t, out, ready, acknowledged)
}

// hear notes what a child says until its end. A line that is cut short is one
// that nobody heard.
func hear(t *testing.T, from io.Reader, ready func(), acknowledged map[string]string) (steps int) {
	t.Helper()
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return steps
		}
		if err != nil {
			t.Fatal(err)
		}
		switch step, id, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); step {
		case "ready":
			ready()
		case "error":
			t.Errorf("the child: %s", id)
		default:
			acknowledged[id] = step
			steps++
		}
	}
}

// reached says which steps a request has behind it.
func reached(r *approval.Request) map[string]bool {
	return map[string]bool{
		"submit": true, "decide": r.Receipt != nil, "consume": r.Receipt != nil && r.Receipt.Consumed != nil, "report": r.Execution != nil,
	}
}

func checkCrashed(t *testing.T, path string, acknowledged map[string]string) {
	t.Helper()
	d := open(t, path, sqlite.Options{KeepEvents: keptEvents})
	service, err := newService(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	records := checkLogs(t, d)
	for id, step := range acknowledged {
		r, err := d.Get(t.Context(), id)
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
	if bad := answer(t, path, "PRAGMA integrity_check"); bad != "ok" {
		t.Errorf("integrity: %s", bad)
	}
	shut(t, d)
}

// checkLogs verifies that each change has its records and its event, and each
// record its change, and returns how often each request was consumed.
func checkLogs(t *testing.T, d *sqlite.DB) map[string]int {
	t.Helper()
	list, err := d.Audit(t.Context(), 0, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	var v audit.Verifier
	consumed := map[string]int{}
	changes := map[string]int64{}
	for _, r := range list {
		if err := v.Check(r); err != nil {
			t.Fatal(err)
		}
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
		if r, err := d.Get(t.Context(), id); err != nil || r.Version != n {
			t.Errorf("%s has the records of %d changes: %+v, %v", id, n, r, err)
		}
		total += n
	}
	if first, last, err := d.EventBounds(t.Context()); err != nil || last != total || last-first >= keptEvents {
		t.Errorf("events %d to %d of %d changes: %v", first, last, total, err)
	}
	return consumed
}
