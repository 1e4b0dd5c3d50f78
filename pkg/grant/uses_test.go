package grant_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/support/shelf/shelftest"
	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
)

// counted returns an approval of make for a number of calls.
func counted(uses int) grant.Entry {
	return grant.Entry{Verb: "make", Scope: grant.Anywhere, Tool: "shell", By: "test", Uses: uses}
}

// A book is a store with engines that decide by it.
type book struct {
	t     testing.TB
	store *grant.Store
	dir   string
	now   time.Time
}

func newBook(t testing.TB, entries ...grant.Entry) *book {
	b := &book{t: t, dir: t.TempDir(), now: start}
	b.store = grant.NewStore(b.dir, func() time.Time { return b.now })
	if _, err := b.store.Add(entries...); err != nil {
		t.Fatal(err)
	}
	return b
}

// engine returns an engine as a new process has it.
func (b *book) engine() *policy.Engine {
	b.t.Helper()
	entries, err := b.store.List()
	e, failed := policy.New(policy.Defaults(), policy.Options{
		World: machine, Grants: grant.NewSet(entries, machine, func() time.Time { return b.now }).Of(b.store, err),
	})
	if failed != nil {
		b.t.Fatal(failed)
	}
	return e
}

func numbered(id, line string) *policy.Call {
	c := policy.Shell(line, app)
	c.Home, c.ID, c.Session, c.Agent = home, id, "s1", "claude"
	return c
}

func decided(t testing.TB, e *policy.Engine, c *policy.Call) policy.Decision {
	t.Helper()
	v, err := e.Decide(context.Background(), &policy.Session{}, c)
	if err != nil {
		t.Fatal(err)
	}
	return v.Decision
}

func (b *book) shown() string {
	entries, err := b.store.Read()
	if err != nil {
		b.t.Fatal(err)
	}
	return texts(entries)
}

// TestUses shows what counts as a use, and what does not.
func TestUses(t *testing.T) {
	b := newBook(t, counted(3))
	if got := b.shown(); got != "make anywhere, for the next 3 calls" {
		t.Error(got)
	}
	e := b.engine()
	if x, err := e.Explain(context.Background(), &policy.Session{}, numbered("x", "make x")); err != nil || x.Decision != policy.Allow {
		t.Errorf("explained: %v, %v", x.Decision, err)
	}
	if v, err := e.Review(context.Background(), &policy.Session{}, numbered("x", "make x")); err != nil || v.Decision != policy.Allow {
		t.Errorf("reviewed: %v, %v", v.Decision, err)
	}
	if got := b.shown(); got != "make anywhere, for the next 3 calls" {
		t.Errorf("after an explanation and a review: %s", got)
	}
	for _, row := range []struct {
		id, line string
		want     policy.Decision
		left     string
	}{
		{"1", "make x", policy.Allow, "2 of 3 left"},
		{"1", "make x", policy.Allow, "2 of 3 left"}, // the same call
		{"1", "make y", policy.Allow, "1 of 3 left"}, // another one with its id
		{"2", "ls", policy.Allow, "1 of 3 left"},
		{"3", "make x; npm test", policy.Ask, "1 of 3 left"},
		{"", "make z && make w", policy.Allow, "0 of 3 left"}, // one call, however many commands
		{"", "make z && make w", policy.Ask, "0 of 3 left"},
		{"4", "make x", policy.Ask, "0 of 3 left"},
		{"1", "make x", policy.Allow, "0 of 3 left"}, // asked about again
	} {
		if got := decided(t, b.engine(), numbered(row.id, row.line)); got != row.want || !strings.HasSuffix(b.shown(), row.left) {
			t.Errorf("%s %s: %s, then %s; want %s, %s", row.id, row.line, got, b.shown(), row.want, row.left)
		}
	}
	b.now = start.Add(31 * 24 * time.Hour)
	if got := b.shown(); got != "" {
		t.Errorf("long after the last use: %s", got)
	}
}

