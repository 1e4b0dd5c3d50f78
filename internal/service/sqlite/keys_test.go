package sqlite_test

import (
	"bytes"
	"encoding/hex"
	"os"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/pkg/approval"
)

// baseOfBefore makes a log one that is never cut.
const baseOfBefore = `DROP TABLE audit_base; DROP TRIGGER audit_keeps; DROP TRIGGER audit_adds;
	CREATE TRIGGER audit_keeps BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;`

// searchOfBefore takes the tables of the search away.
const searchOfBefore = `DROP TABLE requests_search; DROP TABLE audit_search; DROP TRIGGER requests_made; DROP TRIGGER requests_changed;
	DROP TABLE requests_unread; DROP INDEX requests_created; DROP TABLE request_facts; DROP TABLE grant_notes; DROP TABLE collected; DROP TABLE shelves; ` + baseOfBefore

// keysOfBefore makes of a new database one whose keys are in it whole.
const keysOfBefore = changesOfBefore + `
	DROP TRIGGER keys_end; DROP TABLE signing_keys; ALTER TABLE kept_keys RENAME TO signing_keys;
	DROP INDEX requests_kept; ALTER TABLE requests DROP COLUMN kept;
	DROP INDEX requests_waiting; DROP INDEX requests_alike; ALTER TABLE requests DROP COLUMN alike; DROP TABLE session_denials;
	CREATE INDEX requests_pending ON requests (session, submitter) WHERE state = 'PENDING';
	DELETE FROM goose_db_version WHERE version_id >= 6;`

// withPrivateKeys returns a database of before, with two keys.
func withPrivateKeys(t *testing.T) (path string, old, young approval.PrivateKey) {
	t.Helper()
	path, old, young = newPath(t), approval.NewPrivateKey(), approval.NewPrivateKey()
	shut(t, open(t, path, sqlite.Options{}))
	statement := keysOfBefore
	for i, k := range []approval.PrivateKey{old, young} {
		id := approval.NewKey(k.Public(), time.Time{}).ID
		statement += "INSERT INTO signing_keys (id, private, created) VALUES ('" + id + "', x'" + hex.EncodeToString(k) + "', " + []string{"1000000", "2000000"}[i] + ");"
	}
	run(t, path, statement)
	return path, old, young
}

// The keys of before stay known by their public halves, the newest can be
// taken, and then no file of the database has either.
func TestPrivateKeysLeave(t *testing.T) {
	path, old, young := withPrivateKeys(t)
	d := open(t, path, sqlite.Options{})
	defer shut(t, d)
	for range 2 { // a crash after the file was written: it is asked for again
		if got, err := d.PrivateKey(t.Context()); err != nil || !bytes.Equal(got, young) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
	keys, err := d.Keys(t.Context())
	if err != nil || len(keys) != 2 || !keys[0].Public.Equal(young.Public()) || !keys[0].Ended.IsZero() ||
		!keys[1].Public.Equal(old.Public()) || !keys[1].Ended.Equal(time.Unix(2, 0)) {
		t.Errorf("%+v %v", keys, err)
	}
	run(t, path, "UPDATE kept_keys SET created = created + 1") // so that the write-ahead log has them too
	if text, err := os.ReadFile(path + "-wal"); err != nil || !bytes.Contains(text, young[:32]) {
		t.Fatalf("the write-ahead log has no key: %v", err)
	}
	copied := path + ".copy"
	if err := d.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	for range 2 { // again does nothing
		if err := d.WipePrivateKeys(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := d.PrivateKey(t.Context()); got != nil || err != nil {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	for _, file := range []string{path, path + "-wal", copied} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []approval.PrivateKey{old, young} {
			if bytes.Contains(text, k[:32]) {
				t.Errorf("%s holds a private key", file)
			}
		}
	}
}

// What a crash has interrupted is done again at the next start.
func TestWipeInterrupted(t *testing.T) {
	path, _, _ := withPrivateKeys(t)
	shut(t, open(t, path, sqlite.Options{}))
	run(t, path, "DELETE FROM kept_keys")
	d := open(t, path, sqlite.Options{})
	defer shut(t, d)
	if got, err := d.PrivateKey(t.Context()); got != nil || err != nil {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if err := d.WipePrivateKeys(t.Context()); err != nil {
		t.Error(err)
	}
	run(t, path, "CREATE TABLE kept_keys (x)") // it was gone
}

// A key that has ended does not begin again.
func TestKeysEnd(t *testing.T) {
	path := newPath(t)
	d := open(t, path, sqlite.Options{})
	defer shut(t, d)
	for i := range 2 {
		if err := d.AddKey(t.Context(), approval.NewKey(approval.NewPrivateKey().Public(), time.Unix(int64(i), 0))); err != nil {
			t.Fatal(err)
		}
	}
	if err := tryRun(path, "UPDATE signing_keys SET ended = NULL"); err == nil {
		t.Error("it began again")
	}
}
