package doom

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestEmptyIDAlwaysCounts(t *testing.T) {
	d := New(0)
	for n := 1; n <= 3; n++ {
		f, err := d.Observe("s", Call{Key: key("A")}, Limits{})
		if f.Loop != (n == 3) || err != nil {
			t.Errorf("call %d: %v, %v", n, f, err)
		}
	}
}

func TestReusedID(t *testing.T) {
	d := New(0)
	d.Observe("s", Call{ID: "x", Key: key("A")}, Limits{})
	f, err := d.Observe("s", Call{ID: "x", Key: key("B")}, Limits{})
	if !errors.Is(err, ErrReused) || !strings.Contains(err.Error(), `"x"`) {
		t.Errorf("error %v: want ErrReused for x", err)
	}
	if f != (Finding{Loop: true}) {
		t.Errorf("finding %+v beside the error does not fail closed", f)
	}
	if _, err := d.Observe("other", Call{ID: "x", Key: key("B")}, Limits{}); err != nil {
		t.Errorf("the same id in another session: %v", err)
	}
}

func TestIDsAreForgottenAfter64Calls(t *testing.T) {
	for _, tt := range []struct {
		calls int
		known bool
	}{{63, true}, {64, false}} {
		d := New(0)
		d.Observe("s", Call{ID: "x", Key: key("A")}, Limits{})
		for n := range tt.calls {
			d.Observe("s", Call{Key: key(fmt.Sprint(n))}, Limits{})
		}
		_, err := d.Observe("s", Call{ID: "x", Key: key("B")}, Limits{})
		if errors.Is(err, ErrReused) != tt.known {
			t.Errorf("after %d other calls: %v", tt.calls, err)
		}
	}
}

// The FNV-1a hash of this id is zero, which marks calls without an id.
func TestIDWithZeroHash(t *testing.T) {
	const id = "\xd5\x6b\xb9\x53\x42\x87\x08\x36"
	d := New(0)
	d.Observe("s", Call{Key: key("A")}, Limits{})
	if _, err := d.Observe("s", Call{ID: id, Key: key("B")}, Limits{}); err != nil {
		t.Errorf("taken for the call without an id: %v", err)
	}
}

func TestLimitsOfTheCallCount(t *testing.T) {
	d := New(0)
	for _, tt := range []struct{ threshold, count int }{{5, 0}, {5, 0}, {2, 3}, {5, 0}, {5, 5}} {
		f, _ := d.Observe("s", Call{Key: key("A")}, Limits{Threshold: tt.threshold})
		if f.Count != tt.count {
			t.Errorf("threshold %d: %v, want count %d", tt.threshold, f, tt.count)
		}
	}
}

func TestEviction(t *testing.T) {
	d := New(2)
	call := Call{Key: key("A")}
	for range 2 {
		d.Observe("old", call, Limits{})
		d.Observe("new", call, Limits{})
	}
	// None of these is a use of the old session, or makes a new one.
	d.Peek("old", call, Limits{})
	d.Snapshot("old")
	for _, s := range []string{"p", "q", "r"} {
		d.Peek(s, call, Limits{})
		d.Snapshot(s)
		d.Report(s, "x", key("1"))
		d.ResetTurn(s)
		d.Forgive(s, call.Key)
	}
	if n := d.Evicted(); n != 0 {
		t.Errorf("%d sessions forgotten by looking", n)
	}
	d.Observe("third", call, Limits{})
	if n := d.Evicted(); n != 1 {
		t.Errorf("%d sessions forgotten, want 1", n)
	}
	if f, _ := d.Peek("new", call, Limits{}); !f.Loop {
		t.Error("the session used last was forgotten")
	}
	if f, _ := d.Peek("old", call, Limits{}); f.Loop {
		t.Error("the session used least recently is still there")
	}
}

