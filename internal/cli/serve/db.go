package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
	"github.com/spf13/pflag"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/support/rendezvous"
)

// A Database names the file of the approval service. Who may write the file
// may do all that the service may.
type Database struct{ path string }

// Register adds the flags.
func (d *Database) Register(flags *pflag.FlagSet) {
	flags.StringVar(&d.path, "db", "", "the `FILE` of the service's database (default approval/approval.db where policyctl keeps its state)")
}

// databaseFile is the name of the database in the directory of the service.
const databaseFile = "approval.db"

// Find returns the absolute path of the database.
func (d *Database) Find(p *console.Process) (string, error) {
	if d.path != "" {
		return p.Absolute(d.path)
	}
	place, err := p.Policies()
	return filepath.Join(rendezvous.Dir(place.State), databaseFile), err
}

// make opens the database, or makes one. The directory that it has by default
// is made too.
func (d *Database) make(ctx context.Context, p *console.Process, o sqlite.Options) (*sqlite.DB, error) {
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
	return sqlite.Open(ctx, path, o)
}

// Open opens a database that is there.
func (d *Database) Open(ctx context.Context, p *console.Process) (*sqlite.DB, error) {
	path, err := d.Find(p)
	if err != nil {
		return nil, err
	}
	if err := served(path); err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("database %s: there is none: policyctl serve makes one, --db names another", path)
	}
	return sqlite.Open(ctx, path, sqlite.Options{})
}

// servedSuffix is that of the file that a service locks while it works on a
// database. It says which file the database is.
const servedSuffix = ".serve"

// served refuses a path at which a service that runs has another file open
// than the one that is there now, or than the one that would be made.
func served(path string) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	text, err := os.ReadFile(path + servedSuffix)
	if err != nil || len(text) == 0 || string(text) == sqlite.Identity(path) {
		return nil // no service says that it has another one
	}
	lock := flock.New(path+servedSuffix, flock.SetPermissions(0o600))
	free, err := lock.TryRLock()
	if err != nil {
		return fmt.Errorf("database %s: the lock of the service: %w", path, err)
	}
	if free {
		return lock.Close()
	}
	return fmt.Errorf("database %s: it was removed or replaced while a policyctl serve works on it: stop that one, and put the file back or restore a backup", path)
}

// owner is who acts on a database by its file.
func owner() string { return fmt.Sprintf("uid:%d", os.Getuid()) }
