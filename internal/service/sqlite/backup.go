package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/policyctl/policyctl/internal/support/atomicfile"
)

// Backup writes a whole copy of the database as it is at one moment to a file
// that is not there yet, while others write to it. Only its owner can read the
// copy at any time: it holds all that the database holds, but for private keys of
// a program of before. A copy that could not be written whole is removed.
func (d *DB) Backup(ctx context.Context, path string) error {
	if err := d.Check(); err != nil {
		return err
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fmt.Errorf("backup %s: %w: name a file that is not there yet", path, fs.ErrExist), err)
	}
	dir := filepath.Dir(path)
	// SQLite would make the file with the mode of the umask, and writes into an
	// empty one that is there.
	f, err := os.CreateTemp(dir, ".policyctl-backup-*") // 0600
	if err != nil {
		return fmt.Errorf("backup %s: %w", path, err)
	}
	defer os.Remove(f.Name()) // after the link it has another name
	err = errors.Join(d.vacuumInto(ctx, f.Name()), f.Sync(), f.Close())
	if err == nil {
		err = os.Link(f.Name(), path) // which replaces nothing, unlike a rename
	}
	if err == nil {
		err = atomicfile.SyncDir(dir)
	}
	if err != nil {
		return fmt.Errorf("backup %s: %w", path, err)
	}
	return nil
}

func (d *DB) vacuumInto(ctx context.Context, path string) error {
	c, err := connect(d.file.path, "")
	if err != nil {
		return d.file.Explain(err)
	}
	defer c.Close()
	if _, err := c.ExecContext(ctx, "VACUUM INTO ?", path); err != nil {
		return d.file.Explain(err)
	}
	copied, err := connect(path, "PRAGMA secure_delete = ON")
	if err != nil {
		return err
	}
	_, err = copied.ExecContext(ctx, "DROP TABLE IF EXISTS kept_keys") // which no copy needs
	return errors.Join(err, copied.Close())
}

// Snapshot begins a transaction that reads the database as it is at one moment. It must
// be rolled back.
func (d *DB) Snapshot(ctx context.Context) (*sql.Tx, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	t, err := d.file.readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	return t, d.file.Explain(err)
}
