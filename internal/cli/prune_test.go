package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/cli"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/pkg/audit"
)

// newDiary returns a ledger with a record a day, of the first ten days of January 2026.
func newDiary(t *testing.T) *ledger {
	t.Helper()
	l := newLedger(t, 0)
	for day := range 10 {
		l.note(time.Date(2026, 1, day+1, 9, 0, 0, 0, time.UTC))
	}
	return l
}

// note puts something on record.
func (l *ledger) note(at time.Time) {
	l.Helper()
	db, err := sqlite.Open(l.Context(), l.db, sqlite.Options{})
	if err != nil {
		l.Fatal(err)
	}
	defer db.Close()
	if err := db.Record(l.Context(), audit.Entry{Time: at, Kind: audit.KindLogin, Actor: "login:1"}); err != nil {
		l.Fatal(err)
	}
}

// file returns the path of a file of the ledger.
func (l *ledger) file(name string) string { return filepath.Join(l.dir, name) }

// wants fails unless a command of policyctl audit says something, with an exit code.
func (l *ledger) wants(code int, want string, args ...string) {
	l.Helper()
	got, stdout, stderr := l.run(args...)
	if got != code || !strings.Contains(squeezed(stdout+stderr), want) {
		l.Errorf("%s: %d %s%s; want %d %q", args, got, stdout, stderr, code, want)
	}
}

// squeezed has one blank in place of many.
func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

// joined verifies files as one.
func (l *ledger) joined(names ...string) (code int, said string) {
	l.Helper()
	var all bytes.Buffer
	for _, name := range names {
		text, err := os.ReadFile(l.file(name))
		if err != nil {
			l.Fatal(err)
		}
		all.Write(text)
	}
	var out bytes.Buffer
	code = cli.Run(context.Background(), console.Process{
		Args: []string{"audit", "verify", "-"}, Stdin: &all, Stdout: &out, Stderr: &out,
		Getenv: func(name string) string { return map[string]string{"HOME": l.dir}[name] }, Getwd: func() (string, error) { return l.dir, nil },
	})
	return code, squeezed(out.String())
}

// What is older than a time goes to a file. The rest verifies, the file does, and both
// together; all of it can be done again.
func TestAuditPrune(t *testing.T) {
	l := newDiary(t)
	l.wants(0, "", "checkpoint", "-o", l.file("before.json"))
	l.wants(0, "would be cut off 4 records from record 1, 2026-01-01 09:00:00Z to record 4, 2026-01-04 09:00:00Z", "prune", "--before", "2026-01-05", "--dry-run")
	l.wants(0, "records 10 head", "verify")
	l.wants(0, "cut off 4 records from record 1, 2026-01-01 09:00:00Z to record 4, 2026-01-04 09:00:00Z file "+l.file("1.jsonl"), "prune", "--before", "2026-01-05", "--to", l.file("1.jsonl"))
	if info, err := os.Stat(l.file("1.jsonl")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	by := fmt.Sprintf("cut on %s by uid:%d", time.Now().UTC().Format(time.DateOnly), os.Getuid())
	l.wants(0, "verified yes records 7 begins at record 5, "+by, "verify")
	l.wants(0, `"begins": { "record": 5, "cut": "`, "verify", "--json")
	l.wants(0, "kind cut actor uid:", "show", "11")
	l.wants(0, "follows yes", "show", "5")
	l.wants(1, "record 4 was cut off, along with all up to record 4", "show", "4")
	l.wants(0, "", "export", "-o", l.file("rest.jsonl"))
	l.wants(0, "verified yes records 4 head", "verify", l.file("1.jsonl"))
	l.wants(1, "record 1: record 5 is in its place: where those before it were cut off, give the checkpoint of record 4", "verify", l.file("rest.jsonl"))
	l.wants(0, "", "checkpoint", "--base", "-o", l.file("base1.json"))
	l.wants(0, "records 7 begins at record 5, behind the checkpoint", "verify", l.file("rest.jsonl"), "--checkpoint", l.file("base1.json"))
	l.wants(0, "holds: record 10", "verify", l.file("rest.jsonl"), "--checkpoint", l.file("base1.json"), "--checkpoint", l.file("before.json"))
	l.wants(0, "holds: record 4", "verify", l.file("1.jsonl"), "--checkpoint", l.file("base1.json"))
	l.wants(0, "holds: record 10", "verify", "--checkpoint", l.file("before.json"))
	if code, said := l.joined("1.jsonl", "rest.jsonl"); code != 0 || !strings.Contains(said, "verified yes records 11 head") {
		t.Errorf("%d %s", code, said)
	}
	l.wants(2, "it exists: remove it, or name another file with --to", "prune", "--before", "2026-01-08", "--to", l.file("1.jsonl"))
	l.wants(0, "records 7 begins", "verify")
	l.wants(0, "nothing to cut off: no record before 2026-01-05T00:00:00Z", "prune", "--before", "2026-01-05", "--to", l.file("none.jsonl"))
	if _, err := os.Stat(l.file("none.jsonl")); err == nil {
		t.Error("a file of nothing")
	}
	l.wants(0, `"records": 3, "first": 5, "last": 7, "from": "2026-01-05T09:00:00Z", "to": "2026-01-07T09:00:00Z",`, "prune", "--before", "2026-01-08", "--to", l.file("2.jsonl"), "--json")
	l.wants(0, "records 5 begins at record 8, "+by, "verify")
	l.wants(0, "records 3 begins at record 5, behind the checkpoint", "verify", l.file("2.jsonl"), "--checkpoint", l.file("base1.json"))
	l.wants(1, "it is for record 4, but the log begins at record 8: verify the file that policyctl audit prune wrote", "verify", "--checkpoint", l.file("base1.json"))
	l.wants(0, "", "export", "-o", l.file("rest2.jsonl"))
	if code, said := l.joined("1.jsonl", "2.jsonl", "rest2.jsonl"); code != 0 || !strings.Contains(said, "verified yes records 12 head") {
		t.Errorf("%d %s", code, said)
	}
	if code, said := l.joined("1.jsonl", "rest2.jsonl"); code != 1 || !strings.Contains(said, "record 5: record 8 is in its place") {
		t.Errorf("with a gap: %d %s", code, said)
	}
}

// Without a file, only who says so; and the last record stays.
func TestAuditPruneDiscard(t *testing.T) {
	l := newDiary(t)
	for want, args := range map[string][]string{
		"--to is missing":             {"--before", "2026-01-05"},
		"--before is missing":         {"--discard"},
		"--to and --discard":          {"--before", "1d", "--discard", "--to", l.file("x")},
		"--before soon is not a date": {"--before", "soon", "--discard"},
	} {
		l.wants(2, want, append([]string{"prune"}, args...)...)
	}
	l.wants(0, "cut off 9 records", "prune", "--before", "0h", "--discard")
	l.wants(0, "records 2 begins at record 10", "verify")
	l.wants(0, "nothing to cut off", "prune", "--before", "2026-01-10", "--discard")
	l.note(time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)) // a clock that was set back
	l.wants(0, "cut off 1 records from record 10", "prune", "--before", "2026-02-01", "--discard")
}

