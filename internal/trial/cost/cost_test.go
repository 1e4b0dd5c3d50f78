// Package cost measures a request from socket to socket: a service that listens is asked
// over HTTP, as by agents and people, on both stores. In the same run the bare driver of
// each store stores the same rows, and a server that judges nothing gives the same answers.
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

	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

const (
	// tokens is how many agents ask: how often one of them may, and how many of its
	// requests wait, is bounded.
	tokens = 128
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
	// db is the database, a file or a URL, and pid the process.
	db  string
	pid int
	calls
	person *approval.Client
	// token is one of an agent.
	token string
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
	o := &office{T: t, binary: binary, dir: dir, db: db}
	serve := o.command("serve", "--port", "0", "--db", db)
	serve.Stderr = os.Stderr
	out, err := serve.StdoutPipe()
	if err == nil {
		err = serve.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	o.pid = serve.Process.Pid
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
		o.token = o.issue(fmt.Sprint("agent", i), "submit")
		o.agents = append(o.agents, o.client(o.token))
	}
	o.person = o.client(o.issue("ann", "approve,read"))
	return o
}

// issue makes a token.
func (o *office) issue(name, scope string) string {
	o.Helper()
	out, err := o.command("token", "create", name, "--scope", scope, "--db", o.db).Output()
	if err != nil {
		o.Fatalf("token create: %v", err)
	}
	for word := range strings.FieldsSeq(string(out)) {
		if strings.HasPrefix(word, "pol_") {
			return word
		}
	}
	o.Fatalf("token create: %s", out)
	return ""
}

// client is who has a token.
func (o *office) client(token string) *approval.Client {
	o.Helper()
	c, err := approval.NewClient(o.url, token)
	if err != nil {
		o.Fatal(err)
	}
	return c
}

// call is the call with a number.
func call(n int) *policy.Call {
	c := policy.Shell(fmt.Sprintf("make deploy-%d", n), "/home/dev/app")
	c.Session = fmt.Sprintf("session-%d-%d", n%tokens, n/tokens/perSession)
	return c
}

// ask submits a call that no other one is like.
func (o *calls) ask(ctx context.Context) (*approval.Client, *approval.Request, error) {
	n := int(o.asked.Add(1))
	agent := o.agents[n%tokens]
	r, err := agent.Submit(ctx, approval.Submission{Call: call(n)})
	if err == nil && r.State != approval.Pending {
		err = fmt.Errorf("it is %s at once", r.State)
	}
	return agent, r, err
}

// A line is one of those whose rates are compared: what it does, and which process stores.
type line struct {
	name string
	pid  int
	do   func() error
	tally
}

// A tally is what writers did: how often, in what time, and how many bytes were written for
// it, 0 where nobody knows.
type tally struct {
	n     int64
	took  time.Duration
	bytes int64
}

func (t *tally) add(more tally) { *t = tally{t.n + more.n, t.took + more.took, t.bytes + more.bytes} }

func (t *tally) perSecond() float64 { return float64(t.n) / t.took.Seconds() }

// rate counts how often writers do something. written returns how many bytes were written.
func rate(t *testing.T, writers int, each time.Duration, written func() int64, do func() error) tally {
	t.Helper()
	var all sync.WaitGroup
	var done atomic.Int64
	before, begin := written(), time.Now()
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
	took := time.Since(begin)
	return tally{done.Load(), took, written() - before}
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

// rounds is in how many parts each rate is measured, in turns with the others: what else the
// machine does then weighs on all of them.
const rounds = 5

// measure prints the figures of a store: service and plainly are the URLs of empty
// databases, or "" for files.
func measure(t *testing.T, service, plainly string, drive func(*testing.T, sample) driver) {
	each, pending, answers := patience(t)
	o := open(t, built(t), service)
	s := o.sample()
	d, plain := drive(t, s), startPlain(t, plainly, s)
	t.Logf("a request is stored in rows of %d, %d and %d bytes, and answered with %d", len(s.Rows[0]), len(s.Rows[1]), len(s.Rows[2]), len(s.Answer))
	lines := []*line{
		{name: "the driver", pid: os.Getpid(), do: d.row},
		{name: "its three rows", pid: os.Getpid(), do: d.three},
		{name: "server, alone", pid: plain.pid, do: plain.asks("/alone")},
		{name: "server, shared", pid: plain.pid, do: plain.asks("/shared")},
		{name: "the service", pid: o.pid, do: func() error { _, _, err := o.ask(t.Context()); return err }},
	}
	for _, writers := range []int{1, 16, 64} {
		for _, l := range lines {
			l.tally = tally{}
		}
		for range rounds {
			for _, l := range lines {
				l.add(rate(t, writers, each/rounds, d.written(l.pid), l.do))
			}
		}
		row, three, ceiling := lines[0].perSecond(), lines[1].perSecond(), max(lines[2].perSecond(), lines[3].perSecond())
		t.Logf("%2d writers      a second  of the driver  of its three rows  of the ceiling  bytes written", writers)
		for _, l := range lines {
			n := l.perSecond()
			t.Logf("%-14s %10.0f %14.2f %18.2f %15.2f %14d", l.name, n, n/row, n/three, n/ceiling, l.bytes/max(l.n, 1))
		}
	}
	p50, p99 := o.wake(pending, answers)
	t.Logf("an answer wakes its agent in %v, and in %v at p99, with %d more that wait", p50.Round(time.Millisecond/10), p99.Round(time.Millisecond/10), o.asked.Load())
}

func TestSQLite(t *testing.T) { measure(t, "", "", sqliteDriver) }

func TestPostgreSQL(t *testing.T) {
	c := pgtest.Start(t, "fsync=on", "max_connections=200")
	measure(t, c.URL(t), c.URL(t), func(t *testing.T, s sample) driver { return postgresDriver(t, c.URL(t), s) })
}
