package sqlite_test

import (
	"github.com/ncruces/go-sqlite3/driver"
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

// A program that knows the table of rules by its other columns adds one while the service
// has the database open.
func TestRuleOfAnother(t *testing.T) {
	path := newPath(t)
	d := open(t, path, sqlite.Options{})
	defer d.Close()
	other, err := driver.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	const row = `INSERT INTO approval_rules (id, priority, source, decision, created_at, updated_at) VALUES ('x', 5, '{}', 'deny', '2026-01-01', '2026-01-01')`
	if _, err := other.ExecContext(t.Context(), row); err != nil {
		t.Fatal(err)
	}
	rules, err := d.Rules(t.Context())
	if err != nil || len(rules) != 1 || rules[0].Enabled != 1 || rules[0].Dialect != "pattern" {
		t.Errorf("%+v, %v", rules, err)
	}
	var indexes int
	err = other.QueryRowContext(t.Context(), "SELECT count(*) FROM pragma_index_info('rules_scope_idx') WHERE name IN ('scope_plugin_id', 'scope_profile_id', 'priority')").Scan(&indexes)
	if err != nil || indexes != 3 {
		t.Errorf("the index has %d columns, %v", indexes, err)
	}
}