// A log that does not hold is not cut, and what was begun is not left behind.
func TestAuditPruneDamaged(t *testing.T) {
	for want, edit := range map[string]string{
		"record 2: its hash is not that of its content": "UPDATE audit SET record = replace(record, 'login:1', 'login:2') WHERE seq = 2",
		"record 9: its hash is not that of its content": "UPDATE audit SET record = replace(record, 'login:1', 'login:2') WHERE seq = 9",
		"record 3: record 4 is in its place":            "DELETE FROM audit WHERE seq = 3",
	} {
		l := newDiary(t)
		l.edit(edit)
		l.wants(1, "nothing was cut off, because the audit log does not verify: "+want, "prune", "--before", "2026-01-05", "--to", l.file("x.jsonl"))
		l.wants(1, want, "verify")
		if _, err := os.Stat(l.file("x.jsonl")); err == nil {
			t.Errorf("%s: there is a file", edit)
		}
	}
	l := newDiary(t)
	if err := os.Remove(l.db + ".key"); err != nil {
		t.Fatal(err)
	}
	l.wants(1, "there is none", "prune", "--before", "2026-01-05", "--to", l.file("x.jsonl"))
	l.wants(0, "records 10 head", "verify")
}

// A beginning for which nobody vouches is found, and what was lost behind it.
func TestAuditPruneTampered(t *testing.T) {
	for want, edit := range map[string]string{
		"record 4: the log was cut off behind it, and nothing vouches for that: checkpoint of record 4: the signature by key":       `UPDATE audit_base SET checkpoint = replace(checkpoint, '"signature":"', '"signature":"A')`,
		"record 4: the log was cut off behind it, and nothing vouches for that: checkpoint of record 4: no Ed25519 key with the id": "DELETE FROM signing_keys",
		"record 4: the log was cut off behind it, and its checkpoint is damaged: checkpoint: ":                                      "UPDATE audit_base SET checkpoint = '{'",
		"record 6: the log was cut off behind it, and its checkpoint is damaged: it is one of record 4":                             "UPDATE audit_base SET seq = 6; DELETE FROM audit WHERE seq <= 6",
		"record 1: record 5 is in its place":                    "DELETE FROM audit_base",
		"record 5: record 6 is in its place":                    "DELETE FROM audit WHERE seq = 5",
		"record 5: it is missing: the log was cut off behind":   "DELETE FROM audit",
		"record 11: it is missing: the log was cut off behind ": "DELETE FROM audit WHERE seq = 11",
	} {
		l := newDiary(t)
		l.wants(0, "cut off 4 records", "prune", "--before", "2026-01-05", "--discard")
		edits := []string{"DROP TRIGGER audit_base_moves", "DROP TRIGGER audit_base_stays"}
		l.edit(append(edits, strings.Split(edit, "; ")...)...)
		l.wants(1, want, "verify")
		l.wants(1, want, "prune", "--before", "2026-01-07", "--discard")
		if edit == "DELETE FROM audit" { // no other log begins in its place
			if code, stdout, stderr := l.command("token", "create", "ann", "--scope", "read", "--db", l.db); code == 0 || !strings.Contains(stderr, "all that followed is lost") {
				t.Errorf("%d %s%s", code, stdout, stderr)
			}
		}
	}
}

