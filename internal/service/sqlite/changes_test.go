package sqlite_test

import (
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/internal/service/sqlite"
)

// changesOfBefore makes a database one from before changes of rules were kept.
const changesOfBefore = searchOfBefore + `DROP TABLE rule_changes; ALTER TABLE approval_rules DROP COLUMN approver_any; ALTER TABLE events DROP COLUMN quorum; ALTER TABLE events DROP COLUMN approved; ALTER TABLE approval_rules DROP COLUMN cases; ALTER TABLE approval_rules DROP COLUMN updated_by;
	CREATE TABLE rule_tombstones (seq INTEGER PRIMARY KEY, row TEXT NOT NULL, deleted_by TEXT NOT NULL, deleted_at INTEGER NOT NULL) STRICT;
	DROP TABLE passkeys; DROP TABLE push_subscriptions;
	DROP TABLE channel_presses; DROP TABLE channel_tokens; DROP TABLE channel_deliveries; DROP TABLE channel_cursor;
	DELETE FROM goose_db_version WHERE version_id >= 9;`

// What was deleted before changes were kept is a change that can be undone, and the rules
// that stand are as they were.
func TestChangesOfBefore(t *testing.T) {
	path := newPath(t)
	d := open(t, path, sqlite.Options{})
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	row := ruledb.Row{ID: "stays", Enabled: 1, Dialect: "pattern", Source: `{"verb":"x"}`, Decision: "deny", CreatedAt: at, UpdatedAt: at}
	if err := d.ChangeRules(t.Context(), []ruledb.Change{{Rule: "stays", By: "x", At: at, After: &row}}); err != nil {
		t.Fatal(err)
	}
	seals, err := d.Seals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	shut(t, d)
	run(t, path, changesOfBefore+`INSERT INTO rule_tombstones (row, deleted_by, deleted_at) VALUES ('{"id":"gone","priority":7}', 'token:a', 1000000), ('no JSON', 'token:a', 2000000)`)
	d = open(t, path, sqlite.Options{})
	defer shut(t, d)
	list, err := d.Changes(t.Context(), "gone", 0, 9)
	if err != nil || len(list) != 1 || list[0].Before.Priority != 7 || list[0].After != nil || list[0].By != "token:a" || list[0].At.Unix() != 1 {
		t.Errorf("%+v, %v", list, err)
	}
	if graves, err := d.Tombstones(t.Context(), 9); err != nil || len(graves) != 1 || graves[0].Row.ID != "gone" {
		t.Errorf("%+v, %v", graves, err)
	}
	rows, err := d.Rules(t.Context())
	if err != nil || len(rows) != 1 || rows[0].Hash() != seals["stays"] {
		t.Errorf("%+v, %v", rows, err)
	}
}
