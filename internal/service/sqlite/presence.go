package sqlite

import (
	"errors"
	"os"
)

// ErrGone says that the file of the database is not the one that was opened:
// it was removed or replaced, or its write-ahead log was. SQLite goes on with
// what nobody else can reach, and all of it ends with the process.
var ErrGone = errors.New("the file was removed or replaced while it was open, and nothing is stored or read any more: " +
	"stop the service, and put the file back or restore a backup")

// files are those of a database as they were when it was opened.
type files map[string]os.FileInfo

// filesOf looks at the files of a database that is open.
func filesOf(path string) (files, error) {
	f := make(files)
	for _, suffix := range []string{"", walSuffix, shmSuffix} {
		info, err := os.Lstat(path + suffix)
		if err != nil {
			return nil, err
		}
		f[path+suffix] = info
	}
	return f, nil
}

// Check returns [ErrGone] where the files are not those that were opened: what
// is acknowledged then would be lost.
func (d *file) Check() error {
	for path, opened := range d.files {
		if now, err := os.Lstat(path); err != nil || !os.SameFile(opened, now) {
			return d.Explain(ErrGone)
		}
	}
	return nil
}
