package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// The files beside a database: the write-ahead log, its index, and the one
// that is locked while the schema changes.
const (
	walSuffix  = "-wal"
	shmSuffix  = "-shm"
	lockSuffix = ".lock"
)

// place makes the file of a database if there is none, and returns its path
// without links. Only its owner can put another one in its place. A file that
// is there is looked at and not touched.
func place(path string) (string, error) {
	resolved, err := resolve(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	if err := checkDir(filepath.Dir(resolved)); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	if err := create(resolved); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	if err := checkHeader(resolved); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return resolved, nil
}

// What the header of a database says (https://sqlite.org/fileformat.html).
const (
	headerSize    = 100
	headerMagic   = "SQLite format 3\x00"
	applicationAt = 68
)

// checkHeader refuses a file that is surely none of ours, before SQLite looks
// at it: that may write beside it. A file without a mark may be one that is
// being made, and one that is written just now may be read half: it is looked
// at again before it is refused.
func checkHeader(path string) (err error) {
	for range 5 {
		if err = readHeader(path); !errors.Is(err, errNoDatabase) {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	return err
}

var errNoDatabase = errors.New("the file is no SQLite database: give another path, or restore a backup")

func readHeader(path string) error {
	f, err := plainfile.OpenOwn(path)
	if err != nil {
		return fmt.Errorf("%w: check the permissions of the file", err)
	}
	defer f.Close()
	header := make([]byte, headerSize)
	switch n, err := io.ReadFull(f, header); {
	case n == 0 && err == io.EOF:
		return nil // an empty database
	case err != nil || string(header[:len(headerMagic)]) != headerMagic:
		return errNoDatabase
	}
	mark := binary.BigEndian.Uint32(header[applicationAt:])
	if mark != 0 && mark != applicationID {
		return errOthers
	}
	return nil
}

// errOthers says whose a file is.
var errOthers = errors.New("it is the file of another program: give another path")

// resolve follows the links of directories. The database and the files beside it are ours:
// a link in their place could lead what is stored anywhere.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for _, suffix := range []string{"", walSuffix, shmSuffix, lockSuffix} {
		switch err := plainfile.NoLink(path + suffix); {
		case err != nil && suffix == "":
			return "", plainfile.Bare(err)
		case err != nil:
			return "", err
		}
	}
	dir := filepath.Dir(path)
	target, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no directory %s: make it with mkdir -m 700, or give another path", dir)
	}
	return filepath.Join(target, filepath.Base(path)), err
}

func checkDir(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory: give another path", dir)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("others may write to the directory %s: run chmod 700 on it, or give another path", dir)
	}
	return nil
}

// create makes an empty file, which is an empty database, if there is none.
func create(path string) error {
	if err := alone(path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case err == nil:
		return f.Close()
	case !errors.Is(err, fs.ErrExist):
		return fmt.Errorf("the file cannot be made: %w: check the permissions of its directory and the file system", err)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("it is not a file: give another path")
	}
	return nil
}

// alone refuses a path at which the rest of a database lies that is gone.
func alone(path string) error {
	_, err := os.Stat(path)
	info, left := os.Lstat(path + walSuffix)
	if errors.Is(err, fs.ErrNotExist) && left == nil && info.Size() > 0 {
		return fmt.Errorf("the database is gone and its write-ahead log %s is still there: put the database back or restore a backup, or move the log away", path+walSuffix)
	}
	return nil
}

// tighten takes the files from everybody but their owner.
func tighten(path string) error {
	for _, suffix := range []string{"", walSuffix, shmSuffix} {
		info, err := os.Lstat(path + suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			err = os.Chmod(path+suffix, 0o600)
		}
		if err != nil {
			return fmt.Errorf("%s: others may read it: %w: give it to the user of the service", path+suffix, err)
		}
	}
	return nil
}
