package postgres_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/postgres"
	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
	"github.com/policyctl/policyctl/internal/service/sqlstore"
	"github.com/policyctl/policyctl/internal/service/storetest"
	"github.com/policyctl/policyctl/internal/trial/seed"
)

// The names of what the crash test hears from its environment.
const (
	victimEnv = "POLICYCTL_CRASH_DATABASE" // in the child: the URL
	cyclesEnv = "POLICYCTL_CRASH_CYCLES"   // how often something is killed
)

// keptEvents is how many events the children keep.
const keptEvents = 50

func TestMain(m *testing.M) {
	if url := os.Getenv(victimEnv); url != "" {
		victim(url)
		return
	}
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() == "" {
		postgres.SetNear(3)
	}
	os.Exit(m.Run())
}

// passing reports whether an error is that of a database that is away for a while.
func passing(err error) bool {
	var failed *sqlstore.Failure
	return errors.As(err, &failed)
}

// victim is the child, an instance that goes on when its server comes back.
func victim(url string) {
	var d *postgres.DB
	for {
		var err error
		if d, err = postgres.Open(context.Background(), url, postgres.Options{KeepEvents: keptEvents}); err == nil {
			break
		} else if !passing(err) {
			fmt.Println("error", err)
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	storetest.Victim(d, passing)
}

// Two instances work on one database, and one of them, or the server, is killed at any
// moment, again and again. What was acknowledged is there, nothing is there by half, and no
// receipt is good twice. The cache of the kernel outlives them: a loss of power is not
// tested.
func TestCrash(t *testing.T) {
	seed.Slow(t)
	t.Parallel()
	kills := 20
	if testing.Short() {
		kills = 8
	}
	kills = seed.Count(t, cyclesEnv, kills)
	c := pgtest.Start(t)
	const perDatabase = 20 // so that what is checked stays small
	steps, servers := 0, 0
	for done := 0; done < kills; done += perDatabase {
		url := c.URL(t)
		var acknowledged storetest.Ledger
		pair := [2]*child{start(t, url, &acknowledged), start(t, url, &acknowledged)}
		for range min(perDatabase, kills-done) {
			if rand.IntN(5) > 0 { // else perhaps before the instances are there
				pair[0].await()
				pair[1].await()
			}
			time.Sleep(acknowledged.Life(150 * time.Millisecond))
			if rand.IntN(4) == 0 {
				servers++
				c.Kill(t)
				c.Up(t)
				continue
			}
			i := rand.IntN(2)
			pair[i].kill()
			pair[i] = start(t, url, &acknowledged)
		}
		time.Sleep(rand.N(500 * time.Millisecond))
		for _, p := range pair {
			p.kill()
		}
		steps += acknowledged.Steps()
		d := open(t, url, postgres.Options{KeepEvents: keptEvents})
		acknowledged.Check(t, d, keptEvents)
		shut(t, d)
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%d kills, %d of them of the server, %d acknowledged steps", kills, servers, steps)
	if steps < kills {
		t.Errorf("%d steps with %d kills are too few to say something", steps, kills)
	}
}

// A child is a process that is killed.
type child struct {
	cmd         *exec.Cmd
	ready, done chan bool // closed
}

func start(t *testing.T, url string, acknowledged *storetest.Ledger) *child {
	t.Helper()
	p := &child{exec.Command(os.Args[0]), make(chan bool), make(chan bool)}
	p.cmd.Env = append(os.Environ(), victimEnv+"="+url)
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.done)
		acknowledged.Hear(t, out, func() { close(p.ready) })
	}()
	return p
}

// await waits until the instance is ready, or has ended.
func (p *child) await() {
	select {
	case <-p.ready:
	case <-p.done:
	}
}

// kill kills the process and waits until all that it said is heard.
func (p *child) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
	_ = p.cmd.Wait()
}
