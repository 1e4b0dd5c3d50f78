package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3/driver"
	"github.com/ncruces/go-sqlite3/ext/fts5"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/service/storetest"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// run runs statements on the file of a database, as another program.
func run(t *testing.T, path string, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if err := tryRun(path, s); err != nil {
			t.Fatal(s, err)
		}
	}
}

// tryOpen opens a database as no service does.
func tryOpen(path string) (*sql.DB, error) { return driver.Open(path, fts5.Register) }

func tryRun(path, statement string) error {
	db, err := tryOpen(path)
	if err != nil {
		return err
	}
	_, err = db.Exec(statement)
	return errors.Join(err, db.Close())
}

// answer returns the one value of a query.
func answer(t *testing.T, path, query string) (text string) {
	t.Helper()
	db, err := driver.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(query).Scan(&text); err != nil {
		t.Fatal(query, err)
	}
	return text
}

func TestOpenRefuses(t *testing.T) {
	for _, row := range []struct {
		want []string // parts of the error
		at   func(t *testing.T, dir string) (path string)
	}{
		{[]string{"no directory", "mkdir -m 700"}, func(_ *testing.T, dir string) string { return filepath.Join(dir, "missing", "x.db") }},
		{[]string{"it is not a file"}, func(_ *testing.T, dir string) string { return dir }},
		{[]string{"is not a directory"}, func(t *testing.T, dir string) string {
			write(t, filepath.Join(dir, "file"), "")
			return filepath.Join(dir, "file", "x.db")
		}},
		{[]string{"others may write to the directory", "chmod 700"}, func(t *testing.T, dir string) string {
			chmod(t, dir, 0o770)
			return filepath.Join(dir, "x.db")
		}},
		{[]string{"others may write to the directory"}, func(t *testing.T, dir string) string {
			chmod(t, dir, 0o1777)
			return filepath.Join(dir, "x.db")
		}},
		{[]string{"x.db: it is a link to /nowhere", "give the path of the file itself"}, func(t *testing.T, dir string) string {
			link(t, "/nowhere", filepath.Join(dir, "x.db"))
			return filepath.Join(dir, "x.db")
		}},
		{[]string{"x.db: it is a link to real.db"}, func(t *testing.T, dir string) string {
			shut(t, open(t, filepath.Join(dir, "real.db"), sqlite.Options{}))
			link(t, "real.db", filepath.Join(dir, "x.db"))
			return filepath.Join(dir, "x.db")
		}},
		{[]string{"x.db-wal: it is a link to other"}, func(t *testing.T, dir string) string {
			link(t, "other", filepath.Join(dir, "x.db-wal"))
			return filepath.Join(dir, "x.db")
		}},
		{[]string{"x.db-shm: it is a link"}, func(t *testing.T, dir string) string {
			link(t, "other", filepath.Join(dir, "x.db-shm"))
			return filepath.Join(dir, "x.db")
		}},
		{[]string{"x.db.lock: it is a link"}, func(t *testing.T, dir string) string {
			link(t, "other", filepath.Join(dir, "x.db.lock"))
			return filepath.Join(dir, "x.db")
		}},
		{[]string{"no SQLite database", "give another path"}, func(t *testing.T, dir string) string {
			write(t, filepath.Join(dir, "x.db"), strings.Repeat("this is a letter\n", 1000))
			return filepath.Join(dir, "x.db")
		}},
		{[]string{"file of another program"}, func(t *testing.T, dir string) string {
			run(t, filepath.Join(dir, "x.db"), "CREATE TABLE bookmarks (url TEXT)")
			return filepath.Join(dir, "x.db")
		}},
		{[]string{"file of another program"}, func(t *testing.T, dir string) string {
			run(t, filepath.Join(dir, "x.db"), "PRAGMA application_id = 7", "VACUUM")
			return filepath.Join(dir, "x.db")
		}},
		{[]string{"version 99", "newer program"}, func(t *testing.T, dir string) string {
			path := filepath.Join(dir, "x.db")
			shut(t, open(t, path, sqlite.Options{}))
			run(t, path, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)")
			return path
		}},
	} {
		dir := filepath.Dir(newPath(t))
		path := row.at(t, dir)
		before, _ := os.ReadFile(path)
		d, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err == nil {
			shut(t, d)
			t.Errorf("%s: opened, want %q", path, row.want)
			continue
		}
		for _, part := range append(row.want, path) {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%v: it does not say %q", err, part)
			}
		}
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Errorf("%v: the file was changed", err)
		}
	}
	if _, err := sqlite.Open(t.Context(), newPath(t), sqlite.Options{KeepEvents: -1}); err == nil {
		t.Error("a negative bound is no error")
	}
}

// The file system of the kernel's settings takes no new file from anybody.
func TestOpenReadOnly(t *testing.T) {
	if info, err := os.Stat("/sys/kernel"); err != nil || info.Mode().Perm()&0o022 != 0 {
		t.Skip("there is no /sys/kernel")
	}
	_, err := sqlite.Open(t.Context(), "/sys/kernel/policyctl.db", sqlite.Options{})
	if err == nil || !strings.Contains(err.Error(), "/sys/kernel/policyctl.db") || !strings.Contains(err.Error(), "check the permissions") {
		t.Errorf("%v", err)
	}
}

