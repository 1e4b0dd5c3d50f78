// Package plainfile reads and extends files that somebody else may have put
// there: a pipe, a device or a directory of that name is an error and holds
// nobody up, and no more is read than there may be.
package plainfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gofrs/flock"
)

// ErrKind is the error of a file that was found and is none to read.
var ErrKind = errors.New("it is not a regular file")

// A Long is the error of what has more bytes than so many.
type Long int64

func (l Long) Error() string {
	switch {
	case l >= 1<<20:
		return fmt.Sprintf("it is larger than %d MiB", l>>20)
	case l >= 1<<10:
		return fmt.Sprintf("it is larger than %d KiB", l>>10)
	}
	return fmt.Sprintf("it is larger than %d bytes", int64(l))
}

// Open opens a file to read it.
func Open(name string) (*os.File, error) { return open(name, os.O_RDONLY) }

// Append opens a file of ours to add to its end, and makes it where there is none: only
// its owner can read it then. A link of that name is an error.
func Append(name string) (*os.File, error) {
	return openOwn(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE)
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
	return Content(f, limit)
}

// A Link is the error of a file of ours in whose place there is a link. It says what to
// do; the value is where the link leads.
type Link string

func (l Link) Error() string {
	return fmt.Sprintf("it is a link to %s, and no link is followed here: give the path of the file itself, or put the file in place of the link", string(l))
}

// NoLink returns a [Link] if there is a link of that name.
func NoLink(name string) error {
	target, err := os.Readlink(name)
	if err != nil {
		return nil // it is none, or whoever opens it learns why
	}
	return &fs.PathError{Op: "open", Path: name, Err: Link(target)}
}

// OpenOwn is [Open] for a file that the program itself has written: a link of that name is
// somebody else's, and a [Link].
func OpenOwn(name string) (*os.File, error) { return openOwn(name, os.O_RDONLY) }

// openOwn opens a file of ours. Where the system can refuse links, no link can come in
// between.
func openOwn(name string, how int) (*os.File, error) {
	if err := refused(name); err != nil {
		return nil, err
	}
	f, err := open(name, how|noFollow)
	if errors.Is(err, syscall.ELOOP) {
		return nil, cmp.Or(NoLink(name), err)
	}
	return f, err
}

// WriteOwn writes a file in place, for its owner alone; a link of that name is an error.
func WriteOwn(name string, data []byte) error {
	f, err := openOwn(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// ReadOwn is [Read] of a file that the program itself has written.
func ReadOwn(name string, limit int64) ([]byte, error) {
	f, err := OpenOwn(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Content(f, limit)
}

// Content is [Read] of a file that is open.
func Content(f *os.File, limit int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data, err := upTo(f, min(info.Size(), limit), limit)
	if errors.Is(err, Long(limit)) {
		err = &fs.PathError{Op: "read", Path: f.Name(), Err: err}
	}
	return data, err
}

// ReadAll reads what has at most limit bytes.
func ReadAll(r io.Reader, limit int64) ([]byte, error) { return upTo(r, 0, limit) }

// upTo reads what has at most limit bytes and probably so many, in one piece then.
func upTo(r io.Reader, size, limit int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(size) + bytes.MinRead)
	_, err := b.ReadFrom(io.LimitReader(r, limit+1))
	if err == nil && int64(b.Len()) > limit {
		err = Long(limit)
	}
	if err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Named returns the paths of what a directory holds under some names; nothing is
// in a directory that is not there.
func Named(dir string, is func(name string) bool) (found []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if is(e.Name()) {
			found = append(found, filepath.Join(dir, e.Name()))
		}
	}
	return found, err
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
	return flock.New(name, flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDONLY|noFollow|syscall.O_NONBLOCK))
}