func TestUsesKeepASession(t *testing.T) {
	call := Call{ID: "x", Key: key("A")}
	empty, err := New(0).Snapshot("s")
	if err != nil {
		t.Fatal(err)
	}
	for name, use := range map[string]func(*Detector){
		"Observe":   func(d *Detector) { d.Observe("s", call, Limits{}) },
		"Report":    func(d *Detector) { d.Report("s", "x", key("1")) },
		"ResetTurn": func(d *Detector) { d.ResetTurn("s") },
		"Forgive":   func(d *Detector) { d.Forgive("s", call.Key) },
		"Restore":   func(d *Detector) { d.Restore("s", empty) },
	} {
		d := New(2)
		d.Observe("s", call, Limits{})
		d.Observe("other", call, Limits{})
		use(d)
		d.Observe("third", call, Limits{})
		if !d.windows.Contains("s") {
			t.Errorf("%s does not count as a use", name)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	const workers, rounds = 8, 200
	d := New(workers / 2)
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() {
			for n := range rounds {
				s, id := fmt.Sprint((i+n)%workers), fmt.Sprint(n)
				c := Call{ID: id, Key: key(fmt.Sprint(n % 3))}
				d.Peek(s, c, Limits{})
				d.Observe(s, c, Limits{})
				d.Report(s, id, key("1"))
				d.Forgive(s, c.Key)
				d.ResetTurn(s)
				data, _ := d.Snapshot(s)
				if err := d.Restore(s, data); err != nil {
					t.Errorf("own snapshot: %v", err)
				}
				d.Evicted()
			}
		})
	}
	wg.Wait()
}

func TestObserveIsAtomic(t *testing.T) {
	const sessions, calls = 1000, 4
	d := New(0)
	for session := range sessions {
		var counts [calls]int
		var wg sync.WaitGroup
		start := make(chan struct{})
		for i := range calls {
			wg.Go(func() {
				<-start
				f, _ := d.Observe(fmt.Sprint(session), Call{Key: key("A")}, Limits{Threshold: 2})
				counts[i] = f.Count
			})
		}
		close(start)
		wg.Wait()
		slices.Sort(counts[:])
		if counts != [calls]int{0, 2, 3, 4} {
			t.Fatalf("session %d: the calls are number %v", session, counts)
		}
	}
}

func TestAllocations(t *testing.T) {
	if race {
		t.Skip("the race detector allocates")
	}
	d := New(0)
	calls := [...]Call{{ID: "x", Key: key("A")}, {Key: key("B")}, {Key: key("C"), Polling: true}}
	args := make([]byte, 4096)
	dir := strings.Repeat("/directory", 100)
	n := 0
	for name, f := range map[string]func(){
		"Observe": func() { d.Observe("s", calls[n%len(calls)], Limits{}); n++ },
		"Peek":    func() { d.Peek("s", calls[0], Limits{}) },
		"Report":  func() { d.Report("s", "x", calls[0].Key) },
		"Forgive": func() { d.Forgive("s", calls[1].Key) },
		"KeyOf":   func() { KeyOf("agent", "tool", dir, args) },
	} {
		if got := testing.AllocsPerRun(1000, f); got != 0 {
			t.Errorf("%s: %v allocations", name, got)
		}
	}
}

// Recall knows the latest call with a key, and no key of a call that was not made.
func TestRecall(t *testing.T) {
	d := New(0)
	if _, ok := d.Recall("s", Key{1}); ok {
		t.Error("a session that is unknown has a call")
	}
	d.Observe("s", Call{Key: Key{1}}, Limits{Threshold: 2})
	d.Observe("s", Call{Key: Key{1}}, Limits{Threshold: 2})
	if f, ok := d.Recall("s", Key{1}); !ok || !f.Loop || f.Count != 2 {
		t.Errorf("%v %v", f, ok)
	}
	if _, ok := d.Recall("s", Key{2}); ok {
		t.Error("a call that was not made is recalled")
	}
}