// Paths are no URIs.
func TestOpenPath(t *testing.T) {
	for _, name := range []string{"a b", "ü日.db", "a?mode=memory", "a#b", "50%25.db", "file:x", ":memory:", "-x", "a;b'c\"d"} {
		dir := filepath.Dir(newPath(t))
		d := open(t, filepath.Join(dir, name), sqlite.Options{})
		r, e := storetest.Typical("a")
		if _, _, _, err := d.Create(t.Context(), r, e); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
			info, err := os.Lstat(filepath.Join(dir, name+suffix))
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s%s: %v, %v", name, suffix, info.Mode(), err)
			}
		}
		if files, _ := os.ReadDir(dir); len(files) != 4 {
			t.Errorf("%s: %v", name, files)
		}
		shut(t, d)
	}
}

// Files that others could read are taken from them, and links of directories are followed.
func TestOpenTightens(t *testing.T) {
	path := newPath(t)
	d := open(t, path, sqlite.Options{})
	for _, suffix := range []string{"", "-wal", "-shm"} {
		chmod(t, path+suffix, 0o644)
	}
	dir := filepath.Join(filepath.Dir(newPath(t)), "link")
	link(t, filepath.Dir(path), dir)
	second := open(t, filepath.Join(dir, filepath.Base(path)), sqlite.Options{})
	r, e := storetest.Typical("a")
	if _, _, _, err := second.Create(t.Context(), r, e); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Get(t.Context(), "a"); err != nil {
		t.Errorf("the link leads elsewhere: %v", err)
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if info, err := os.Stat(path + suffix); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", suffix, info.Mode(), err)
		}
	}
	shut(t, d)
	shut(t, second)
}

// A database that many open at the same time is made once.
func TestOpenRace(t *testing.T) {
	path := newPath(t)
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			d, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			r, e := storetest.Typical(string(rune('a' + i)))
			if _, _, _, err := d.Create(t.Context(), r, e); err != nil {
				t.Error(err)
			}
			shut(t, d)
		})
	}
	all.Wait()
	d := open(t, path, sqlite.Options{})
	defer shut(t, d)
	list, err := d.List(t.Context(), approval.Filter{})
	if err != nil || len(list) != 12 {
		t.Errorf("%d requests, %v", len(list), err)
	}
}

// A file whose making was cut short is made now.
func TestOpenUnfinished(t *testing.T) {
	path := newPath(t)
	shut(t, open(t, path, sqlite.Options{}))
	whole := answer(t, path, "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema ORDER BY name)")
	for _, statements := range [][]string{
		nil,
		{"CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL, is_applied INTEGER NOT NULL, tstamp TIMESTAMP DEFAULT (datetime('now')))",
			"INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1)"},
	} {
		path := newPath(t)
		write(t, path, "")
		run(t, path, statements...)
		d := open(t, path, sqlite.Options{})
		r, e := storetest.Typical("a")
		if _, _, _, err := d.Create(t.Context(), r, e); err != nil {
			t.Error(err)
		}
		shut(t, d)
		got := answer(t, path, "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema ORDER BY name)")
		if _, rest, _ := strings.Cut(got, "goose_db_version"); len(got) < len(whole)/2 || rest == "" {
			t.Errorf("%v: %s", statements, got)
		}
	}
}

// A damaged page is an error of what reads it, and says what to do.
func TestCorrupt(t *testing.T) {
	path := newPath(t)
	d := open(t, path, sqlite.Options{})
	for i := range 200 {
		r, e := storetest.Typical(string(rune('0'+i/100)) + string(rune('0'+i/10%10)) + string(rune('0'+i%10)))
		if _, _, _, err := d.Create(t.Context(), r, e); err != nil {
			t.Fatal(err)
		}
	}
	shut(t, d)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 40 * 4096; i < len(data); i++ {
		data[i] = 0x5a
	}
	write(t, path, string(data))
	d, err = sqlite.Open(t.Context(), path, sqlite.Options{})
	if err == nil {
		defer shut(t, d)
		_, err = d.List(t.Context(), approval.Filter{Limit: 200})
	}
	if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "restore a backup") {
		t.Errorf("%v", err)
	}
}

