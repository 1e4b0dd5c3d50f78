package install

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/policyctl/policyctl/internal/support/atomicfile"
	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// passing is in the path of a program that npx has fetched. npm may clear that folder,
// and an agent whose hook is gone is unguarded, or blocked.
const passing = "/_npx/"

// Lasting returns the path at which a program stays: its own, or, where npx has fetched
// it for this once, one in ~/.local/bin. Then the plan copies it there, with the program
// beside it.
func (p *Plan) Lasting(program string, place Place) (string, error) {
	if !strings.Contains(filepath.ToSlash(program), passing) {
		return program, nil
	}
	if !filepath.IsAbs(place.Home) {
		return "", fmt.Errorf("npm may remove %s at any time, and no home directory is known to copy it to: set HOME", program)
	}
	for _, name := range []string{full, small} {
		from := filepath.Join(filepath.Dir(program), name)
		if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) && from != program {
			continue
		}
		if err := p.copy(from, filepath.Join(place.Home, ".local", "bin", name)); err != nil {
			return "", err
		}
	}
	return filepath.Join(place.Home, ".local", "bin", filepath.Base(program)), nil
}

// copy adds a copy of a program, unless it is there.
func (p *Plan) copy(from, to string) error {
	want, err := digest(from)
	if err != nil {
		return err
	}
	f := &file{path: to, target: resolved(to)}
	has, err := digest(f.target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case bytes.Equal(want, has):
		return nil
	default:
		f.exists = true
	}
	p.Changes = append(p.Changes, Change{file: f, program: from})
	return nil
}

// digest returns the SHA-256 of a file.
func digest(name string) ([]byte, error) {
	in, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, in); err != nil {
		return nil, fmt.Errorf("%s: %w", name, plainfile.Bare(err))
	}
	return sum.Sum(nil), nil
}

// copy makes the file a copy of its program, at once.
func (c Change) copy() error {
	in, err := os.Open(c.program)
	if err != nil {
		return err
	}
	defer in.Close()
	dir := filepath.Dir(c.file.target)
	if err := c.file.makeDir(dir); err != nil {
		return fmt.Errorf("%s: %w: check the permissions above it", dir, plainfile.Bare(err))
	}
	temp, err := os.CreateTemp(dir, ".policyctl-*.tmp")
	if err != nil {
		return fmt.Errorf("%s: %w: check its permissions", dir, plainfile.Bare(err))
	}
	defer os.Remove(temp.Name()) // after the rename there is nothing to remove
	_, err = io.Copy(temp, in)
	if err = errors.Join(err, temp.Chmod(0o755), temp.Sync(), temp.Close()); err != nil {
		return fmt.Errorf("%s: %w", temp.Name(), plainfile.Bare(err))
	}
	if err := os.Rename(temp.Name(), c.file.target); err != nil {
		return fmt.Errorf("%s: %w", c.file.target, plainfile.Bare(err))
	}
	return plainfile.Bare(atomicfile.SyncDir(dir))
}
