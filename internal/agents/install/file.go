package install

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/policyctl/policyctl/internal/support/atomicfile"
	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// maxFile bounds how large settings may be.
const maxFile = 4 << 20

// A file is a settings file as it was read.
type file struct {
	path string
	// target is where links lead.
	target string
	exists bool
	info   fs.FileInfo // nil if it does not exist
	text   string
	// shared says that a new file is for all users to read, and its directory
	// with it.
	shared bool
	// executable says that a new file is a program.
	executable bool
}

// openFile reads a file, which need not exist.
func openFile(path string) (*file, error) {
	f := &file{path: path, target: resolved(path)}
	if _, err := os.Lstat(f.target); errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	info, err := os.Stat(f.target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s is a broken link: remove it, or create its target", path)
	case err != nil:
		return nil, fmt.Errorf("%s: %w: check the permissions of its directory", path, plainfile.Bare(err))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file: move it away", path)
	}
	data, err := readBounded(f.target)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f.exists, f.info, f.text = true, info, string(data)
	return f, nil
}

func readBounded(path string) ([]byte, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: check its permissions", plainfile.Bare(err))
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("it has more than %d MiB, which no settings have: check the path", maxFile>>20)
	}
	return data, err
}

// writable returns an error for a file that says that it is not to be written.
func (f *file) writable() error {
	if f.exists && f.info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("%s is read-only: run chmod u+w on it if you mean to change it", f.path)
	}
	return nil
}

// isLink reports whether the path is that of a link.
func (f *file) isLink() bool {
	info, err := os.Lstat(f.path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// at returns an error with the path before the place.
func (f *file) at(err error) error {
	if _, ok := errors.AsType[*placeError](err); ok {
		return fmt.Errorf("%s:%w", f.path, err)
	}
	return fmt.Errorf("%s: %w", f.path, err)
}

// unchanged returns an error if the file is no longer what was read.
func (f *file) unchanged() error {
	now, err := readBounded(f.target)
	switch {
	case !f.exists && errors.Is(err, fs.ErrNotExist):
		return nil
	case f.exists && err == nil && bytes.Equal(now, []byte(f.text)):
		return nil
	}
	return fmt.Errorf("%s has changed meanwhile: try again", f.path)
}

// write exchanges the file for one with another text, at once.
func (f *file) write(text string) error {
	dir := filepath.Dir(f.target)
	if err := f.makeDir(dir); err != nil {
		return fmt.Errorf("%s: %w: check the permissions above it", dir, plainfile.Bare(err))
	}
	temp, err := os.CreateTemp(dir, ".policyctl-*.tmp")
	if err != nil {
		return fmt.Errorf("%s: %w: check its permissions", dir, plainfile.Bare(err))
	}
	defer os.Remove(temp.Name()) // after the rename there is nothing to remove
	if err := f.fill(temp, text); err != nil {
		return fmt.Errorf("%s: %w", temp.Name(), plainfile.Bare(err))
	}
	if err := os.Rename(temp.Name(), f.target); err != nil {
		return fmt.Errorf("%s: %w", f.target, plainfile.Bare(err))
	}
	return plainfile.Bare(atomicfile.SyncDir(dir))
}

// makeDir creates a directory and what is missing above it: for the user
// alone, or for all users to read whatever the umask says.
func (f *file) makeDir(dir string) error {
	if !f.shared {
		return os.MkdirAll(dir, 0o700)
	}
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := f.makeDir(filepath.Dir(dir)); err != nil {
		return err
	}
	return errors.Join(os.Mkdir(dir, 0o755), os.Chmod(dir, 0o755))
}

// fill writes the text, and gives the new file the permissions of the old.
func (f *file) fill(out *os.File, text string) error {
	mode := fs.FileMode(0o600)
	switch {
	case f.executable:
		mode = 0o700
	case f.shared:
		mode = 0o644
	}
	if f.info != nil {
		mode = f.info.Mode().Perm()
		if err := giveTo(out, f.info); err != nil {
			out.Close()
			return err
		}
	}
	_, err := out.WriteString(text)
	return errors.Join(err, out.Chmod(mode), out.Sync(), out.Close())
}

// delete removes the file.
func (f *file) delete() error {
	if err := removeFile(f.target); err != nil {
		return err
	}
	return plainfile.Bare(atomicfile.SyncDir(filepath.Dir(f.target)))
}

func removeFile(path string) error {
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("%s: %w: check the permissions of its directory", path, plainfile.Bare(err))
	}
	return nil
}