// TestUsesLast shows that a grant for any number of calls goes before one that counts, and
// that yolo and what another stage allows count nothing.
func TestUsesLast(t *testing.T) {
	b := newBook(t, counted(1), here(t, "make anywhere")[0])
	if got := decided(t, b.engine(), numbered("1", "make x")); got != policy.Allow || !strings.Contains(b.shown(), "for the next call") {
		t.Errorf("%s, then %s", got, b.shown())
	}
	b = newBook(t, counted(1))
	s := policy.Defaults()
	s.Yolo = true
	entries, _ := b.store.List()
	e, err := policy.New(s, policy.Options{World: machine, Grants: grant.NewSet(entries, machine, clock).Of(b.store, nil)})
	if err != nil {
		t.Fatal(err)
	}
	if got := decided(t, e, numbered("1", "make x")); got != policy.Allow || !strings.Contains(b.shown(), "for the next call") {
		t.Errorf("yolo: %s, then %s", got, b.shown())
	}
}

// TestUsesRule shows that a grant that answers a rule counts.
func TestUsesRule(t *testing.T) {
	e := counted(1)
	e.Rule = "shell make *"
	b := newBook(t, e)
	s := policy.Defaults()
	s.Permissions = []policy.Permission{{Match: "shell make *", Action: policy.Ask}}
	for i, want := range []policy.Decision{policy.Allow, policy.Ask} {
		entries, _ := b.store.List()
		e, err := policy.New(s, policy.Options{World: machine, Grants: grant.NewSet(entries, machine, clock).Of(b.store, nil)})
		if err != nil {
			t.Fatal(err)
		}
		if got := decided(t, e, numbered(fmt.Sprint(i), "make x")); got != want {
			t.Errorf("call %d: %s, want %s; %s", i, got, want, b.shown())
		}
	}
}

// TestUsesYolo shows that a grant that answers an ask which yolo leaves standing counts.
func TestUsesYolo(t *testing.T) {
	e := counted(1)
	e.Rule = "shell make *"
	b := newBook(t, e)
	s := policy.Defaults()
	s.Yolo = true
	s.Permissions = []policy.Permission{{Match: "shell make *", Action: policy.Ask, Origin: policy.Origin{Layer: "managed"}}}
	for i, want := range []policy.Decision{policy.Allow, policy.Ask} {
		entries, _ := b.store.List()
		e, err := policy.New(s, policy.Options{World: machine, Grants: grant.NewSet(entries, machine, clock).Of(b.store, nil)})
		if err != nil {
			t.Fatal(err)
		}
		if got := decided(t, e, numbered(fmt.Sprint(i), "make x")); got != want {
			t.Errorf("call %d: %s, want %s; %s", i, got, want, b.shown())
		}
	}
}

// TestUsesRace: of many calls at once, each in a process of its own that has read the file
// before any was counted, as many pass as there are uses.
func TestUsesRace(t *testing.T) {
	const calls, uses = 50, 7
	b := newBook(t, counted(uses))
	engines := make([]*policy.Engine, calls)
	for i := range engines {
		engines[i] = b.engine()
	}
	var passed atomic.Int64
	var wg sync.WaitGroup
	for i, e := range engines {
		wg.Go(func() {
			v, err := e.Decide(context.Background(), &policy.Session{}, numbered(fmt.Sprint(i), "make x"))
			if err == nil && v.Decision == policy.Allow {
				passed.Add(1)
			}
		})
	}
	wg.Wait()
	if passed.Load() != uses || b.shown() != "make anywhere, 0 of 7 left" {
		t.Errorf("%d of %d passed, %s", passed.Load(), calls, b.shown())
	}
}

