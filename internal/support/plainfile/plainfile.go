// Package plainfile reads and extends files that somebody else may have put
// there: a pipe, a device or a directory of that name is an error and holds
// nobody up, and no more is read than there may be.
package plainfile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/gofrs/flock"
)

// What is wrong with a file that was found.
var (
	ErrKind = errors.New("it is not a regular file")
	ErrLong = errors.New("it is larger than it may be")
)

// Open opens a file to read it.
func Open(name string) (*os.File, error) { return open(name, os.O_RDONLY) }

// Append opens a file to add to its end, and makes it where there is none: only
// its owner can read it then.
func Append(name string) (*os.File, error) {
	return open(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE)
}

func open(name string, how int) (*os.File, error) {
	const ownerOnly = 0o600
	f, err := os.OpenFile(name, how|syscall.O_NONBLOCK, ownerOnly) // a pipe does not wait for its other end
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrKind
	}
	if err != nil {
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: Bare(err)}
	}
	return f, nil
}

// Read returns the content of a file, which has at most limit bytes.
func Read(name string, limit int64) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Grow(int(min(info.Size(), limit)) + bytes.MinRead) // in one piece
	_, err = b.ReadFrom(io.LimitReader(f, limit+1))
	if err == nil && int64(b.Len()) > limit {
		err = &fs.PathError{Op: "read", Path: name, Err: ErrLong}
	}
	if err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Bare returns the error of a file operation without its path, which the
// message around it names.
func Bare(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// Lock returns the lock of a file, which is made where there is none. It is not
// locked yet.
func Lock(name string) *flock.Flock {
	return flock.New(name, flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDONLY|syscall.O_NONBLOCK))
}
