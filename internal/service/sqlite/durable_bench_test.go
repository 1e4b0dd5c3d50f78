package sqlite_test

import (
	"testing"

	"github.com/ncruces/go-sqlite3/driver"

	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/service/storetest"
)

// BenchmarkDurable compares durable creates with inserts by the bare driver.
func BenchmarkDurable(b *testing.B) {
	db, err := driver.Open(newPath(b))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, text := range []string{
		"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "CREATE TABLE requests (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL) STRICT",
	} {
		if _, err := db.Exec(text); err != nil {
			b.Fatal(err)
		}
	}
	insert, err := db.Prepare("INSERT INTO requests (id, document) VALUES (?, ?)")
	if err != nil {
		b.Fatal(err)
	}
	d := open(b, newPath(b), sqlite.Options{})
	defer d.Close()
	storetest.Durable(b, func(id, document string) error {
		_, err := insert.Exec(id, document)
		return err
	}, d)
}
