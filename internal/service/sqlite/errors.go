package sqlite

import (
	"errors"
	"fmt"

	"github.com/ncruces/go-sqlite3"

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

// A Failure is an error of a database. Its text names the file; its cause, for
// people at the other end of a service, does not.
type Failure struct {
	path, cause string
	err         error
}

// Error names the file, the cause and what SQLite says.
func (f *Failure) Error() string {
	if f.cause == "" || f.cause == f.err.Error() {
		return fmt.Sprintf("database %s: %v", f.path, f.err)
	}
	return fmt.Sprintf("database %s: %s: %v", f.path, f.cause, f.err)
}

// Unwrap returns the error of SQLite.
func (f *Failure) Unwrap() error { return f.err }

// Cause says what is wrong and what to do, "" where that is unknown.
func (f *Failure) Cause() string { return f.cause }

// Explain implements sqlstore.Engine.
func (d *file) Explain(err error) error {
	var known *Failure
	if err == nil || errors.As(err, &known) {
		return err
	}
	f := &Failure{path: d.path, err: err}
	for _, a := range advice {
		if errors.Is(err, a.is) {
			f.cause = a.text
			break
		}
	}
	return f
}
