package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A program of a version without names is found under its id, which was its
// name.
func TestNamesOfBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	d, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	const columns = "id, version, submitter, key, digest, state, kind, session, created, expires, document"
	run(t, path, keysOfBefore+"DROP INDEX requests_name; ALTER TABLE requests DROP COLUMN name; DELETE FROM goose_db_version WHERE version_id >= 5;"+
		"INSERT INTO requests ("+columns+") VALUES ('clr_1', 1, 'a', 'clr_1', 'd', 'PENDING', 'clauz3.run', '', 1, 2, '{\"id\":\"clr_1\",\"version\":1,\"state\":\"PENDING\"}'),"+
		"('req_1', 1, 'a', 'k', 'd', 'PENDING', 'call', '', 1, 2, '{\"id\":\"req_1\",\"version\":1,\"state\":\"PENDING\"}')")
	if d, err = sqlite.Open(t.Context(), path, sqlite.Options{}); err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for name, want := range map[string]int{"clr_1": 1, "req_1": 0, "k": 0} {
		list, err := d.List(t.Context(), approval.Filter{Name: name})
		if err != nil || len(list) != want {
			t.Errorf("%s: %d, want %d: %v", name, len(list), want, err)
		}
	}
}
