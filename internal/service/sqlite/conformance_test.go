package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/service/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Place {
		path := newPath(t)
		return func(o storetest.Options) storetest.Store {
			return open(t, path, sqlite.Options{Notify: o.Notify, KeepEvents: o.KeepEvents, KeepCalls: o.KeepCalls})
		}
	})
}

// newPath returns a path in a new directory that is nobody else's.
func newPath(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "policyctl.db")
}

// open opens a database.
func open(t testing.TB, path string, o sqlite.Options) *sqlite.DB {
	t.Helper()
	d, err := sqlite.Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestPrune(t *testing.T) {
	storetest.Prune(t, func(t *testing.T) (owner, serving storetest.Place) {
		path := newPath(t)
		place := func(o storetest.Options) storetest.Store {
			return open(t, path, sqlite.Options{Notify: o.Notify, KeepEvents: o.KeepEvents, KeepCalls: o.KeepCalls})
		}
		return place, place
	})
}
