package sqlite_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/service/storetest"
	"github.com/policyctl/policyctl/internal/trial/seed"
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

// victim is the child.
func victim(path string) {
	d, err := sqlite.Open(context.Background(), path, sqlite.Options{KeepEvents: keptEvents})
	if err != nil {
		fmt.Println("error", err)
		return
	}
	storetest.Victim(d, nil)
}

// A process is killed at any moment, again and again. What it has acknowledged
// is there, nothing is there by half, and no receipt is good twice. The cache
// of the kernel outlives the process: a loss of power is not tested.
func TestCrash(t *testing.T) {
	seed.Slow(t)
	cycles := 100
	if testing.Short() {
		cycles = 10
	}
	cycles = seed.Count(t, cyclesEnv, cycles)
	const perFile = 20 // so that what is checked stays small
	steps := 0
	for done := 0; done < cycles; done += perFile {
		path := newPath(t)
		var acknowledged storetest.Ledger
		for range min(perFile, cycles-done) {
			killOne(t, path, &acknowledged)
			checkCrashed(t, path, &acknowledged)
			if t.Failed() {
				t.FailNow()
			}
		}
		steps += acknowledged.Steps()
	}
	t.Logf("%d children killed, %d acknowledged steps", cycles, steps)
	if steps < cycles {
		t.Errorf("%d steps of %d children are too few to say something", steps, cycles)
	}
}

// killOne starts a child, kills it, and notes the last step of each request
// that it has acknowledged.
func killOne(t *testing.T, path string, acknowledged *storetest.Ledger) {
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
	kill := func(after time.Duration) {
		time.AfterFunc(after, func() { _ = child.Process.Kill() })
	}
	ready := func() { kill(acknowledged.Life(100 * time.Millisecond)) }
	if rand.IntN(5) == 0 {
		kill(rand.N(60 * time.Millisecond)) // perhaps before the schema is there
		ready = func() {}
	}
	acknowledged.Hear(t, out, ready)
}

func checkCrashed(t *testing.T, path string, acknowledged *storetest.Ledger) {
	t.Helper()
	d := open(t, path, sqlite.Options{KeepEvents: keptEvents})
	acknowledged.Check(t, d, keptEvents)
	if bad := answer(t, path, "PRAGMA integrity_check"); bad != "ok" {
		t.Errorf("integrity: %s", bad)
	}
	shut(t, d)
}
