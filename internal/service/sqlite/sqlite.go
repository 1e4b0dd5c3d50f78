// Package sqlite keeps what the approval service knows in one SQLite file.
// Several processes may have it open at the same time.
//
// What a method has acknowledged is on disk (WAL, synchronous FULL), together
// with the records and the event that tell of it, or nothing of it is.
//
// The package keeps the file: where it lies, its schema, its copies, and that it
// is the one that was opened. What is stored and how is package sqlstore's.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/driver"
	"github.com/ncruces/go-sqlite3/ext/fts5"

	"github.com/policyctl/policyctl/internal/service/sqlstore"
	"github.com/policyctl/policyctl/pkg/approval"
)

// Options say how a database is kept. The zero value is sound.
type Options = sqlstore.Options

// busyTimeout is how long a process waits for a lock of another one.
const busyTimeout = 5 * time.Second

// writing is how the connection writes. What is acknowledged is on disk. The log is copied
// into the file when it has 4,000 pages, not 1,000: a request changes twenty, and the next one
// mostly the same, which are copied once. The file keeps nothing of what was deleted.
const writing = "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 67108864; PRAGMA secure_delete = ON"

// readers is how many connections read at the same time.
const readers = 4

// A DB is an open database. It is safe for concurrent use.
type DB struct {
	*sqlstore.DB
	file *file
}

// A file is what is open of a database: the [sqlstore.Engine] of it.
type file struct {
	path   string
	notify func(approval.Event)
	files  files

	writer, readers *sql.DB
	conn            *sql.Conn // that writes
}

// Open opens the database at a path, and makes it if there is none. Its
// directory must be there, and nobody else may write to it. An older schema is
// brought up to date; a newer one is refused, and so is the file of another
// program. Close must be called.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	if err := o.Complete(); err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	path, err := place(path)
	if err != nil {
		return nil, fmt.Errorf("database %s", err)
	}
	f := &file{path: path, notify: o.Notify}
	d := &DB{file: f}
	if err := f.open(ctx); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	d.DB = sqlstore.New(f, dialect(), f.readers, o)
	if err := f.look(ctx, d.DB); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func (d *file) open(ctx context.Context) (err error) {
	if d.writer, err = connect(d.path, writing); err != nil {
		return d.Explain(err)
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
		return d.Explain(err)
	}
	if d.conn, err = d.writer.Conn(ctx); err != nil {
		return d.Explain(err)
	}
	if d.readers, err = connect(d.path, "PRAGMA query_only = ON"); err != nil {
		return d.Explain(err)
	}
	d.readers.SetMaxOpenConns(readers)
	d.readers.SetMaxIdleConns(readers)
	return nil
}

// look remembers the files as they are once something was read: those of the
// write-ahead log are there then.
func (d *file) look(ctx context.Context, db *sqlstore.DB) (err error) {
	if _, _, err := db.EventBounds(ctx); err != nil {
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
	var errs []error
	if d.DB != nil {
		errs = append(errs, d.DB.Close())
	}
	return errors.Join(append(errs, d.file.close())...)
}

func (d *file) close() error {
	var errs []error
	if d.readers != nil {
		errs = append(errs, d.readers.Close())
	}
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
