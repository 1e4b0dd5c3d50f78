package subscription

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// newPrefix begins the names of files that are being written.
const newPrefix = "new-"

// replace writes a file in one step that lasts: a reader, also after a loss
// of power, sees the old content or the new one. Only the owner may read it.
func replace(file string, data []byte) error {
	dir := filepath.Dir(file)
	f, err := os.CreateTemp(dir, newPrefix+"*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), file); err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes a rename last. Windows has no such call.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
