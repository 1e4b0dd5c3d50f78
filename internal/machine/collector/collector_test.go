package collector_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/machine/collector"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/trail"
)

// A process of this test adds decisions to a spool, or collects them, until it is
// killed.
const (
	adding     = "TEST_COLLECTOR_ADD"
	collecting = "TEST_COLLECTOR_COLLECT"
)

func TestMain(m *testing.M) {
	switch state := os.Getenv(adding) + os.Getenv(collecting); {
	case os.Getenv(adding) != "":
		add(state)
	case os.Getenv(collecting) != "":
		collect(state)
	default:
		os.Exit(m.Run())
	}
}

// line returns a decision as it stands in a spool, and its id.
func line() (text []byte, id string) {
	o := policy.Outcome{Call: *policy.Shell("rm -rf /", "/w"), Time: time.Now()}
	e := trail.Entry(trail.From{Actor: "uid:7", Via: "hook"}, &o)
	text, err := trail.Encode(&e)
	if err != nil {
		panic(err)
	}
	return text, e.Detail[trail.ID]
}

// add prints the id of each decision that is in the spool.
func add(state string) {
	s := spool.Verdicts(state)
	for {
		text, id := line()
		if err := s.Add(text); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println(id)
	}
}

func collect(state string) {
	db, err := sqlite.Open(context.Background(), filepath.Join(state, "a.db"), sqlite.Options{})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	for {
		_, err := collector.Drain(context.Background(), spool.Verdicts(state), into(db))
		if err != nil && !errors.Is(err, spool.ErrBusy) {
			fmt.Println("error", err)
			os.Exit(1)
		}
		time.Sleep(time.Millisecond)
	}
}

// into returns the keep of a database.
func into(db *sqlite.DB) collector.Keep {
	return func(ctx context.Context, b trail.Batch) (int64, error) {
		for i := range b.Entries {
			b.Entries[i].Entry = trail.Collected(b.Entries[i].Entry, "uid:7", b.Source, time.Now())
		}
		return db.Collect(ctx, "uid:7", b)
	}
}