// TestUsesFail shows that a use that cannot be stored allows nothing.
func TestUsesFail(t *testing.T) {
	b := newBook(t, counted(5))
	e := b.engine()
	if err := os.Remove(filepath.Join(b.dir, grant.File)); err != nil {
		t.Fatal(err)
	}
	if got := decided(t, e, numbered("1", "make x")); got != policy.Ask {
		t.Errorf("the file is gone: %s", got)
	}
	b = newBook(t, counted(5))
	e = b.engine()
	if err := os.WriteFile(filepath.Join(b.dir, grant.File), []byte(`{"version":4,"entries":[{"effect":"x"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := decided(t, e, numbered("1", "make x")); got != policy.Ask {
		t.Errorf("the file is damaged: %s", got)
	}
}

// TestUsesRevoked shows that a grant that is revoked after it was read allows no further
// call.
func TestUsesRevoked(t *testing.T) {
	b := newBook(t, counted(5))
	e := b.engine()
	if _, err := b.store.Remove(func(*grant.Entry) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if got := decided(t, e, numbered("1", "make x")); got != policy.Ask {
		t.Errorf("%s", got)
	}
}

// TestUsesAdded shows that more uses replace fewer, and never the other way round.
func TestUsesAdded(t *testing.T) {
	b := newBook(t, counted(2))
	if err := b.store.Spend(numbered("1", "make x"), ids(counted(2))); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		uses int
		want string
	}{{1, "make anywhere, 1 of 2 left"}, {2, "make anywhere, for the next 2 calls"}, {1, "make anywhere, for the next 2 calls"}} {
		if _, err := b.store.Add(counted(row.uses)); err != nil || b.shown() != row.want {
			t.Errorf("%d more: %s, %v, want %s", row.uses, b.shown(), err, row.want)
		}
	}
}

func ids(list ...grant.Entry) (out []string) {
	for i := range list {
		out = append(out, list[i].ID())
	}
	return out
}

// TestUsesStoredAgain shows that the grant of a request that is stored once more, as after
// a crash, begins no new count.
func TestUsesStoredAgain(t *testing.T) {
	e := counted(2)
	e.Request, e.Created = "req_1", start
	b := newBook(t, e)
	for _, id := range []string{"1", "2"} {
		if err := b.store.Spend(numbered(id, "make"), ids(e)); err != nil {
			t.Fatal(err)
		}
		b.now = b.now.Add(24 * time.Hour)
		if added, err := b.store.Add(e); err != nil || len(added) > 0 {
			t.Errorf("%v, %v", added, err)
		}
	}
	if got := decided(t, b.engine(), numbered("3", "make x")); got != policy.Ask || b.shown() != "make anywhere, 0 of 2 left" {
		t.Errorf("%s, %s", got, b.shown())
	}
	e.Request = "req_2"
	if _, err := b.store.Add(e); err != nil || b.shown() != "make anywhere, for the next 2 calls" {
		t.Errorf("another request: %s, %v", b.shown(), err)
	}
}

// TestSpend shows what cannot be counted, and that several entries count together or not
// at all.
func TestSpend(t *testing.T) {
	plain, one := here(t, "npm test anywhere")[0], counted(1)
	two := one
	two.Verb, two.Uses = "npm run", 2
	denial := denials(t, "go test anywhere")[0]
	b := newBook(t, plain, one, two, denial)
	for _, row := range []struct {
		id  string
		ids []string
		ok  bool
	}{
		{"1", ids(plain), false},
		{"1", ids(denial), false},
		{"1", []string{"grant_x"}, false},
		{"1", ids(one, two), true},
		{"2", ids(two, one), false},
		{"1", ids(one, two), true},
		{"2", ids(two), true},
		{"3", ids(two), false},
	} {
		if err := b.store.Spend(numbered(row.id, "x"), row.ids); (err == nil) != row.ok {
			t.Errorf("%s %v: %v", row.id, row.ids, err)
		}
	}
}

// TestUsesShared shows that a shelf that several instances share counts as a file does.
func TestUsesShared(t *testing.T) {
	on := &shelftest.Memory{}
	s := grant.NewShared(on, clock)
	if _, err := s.Add(counted(4)); err != nil {
		t.Fatal(err)
	}
	var passed atomic.Int64
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if grant.NewShared(on, clock).Spend(numbered(fmt.Sprint(i), "make"), ids(counted(4))) == nil {
				passed.Add(1)
			}
		})
	}
	wg.Wait()
	if passed.Load() != 4 {
		t.Errorf("%d of 4", passed.Load())
	}
}
