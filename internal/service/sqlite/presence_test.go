package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/service/storetest"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A database whose file is no longer the one that was opened says so of every
// read and write: what it would acknowledge ends with the process.
func TestGone(t *testing.T) {
	for name, take := range map[string]func(t *testing.T, path string){
		"removed":                func(t *testing.T, path string) { remove(t, path) },
		"removed with its log":   func(t *testing.T, path string) { remove(t, path, path+"-wal", path+"-shm") },
		"its log removed":        func(t *testing.T, path string) { remove(t, path+"-wal") },
		"its index removed":      func(t *testing.T, path string) { remove(t, path+"-shm") },
		"moved away":             func(t *testing.T, path string) { rename(t, path, path+".old") },
		"replaced by a copy":     func(t *testing.T, path string) { copyOf(t, path, path+".new"); rename(t, path+".new", path) },
		"replaced by a link":     func(t *testing.T, path string) { rename(t, path, path+".old"); link(t, path+".old", path) },
		"its directory moved":    func(t *testing.T, path string) { rename(t, filepath.Dir(path), filepath.Dir(path)+"-old") },
		"its directory replaced": func(t *testing.T, path string) { replaceDir(t, path) },
		"its log replaced":       func(t *testing.T, path string) { copyOf(t, path+"-wal", path+"-w"); rename(t, path+"-w", path+"-wal") },
		"another made by a start": func(t *testing.T, path string) {
			remove(t, path, path+"-wal", path+"-shm")
			shut(t, open(t, path, sqlite.Options{}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			d := open(t, path, sqlite.Options{})
			r, e := storetest.Typical("a")
			if _, _, _, err := d.Create(t.Context(), r, e); err != nil {
				t.Fatal(err)
			}
			if err := d.Check(); err != nil {
				t.Fatal(err)
			}
			take(t, path)
			b, _ := storetest.Typical("b")
			_, _, _, created := d.Create(t.Context(), b, e)
			_, updated := d.Update(t.Context(), "a", func(*approval.Request) ([]audit.Entry, error) { return nil, nil })
			_, got := d.Get(t.Context(), "a")
			_, listed := d.List(t.Context(), approval.Filter{})
			_, _, found := d.TokenByID(t.Context(), "x")
			token := d.AddToken(t.Context(), auth.Token{ID: "x", Name: "x", Scopes: auth.Read, Created: time.Now()})
			for what, err := range map[string]error{
				"create": created, "update": updated, "get": got, "list": listed, "find a token": found, "add a token": token, "check": d.Check(),
			} {
				if !errors.Is(err, sqlite.ErrGone) || !strings.Contains(err.Error(), path) {
					t.Errorf("%s: %v", what, err)
				}
			}
			_ = d.Close() // SQLite may find that its files are gone
		})
	}
}

// A database that comes back as it was goes on.
func TestBack(t *testing.T) {
	path := newPath(t)
	d := open(t, path, sqlite.Options{})
	defer shut(t, d)
	rename(t, path, path+".old")
	if _, err := d.List(t.Context(), approval.Filter{}); !errors.Is(err, sqlite.ErrGone) {
		t.Fatal(err)
	}
	rename(t, path+".old", path)
	r, e := storetest.Typical("a")
	if _, _, _, err := d.Create(t.Context(), r, e); err != nil {
		t.Error(err)
	}
}

// What is removed while a transaction is written is not acknowledged.
func TestGoneMeanwhile(t *testing.T) {
	path := newPath(t)
	d := open(t, path, sqlite.Options{})
	r, e := storetest.Typical("a")
	if _, _, _, err := d.Create(t.Context(), r, e); err != nil {
		t.Fatal(err)
	}
	_, err := d.Update(t.Context(), "a", func(*approval.Request) ([]audit.Entry, error) {
		remove(t, path)
		return nil, nil
	})
	if !errors.Is(err, sqlite.ErrGone) {
		t.Error(err)
	}
	_ = d.Close()
}

// A write-ahead log without its database is the rest of one that was removed:
// a new one beside it would take it for its own.
func TestLogAlone(t *testing.T) {
	path := newPath(t)
	write(t, path+"-wal", "x")
	if d, err := sqlite.Open(t.Context(), path, sqlite.Options{}); err == nil {
		shut(t, d)
		t.Error("opened")
	} else if !strings.Contains(err.Error(), "write-ahead log") {
		t.Error(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a database was made")
	}
}

// Each damaged row is left out, told once, and takes no other with it.
func TestDamagedRows(t *testing.T) {
	for name, damage := range map[string]string{
		"no JSON":               "UPDATE requests SET document = '{' WHERE id = 'b'",
		"another document":      "UPDATE requests SET document = (SELECT document FROM requests WHERE id = 'a') WHERE id = 'b'",
		"an empty document":     "UPDATE requests SET document = '{}' WHERE id = 'b'",
		"another state":         "UPDATE requests SET state = 'APPROVED' WHERE id = 'b'",
		"approved by nobody":    `UPDATE requests SET state = 'APPROVED', document = json_set(document, '$.state', 'APPROVED') WHERE id = 'b'`,
		"a state that is none":  `UPDATE requests SET state = 'X', document = json_set(document, '$.state', 'X') WHERE id = 'b'`,
		"a version of the past": "UPDATE requests SET version = 7 WHERE id = 'b'",
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			var told []string
			d := open(t, path, sqlite.Options{Damaged: func(err error) { told = append(told, err.Error()) }})
			defer shut(t, d)
			service, err := storetest.Service(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range []string{"a", "b", "c"} {
				r, e := storetest.Typical(id)
				c, err := policy.DecodeCall(r.Call)
				if err != nil {
					t.Fatal(err)
				}
				if r.Hash, err = approval.HashOf(c); err != nil {
					t.Fatal(err)
				}
				if _, _, _, err := d.Create(t.Context(), r, e); err != nil {
					t.Fatal(err)
				}
			}
			run(t, path, damage)
			for range 2 {
				list, err := service.List(t.Context(), approval.Filter{})
				if err != nil || len(list) != 2 || list[0].ID != "c" || list[1].ID != "a" {
					t.Errorf("%d requests, %v", len(list), err)
				}
			}
			if len(told) != 1 || !strings.Contains(told[0], `request "b"`) || d.Damaged() != 1 {
				t.Errorf("told %q", told)
			}
			if _, err := service.Get(t.Context(), "b"); !errors.Is(err, approval.ErrDamaged) {
				t.Errorf("get: %v", err)
			}
			if _, err := service.Decide(t.Context(), "b", "token:ann", approval.Answer{Word: approval.ApprovedOnce}); !errors.Is(err, approval.ErrDamaged) {
				t.Errorf("decide: %v", err)
			}
			if _, err := service.Expire(t.Context()); err != nil {
				t.Errorf("expire: %v", err)
			}
			for _, id := range []string{"a", "c"} { // their time was over long ago
				if r, err := d.Get(t.Context(), id); err != nil || r.State != approval.TimedOut {
					t.Errorf("%s is %s, %v", id, r.State, err)
				}
			}
		})
	}
}

// A damaged token or key is left out too.
func TestDamagedOthers(t *testing.T) {
	path := newPath(t)
	d := open(t, path, sqlite.Options{})
	defer shut(t, d)
	for _, id := range []string{"x", "y"} {
		if err := d.AddToken(t.Context(), auth.Token{ID: id, Name: id, Scopes: auth.Read, Created: time.Now()}); err != nil {
			t.Fatal(err)
		}
		k := approval.NewKey(approval.NewPrivateKey().Public(), time.Now())
		if k.ID = id; d.AddKey(t.Context(), k) != nil {
			t.Fatal(id)
		}
	}
	run(t, path, "UPDATE tokens SET hash = x'00' WHERE id = 'x'", "UPDATE signing_keys SET public = x'00' WHERE id = 'x'")
	tokens, err := d.Tokens(t.Context())
	keys, fault := d.Keys(t.Context())
	if err != nil || fault != nil || len(tokens) != 1 || len(keys) != 1 || d.Damaged() != 2 {
		t.Errorf("%v, %v, %d tokens, %d keys, %d damaged", err, fault, len(tokens), len(keys), d.Damaged())
	}
	run(t, path, "UPDATE tokens SET scopes = 'approve,everything' WHERE id = 'y'")
	if _, _, err := d.TokenByID(t.Context(), "y"); !errors.Is(err, approval.ErrDamaged) {
		t.Error(err)
	}
}

func remove(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

func copyOf(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	write(t, to, string(text))
}

// replaceDir puts a copy of the directory of a database in its place.
func replaceDir(t *testing.T, path string) {
	t.Helper()
	dir := filepath.Dir(path)
	if err := os.CopyFS(dir+"-new", os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	rename(t, dir, dir+"-old")
	rename(t, dir+"-new", dir)
}
