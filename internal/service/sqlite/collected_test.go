package sqlite_test

import (
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/pkg/audit"
)

// What a version without records of decisions has in its index is found by stage as
// well.
func TestCollectedOfBefore(t *testing.T) {
	path := newPath(t)
	d := open(t, path, sqlite.Options{})
	e := audit.Entry{Time: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), Kind: audit.KindRequest, Actor: "token:a", Stage: "confirm"}
	for range 300 {
		if err := d.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.SearchAudit(t.Context(), audit.Filter{Text: "confirm"}); err != nil {
		t.Fatal(err)
	}
	shut(t, d)
	run(t, path, `UPDATE audit_search SET words = 'x', marks = 'x' WHERE rowid > 0; DROP TABLE collected; DROP TABLE shelves; `+baseOfBefore+` DELETE FROM goose_db_version WHERE version_id >= 14;`)
	d = open(t, path, sqlite.Options{})
	defer shut(t, d)
	list, err := d.SearchAudit(t.Context(), audit.Filter{Stage: "confirm", Limit: 1000})
	if err != nil || len(list) != 300 {
		t.Errorf("%d records of 300 are found, %v", len(list), err)
	}
}
