// Package cost measures a request from socket to socket: a service that listens is asked
// over HTTP, as by agents and people, on both stores, and the bare driver of each store
// stores the same rows in the same run.
//
//	COST=10s go test ./internal/trial/cost -v -count=1
//
// Without COST everything happens once, so that the measurement itself stays whole. It
// judges no figure: the machine of a test does much else. See bench/README.md.
package cost_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

const (
	// tokens is how many agents ask: what one of them may do is bounded.
	tokens = 64
	// perSession is how many calls of one session wait.
	perSession = 20
)

// patience returns how long each rate is measured, 0 for one request of each writer, and
// how many requests wait while answers are timed.
func patience(t *testing.T) (each time.Duration, pending, answers int) {
	text := os.Getenv("COST")
	if text == "" {
		return 0, 10, 2
	}
	each, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("COST: %v", err)
	}
	return each, 1000, 200
}

// An office is a service in a process of its own, with agents and a person.
type office struct {
	*testing.T
	binary, dir, url string
	calls
	person *approval.Client
}

// calls are what agents ask for.
type calls struct {
	agents []*approval.Client
	asked  atomic.Int64
}

// built is the program, as people have it.
func built(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "policyctl")
	if out, err := exec.Command("go", "build", "-o", name, "../../../cmd/policyctl").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return name
}

func (o *office) command(args ...string) *exec.Cmd {
	cmd := exec.Command(o.binary, args...)
	cmd.Dir = o.dir
	cmd.Env = []string{"HOME=" + o.dir, "PATH=" + os.Getenv("PATH"), "XDG_STATE_HOME=" + o.dir + "/state", "XDG_CONFIG_HOME=" + o.dir + "/config"}
	return cmd
}

// place returns a directory on the disk on which all files of SQLite are, so that they can
// be compared. The path of a socket in it is short.
func place(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "cost")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// open starts the service on a database.
func open(t *testing.T, binary, db string) *office {
	t.Helper()
	dir := place(t)
	if db == "" {
		db = filepath.Join(dir, "approval.db")
	}
	o := &office{T: t, binary: binary, dir: dir}
	serve := o.command("serve", "--port", "0", "--db", db)
	serve.Stderr = os.Stderr
	out, err := serve.StdoutPipe()
	if err == nil {
		err = serve.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = serve.Process.Signal(syscall.SIGTERM)
		_ = serve.Wait()
	})
	for in := bufio.NewScanner(out); in.Scan() && !strings.HasPrefix(in.Text(), "database"); {
		if url, ok := strings.CutPrefix(in.Text(), "listening"); ok {
			o.url = strings.TrimSpace(url)
		}
	}
	if o.url == "" {
		t.Fatal("the service does not listen")
	}
	for i := range tokens {
		o.agents = append(o.agents, o.client(db, fmt.Sprint("agent", i), "submit"))
	}
	o.person = o.client(db, "ann", "approve,read")
	return o
}

// client makes a token and who uses it.
func (o *office) client(db, name, scope string) *approval.Client {
	o.Helper()
	out, err := o.command("token", "create", name, "--scope", scope, "--db", db).Output()
	if err != nil {
		o.Fatalf("token create: %v", err)
	}
	for word := range strings.FieldsSeq(string(out)) {
		if strings.HasPrefix(word, "pol_") {
			c, err := approval.NewClient(o.url, word)
			if err != nil {
				o.Fatal(err)
			}
			return c
		}
	}
	o.Fatalf("token create: %s", out)
	return nil
}

// ask submits a call that no other one is like.
func (o *calls) ask(ctx context.Context) (*approval.Client, *approval.Request, error) {
	n := int(o.asked.Add(1))
	agent := o.agents[n%tokens]
	c := policy.Shell(fmt.Sprintf("make deploy-%d", n), "/home/dev/app")
	c.Session = fmt.Sprintf("session-%d-%d", n%tokens, n/tokens/perSession)
	r, err := agent.Submit(ctx, approval.Submission{Call: c})
	if err == nil && r.State != approval.Pending {
		err = fmt.Errorf("it is %s at once", r.State)
	}
	return agent, r, err
}

// rate returns how often per second writers do something.
func rate(t *testing.T, writers int, each time.Duration, do func() error) float64 {
	t.Helper()
	var all sync.WaitGroup
	var done atomic.Int64
	begin := time.Now()
	for range writers {
		all.Go(func() {
			for first := true; first || time.Since(begin) < each; first = false {
				if err := do(); err != nil {
					t.Error(err)
					return
				}
				done.Add(1)
			}
		})
	}
	all.Wait()
	return float64(done.Load()) / time.Since(begin).Seconds()
}

