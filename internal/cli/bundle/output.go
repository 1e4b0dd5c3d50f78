package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/policyctl/policyctl/internal/support/plainfile"

	"github.com/policyctl/policyctl/internal/cli/console"
)

// An output is a file that is written whole or not at all.
type output struct {
	name string
	// what the file is, and ours reports whether one that is there is such a file
	// too: nothing else is replaced.
	what string
	ours func(old []byte) bool
	// inputs are files that must not be replaced either.
	inputs []string
}

// maxOutput bounds a file that may be replaced.
const maxOutput = maxArchive

// check says before the work is done whether the file can be written.
func (o *output) check() error {
	info, err := os.Stat(o.name)
	switch {
	case o.name == "-":
		return console.Usagef("-: the output is a file: name one, as in ./-")
	case errors.Is(err, fs.ErrNotExist):
		return o.checkDirectory()
	case err != nil:
		return fmt.Errorf("%s: %w: check the path of --output", o.name, plainfile.Bare(err))
	case info.IsDir():
		return console.Usagef("%s: it is a directory: name a file in it with --output", o.name)
	case !info.Mode().IsRegular():
		return console.Usagef("%s: it cannot be replaced: name another file with --output", o.name)
	}
	for _, input := range o.inputs {
		if in, err := os.Stat(input); err == nil && os.SameFile(in, info) {
			return console.Usagef("%s: it is read, and would be overwritten: name another file with --output", o.name)
		}
	}
	old, err := console.ReadUpTo(o.name, maxOutput)
	if err != nil || len(old) > 0 && !o.ours(old) {
		return console.Usagef("%s: it exists and is not %s: remove it, or name another file with --output", o.name, o.what)
	}
	return nil
}

func (o *output) checkDirectory() error {
	dir := filepath.Dir(o.name)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return console.Usagef("%s: there is no directory %s: make it, or name another file with --output", o.name, dir)
	}
	return nil
}

// write exchanges the file for one with other content, at once.
func (o *output) write(data []byte) error {
	target := o.name
	if followed, err := filepath.EvalSymlinks(target); err == nil {
		target = followed
	}
	temp, err := os.CreateTemp(filepath.Dir(target), ".policyctl-*.tmp")
	if err != nil {
		return fmt.Errorf("%s: %w: check the permissions of its directory", o.name, plainfile.Bare(err))
	}
	defer os.Remove(temp.Name()) // after the rename there is nothing to remove
	_, err = temp.Write(data)
	if err := errors.Join(err, temp.Chmod(0o644), temp.Sync(), temp.Close()); err != nil {
		return fmt.Errorf("%s: %w", o.name, plainfile.Bare(err))
	}
	if err := os.Rename(temp.Name(), target); err != nil {
		return fmt.Errorf("%s: %w: check the permissions of its directory", o.name, unlinked(err))
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
