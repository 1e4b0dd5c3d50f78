package cli_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3/driver"

	"github.com/policyctl/policyctl/internal/cli"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/receiptkey"
	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A ledger is a database with some records.
type ledger struct {
	*testing.T
	dir, db string
}

func newLedger(t *testing.T, records int) *ledger {
	t.Helper()
	l := &ledger{T: t, dir: t.TempDir()}
	l.db = filepath.Join(l.dir, "a.db")
	if err := os.Chmod(l.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(t.Context(), l.db, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	key := approval.NewPrivateKey()
	err = errors.Join(receiptkey.Save(l.db+receiptkey.Suffix, key), db.AddKey(t.Context(), approval.NewKey(key.Public(), at)))
	for range records {
		err = errors.Join(err, db.Record(t.Context(), audit.Entry{Time: at, Kind: audit.KindLogin, Actor: "login:1", Reason: "=1+1"}))
	}
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	return l
}

// edit changes the file behind the program's back.
func (l *ledger) edit(statements ...string) {
	l.Helper()
	db, err := driver.Open(l.db)
	if err != nil {
		l.Fatal(err)
	}
	for _, s := range append([]string{"DROP TRIGGER IF EXISTS audit_stays", "DROP TRIGGER IF EXISTS audit_keeps"}, statements...) {
		if _, err := db.Exec(s); err != nil {
			l.Fatalf("%s: %v", s, err)
		}
	}
	if err := db.Close(); err != nil {
		l.Fatal(err)
	}
}

// run runs a command of policyctl audit on the database.
func (l *ledger) run(args ...string) (code int, stdout, stderr string) {
	l.Helper()
	var out, said bytes.Buffer
	code = cli.Run(context.Background(), console.Process{
		Args: append([]string{"audit"}, append(args, "--db", l.db)...), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &said,
		Getenv: func(name string) string { return map[string]string{"HOME": l.dir}[name] }, Getwd: func() (string, error) { return l.dir, nil },
	})
	return code, out.String(), said.String()
}

// Each edit of the database is found, at the first record that it touches.
func TestAuditTampered(t *testing.T) {
	for _, c := range []struct{ want, edit string }{
		{"", ""},
		{"record 3: its hash is not that of its content", "UPDATE audit SET record = replace(record, 'login:1', 'login:2') WHERE seq = 3"},
		{"record 1: its hash is not that of its content", "UPDATE audit SET record = replace(record, '2026', '2025')"},
		{"record 2: record 3 is in its place", "DELETE FROM audit WHERE seq = 2"},
		{"record 1: record 2 is in its place", "DELETE FROM audit WHERE seq = 1"},
		{"record 2: record 3 is in its place", "UPDATE audit SET record = (SELECT record FROM audit WHERE seq = 3) WHERE seq = 2"},
		{"record 4: it is damaged", "UPDATE audit SET record = '{' WHERE seq = 4"},
		{"record 5: record 2 is in its place", "UPDATE audit SET record = (SELECT record FROM audit WHERE seq = 2) WHERE seq = 5"},
		{"record 3: it is damaged: json: unknown field", "UPDATE audit SET record = replace(record, '{', '{\"x\":1,') WHERE seq = 3"},
		{"record 5: record 0 is in its place", "UPDATE audit SET record = '{}' WHERE seq = 5"},
	} {
		l := newLedger(t, 5)
		if c.edit != "" {
			l.edit(c.edit)
		}
		code, stdout, stderr := l.run("verify")
		if (code == 0) != (c.want == "") || !strings.Contains(stderr, c.want) || c.want != "" && stdout != "" {
			t.Errorf("%s: %d %s%s", c.edit, code, stdout, stderr)
		}
	}
}

// What the chain alone cannot show, a checkpoint shows.
func TestAuditCheckpoint(t *testing.T) {
	l := newLedger(t, 5)
	point := filepath.Join(l.dir, "point.json")
	if code, _, stderr := l.run("checkpoint", "-o", point); code != 0 {
		t.Fatal(stderr)
	}
	if info, err := os.Stat(point); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	if code, stdout, stderr := l.run("verify", "--checkpoint", point); code != 0 || !strings.Contains(stdout, "checkpoint  holds: record 5, signed ") {
		t.Errorf("%s%s", stdout, stderr)
	}
	exported := filepath.Join(l.dir, "log.jsonl")
	if code, _, stderr := l.run("export", "-o", exported); code != 0 {
		t.Fatal(stderr)
	}
	l.edit("DELETE FROM audit WHERE seq > 3")
	if code, stdout, _ := l.run("verify"); code != 0 {
		t.Errorf("the tail alone cannot be missed: %s", stdout)
	}
	if code, _, stderr := l.run("verify", "--checkpoint", point); code != 1 || !strings.Contains(stderr, "record 4: it is missing") || !strings.Contains(stderr, "the tail was cut off") {
		t.Errorf("%d %s", code, stderr)
	}
	if code, stdout, stderr := l.run("verify", exported, "--checkpoint", point); code != 0 {
		t.Errorf("%s%s", stdout, stderr)
	}
	l.forged(point)
}

// forged tries checkpoints that the service did not sign.
func (l *ledger) forged(point string) {
	l.Helper()
	text, err := os.ReadFile(point)
	if err != nil {
		l.Fatal(err)
	}
	forged := filepath.Join(l.dir, "forged.json")
	for want, change := range map[string][2]string{
		"is not valid": {`"seq": 5`, `"seq": 3`}, "the keys are": {`"seq"`, `"sequence"`},
	} {
		if err := os.WriteFile(forged, []byte(strings.Replace(string(text), change[0], change[1], 1)), 0o600); err != nil {
			l.Fatal(err)
		}
		if code, _, stderr := l.run("verify", "--checkpoint", forged); code == 0 || !strings.Contains(stderr, want) {
			l.Errorf("%s: %d %s", want, code, stderr)
		}
	}
	l.edit("DELETE FROM signing_keys")
	if code, _, stderr := l.run("verify", "--checkpoint", point); code != 1 || !strings.Contains(stderr, "give its public key") {
		l.Errorf("%d %s", code, stderr)
	}
}
