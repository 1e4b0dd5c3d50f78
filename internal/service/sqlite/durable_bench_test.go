package sqlite_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3/driver"

	"github.com/policyctl/policyctl/internal/service/sqlite"
)

// bare returns a function that inserts a document by the driver alone, durably
// and in a transaction of its own.
func bare(b *testing.B) func(i int64) error {
	db, err := driver.Open(newPath(b))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	for _, text := range []string{
		"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "CREATE TABLE requests (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT",
	} {
		if _, err := db.Exec(text); err != nil {
			b.Fatal(err)
		}
	}
	var insert *sql.Stmt
	if insert, err = db.Prepare("INSERT INTO requests (id, document) VALUES (?, ?)"); err != nil {
		b.Fatal(err)
	}
	r, _ := aRequest("x")
	text, err := json.Marshal(r)
	if err != nil {
		b.Fatal(err)
	}
	return func(i int64) error {
		_, err := insert.Exec(fmt.Sprint("req_", i), string(text))
		return err
	}
}

func ours(b *testing.B) func(i int64) error {
	d := open(b, newPath(b), sqlite.Options{})
	b.Cleanup(func() { d.Close() })
	return func(i int64) error {
		r, e := aRequest(fmt.Sprint("req_", i))
		_, _, err := d.Create(b.Context(), r, e)
		return err
	}
}

// perSecond returns how many a number of writers store in a time.
func perSecond(b *testing.B, writers int, insert func(int64) error) float64 {
	const long = 2 * time.Second
	var n atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for range writers {
		all.Go(func() {
			for time.Since(began) < long {
				if err := insert(n.Add(1)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	return float64(n.Load()) / time.Since(began).Seconds()
}

// BenchmarkDurable compares durable creates, each with its records and its
// event, with one insert by the bare driver, in one run on one disk.
func BenchmarkDurable(b *testing.B) {
	for _, writers := range []int{1, 64} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			insert, create := bare(b), ours(b)
			for b.Loop() {
				before, got := perSecond(b, writers, insert), perSecond(b, writers, create)
				b.ReportMetric(before, "bare/s")
				b.ReportMetric(got, "creates/s")
				b.ReportMetric(100*got/before, "%")
			}
		})
	}
}
