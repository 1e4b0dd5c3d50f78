package console

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"

	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// StandardInput is how the standard input is named where a file is.
const StandardInput = "-"

// open opens a file, or the standard input.
func open(name string) (*os.File, error) {
	if name == StandardInput {
		return os.Stdin, nil
	}
	return os.Open(name)
}

// ReadUpTo reads a file of at most so many bytes.
func ReadUpTo(name string, most int64) ([]byte, error) {
	f, err := open(name)
	if err != nil {
		return nil, plainfile.Bare(err)
	}
	defer f.Close()
	data, err := plainfile.ReadAll(f, most)
	return data, plainfile.Bare(err)
}

// ReadFile reads the beginning of a file, of which a policy needs no more.
func ReadFile(name string) ([]byte, error) {
	f, err := open(name)
	if err != nil {
		return nil, plainfile.Bare(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPolicy))
	return data, plainfile.Bare(err)
}

// maxPolicy bounds how much of a file is read; config refuses far less.
const maxPolicy = 5 << 20

// MaxKey bounds the file of a key.
const MaxKey = 64 << 10

// OthersRead reports whether others than the owner may read a file.
func OthersRead(name string) bool {
	info, err := os.Stat(name)
	return err == nil && runtime.GOOS != "windows" && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0
}

// WriteNew writes a file that is not there yet and that a flag names. What could not be
// written whole is removed.
func WriteNew(flag, name string, mode fs.FileMode, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return Usagef("%s: it exists: remove it, or name another file with --%s", name, flag)
	}
	if err != nil {
		return fmt.Errorf("%s: %w: check the path of --%s", name, plainfile.Bare(err), flag)
	}
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", name, plainfile.Bare(err)), os.Remove(name))
	}
	return nil
}
