// Package atomicfile replaces files in one step that lasts: a reader, also after
// a crash or a loss of power, finds the old content or the new one.
//
// It takes no lock: of two that write at once the last one counts.
package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// Write replaces a file, or makes it, so that only its owner can read it. What
// is written first stands beside the file, under a name that begins with a
// prefix; a crash may leave it there.
func Write(file, prefix string, data []byte) error {
	dir := filepath.Dir(file)
	f, err := os.CreateTemp(dir, prefix+"*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // after the rename there is nothing to remove
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), file); err != nil {
		return err
	}
	return SyncDir(dir)
}

// SyncDir makes the names in a directory last. Windows has no such call.
func SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
