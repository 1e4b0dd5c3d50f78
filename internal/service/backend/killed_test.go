package backend

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/grant"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
)

// victimEnv tells the child of TestKilledGranting its directory.
const victimEnv = "POLICYCTL_GRANTING_DIRECTORY"

func TestMain(m *testing.M) {
	if dir := os.Getenv(victimEnv); dir != "" {
		if err := grantForever(dir); err != nil {
			fmt.Println("error", err)
		}
		return
	}
	os.Exit(m.Run())
}

// service returns a service on the files of a directory, whose approvals are
// kept. wrap may have its store fail.
func service(ctx context.Context, dir string, wrap func(approval.Store) approval.Store) (*approval.Service, *sqlite.DB, error) {
	db, err := sqlite.Open(ctx, filepath.Join(dir, "x.db"), sqlite.Options{})
	if err != nil {
		return nil, nil, err
	}
	var engine *policy.Engine
	links := world.New(nil)
	granted := NewGranted(grant.NewStore(filepath.Join(dir, "state"), time.Now), filepath.Join(dir, "home"), links, func() *policy.Engine { return engine }, nil, time.Now)
	// The engine knows of no grants, so that every call asks.
	if engine, err = policy.New(policy.Defaults(), policy.Options{World: links}); err != nil {
		return nil, nil, err
	}
	judge := NewJudge(JudgeOptions{Engine: func() *policy.Engine { return engine }, Calls: db, Now: time.Now, Grants: granted})
	s, err := approval.NewService(ctx, approval.Options{Store: wrap(db), Judge: judge, Now: time.Now, MaxPending: 1 << 20, MaxSubmitted: 1 << 20})
	return s, db, err
}

func plainly(s approval.Store) approval.Store { return s }

// grantForever approves one verb after the other, always and anywhere.
func grantForever(dir string) error {
	ctx := context.Background()
	s, _, err := service(ctx, dir, plainly)
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		r, err := s.Submit(ctx, "token:agent", approval.Submission{Call: policy.Shell(fmt.Sprintf("tool%d-%d x", os.Getpid(), i), dir)})
		if err != nil {
			return err
		}
		fmt.Println("submit", r.ID)
		if _, err = s.Decide(ctx, r.ID, "token:ann", approval.Answer{Word: approval.ApprovedRemember, Scope: approval.Anywhere}); err != nil {
			return err
		}
		fmt.Println("decide", r.ID)
	}
}

