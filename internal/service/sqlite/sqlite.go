// Package sqlite keeps what the approval service knows in one SQLite file:
// requests with their events, the audit log, signing keys, tokens, rules,
// recorded calls and notes of grants. Several processes may have it open at the same time.
//
// What a method has acknowledged is on disk (WAL, synchronous FULL), together
// with the records and the event that tell of it, or nothing of it is.
//
// The package decides nothing, redacts nothing but what pkg/audit does, and
// keeps no copy of the file.
package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/driver"
	"github.com/ncruces/go-sqlite3/ext/fts5"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/grantbook"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/pkg/approval"
)

// Options say how a database is kept. The zero value is sound.
type Options struct {
	// Notify is told of each event that this process has stored: one at a time,
	// by ascending id, before the method that made it returns. All writers wait
	// for it: it must not block, and must not write to the database.
	Notify func(approval.Event)
	// KeepEvents and KeepCalls bound how many events and recorded calls are
	// kept, the newest ones; 0 stands for DefaultEvents and DefaultCalls.
	KeepEvents, KeepCalls int
	// Damaged is told once of each row that cannot be read and that lists leave
	// out; nil for nobody. It must not block.
	Damaged func(error)
}

// What the zero value of an option stands for.
const (
	DefaultEvents = 100_000
	DefaultCalls  = 10_000
)

// busyTimeout is how long a process waits for a lock of another one.
const busyTimeout = 5 * time.Second

// readers is how many connections read at the same time.
const readers = 4

// A DB is an open database. It is safe for concurrent use.
type DB struct {
	path string
	o    Options

	writer  *sql.DB
	readers *sql.DB
	files   files
	damaged damageLog

	queue queue
	// turn is held by who writes. It guards conn and stmts.
	turn  chan struct{}
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
}

var (
	_ approval.Store = (*DB)(nil)
	_ ruledb.Table   = (*DB)(nil)
	_ auth.Store     = (*DB)(nil)

	_ grantbook.Table = (*DB)(nil)
)

// Open opens the database at a path, and makes it if there is none. Its
// directory must be there, and nobody else may write to it. An older schema is
// brought up to date; a newer one is refused, and so is the file of another
// program. Close must be called.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	o.KeepEvents, o.KeepCalls = cmp.Or(o.KeepEvents, DefaultEvents), cmp.Or(o.KeepCalls, DefaultCalls)
	if o.KeepEvents < 0 || o.KeepCalls < 0 {
		return nil, fmt.Errorf("database %s: cannot keep %d events and %d calls: give numbers above 0", path, o.KeepEvents, o.KeepCalls)
	}
	path, err := place(path)
	if err != nil {
		return nil, fmt.Errorf("database %s", err)
	}
	d := &DB{path: path, o: o, turn: make(chan struct{}, 1), stmts: make(map[string]*sql.Stmt)}
	if err := d.open(ctx); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func (d *DB) open(ctx context.Context) (err error) {
	if d.writer, err = connect(d.path, "PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864; PRAGMA secure_delete = ON"); err != nil {
		return d.explain(err)
	}
	d.writer.SetMaxOpenConns(1)
	if _, err := d.version(ctx); err != nil { // before anything is touched
		return err
	}
	if err := tighten(d.path); err != nil {
		return err
	}
	if err := d.migrate(ctx); err != nil {
		return err
	}
	if _, err := d.writer.ExecContext(ctx, "PRAGMA journal_mode = WAL"); err != nil {
		return d.explain(err)
	}
	if d.conn, err = d.writer.Conn(ctx); err != nil {
		return d.explain(err)
	}
	if d.readers, err = connect(d.path, "PRAGMA query_only = ON"); err != nil {
		return d.explain(err)
	}
	d.readers.SetMaxOpenConns(readers)
	d.readers.SetMaxIdleConns(readers)
	if _, _, err := d.EventBounds(ctx); err != nil { // the files of the WAL are there now
		return err
	}
	if err := tighten(d.path); err != nil {
		return err
	}
	d.files, err = filesOf(d.path)
	return err
}

// connect returns a pool whose connections begin with some pragmas.
func connect(path, pragmas string) (*sql.DB, error) {
	return driver.Open(path, func(c *sqlite3.Conn) error {
		if err := c.BusyTimeout(busyTimeout); err != nil {
			return err
		}
		if err := fts5.Register(c); err != nil {
			return err
		}
		return c.Exec("PRAGMA foreign_keys = ON; " + pragmas)
	})
}

// Close waits for what is being written and closes the database. Every later
// call of another method is an error.
func (d *DB) Close() error {
	d.turn <- struct{}{}
	defer func() { <-d.turn }()
	var errs []error
	if d.readers != nil {
		errs = append(errs, d.readers.Close())
	}
	for _, s := range d.stmts {
		errs = append(errs, s.Close())
	}
	clear(d.stmts)
	if d.conn != nil {
		if err := d.conn.Close(); !errors.Is(err, sql.ErrConnDone) {
			errs = append(errs, err)
		}
	}
	if d.writer != nil {
		errs = append(errs, d.writer.Close())
	}
	return errors.Join(errs...)
}