// wake returns how long after an answer its agent has it, the slowest hundredth and the
// middle, while others wait.
func (o *office) wake(pending, answers int) (p50, p99 time.Duration) {
	o.Helper()
	for range pending {
		if _, _, err := o.ask(o.Context()); err != nil {
			o.Fatal(err)
		}
	}
	var all []time.Duration
	for range answers {
		agent, r, err := o.ask(o.Context())
		if err != nil {
			o.Fatal(err)
		}
		woken := make(chan time.Time, 1)
		go func() {
			ctx, stop := context.WithTimeout(o.Context(), time.Minute)
			defer stop()
			if got, err := agent.Await(ctx, r.ID); err != nil || got.State == approval.Pending {
				o.Errorf("it was not woken: %v", err)
			}
			woken <- time.Now()
		}()
		time.Sleep(20 * time.Millisecond) // for the agent to wait: one that comes later finds the answer
		begin := time.Now()
		if _, err := o.person.Decide(o.Context(), r.ID, approval.Answer{Word: approval.ApprovedOnce}); err != nil {
			o.Fatal(err)
		}
		all = append(all, (<-woken).Sub(begin))
	}
	slices.Sort(all)
	return all[len(all)/2], all[(len(all)*99+99)/100-1]
}

// rows are about as long as what is stored of a request: itself, its record and its event.
var rows = [3]string{text(1500), text(800), text(150)}

func text(n int) string { return `{"id":"` + strings.Repeat("x", n) + `"}` }

// A bare driver stores durably, with one commit each: the row of a request alone, or all
// rows of a request. Neither has an index, nor looks at what is there.
type bare struct{ row, request func() error }

// sqliteDriver stores rows by the bare driver of SQLite.
func sqliteDriver(t *testing.T) bare {
	db, insert, err := openBare(t.Context(), filepath.Join(place(t), "bare.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return bare{func() error {
		_, err := insert.ExecContext(t.Context(), rows[0])
		return err
	}, func() error {
		tx, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		for _, row := range rows {
			if _, err := tx.StmtContext(t.Context(), insert).ExecContext(t.Context(), row); err != nil {
				return err
			}
		}
		return tx.Commit()
	}}
}

// makeBare makes the table of a bare driver of PostgreSQL, and insertBare stores a row.
const (
	makeBare   = "CREATE TABLE bare (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, document text NOT NULL)"
	insertBare = "INSERT INTO bare (document) VALUES ($1)"
)

// postgresDriver stores rows by the bare driver of PostgreSQL.
func postgresDriver(t *testing.T, url string) bare {
	pool, err := pgxpool.New(t.Context(), url+"&pool_max_conns=64")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	if _, err := pool.Exec(t.Context(), makeBare); err != nil {
		t.Fatal(err)
	}
	return bare{func() error {
		_, err := pool.Exec(t.Context(), insertBare, rows[0])
		return err
	}, func() error { // one message is one transaction
		var all pgx.Batch
		for _, row := range rows {
			all.Queue(insertBare, row)
		}
		return pool.SendBatch(t.Context(), &all).Close()
	}}
}

// measure prints the figures of a store: service and unjudged are the URLs of empty
// databases, or "" for files.
func measure(t *testing.T, service, unjudged string, driver bare) {
	each, pending, answers := patience(t)
	o, store := open(t, built(t), service), plain(t, unjudged)
	for _, writers := range []int{1, 16, 64} {
		row, request := rate(t, writers, each, driver.row), rate(t, writers, each, driver.request)
		least := rate(t, writers, each, store)
		served := rate(t, writers, each, func() error { _, _, err := o.ask(t.Context()); return err })
		t.Logf("%2d writers: %5.0f requests a second; the bare driver %5.0f single rows: %.2f of it; and %5.0f times the three rows of a request: %.2f of it",
			writers, served, row, served/row, request, served/request)
		t.Logf("            an HTTP server that judges nothing: %5.0f, %.2f of the single rows and %.2f of the three; the service is %.2f of it",
			least, least/row, least/request, served/least)
	}
	p50, p99 := o.wake(pending, answers)
	t.Logf("an answer wakes its agent in %v, and in %v at p99, with %d more that wait", p50.Round(time.Millisecond/10), p99.Round(time.Millisecond/10), o.asked.Load())
}

func TestSQLite(t *testing.T) { measure(t, "", "", sqliteDriver(t)) }

func TestPostgreSQL(t *testing.T) {
	c := pgtest.Start(t, "fsync=on", "max_connections=100")
	measure(t, c.URL(t), c.URL(t), postgresDriver(t, c.URL(t)))
}