// While another process keeps the database locked, a writer waits, and can be
// called off; readers do not wait.
func TestBusy(t *testing.T) {
	path := newPath(t)
	d := open(t, path, sqlite.Options{})
	defer shut(t, d)
	at := time.Now()
	if err := d.AddToken(t.Context(), auth.Token{ID: "id", Name: "a", Scopes: auth.Read, LastUsed: at}); err != nil {
		t.Fatal(err)
	}
	other, err := driver.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	lock, err := other.BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelSerializable}) // BEGIN IMMEDIATE
	if err != nil {
		t.Fatal(err)
	}
	r, e := storetest.Typical("a")
	stored := make(chan error, 1)
	go func() {
		_, _, _, err := d.Create(t.Context(), r, e)
		stored <- err
	}()
	time.Sleep(50 * time.Millisecond) // now it waits for the lock, with its turn
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := d.Record(ctx, e); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("called off: %v", err)
	}
	if _, err := d.List(t.Context(), approval.Filter{}); err != nil {
		t.Errorf("a reader: %v", err)
	}
	if err := d.TouchToken(t.Context(), "id", at.Add(time.Second)); err != nil {
		t.Errorf("a token that was used within the minute: %v", err)
	}
	select {
	case err := <-stored:
		t.Errorf("stored while it is locked: %v", err)
	default:
	}
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-stored; err != nil {
		t.Error(err)
	}
	if head, err := d.AuditHead(t.Context()); err != nil || head.Seq != 1 {
		t.Errorf("what was called off is stored: %+v, %v", head, err)
	}
}

// A read that is called off says that it was, wherever it stands.
func TestReadCalledOff(t *testing.T) {
	d := open(t, newPath(t), sqlite.Options{})
	defer shut(t, d)
	for i := range 300 {
		r, e := storetest.Typical(fmt.Sprint("req_", i))
		if _, _, _, err := d.Create(t.Context(), r, e); err != nil {
			t.Fatal(err)
		}
	}
	ended := 0
	for i := range 200 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*20*time.Microsecond)
		_, err := d.List(ctx, approval.Filter{Limit: 300})
		switch cancel(); {
		case errors.Is(err, context.DeadlineExceeded):
			ended++
		case err != nil:
			t.Fatalf("%T %v", err, err)
		}
	}
	if ended < 10 {
		t.Errorf("only %d reads were called off", ended)
	}
}

// The audit log cannot be changed by a statement that went wrong.
func TestAuditOnlyGrows(t *testing.T) {
	path := newPath(t)
	d := open(t, path, sqlite.Options{})
	_, e := storetest.Typical("a")
	if err := d.Record(t.Context(), e, e, e); err != nil {
		t.Fatal(err)
	}
	shut(t, d)
	db, err := driver.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range []string{"DELETE FROM audit", "UPDATE audit SET record = '{}'", "UPDATE audit SET seq = 9", "REPLACE INTO audit VALUES (1, '', '{}')"} {
		if _, err := db.Exec(s); err == nil || !strings.Contains(err.Error(), "only grows") {
			t.Errorf("%s: %v", s, err)
		}
	}
	run(t, path, `INSERT INTO audit_base VALUES (1, 2, '', '')`)
	for _, s := range []string{
		"UPDATE audit_base SET seq = 1", "UPDATE audit_base SET hash = 'x'", "DELETE FROM audit_base", "REPLACE INTO audit_base VALUES (1, 1, '', '')",
		"INSERT INTO audit_base VALUES (1, 1, '', '') ON CONFLICT (one) DO UPDATE SET seq = excluded.seq", "DELETE FROM audit WHERE seq > 2",
	} {
		if _, err := db.Exec(s); err == nil || !strings.Contains(err.Error(), "only") {
			t.Errorf("%s: %v", s, err)
		}
	}
	run(t, path, "DELETE FROM audit WHERE seq <= 2; UPDATE audit_base SET seq = 3; DELETE FROM audit")
}

// Whoever has the file may write what they want: what is read says so, and
// what stands before it is read too.
func TestAuditTouched(t *testing.T) {
	for touch, want := range map[string]int64{
		"UPDATE audit SET record = replace(record, '\"actor\"', '\"Actor\"') WHERE seq = 3":                      3,
		"UPDATE audit SET record = '{\"actor\":\"token:boss\",' || substr(record, 2) WHERE seq = 3":              3,
		"UPDATE audit SET record = record || ' ' WHERE seq = 3":                                                  3,
		"UPDATE audit SET record = '{' WHERE seq = 3":                                                            3,
		"UPDATE audit SET hash = '' WHERE seq = 3":                                                               3,
		"UPDATE audit SET seq = 9 WHERE seq = 5":                                                                 9,
		"INSERT INTO audit SELECT 0, hash, record FROM audit WHERE seq = 3":                                      0,
		"INSERT INTO audit SELECT -7, hash, replace(record, '\"seq\":3', '\"seq\":-7') FROM audit WHERE seq = 3": -7,
	} {
		path := newPath(t)
		d := open(t, path, sqlite.Options{})
		_, e := storetest.Typical("a")
		if err := d.Record(t.Context(), e, e, e, e, e); err != nil {
			t.Fatal(err)
		}
		db, err := driver.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{"DROP TRIGGER audit_stays", touch} {
			if _, err := db.Exec(s); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
		var broken *audit.Broken
		records, err := d.Audit(t.Context(), 0, 0)
		if !errors.As(err, &broken) || broken.Seq != want || len(records) != int(max(0, min(want-1, 4))) {
			t.Errorf("%s: %d records, %v", touch, len(records), err)
		}
		shut(t, d)
		_ = db.Close()
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if mode&0o1000 != 0 {
		mode = mode&0o777 | os.ModeSticky
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func shut(t testing.TB, d *sqlite.DB) {
	t.Helper()
	if err := d.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}
