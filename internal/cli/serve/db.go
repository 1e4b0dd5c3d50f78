package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/postgres"
	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/service/sqlstore"
	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/internal/support/rendezvous"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A Database names the database of the approval service: a file, or the URL of one of
// PostgreSQL. Who may write it may do all that the service may.
type Database struct{ path string }

// A Store is an open database.
type Store interface {
	backend.Data

	// Shared reports whether several instances may work on the database.
	Shared() bool
	// MayCut returns why this user may not cut the audit log. Cut has it begin behind a
	// checkpoint in place of the one of before, nil for none, and records that; Sweep
	// deletes what was cut off, and returns how many records.
	MayCut(ctx context.Context) error
	Cut(ctx context.Context, was, at *audit.Checkpoint, log ...audit.Entry) error
	Sweep(ctx context.Context) (int64, error)
	Close() error
}

// Register adds the flags.
func (d *Database) Register(flags *pflag.FlagSet) {
	flags.StringVar(&d.path, "db", "", "the service's database: a `FILE`, or postgres://USER@HOST/DATABASE (default approval/approval.db where policyctl keeps its state)")
}

// databaseFile is the name of the database in the directory of the service.
const databaseFile = "approval.db"

// Named reports whether a person has named the database.
func (d *Database) Named() bool { return d.path != "" }

// remote reports whether the database is behind a URL.
func (d *Database) remote() bool { return postgres.IsURL(d.path) }

// Find returns the absolute path of the database. The files of the service that belong to
// it lie beside it; those of a database behind a URL lie where the default one would be.
func (d *Database) Find(p *console.Process) (string, error) {
	if d.path != "" && !d.remote() {
		return p.Absolute(d.path)
	}
	place, err := p.Policies()
	return filepath.Join(rendezvous.Dir(place.State), databaseFile), err
}

// shown is what names the database to people, without a password.
func (d *Database) shown(path string) string {
	if !d.remote() {
		return path
	}
	name, err := postgres.Name(d.path)
	if err != nil {
		return "postgres"
	}
	return name
}

// make opens the database, or makes one. The directory that it has by default
// is made too.
func (d *Database) make(ctx context.Context, p *console.Process, o sqlstore.Options) (Store, error) {
	if d.remote() {
		d.warn(p)
		return orNone(postgres.Open(ctx, d.path, o))
	}
	path, err := d.Find(p)
	if err != nil {
		return nil, err
	}
	if err := served(path); err != nil {
		return nil, err
	}
	if d.path == "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
	}
	return orNone(sqlite.Open(ctx, path, o))
}

// Open opens a database that is there.
func (d *Database) Open(ctx context.Context, p *console.Process) (Store, error) {
	if !d.remote() {
		return orNone(d.openFile(ctx, p))
	}
	d.warn(p)
	there, err := postgres.Made(ctx, d.path)
	if err == nil && !there {
		err = fmt.Errorf("database %s: it has no tables of the service: start policyctl serve to create them, or name another with --db", d.shown(""))
	}
	if err != nil {
		return nil, err
	}
	return orNone(postgres.Open(ctx, d.path, sqlstore.Options{}))
}

// warn tells of a password that the list of processes shows.
func (d *Database) warn(p *console.Process) {
	if postgres.HasPassword(d.path) {
		console.Warn(p.Stderr, "warning: ", errors.New("others can read the password of the database in the list of processes: leave it out of the URL, and set PGPASSWORD or PGPASSFILE"))
	}
}

// orNone returns no store with an error, not a pointer to nothing.
func orNone[T Store](s T, err error) (Store, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

// openFile opens a database in a file that is there.
func (d *Database) openFile(ctx context.Context, p *console.Process) (*sqlite.DB, error) {
	path, err := d.Find(p)
	if err != nil {
		return nil, err
	}
	if err := served(path); err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, &absent{path}
	}
	return sqlite.Open(ctx, path, sqlstore.Options{})
}

// An absent is the error of a database that is not there. It is [fs.ErrNotExist].
type absent struct{ path string }

func (a *absent) Error() string {
	return "database " + a.path + ": there is none: start policyctl serve to create it, or name another with --db"
}

func (a *absent) Is(target error) bool { return target == fs.ErrNotExist }

// MayCut returns why this user of a database may not cut its audit log, nil if it may.
func MayCut(ctx context.Context, db Store) error {
	err := db.MayCut(ctx)
	if postgres.IsDenied(err) {
		return fmt.Errorf("nothing was cut off: this role of the database may not cut the audit log: name the one that owns the tables with --db, such as postgres://policyctl_owner@HOST/DATABASE: %w", errors.Unwrap(err))
	}
	return err
}

// servedSuffix is that of the file that a service locks while it works on a
// database. It says which file the database is.
const servedSuffix = ".serve"

// maxServed bounds the file in which a service says what it serves, in bytes.
const maxServed = 4 << 10

// served refuses a path at which a service that runs has another file open
// than the one that is there now, or than the one that would be made.
func served(path string) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	text, err := plainfile.ReadOwn(path+servedSuffix, maxServed)
	if err != nil || len(text) == 0 || string(text) == sqlite.Identity(path) {
		return nil // no service says that it has another one
	}
	lock := plainfile.Lock(path + servedSuffix)
	free, err := lock.TryRLock()
	if err != nil {
		return fmt.Errorf("database %s: the lock of the service: %w", path, err)
	}
	if free {
		return lock.Close()
	}
	return fmt.Errorf("database %s: it was removed or replaced while a policyctl serve was using it: stop that one, and put the file back or restore a backup", path)
}

// Owner is who acts on a database by its file.
func Owner() string { return fmt.Sprintf("uid:%d", os.Getuid()) }
