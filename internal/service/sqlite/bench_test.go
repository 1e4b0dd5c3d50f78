package sqlite_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/service/storetest"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

func benchmarkCreate(b *testing.B, parallel int) {
	d := open(b, newPath(b), sqlite.Options{})
	defer d.Close()
	var n atomic.Int64
	create := func() {
		r, e := storetest.Typical(fmt.Sprint("req_", n.Add(1)))
		if _, _, _, err := d.Create(b.Context(), r, e); err != nil {
			b.Error(err)
		}
	}
	b.ReportAllocs()
	if parallel == 1 {
		for b.Loop() {
			create()
		}
		return
	}
	b.SetParallelism(parallel)
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			create()
		}
	})
}

func BenchmarkCreate(b *testing.B)         { benchmarkCreate(b, 1) }
func BenchmarkCreateParallel(b *testing.B) { benchmarkCreate(b, 32) }

func filled(b *testing.B, n int) *sqlite.DB {
	d := open(b, newPath(b), sqlite.Options{})
	for i := range n {
		r, e := storetest.Typical(fmt.Sprint("req_", i))
		r.Session = fmt.Sprint("s", i%100)
		if _, _, _, err := d.Create(b.Context(), r, e); err != nil {
			b.Fatal(err)
		}
	}
	b.Cleanup(func() { d.Close() })
	return d
}

func BenchmarkUpdate(b *testing.B) {
	d := filled(b, 1000)
	_, e := storetest.Typical("req_1")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		_, err := d.Update(b.Context(), fmt.Sprint("req_", i%1000), func(r *approval.Request) ([]audit.Entry, error) {
			return []audit.Entry{e}, nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	d := filled(b, 10_000)
	for name, read := range map[string]func() error{
		"get":  func() error { _, err := d.Get(b.Context(), "req_77"); return err },
		"list": func() error { _, err := d.List(b.Context(), approval.Filter{}); return err },
		"pending": func() error {
			_, err := d.List(b.Context(), approval.Filter{States: []approval.State{approval.Pending}})
			return err
		},
		"two": func() error {
			_, err := d.List(b.Context(), approval.Filter{States: []approval.State{approval.Pending, approval.Approved}})
			return err
		},
		"session": func() error {
			_, err := d.List(b.Context(), approval.Filter{Session: "s7", States: []approval.State{approval.Pending}})
			return err
		},
		"count":  func() error { _, _, _, err := d.Pending(b.Context(), "token:agent", "s7"); return err },
		"due":    func() error { _, _, err := d.Due(b.Context(), time.Unix(0, 0), 100); return err },
		"events": func() error { _, err := d.EventsAfter(b.Context(), 9900, 100); return err },
		"audit":  func() error { _, err := d.Audit(b.Context(), 9900, 100); return err },
		"token":  func() error { _, _, err := d.TokenByID(b.Context(), "x"); return err },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := read(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	path := newPath(b)
	if err := open(b, path, sqlite.Options{}).Close(); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := open(b, path, sqlite.Options{}).Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLoad is the worst day of a service: 10,000 requests come at once
// from 64 submitters, while 200 listeners hear of each and read now and then.
func BenchmarkLoad(b *testing.B) {
	const requests, submitters, listeners = 10_000, 64, 200
	for b.Loop() {
		var heard [listeners]atomic.Int64
		d := open(b, newPath(b), sqlite.Options{Notify: func(approval.Event) {
			for i := range heard {
				heard[i].Add(1)
			}
		}})
		ended := make(chan struct{})
		var reading, writing sync.WaitGroup
		reads, writes := make([][]time.Duration, listeners), make([][]time.Duration, submitters)
		for i := range listeners {
			reading.Go(func() { reads[i] = listen(b, d, ended) })
		}
		began := time.Now()
		for i := range submitters {
			writing.Go(func() {
				for j := i; j < requests; j += submitters {
					r, e := storetest.Typical(fmt.Sprint("req_", j))
					at := time.Now()
					if _, _, _, err := d.Create(b.Context(), r, e); err != nil {
						b.Error(err)
					}
					writes[i] = append(writes[i], time.Since(at))
				}
			})
		}
		writing.Wait()
		b.ReportMetric(requests/time.Since(began).Seconds(), "creates/s")
		close(ended)
		reading.Wait()
		for i := range heard {
			if n := heard[i].Load(); n != requests {
				b.Errorf("listener %d heard of %d", i, n)
			}
		}
		for name, times := range map[string][][]time.Duration{"create": writes, "get": reads} {
			all := slices.Concat(times...)
			slices.Sort(all)
			b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, name+"-p50-ms")
			b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, name+"-p99-ms")
		}
		shut(b, d)
	}
}

// listen reads a request ten times a second, and returns how long that took.
func listen(b *testing.B, d *sqlite.DB, ended <-chan struct{}) (took []time.Duration) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		at := time.Now()
		if _, err := d.Get(b.Context(), "req_1"); err != nil && !errors.Is(err, approval.ErrNotFound) {
			b.Error(err)
		}
		took = append(took, time.Since(at))
		select {
		case <-ended:
			return took
		case <-tick.C:
		}
	}
}