// privateDir returns a new directory that is nobody else's.
func privateDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err == nil {
		err = os.Chmod(dir, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// A process is killed at any moment: no grant is without the decision that is
// on record, and after the next start no decision is without its grant.
func TestKilledGranting(t *testing.T) {
	seed.Slow(t)
	cycles := 40
	if testing.Short() {
		cycles = 8
	}
	dir, decided := privateDir(t), 0
	for i := range cycles {
		decided += killGranting(t, dir, i%4)
		db, err := sqlite.Open(t.Context(), filepath.Join(dir, "x.db"), sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		checkGranted(t, dir, db, false)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if i%8 != 7 {
			continue // the next child starts on what this one left
		}
		_, db, err = service(t.Context(), dir, plainly)
		if err != nil {
			t.Fatal(err)
		}
		checkGranted(t, dir, db, true)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if decided < cycles/2 {
		t.Errorf("%d decisions of %d children are too few to say something", decided, cycles)
	}
}

// killGranting runs a child, kills it some lines after its first ones, and
// returns how many decisions it told of.
func killGranting(t *testing.T, dir string, phase int) (decided int) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), victimEnv+"="+dir)
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for n := 0; n < 3+2*phase && lines.Scan(); n++ {
		if text := lines.Text(); strings.HasPrefix(text, "error") {
			t.Error(text)
		} else if strings.HasPrefix(text, "decide") {
			decided++
		}
	}
	time.Sleep(time.Duration(phase) * 1500 * time.Microsecond) // into the middle of the next ones
	_ = c.Process.Kill()
	_ = c.Wait() // it says that it was killed
	return decided
}

// checkGranted holds the grants against the decisions; settled says that no
// decision may be without its grant.
func checkGranted(t *testing.T, dir string, db *sqlite.DB, settled bool) {
	t.Helper()
	entries, err := grant.NewStore(filepath.Join(dir, "state"), time.Now).Read()
	if err != nil {
		t.Fatal(err)
	}
	granted := map[string]bool{}
	for i := range entries {
		granted[entries[i].Text()] = true
	}
	if len(granted) != len(entries) {
		t.Errorf("%d grants, and %d of them differ", len(entries), len(granted))
	}
	list, err := db.List(t.Context(), approval.Filter{States: []approval.State{approval.Approved}, Limit: approval.MaxLimit})
	if err != nil || len(list) == approval.MaxLimit {
		t.Fatal(len(list), err)
	}
	for _, r := range list {
		for _, line := range r.Decision.Saved {
			if settled && (!granted[line] || r.Owed != nil) {
				t.Errorf("%s: %s was approved and is not stored", r.ID, line)
			}
			delete(granted, line)
		}
	}
	for line := range granted {
		t.Errorf("%s is stored, and nobody has decided it", line)
	}
}

// failing is a store that stores no decision.
type failing struct {
	approval.Store
	err error
}

func (f *failing) Update(ctx context.Context, id string, change func(*approval.Request) ([]audit.Entry, error)) (*approval.Request, error) {
	return f.Store.Update(ctx, id, func(r *approval.Request) ([]audit.Entry, error) {
		log, err := change(r)
		return log, errors.Join(err, f.err)
	})
}

// Who is told that an approval could not be stored and denies has granted
// nothing.
func TestUnstoredApproval(t *testing.T) {
	dir := privateDir(t)
	f := &failing{err: errors.New("the disk is full")}
	s, db, err := service(t.Context(), dir, func(store approval.Store) approval.Store { f.Store = store; return f })
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	r, err := s.Submit(t.Context(), "token:agent", approval.Submission{Call: policy.Shell("make x", dir)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Decide(t.Context(), r.ID, "token:ann", approval.Answer{Word: approval.ApprovedRemember, Scope: approval.Anywhere}); err == nil {
		t.Fatal("approved")
	}
	f.err = nil
	if _, err := s.Decide(t.Context(), r.ID, "token:ann", approval.Answer{Word: approval.Rejected}); err != nil {
		t.Fatal(err)
	}
	checkGranted(t, dir, db, true)
}

// An approval that finds the stored ones damaged is stored, and says that they
// were set aside.
func TestQuarantined(t *testing.T) {
	dir := privateDir(t)
	s, db, err := service(t.Context(), dir, plainly)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := os.MkdirAll(filepath.Join(dir, "state"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "state", grant.File), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := s.Submit(t.Context(), "token:agent", approval.Submission{Call: policy.Shell("make x", dir)})
	if err != nil {
		t.Fatal(err)
	}
	r, err = s.Decide(t.Context(), r.ID, "token:ann", approval.Answer{Word: approval.ApprovedRemember, Scope: approval.Anywhere})
	if err != nil || !strings.Contains(r.Decision.Notice, grant.File+".invalid-") {
		t.Fatalf("%+v %v", r.Decision, err)
	}
	checkGranted(t, dir, db, true)
}

// What stands in the database as owed counts only as the decision says it.
func TestChangedPlan(t *testing.T) {
	g, _, project := granting(t)
	c := policy.Shell("make build", project)
	p, err := g.Plan(t.Context(), requestFor(t, c, offersOf(t, g, c)), approval.Here)
	if err != nil {
		t.Fatal(err)
	}
	var wrong *approval.Invalid
	for _, entries := range []string{strings.Replace(string(p.Entries), "make", "git push", 1), "{}", ""} {
		if _, err := g.Save(t.Context(), approval.Plan{Lines: p.Lines, Entries: []byte(entries)}); !errors.As(err, &wrong) {
			t.Errorf("%s: %v", entries, err)
		}
	}
	if list, err := g.store.Read(); err != nil || len(list) > 0 {
		t.Errorf("stored: %v, %v", list, err)
	}
}
