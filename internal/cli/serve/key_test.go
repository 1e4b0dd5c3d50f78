package serve

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/postgres"
	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
	"github.com/policyctl/policyctl/internal/service/sqlstore"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// first starts instances on an empty database at the same moment, each with the key in its
// file, and returns what became of each.
func first(t *testing.T, url string, files []string) []error {
	t.Helper()
	var all sync.WaitGroup
	errs := make([]error, len(files))
	gate := make(chan struct{})
	for i, file := range files {
		db, err := postgres.Open(t.Context(), url, sqlstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		all.Go(func() {
			k := &SigningKey{file: file}
			<-gate
			var signer approval.Signer
			if signer, errs[i] = k.make(t.Context(), &console.Process{}, db, "", slog.New(slog.DiscardHandler)); errs[i] == nil {
				_, errs[i] = approval.NewService(t.Context(), approval.Options{Store: db, Now: time.Now, Signer: signer})
			}
		})
	}
	close(gate)
	all.Wait()
	db, err := postgres.Open(t.Context(), url, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if keys, err := db.Keys(t.Context()); err != nil || len(keys) != 1 || !keys[0].Ended.IsZero() {
		t.Errorf("the keys are %v, %v", keys, err)
	}
	return errs
}

// Any number of instances that share a file of the key start for the first time at the
// same moment, and have one key.
func TestFirstStartsShareFile(t *testing.T) {
	for range 3 {
		files := make([]string, 6)
		for i := range files {
			if files[i] = filepath.Join(filepath.Dir(t.TempDir()), "shared.key"); i == 0 {
				os.Remove(files[i])
			}
		}
		for i, err := range first(t, pgtest.URL(t), files) {
			if err != nil {
				t.Errorf("instance %d: %v", i, err)
			}
		}
	}
}

// Of instances with files of their own one makes the key. The others say what is missing,
// and make none that would stand in the way of its copy.
func TestFirstStartsApart(t *testing.T) {
	url := pgtest.URL(t)
	files := make([]string, 6)
	for i := range files {
		files[i] = filepath.Join(t.TempDir(), "own.key")
	}
	made := ""
	for i, err := range first(t, url, files) {
		switch _, absent := os.Stat(files[i]); {
		case err == nil && made != "":
			t.Error("two instances made a key")
		case err == nil:
			made = files[i]
		case !strings.Contains(err.Error(), "copy theirs to this path"):
			t.Errorf("instance %d: %v", i, err)
		case !errors.Is(absent, fs.ErrNotExist):
			t.Errorf("instance %d left a key", i)
		}
	}
	text, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i, err := range first(t, url, files) {
		if err != nil {
			t.Errorf("instance %d with the copy: %v", i, err)
		}
	}
}

// A claim of an instance that has failed before it signed ends, so that another one may
// begin with a key of its own.
func TestClaimEnds(t *testing.T) {
	for at, want := range map[time.Time]bool{time.Now(): false, time.Now().Add(-2 * claimTime): true, time.Now().Add(2 * claimTime): true} {
		url := pgtest.URL(t)
		db, err := postgres.Open(t.Context(), url, sqlstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		text := `{"id":"other","at":"` + at.UTC().Format(time.RFC3339) + `"}`
		if err := db.Shelf(claimShelf).Change(t.Context(), func([]byte) ([]byte, error) { return []byte(text), nil }); err != nil {
			t.Fatal(err)
		}
		k := &SigningKey{file: filepath.Join(t.TempDir(), "own.key")}
		if _, err := k.make(t.Context(), &console.Process{}, db, "", slog.New(slog.DiscardHandler)); (err == nil) != want {
			t.Errorf("a claim of %s: %v", at, err)
		}
	}
}

// A keyless store keeps no key.
type keyless struct{ *postgres.DB }

var errFull = errors.New("the disk is full")

func (keyless) AddKey(context.Context, approval.Key, ...audit.Entry) error { return errFull }

// A key that could not be stored signs nothing.
func TestKeyNotStored(t *testing.T) {
	db, err := postgres.Open(t.Context(), pgtest.URL(t), sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := approval.NewService(t.Context(), approval.Options{Store: keyless{db}, Now: time.Now}); !errors.Is(err, errFull) {
		t.Errorf("it starts: %v", err)
	}
}