// Whoever adds and whoever collects are killed at any moment, two collectors at a
// time. Every decision whose addition was acknowledged is recorded, none twice, and
// the log holds.
func TestKilled(t *testing.T) {
	seed.Slow(t)
	state := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var ledger []string
	run := func(env string, round, most int) {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), env+"="+state)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Error(err)
			return
		}
		time.AfterFunc(time.Duration(20+rand.IntN(most+40*round))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		for lines := bufio.NewReader(out); ; {
			text, err := lines.ReadString('\n')
			if err != nil {
				break // what is not whole was not acknowledged
			}
			if strings.HasPrefix(text, "error") {
				t.Error(text)
			}
			mu.Lock()
			ledger = append(ledger, strings.TrimSpace(text))
			mu.Unlock()
		}
		_ = cmd.Wait()
	}
	rounds := 12
	if os.Getenv("ROUNDS") != "" {
		fmt.Sscan(os.Getenv("ROUNDS"), &rounds)
	}
	kills := 0
	for round := 0; round < rounds || len(ledger) < 100 && round < 200; round++ { // a slow machine adds few at a time
		kills += 4
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() { run(adding, min(round, 50), 60) })
			all.Go(func() { run(collecting, min(round, 50), 150) })
		}
		all.Wait()
	}
	db, err := sqlite.Open(t.Context(), filepath.Join(state, "a.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := collector.Drain(t.Context(), spool.Verdicts(state), into(db)); err != nil {
		t.Fatal(err)
	}
	times := make(map[string]int)
	var chain audit.Verifier
	for after := int64(0); ; {
		page, err := db.Audit(t.Context(), after, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, r := range page {
			if err := chain.Check(r); err != nil {
				t.Fatal(err)
			}
			after = r.Seq
			times[r.Detail[trail.ID]]++
		}
	}
	lost, twice := 0, 0
	for _, id := range ledger {
		if times[id] == 0 {
			lost++
		}
	}
	for _, n := range times {
		if n > 1 {
			twice++
		}
	}
	t.Logf("%d acknowledged, %d recorded, after %d kills", len(ledger), len(times), kills)
	if lost > 0 || twice > 0 || len(ledger) == 0 {
		t.Errorf("of %d acknowledged decisions %d are lost and %d are recorded twice", len(ledger), lost, twice)
	}
	s := spool.Verdicts(state)
	if n := s.Lost(spool.Dropped) + s.Lost(spool.Rejected); n > 0 {
		t.Errorf("%d are counted as lost", n)
	}
}

// A log is what a test records in memory, as a database does.
type log struct {
	at  map[string]int64
	ids []string
	err error
}

func (l *log) keep(_ context.Context, b trail.Batch) (int64, error) {
	if l.err != nil {
		return 0, l.err
	}
	if err := b.Check(); err != nil {
		return 0, err
	}
	for _, p := range b.Entries {
		if p.Position > l.at[b.Source] {
			l.at[b.Source] = p.Position
			l.ids = append(l.ids, p.Entry.Detail[trail.ID])
		}
	}
	return l.at[b.Source], nil
}

func newLog() *log { return &log{at: make(map[string]int64)} }

// fill adds decisions to a spool and returns their ids.
func fill(t *testing.T, s *spool.Spool, n int) (ids []string) {
	t.Helper()
	for range n {
		text, id := line()
		if err := s.Add(text); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

func drained(t *testing.T, s *spool.Spool, keep collector.Keep) collector.Tally {
	t.Helper()
	tally, err := collector.Drain(t.Context(), s, keep)
	if err != nil {
		t.Fatal(err)
	}
	return tally
}

// What is no decision is counted, and takes nothing along.
func TestRubbish(t *testing.T) {
	s := spool.Verdicts(t.TempDir())
	forged, _ := line()
	forged = []byte(strings.Replace(string(forged), `"kind":"verdict"`, `"kind":"decision"`, 1))
	want := fill(t, s, 3)
	for _, text := range []string{`{"kind":"receipt"}`, `{}`, string(forged), `{"a":"` + strings.Repeat("x", 1<<20) + `"}`} {
		if err := s.Add([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	want = append(want, fill(t, s, 2)...)
	l := newLog()
	if got := drained(t, s, l.keep); got != (collector.Tally{Recorded: 5, Rejected: 4}) || !slices.Equal(l.ids, want) {
		t.Errorf("%+v, recorded %v, want %v", got, l.ids, want)
	}
	if n := s.Lost(spool.Rejected); n != 4 {
		t.Errorf("%d are counted as rejected, want 4", n)
	}
}

// After a cursor that is lost all comes again, and is recorded once. After a spool
// whose files were removed its positions begin anew, and all is recorded.
func TestStartsAnew(t *testing.T) {
	state := t.TempDir()
	s := spool.Verdicts(state)
	l := newLog()
	want := fill(t, s, 3)
	cursor, instance := filepath.Join(s.Dir(), "cursor"), filepath.Join(s.Dir(), "instance")
	lost := func(context.Context, trail.Batch) (int64, error) { return 0, errors.New("killed") }
	recorded := func(ctx context.Context, b trail.Batch) (int64, error) {
		if _, err := l.keep(ctx, b); err != nil {
			t.Error(err)
		}
		return lost(ctx, b)
	}
	if _, err := collector.Drain(t.Context(), s, recorded); err == nil {
		t.Fatal("no error")
	}
	_ = os.Remove(cursor)
	drained(t, s, l.keep)
	if !slices.Equal(l.ids, want) {
		t.Errorf("without its cursor: recorded %d, want %d", len(l.ids), len(want))
	}
	before, err := os.ReadFile(instance)
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(s.Dir(), "*"))
	for _, f := range files {
		if f != instance {
			_ = os.Remove(f)
		}
	}
	want = append(want, fill(t, s, 1)...)
	drained(t, s, l.keep)
	if after, _ := os.ReadFile(instance); !slices.Equal(l.ids, want) || string(after) == string(before) {
		t.Errorf("after its files were removed: recorded %d, want %d; identity %s", len(l.ids), len(want), after)
	}
}

// What a log refuses for good is found among what it takes; what it could not take
// stays.
func TestRefused(t *testing.T) {
	s := spool.Verdicts(t.TempDir())
	ids := fill(t, s, 20)
	l := newLog()
	picky := func(ctx context.Context, b trail.Batch) (int64, error) {
		for _, p := range b.Entries {
			if p.Entry.Detail[trail.ID] == ids[7] {
				return 0, &collector.Refused{Err: errors.New("never")}
			}
		}
		return l.keep(ctx, b)
	}
	if got := drained(t, s, picky); got != (collector.Tally{Recorded: 19, Rejected: 1}) {
		t.Errorf("%+v", got)
	}
	if want := slices.Delete(slices.Clone(ids), 7, 8); !slices.Equal(l.ids, want) {
		t.Errorf("recorded %v, want %v", l.ids, want)
	}
	more := fill(t, s, 3)
	l.err = errors.New("the disk is full")
	if _, err := collector.Drain(t.Context(), s, l.keep); !errors.Is(err, l.err) {
		t.Errorf("error %v", err)
	}
	l.err = nil
	drained(t, s, l.keep)
	if !slices.Equal(l.ids[19:], more) {
		t.Errorf("recorded %v, want %v", l.ids[19:], more)
	}
	if n, err := s.Waiting(); n != 0 || err != nil {
		t.Errorf("%d wait, %v", n, err)
	}
}

// A log that lies about how far it has a spool ends the turn and loses nothing.
func TestLyingLog(t *testing.T) {
	for name, at := range map[string]int64{"behind": 1, "ahead": 1 << 62} {
		s := spool.Verdicts(t.TempDir())
		fill(t, s, 3)
		if _, err := collector.Drain(t.Context(), s, func(context.Context, trail.Batch) (int64, error) { return at, nil }); err == nil {
			t.Errorf("%s: no error", name)
		}
		if n, err := s.Waiting(); n != 3 || err != nil {
			t.Errorf("%s: %d wait, %v", name, n, err)
		}
	}
}

func TestBusy(t *testing.T) {
	s := spool.Verdicts(t.TempDir())
	fill(t, s, 1)
	_, err := collector.Drain(t.Context(), s, func(ctx context.Context, b trail.Batch) (int64, error) {
		if _, err := collector.Drain(ctx, s, nil); !errors.Is(err, spool.ErrBusy) {
			t.Errorf("a second collector: %v", err)
		}
		return b.Entries[0].Position, nil
	})
	if err != nil {
		t.Error(err)
	}
}

// Follow tells of a failure once, and of its end.
func TestFollow(t *testing.T) {
	s := spool.Verdicts(t.TempDir())
	fill(t, s, 1)
	ctx, cancel := context.WithCancel(t.Context())
	var told []string
	tries := 0
	collector.Follow(ctx, s, func(_ context.Context, b trail.Batch) (int64, error) {
		if tries++; tries < 2 {
			return 0, errors.New("no route")
		}
		return b.Entries[0].Position, nil
	}, func(err error) {
		if told = append(told, fmt.Sprint(err)); err == nil {
			cancel()
		}
	})
	if want := []string{"no route", "<nil>"}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
}
