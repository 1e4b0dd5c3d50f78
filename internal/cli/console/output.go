package console

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// An Output is a file that is written whole or not at all.
type Output struct {
	Name string
	// What the file is, and Ours reports whether one that is there is such a file
	// too: nothing else is replaced.
	What string
	Ours func(old []byte) bool
	// Inputs are files that must not be replaced either.
	Inputs []string
}

// maxOutput bounds a file that may be replaced.
const maxOutput = 32 << 20

// Check says before the work is done whether the file can be written.
func (o *Output) Check() error {
	info, err := os.Stat(o.Name)
	switch {
	case o.Name == "-":
		return Usagef("-: the output is a file: name one, as in ./-")
	case errors.Is(err, fs.ErrNotExist):
		return o.checkDirectory()
	case err != nil:
		return fmt.Errorf("%s: %w: check the path of --output", o.Name, plainfile.Bare(err))
	case info.IsDir():
		return Usagef("%s: it is a directory: name a file in it with --output", o.Name)
	case !info.Mode().IsRegular():
		return Usagef("%s: it cannot be replaced: name another file with --output", o.Name)
	}
	for _, input := range o.Inputs {
		if in, err := os.Stat(input); err == nil && os.SameFile(in, info) {
			return Usagef("%s: it is read, and would be overwritten: name another file with --output", o.Name)
		}
	}
	old, err := ReadUpTo(o.Name, maxOutput)
	if err != nil || len(old) > 0 && !o.Ours(old) {
		return Usagef("%s: it exists and is not %s: remove it, or name another file with --output", o.Name, o.What)
	}
	return nil
}

func (o *Output) checkDirectory() error {
	dir := filepath.Dir(o.Name)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return Usagef("%s: there is no directory %s: make it, or name another file with --output", o.Name, dir)
	}
	return nil
}

// Write exchanges the file for one with other content, at once.
func (o *Output) Write(data []byte) error {
	target := o.Name
	if followed, err := filepath.EvalSymlinks(target); err == nil {
		target = followed
	}
	temp, err := os.CreateTemp(filepath.Dir(target), ".policyctl-*.tmp")
	if err != nil {
		return fmt.Errorf("%s: %w: check the permissions of its directory", o.Name, plainfile.Bare(err))
	}
	defer os.Remove(temp.Name()) // after the rename there is nothing to remove
	_, err = temp.Write(data)
	if err := errors.Join(err, temp.Chmod(0o644), temp.Sync(), temp.Close()); err != nil {
		return fmt.Errorf("%s: %w", o.Name, plainfile.Bare(err))
	}
	if err := os.Rename(temp.Name(), target); err != nil {
		return fmt.Errorf("%s: %w: check the permissions of its directory", o.Name, unlinked(err))
	}
	return nil
}

// unlinked returns the error of a renaming without its paths.
func unlinked(err error) error {
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}
