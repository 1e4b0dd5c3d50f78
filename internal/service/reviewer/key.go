package reviewer

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"

	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// Key returns the key of the API, "" where none is set. A file that others may read is
// an error.
func (s *Settings) Key(getenv func(string) string) (string, error) {
	switch {
	case s.KeyEnv != "":
		if key := strings.TrimSpace(getenv(s.KeyEnv)); key != "" {
			return key, nil
		}
		return "", fmt.Errorf("%s: reviewer %s: the variable %s is not set: set it where policyctl serve runs, or use key_file", s.Origin, s.Name, s.KeyEnv)
	case s.KeyFile != "":
		key, err := readKey(s.KeyFile)
		if errors.Is(err, fs.ErrNotExist) {
			err = errors.New("there is no such file: write the key there, and run chmod 600 on it")
		}
		if err != nil {
			return "", fmt.Errorf("%s: reviewer %s: key_file %s: %w", s.Origin, s.Name, s.KeyFile, err)
		}
		return key, nil
	}
	return "", nil
}

// readKey reads a file that is its owner's alone.
func readKey(name string) (string, error) {
	f, err := plainfile.Open(name)
	if err != nil {
		return "", plainfile.Bare(err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", err
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return "", fmt.Errorf("others may read it (mode %04o): chmod 600 keeps it to you", info.Mode().Perm())
	}
	text, err := plainfile.Content(f, 4<<10)
	if err != nil {
		return "", plainfile.Bare(err)
	}
	key := strings.TrimSpace(string(text))
	if key == "" || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errors.New("it does not hold one key on one line")
	}
	return key, nil
}
