package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

func openNew(t *testing.T, notify func(approval.Event)) *DB {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	d, err := Open(t.Context(), filepath.Join(dir, "x.db"), Options{Notify: notify})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// limit bounds the pages of the file to some more than there are; SQLite
// answers then as on a full disk.
func limit(t *testing.T, d *DB, more int) {
	t.Helper()
	var pages int
	if err := d.file.conn.QueryRowContext(t.Context(), "PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	if _, err := d.file.conn.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", pages+more)); err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, d *DB, id, title string) error {
	_, _, _, err := d.Create(t.Context(), &approval.Request{ID: id, State: approval.Pending, Title: title},
		audit.Entry{Time: time.Unix(0, 0), Kind: audit.KindRequest, Actor: "service", RequestID: id})
	return err
}

// checkKept fails if something acknowledged is missing, or something refused
// is there.
func checkKept(t *testing.T, d *DB, results map[string]error) {
	t.Helper()
	records := map[string]bool{}
	list, err := d.Audit(t.Context(), 0, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	var v audit.Verifier
	for _, r := range list {
		if err := v.Check(r); err != nil {
			t.Fatal(err)
		}
		records[r.RequestID] = true
	}
	for id, stored := range results {
		_, err := d.Get(t.Context(), id)
		switch {
		case stored == nil && (err != nil || !records[id]):
			t.Errorf("%s was acknowledged: %v, recorded %v", id, err, records[id])
		case stored != nil && (!errors.Is(err, approval.ErrNotFound) || records[id]):
			t.Errorf("%s was refused: %v, recorded %v", id, err, records[id])
		case stored != nil && (!errors.Is(stored, sqlite3.FULL) || !strings.Contains(stored.Error(), "free space")):
			t.Errorf("%s: %v", id, stored)
		}
	}
}

func TestFull(t *testing.T) {
	d := openNew(t, nil)
	results := map[string]error{"first": put(t, d, "first", "x")}
	limit(t, d, 20)
	refused := 0
	for i := 0; refused < 5; i++ {
		id := fmt.Sprint(i)
		if results[id] = put(t, d, id, strings.Repeat("x", 2000)); results[id] != nil {
			refused++
		}
	}
	_, err := d.Update(t.Context(), "first", func(r *approval.Request) ([]audit.Entry, error) {
		r.Title = strings.Repeat("x", 1<<20)
		return nil, nil
	})
	if !errors.Is(err, sqlite3.FULL) {
		t.Errorf("update: %v", err)
	}
	if r, err := d.Get(t.Context(), "first"); err != nil || r.Version != 1 || r.Title != "x" {
		t.Errorf("%v", err)
	}
	checkKept(t, d, results)
	limit(t, d, 1000)
	if results["last"] = put(t, d, "last", "x"); results["last"] != nil {
		t.Errorf("there is space again: %v", results["last"])
	}
	checkKept(t, d, results)
}

// Who stores little is not refused for the sake of another who stores much.
func TestFullTogether(t *testing.T) {
	told := map[string]int{}
	d := openNew(t, func(e approval.Event) { told[e.RequestID]++ })
	limit(t, d, 200)
	results := map[string]error{}
	var all sync.WaitGroup
	var mu sync.Mutex
	for i := range 60 {
		all.Go(func() {
			id, title := fmt.Sprint("small", i), "x"
			if i%3 == 0 {
				id, title = fmt.Sprint("large", i), strings.Repeat("x", 4<<20)
			}
			err := put(t, d, id, title)
			mu.Lock()
			defer mu.Unlock()
			if results[id] = err; (err == nil) != (title == "x") {
				t.Errorf("%s: %v", id, err)
			}
		})
	}
	all.Wait()
	checkKept(t, d, results)
	for id, err := range results {
		if (told[id] == 1) != (err == nil) || told[id] > 1 {
			t.Errorf("%s: told %d times, %v", id, told[id], err)
		}
	}
}

// Writers that wait together for a lock fail together, not one after another.
func TestLockedForLong(t *testing.T) {
	d := openNew(t, nil)
	if _, err := d.file.conn.ExecContext(t.Context(), "PRAGMA busy_timeout = 500"); err != nil {
		t.Fatal(err)
	}
	other, err := connect(d.file.path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	lock, err := other.BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelSerializable}) // BEGIN IMMEDIATE
	if err != nil {
		t.Fatal(err)
	}
	const mostParts = 64 // in one transaction
	began := time.Now()
	var all sync.WaitGroup
	for i := range mostParts {
		all.Go(func() {
			if err := put(t, d, fmt.Sprint(i), "x"); !errors.Is(err, sqlite3.BUSY) || !strings.Contains(err.Error(), "another process") {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if took := time.Since(began); took > mostParts/2*500*time.Millisecond {
		t.Errorf("%d writers waited %v", mostParts, took)
	}
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := put(t, d, "a", "x"); err != nil {
		t.Error(err)
	}
}
