package cost_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib" // to read what the service has stored
	sqlite "github.com/ncruces/go-sqlite3/driver"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A sample is what the service answers to a request, and the rows in which it stores one:
// itself, its record in the audit log, and its event.
type sample struct {
	Rows   [3]string
	Answer []byte
}

// sample asks once, and looks into the database.
func (o *office) sample() (s sample) {
	o.Helper()
	c, err := policy.EncodeCall(call(0))
	if err != nil {
		o.Fatal(err)
	}
	r, err := http.NewRequestWithContext(o.Context(), http.MethodPost, o.url+"/v1/requests", strings.NewReader(`{"call":`+string(c)+`}`))
	if err != nil {
		o.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+o.token)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err == nil {
		s.Answer, err = io.ReadAll(answer.Body)
		err = errors.Join(err, answer.Body.Close())
	}
	if err != nil || answer.StatusCode != http.StatusCreated {
		o.Fatalf("%v: %s", err, s.Answer)
	}
	if s.Rows, err = o.stored(); err != nil {
		o.Fatal(err)
	}
	return s
}

// stored returns the rows of the last request.
func (o *office) stored() (rows [3]string, err error) {
	db, err := sql.Open("pgx", o.db)
	if !isURL(o.db) {
		db, err = sqlite.Open(o.db)
	}
	if err != nil {
		return rows, err
	}
	defer db.Close()
	for i, query := range [...]string{
		"SELECT document FROM requests ORDER BY seq DESC LIMIT 1",
		"SELECT record FROM audit ORDER BY seq DESC LIMIT 1",
		"SELECT CAST(id AS text) || CAST(time AS text) || request_id || state || session || tool || title FROM events ORDER BY id DESC LIMIT 1",
	} {
		if err := db.QueryRowContext(o.Context(), query).Scan(&rows[i]); err != nil {
			return rows, err
		}
	}
	return rows, nil
}

func isURL(db string) bool { return strings.Contains(db, "://") }

// A driver stores durably, with one commit each: the row of a request alone, or its three
// rows. Neither has an index, nor looks at what is there. written returns how many bytes
// are written for a process that stores.
type driver struct {
	row, three func() error
	written    func(pid int) func() int64
}

// sqliteDriver stores rows by the bare driver of SQLite.
func sqliteDriver(t *testing.T, s sample) driver {
	db, insert, err := openBare(t.Context(), filepath.Join(place(t), "bare.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return driver{storeRow(t.Context(), insert, s.Rows[0]), func() error { return storeTogether(t.Context(), db, insert, 1, s.Rows) }, writtenBy}
}

// storeRow returns what stores a row, with a commit of its own.
func storeRow(ctx context.Context, insert *sql.Stmt, row string) func() error {
	return func() error {
		_, err := insert.ExecContext(ctx, row)
		return err
	}
}

// storeTogether stores rows n times, with one commit.
func storeTogether(ctx context.Context, db *sql.DB, insert *sql.Stmt, n int, rows [3]string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	in := tx.StmtContext(ctx, insert)
	for range n {
		for _, row := range rows {
			if _, err := in.ExecContext(ctx, row); err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}

// openBare opens a file of SQLite that stores durably, and the statement that stores a row.
func openBare(ctx context.Context, path string) (*sql.DB, *sql.Stmt, error) {
	db, err := sqlite.Open(path)
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxOpenConns(1)
	for _, text := range []string{"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "CREATE TABLE bare (seq INTEGER PRIMARY KEY, document TEXT NOT NULL) STRICT"} {
		if _, err := db.ExecContext(ctx, text); err != nil {
			return nil, nil, errors.Join(err, db.Close())
		}
	}
	insert, err := db.PrepareContext(ctx, "INSERT INTO bare (document) VALUES (?)")
	return db, insert, err
}

// writtenBy counts what a process writes to files, where the system tells.
func writtenBy(pid int) func() int64 {
	return func() int64 {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
		for line := range bytes.Lines(text) {
			if n, ok := bytes.CutPrefix(line, []byte("write_bytes: ")); ok {
				bytes, _ := strconv.ParseInt(string(bytes.TrimSpace(n)), 10, 64)
				return bytes
			}
		}
		return 0
	}
}

// makeBare makes the table of a bare driver of PostgreSQL, and insertBare stores a row.
const (
	makeBare   = "CREATE TABLE bare (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, document text NOT NULL)"
	insertBare = "INSERT INTO bare (document) VALUES ($1)"
)

// postgresDriver stores rows by the bare driver of PostgreSQL.
func postgresDriver(t *testing.T, url string, s sample) driver {
	pool, err := openPool(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return driver{sendRow(t.Context(), pool, s.Rows[0]), func() error { return sendTogether(t.Context(), pool, 1, s.Rows) }, loggedBy(t, pool)}
}

// openPool opens an empty database of PostgreSQL, and makes the table of rows.
func openPool(ctx context.Context, url string) (*pgxpool.Pool, error) {
	pool, err := pgxpool.New(ctx, url+"&pool_max_conns=64")
	if err == nil {
		_, err = pool.Exec(ctx, makeBare)
	}
	return pool, err
}

// sendRow returns what stores a row, with a commit of its own.
func sendRow(ctx context.Context, pool *pgxpool.Pool, row string) func() error {
	return func() error {
		_, err := pool.Exec(ctx, insertBare, row)
		return err
	}
}

// sendTogether stores rows n times in one message, which is one transaction.
func sendTogether(ctx context.Context, pool *pgxpool.Pool, n int, rows [3]string) error {
	var all pgx.Batch
	for range n {
		for _, row := range rows {
			all.Queue(insertBare, row)
		}
	}
	return pool.SendBatch(ctx, &all).Close()
}

// loggedBy counts what PostgreSQL has written to its log, for whomever.
func loggedBy(t *testing.T, pool *pgxpool.Pool) func(int) func() int64 {
	return func(int) func() int64 {
		return func() (bytes int64) {
			if err := pool.QueryRow(t.Context(), "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint").Scan(&bytes); err != nil {
				t.Error(err)
			}
			return bytes
		}
	}
}
