package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// backupTime is the time in the name of a backup; backups sort by it.
const backupTime = "20060102T150405.000Z"

// backup keeps the file beside itself and returns under which path.
func (f *file) backup(now time.Time) (string, error) {
	path := f.target + ".policyctl-" + now.UTC().Format(backupTime) + ".bak"
	out, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) { // two changes within a millisecond
		return f.backup(now.Add(time.Millisecond))
	}
	if err != nil {
		return "", fmt.Errorf("no backup: %s: %w: check the permissions of its directory", path, plainfile.Bare(err))
	}
	if err := f.fill(out, f.text); err != nil {
		return "", errors.Join(fmt.Errorf("no backup: %s: %w", path, plainfile.Bare(err)), os.Remove(path))
	}
	return path, nil
}

// earlier returns the newest settings that were kept before they had a hook of
// ours, or nil.
func (a *Agent) earlier(f *file) *document {
	for _, text := range f.backups() {
		d, err := a.strict(text)
		if err != nil {
			continue
		}
		if h, err := a.last(d); err == nil && h == nil {
			d.text = text
			return d
		}
	}
	return nil
}

// backups returns the texts of the backups, the newest first.
func (f *file) backups() (out []string) {
	entries, err := os.ReadDir(filepath.Dir(f.target))
	if err != nil {
		return nil
	}
	slices.Reverse(entries)
	for _, e := range entries {
		ok, err := filepath.Match(filepath.Base(f.target)+".policyctl-*.bak", e.Name())
		if err != nil || !ok || e.Type()&fs.ModeType != 0 {
			continue
		}
		if data, err := readBounded(filepath.Join(filepath.Dir(f.target), e.Name())); err == nil {
			out = append(out, string(data))
		}
	}
	return out
}
