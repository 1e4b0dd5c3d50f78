package sqlite

import (
	"errors"

	"github.com/ncruces/go-sqlite3"

	"github.com/policyctl/policyctl/internal/service/sqlstore"
	"github.com/policyctl/policyctl/pkg/approval"
)

// advice says what to do about errors of SQLite, and of what it keeps.
var advice = []struct {
	is   error
	text string
}{
	{ErrGone, ErrGone.Error()},
	{approval.ErrDamaged, "what is stored of it is damaged: restore a backup"},
	{sqlite3.FULL, "the disk is full and nothing of this was stored: free space and try again"},
	{sqlite3.CORRUPT, "the file is damaged: stop the service, keep a copy of the file, and restore a backup"},
	{sqlite3.NOTADB, "the file is no SQLite database: give another path, or restore a backup"},
	{sqlite3.READONLY, "it cannot be written: check the permissions of the file, of its directory and of the file system"},
	{sqlite3.CANTOPEN, "it cannot be opened: check the permissions of the file and of its directory"},
	{sqlite3.BUSY, "another process has kept it locked for " + busyTimeout.String() + ": end that process, or try again"},
	// A full disk is often said to be this.
	{sqlite3.IOERR, "the file system fails or is full, and nothing of this was stored: check the disk and its free space"},
}

// IsFull reports whether an error is that of a disk without space.
func IsFull(err error) bool { return errors.Is(err, sqlite3.FULL) }

// Explain implements sqlstore.Engine.
func (d *file) Explain(err error) error {
	return sqlstore.Fail(d.path, err, func(err error) string {
		for _, a := range advice {
			if errors.Is(err, a.is) {
				return a.text
			}
		}
		return ""
	})
}