// Who may delete and has a checkpoint that the service signed for something else leaves a
// trace all the same.
func TestAuditPruneUntold(t *testing.T) {
	l := newDiary(t)
	l.wants(0, "", "checkpoint", "-o", l.file("monday.json"))
	l.note(time.Date(2026, 1, 11, 9, 0, 0, 0, time.UTC))
	text, err := os.ReadFile(l.file("monday.json"))
	if err != nil {
		t.Fatal(err)
	}
	point, err := audit.ReadCheckpoint(text)
	if err != nil {
		t.Fatal(err)
	}
	l.edit(fmt.Sprintf("INSERT INTO audit_base VALUES (1, %d, '%s', '%s')", point.Seq, point.Hash, text), "DELETE FROM audit WHERE seq <= 10")
	l.wants(1, "record 12: it is missing: the log was cut off behind record 10, and no record tells of it", "verify")
}

// A file whose beginning was cut off moves to PostgreSQL with its checkpoint, and only the
// owner of the tables goes on cutting.
func TestMigratePruned(t *testing.T) {
	l, url := newDiary(t), pgtest.URL(t)
	l.wants(0, "cut off 4 records", "prune", "--before", "2026-01-05", "--discard")
	command := func(code int, want string, args ...string) {
		t.Helper()
		got, stdout, stderr := l.command(args...)
		if got != code || !strings.Contains(squeezed(stdout+stderr), want) {
			t.Errorf("%s: %d %s%s", args, got, stdout, stderr)
		}
	}
	command(0, "with 7 records of the audit log, which verifies", "serve", "migrate", "--from", l.db, "--to", url)
	command(0, "records 7 begins at record 5", "audit", "verify", "--db", url)
	rights, err := os.ReadFile("../../docs/postgresql.sql")
	if err != nil {
		t.Fatal(err)
	}
	pgtest.SQL(t, url, `SELECT 'CREATE ROLE policyctl LOGIN' WHERE NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'policyctl') \gexec
		`+string(rights))
	serving := strings.Replace(url, "user=postgres", "user=policyctl", 1)
	prune := []string{"audit", "prune", "--before", "2026-01-08", "--to", l.file("x.jsonl"), "--sign-key", l.db + ".key", "--db"}
	command(1, "nothing was cut off: this role of the database may not cut the audit log: name the one that owns the tables with --db", append(prune, serving)...)
	if _, err := os.Stat(l.file("x.jsonl")); err == nil {
		t.Error("there is a file of what was not cut off")
	}
	command(0, "would be cut off 3 records", "audit", "prune", "--before", "2026-01-08", "--dry-run", "--db", serving)
	command(0, "records 7 begins at record 5", "audit", "verify", "--db", serving)
	command(0, "cut off 3 records", append(prune, url)...)
	command(0, "records 5 begins at record 8", "audit", "verify", "--db", serving)
	if out := pgtest.SQL(t, url, "SELECT min(seq) FROM audit"); out != "8" {
		t.Errorf("the first record is %s", out)
	}
}

// What an interrupted cut has left is not imported as a part of the log, nor shown, and goes
// with the next one.
func TestAuditPruneInterrupted(t *testing.T) {
	l := newDiary(t)
	l.wants(0, "", "export", "-o", l.file("whole.jsonl"))
	l.wants(0, "cut off 4 records", "prune", "--before", "2026-01-05", "--discard")
	text, err := os.ReadFile(l.file("whole.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		var r audit.Record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Seq == 3 || r.Seq == 4 {
			l.edit(fmt.Sprintf("INSERT INTO audit VALUES (%d, '%s', '%s')", r.Seq, r.Hash, line))
		}
	}
	l.wants(0, "records 7 begins at record 5", "verify")
	url := pgtest.URL(t)
	if code, stdout, stderr := l.command("serve", "migrate", "--from", l.db, "--to", url); code != 0 || !strings.Contains(stdout, "with 7 records") {
		t.Errorf("%d %s%s", code, stdout, stderr)
	}
	l.wants(0, "nothing to cut off", "prune", "--before", "2026-01-05", "--discard")
	if n := pgtest.SQL(t, url, "SELECT count(*) FROM audit"); n != "9" {
		t.Errorf("%s records there", n)
	}
	if code, stdout, stderr := l.command("audit", "prune", "--before", "2026-01-05", "--discard", "--sign-key", l.db+".key", "--db", url); code != 0 {
		t.Errorf("%d %s%s", code, stdout, stderr)
	}
	if n := pgtest.SQL(t, url, "SELECT count(*) FROM audit"); n != "7" {
		t.Errorf("%s records are left there", n)
	}
}
