//go:build unix

package sqlite_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"

	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/service/storetest"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A backup that is made while others write is whole, is for its owner alone
// whatever the umask is, and replaces nothing.
func TestBackup(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	path := newPath(t)
	d := open(t, path, sqlite.Options{})
	defer shut(t, d)
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			r, e := storetest.Typical(fmt.Sprint("r", i))
			if _, _, _, err := d.Create(t.Context(), r, e); err != nil {
				t.Error(err)
			}
		})
	}
	copied := filepath.Join(filepath.Dir(path), "copy.db")
	if err := d.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	if info, err := os.Stat(copied); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	for _, taken := range []string{copied, path, filepath.Dir(path)} {
		before, _ := os.ReadFile(taken)
		if err := d.Backup(t.Context(), taken); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", taken, err)
		}
		if after, _ := os.ReadFile(taken); string(after) != string(before) {
			t.Errorf("%s was changed", taken)
		}
	}
	if err := d.Backup(t.Context(), filepath.Join(filepath.Dir(path), "none", "x")); err == nil {
		t.Error("a directory that is not there is no error")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".policyctl-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	b := open(t, copied, sqlite.Options{})
	defer shut(t, b)
	list, err := b.List(t.Context(), approval.Filter{Limit: approval.MaxLimit})
	head, fault := b.AuditHead(t.Context())
	if err != nil || fault != nil || head != nil && int(head.Seq) != len(list) {
		t.Errorf("%d requests, %+v, %v %v", len(list), head, err, fault)
	}
	var v audit.Verifier
	records, _ := b.Audit(t.Context(), 0, 1000)
	for _, r := range records {
		if err := v.Check(r); err != nil {
			t.Fatal(err)
		}
	}
}

// A disk that is too small for the backup keeps nothing of it.
func TestBackupFull(t *testing.T) {
	small := filepath.Join(t.TempDir(), "small")
	mountSmall(t, small, "64k")
	d := open(t, newPath(t), sqlite.Options{})
	defer shut(t, d)
	for i := range 100 {
		r, e := storetest.Typical(fmt.Sprint("r", i))
		if _, _, _, err := d.Create(t.Context(), r, e); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Backup(t.Context(), filepath.Join(small, "copy.db")); err == nil {
		t.Error("a backup on a full disk is no error")
	}
	if left, err := os.ReadDir(small); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if err := d.Check(); err != nil {
		t.Error(err)
	}
}

// A file that is no database of this program is not touched: neither what it
// holds, nor its mode, nor what lies beside it.
func TestOpenTouchesNothing(t *testing.T) {
	for name, make := range map[string]func(path string){
		"a letter":               func(path string) { write(t, path, "Dear Ann,\n") },
		"a short file":           func(path string) { write(t, path, "x") },
		"a program":              func(path string) { write(t, path, "#!/bin/sh\necho\n") },
		"another database":       func(path string) { run(t, path, "CREATE TABLE bookmarks (url TEXT)") },
		"another database, WAL":  func(path string) { run(t, path, "PRAGMA journal_mode = WAL", "CREATE TABLE bookmarks (url TEXT)") },
		"another marked one":     func(path string) { run(t, path, "PRAGMA application_id = 7", "VACUUM") },
		"a header and no more":   func(path string) { write(t, path, "SQLite format 3\x00") },
		"the header of ours cut": func(path string) { shut(t, open(t, path, sqlite.Options{})); truncate(t, path, 90) },
	} {
		path := newPath(t)
		make(path)
		chmod(t, path, 0o755)
		before, _ := os.ReadFile(path)
		there, _ := filepath.Glob(path + "?*")
		if d, err := sqlite.Open(t.Context(), path, sqlite.Options{}); err == nil {
			shut(t, d)
			t.Errorf("%s: opened", name)
		}
		after, _ := os.ReadFile(path)
		info, err := os.Stat(path)
		if err != nil || info.Mode() != 0o755 || string(after) != string(before) {
			t.Errorf("%s: touched: %v %v", name, info.Mode(), err)
		}
		if beside, _ := filepath.Glob(path + "?*"); !slices.Equal(beside, there) {
			t.Errorf("%s: %v beside it, before %v", name, beside, there)
		}
	}
}

func truncate(t *testing.T, path string, size int64) {
	t.Helper()
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}
