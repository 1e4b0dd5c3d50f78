package doom

import (
	"fmt"
	"sync/atomic"
	"testing"
)

// BenchmarkObserve judges the next call of a session that remembers 64.
func BenchmarkObserve(b *testing.B) {
	for _, bb := range []struct {
		name   string
		period int
	}{{"no repetition", 1000}, {"streak", 1}, {"cycle of 4", 4}} {
		b.Run(bb.name, func(b *testing.B) {
			d := New(0)
			calls := make([]Call, bb.period)
			for i := range calls {
				calls[i] = Call{Key: key(fmt.Sprint(i))}
			}
			next := 0
			b.ReportAllocs()
			for b.Loop() {
				d.Observe("s", calls[next], Limits{})
				next = (next + 1) % len(calls)
			}
		})
	}
}

// BenchmarkObserveID adds ids, which are looked for among the 64 calls.
func BenchmarkObserveID(b *testing.B) {
	d := New(0)
	calls := make([]Call, 1000)
	for i := range calls {
		calls[i] = Call{ID: fmt.Sprintf("toolu_01A09q90qw90lq917835lq%04d", i), Key: key(fmt.Sprint(i))}
	}
	next := 0
	b.ReportAllocs()
	for b.Loop() {
		d.Observe("s", calls[next], Limits{})
		next = (next + 1) % len(calls)
	}
}

// BenchmarkObserveSessions judges calls of one session for each processor.
func BenchmarkObserveSessions(b *testing.B) {
	d := New(0)
	calls := make([]Call, 1000)
	for i := range calls {
		calls[i] = Call{Key: key(fmt.Sprint(i))}
	}
	var sessions atomic.Int64
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		session := fmt.Sprint(sessions.Add(1))
		for n := 0; pb.Next(); n++ {
			d.Observe(session, calls[n%len(calls)], Limits{})
		}
	})
}

func BenchmarkSnapshot(b *testing.B) {
	d := full()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Snapshot("s"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRestore(b *testing.B) {
	d := full()
	data, _ := d.Snapshot("s")
	b.ReportAllocs()
	for b.Loop() {
		if err := d.Restore("s", data); err != nil {
			b.Fatal(err)
		}
	}
}
