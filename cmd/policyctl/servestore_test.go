package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ncruces/go-sqlite3/driver"
)

func (o *office) database() string { return filepath.Join(o.state, "approval.db") }

// sql runs statements on the database, as another program.
func (o *office) sql(statements ...string) {
	o.Helper()
	db, err := driver.Open(o.database())
	if err != nil {
		o.Fatal(err)
	}
	defer db.Close()
	for _, text := range statements {
		if _, err := db.Exec(text); err != nil {
			o.Fatal(text, err)
		}
	}
}

// health returns the status of /health and its body.
func (o *office) health() (int, string) {
	o.Helper()
	res, err := http.Get(o.url + "/health")
	if err != nil {
		o.Fatal(err)
	}
	defer res.Body.Close()
	text := make([]byte, 1000)
	n, _ := res.Body.Read(text)
	return res.StatusCode, string(text[:n])
}

// No command makes a second database beside the one that a service has open
// and that was taken from under it.
func TestServeDatabaseTaken(t *testing.T) {
	o := newOffice(t)
	o.open()
	o.must("token", "create", "ann", "--scope", "approve")
	for _, name := range []string{"removed", "replaced"} {
		var err error
		if name == "removed" {
			err = os.Remove(o.database())
		} else {
			err = os.WriteFile(o.database(), nil, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadFile(o.database())
		for _, args := range [][]string{{"token", "create", "eve", "--scope", "approve"}, {"token", "list"}, {"audit", "verify"}} {
			if out, stderr, code := o.run("", args...); code != 1 || !strings.Contains(stderr, "removed or replaced") {
				t.Errorf("%s: %v: %d %s%s", name, args, code, out, stderr)
			}
		}
		if after, _ := os.ReadFile(o.database()); string(after) != string(before) {
			t.Errorf("%s: something was written", name)
		}
		if status, text := o.health(); status != http.StatusServiceUnavailable || !strings.Contains(text, "database") {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	o.end(syscall.SIGKILL)
}

// A service starts on a log that does not hold and on rules that are none, and
// says so.
func TestServeDamaged(t *testing.T) {
	o := newOffice(t)
	o.must("token", "create", "ann", "--scope", "approve")
	o.must("token", "create", "bob", "--scope", "approve")
	o.sql(`INSERT INTO approval_rules (id, priority, enabled, dialect, source, decision, created_at, updated_at)
		VALUES ('hand', 1, 1, 'pattern', '{"shell.program":"npm"}', 'deny', datetime('now'), datetime('now'))`)
	o.open()
	if status, text := o.health(); status != http.StatusOK || !strings.Contains(text, `"ok"`) {
		t.Errorf("%d %s", status, text)
	}
	if list := o.must("audit", "list"); !strings.Contains(list, "another program") || !strings.Contains(list, "action written") {
		t.Errorf("the rule is not on record as one that SQL wrote: %s", list)
	}
	if err := o.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	o.sql("DROP TRIGGER audit_stays", "UPDATE audit SET record = replace(record, 'ann', 'eve') WHERE seq = 1",
		"UPDATE approval_rules SET source = '{'")
	o.open()
	if status, text := o.health(); status != http.StatusServiceUnavailable || !strings.Contains(text, `"audit-log"`) || !strings.Contains(text, `"rules"`) {
		t.Errorf("%d %s", status, text)
	}
	if log := o.stderr; !o.says("record 1:") || !o.says(`rule \"hand\"`) {
		t.Errorf("the log: %s", log)
	}
	if err := o.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}

// A backup of a running service is whole and for its owner alone.
func TestServeBackup(t *testing.T) {
	o := newOffice(t)
	o.open()
	o.must("token", "create", "ann", "--scope", "approve")
	file := filepath.Join(o.home, "copy.db")
	out := o.must("serve", "backup", "copy.db")
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o600 || !strings.HasPrefix(out, "copied to "+file+", with ") {
		t.Fatalf("%s, %v", out, err)
	}
	if list := o.must("token", "list", "--db", file); !strings.Contains(list, " ann ") {
		t.Errorf("tokens of the copy: %s", list)
	}
	o.must("audit", "verify", "--db", file)
	if _, stderr, code := o.run("", "serve", "backup", "copy.db"); code != 2 || !strings.Contains(stderr, "it exists") {
		t.Errorf("%d %s", code, stderr)
	}
	if beside, _ := filepath.Glob(file + "*"); len(beside) != 1 {
		t.Errorf("left behind: %v", beside)
	}
	if _, stderr, code := o.run("", "serve", "backup", "x.db", "--db", filepath.Join(o.home, "none.db")); code != 1 || !strings.Contains(stderr, "there is none") {
		t.Errorf("%d %s", code, stderr)
	}
}
