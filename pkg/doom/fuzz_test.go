package doom

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// FuzzHistory plays random histories, one byte a step, and holds them to the
// laws of the package.
func FuzzHistory(f *testing.F) {
	for _, tt := range judgeTests {
		f.Add([]byte(tt.history), tt.limits.Threshold, tt.limits.Cycles)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 50 {
		f.Add(almostCycle(random, 1+n%5), 2, 2)
	}
	f.Fuzz(func(t *testing.T, steps []byte, threshold, cycles int) {
		l := Limits{Threshold: threshold, Cycles: cycles}
		d, copied := New(0), New(0)
		for n, step := range steps {
			if n%16 == 0 {
				copyTo(t, copied, d)
			}
			if got, want := take(t, copied, n, step, l), take(t, d, n, step, l); got != want {
				t.Fatalf("step %d: %v, after a snapshot %v", n, want, got)
			}
		}
		d.ResetTurn("s")
		for _, k := range []string{"0", "1", "2", "3"} {
			if found, _ := d.Peek("s", Call{Key: key(k)}, l); found.Loop {
				t.Errorf("after a reset: %v", found)
			}
		}
	})
}

// almostCycle returns steps that repeat a block, one of eight out of line.
func almostCycle(random *rand.Rand, period int) []byte {
	steps := make([]byte, 200)
	for i := range steps {
		if i < period || random.IntN(8) == 0 {
			steps[i] = byte(random.Uint32())
			continue
		}
		steps[i] = steps[i-period]
	}
	return steps
}

// take makes one step: the low three bits choose what, the others on which
// call.
func take(t *testing.T, d *Detector, n int, step byte, l Limits) Finding {
	k, arg := key(fmt.Sprint(step>>3&3)), fmt.Sprint(step>>5)
	switch step & 7 {
	case 0:
		d.Report("s", arg, k)
	case 1:
		d.Forgive("s", k)
	case 2:
		if arg == "0" {
			d.ResetTurn("s")
		}
	case 3:
		return look(t, d, Call{ID: arg, Key: k}, l)
	case 4:
		return look(t, d, Call{Key: k, Polling: true}, l)
	case 5:
		id := fmt.Sprint("own", n)
		found := look(t, d, Call{ID: id, Key: k}, l)
		d.Report("s", id, key(arg))
		return found
	default:
		return look(t, d, Call{Key: k}, l)
	}
	return Finding{}
}

// look observes a call and checks that Peek foretold it, and that an id keeps
// its answer.
func look(t *testing.T, d *Detector, c Call, l Limits) Finding {
	peek, peekErr := d.Peek("s", c, l)
	found, err := d.Observe("s", c, l)
	if found != peek || fmt.Sprint(err) != fmt.Sprint(peekErr) {
		t.Fatalf("Peek: %v, %v; Observe: %v, %v", peek, peekErr, found, err)
	}
	if c.ID == "" {
		return found
	}
	if again, _ := d.Observe("s", c, Limits{}); again != found {
		t.Fatalf("first %v, then %v", found, again)
	}
	return found
}

// FuzzPlain compares the findings on calls without results with the definition
// of a loop, written out over the whole history.
func FuzzPlain(f *testing.F) {
	for _, tt := range judgeTests {
		f.Add(strings.ReplaceAll(tt.history, " ", ""), tt.limits.Threshold, tt.limits.Cycles)
	}
	f.Fuzz(func(t *testing.T, history string, threshold, cycles int) {
		l := Limits{Threshold: threshold, Cycles: cycles}
		d := New(0)
		for n := range len(history) {
			got, err := d.Observe("s", Call{Key: key(history[n : n+1])}, l)
			if want := period(history[:n+1], l.clamp()); got.Period != want || got.Loop != (want > 0) || err != nil {
				t.Fatalf("%q: %+v, %v, want period %d", history[:n+1], got, err, want)
			}
			if got.Loop && strings.Count(history[:n+1], history[n:n+1]) < 2 {
				t.Fatalf("%q: a loop without a repeated call", history[:n+1])
			}
		}
	})
}

// period returns the shortest period in which the end of a history is a loop,
// 0 for none.
func period(history string, l Limits) int {
	for p := 1; p <= maxPeriod; p++ {
		times := l.Cycles
		if p == 1 {
			times = l.Threshold
		}
		if len(history) < p*times {
			continue
		}
		block := history[len(history)-p:]
		shorter := p > 1 && block == strings.Repeat(block[:p/2], p/max(p/2, 1))
		if !shorter && strings.HasSuffix(history, strings.Repeat(block, times)) {
			return p
		}
	}
	return 0
}

// FuzzRestore feeds arbitrary bytes: what is accepted is written again the
// same way, and what is refused changes nothing.
func FuzzRestore(f *testing.F) {
	f.Add([]byte(savedText))
	for _, tt := range refusedTests {
		f.Add([]byte(tt.data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := New(0)
		if err := d.Restore("s", data); err != nil {
			if d.windows.Contains("s") {
				t.Fatal("refused, yet made a session")
			}
			return
		}
		d.Peek("s", Call{Key: key("A"), Polling: true}, Limits{})
		first, _ := d.Snapshot("s")
		again := New(0)
		copyTo(t, again, d)
		if second, _ := again.Snapshot("s"); !bytes.Equal(first, second) {
			t.Fatalf("%s became %s", first, second)
		}
	})
}
