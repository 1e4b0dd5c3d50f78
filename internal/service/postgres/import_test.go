package postgres_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/postgres"
	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/service/sqlstore"
	"github.com/policyctl/policyctl/internal/service/storetest"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A database in a file is copied with all that is in it, and goes on in its new place with
// the next numbers.
func TestImport(t *testing.T) {
	seed.Slow(t)
	file := fileWith(t)
	url := pgtest.URL(t)
	d := open(t, url, postgres.Options{})
	defer shut(t, d)
	snapshot, err := file.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = snapshot.Rollback() }()
	head, err := d.Import(t.Context(), snapshot)
	if err != nil {
		t.Fatal(err)
	}
	was, err := file.AuditHead(t.Context())
	if err != nil || was.Hash != head.Hash || was.Seq != head.Seq {
		t.Errorf("%+v, %+v, %v", head, was, err)
	}
	for what, read := range everything() {
		same(t, what, must(read(d.DB)), must(read(file.DB)))
	}
	if _, err := d.Import(t.Context(), snapshot); !errors.Is(err, postgres.ErrNotEmpty) {
		t.Errorf("a second copy: %v", err)
	}
	storetest.Fill(t, "next", d)
	if events, err := d.EventsAfter(t.Context(), 0, 0); err != nil || events[len(events)-1].ID != int64(len(events)) {
		t.Errorf("%+v, %v", events, err)
	}
	if found, err := d.List(t.Context(), approval.Filter{Text: "make"}); err != nil || len(found) != 4 || found[0].ID != "bnext" {
		t.Errorf("%d found, %v", len(found), err)
	}
	verify(t, d)
}

// What cannot be copied whole is not copied at all.
func TestImportFails(t *testing.T) {
	file := fileWith(t)
	d := open(t, pgtest.URL(t), postgres.Options{})
	defer shut(t, d)
	snapshot, err := file.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = snapshot.Rollback() }()
	if err := d.Observe(t.Context(), time.Now()); err != nil { // a table in the midst
		t.Fatal(err)
	}
	if _, err := d.Import(t.Context(), snapshot); !errors.Is(err, postgres.ErrNotEmpty) {
		t.Error(err)
	}
	if list, err := d.List(t.Context(), approval.Filter{}); err != nil || len(list) != 0 {
		t.Errorf("%d requests, %v", len(list), err)
	}
}

// fileWith returns a file with something in each table.
func fileWith(t *testing.T) *sqlite.DB {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	d, err := sqlite.Open(t.Context(), filepath.Join(dir, "x.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	storetest.Fill(t, "", d)
	return d
}

// everything is what can be read of a database.
func everything() map[string]func(*sqlstore.DB) (any, error) {
	ctx := context.Background()
	return map[string]func(*sqlstore.DB) (any, error){
		"requests": func(d *sqlstore.DB) (any, error) { return d.List(ctx, approval.Filter{}) },
		"events":   func(d *sqlstore.DB) (any, error) { return d.EventsAfter(ctx, 0, 0) },
		"audit":    func(d *sqlstore.DB) (any, error) { return d.Audit(ctx, 0, 0) },
		"keys":     func(d *sqlstore.DB) (any, error) { return d.Keys(ctx) },
		"tokens":   func(d *sqlstore.DB) (any, error) { return d.Tokens(ctx) },
		"rules":    func(d *sqlstore.DB) (any, error) { return d.Rules(ctx) },
		"seals":    func(d *sqlstore.DB) (any, error) { return d.Seals(ctx) },
		"changes":  func(d *sqlstore.DB) (any, error) { return d.Changes(ctx, "", 0, 0) },
		"calls":    func(d *sqlstore.DB) (any, error) { return d.Calls(ctx, 0) },
		"clock":    func(d *sqlstore.DB) (any, error) { return d.Latest(ctx) },
		"denials":  func(d *sqlstore.DB) (any, error) { return d.SessionDenials(ctx) },
		"notes": func(d *sqlstore.DB) (any, error) {
			notes, err := d.GrantNotes(ctx)
			return fmt.Sprintf("%+v", notes), err
		},
		"passkeys":      func(d *sqlstore.DB) (any, error) { return d.Passkeys(ctx) },
		"subscriptions": func(d *sqlstore.DB) (any, error) { return d.Subscriptions(ctx) },
		"cursor":        func(d *sqlstore.DB) (any, error) { n, _, err := d.Cursor(ctx); return n, err },
		"deliveries":    func(d *sqlstore.DB) (any, error) { return d.Deliveries(ctx, channel.Filter{Channel: "phone"}) },
		"facts":         func(d *sqlstore.DB) (any, error) { return d.Facts(ctx, time.Time{}, 0) },
	}
}

func must(v any, err error) any {
	if err != nil {
		return fmt.Sprint("error: ", err)
	}
	return v
}

// same fails if two values have different JSON, or if there is nothing.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	g, err := json.Marshal(got)
	w, err2 := json.Marshal(want)
	if err != nil || err2 != nil || string(g) != string(w) || string(g) == "null" || string(g) == "{}" {
		t.Errorf("%s: %.2000s, want %.2000s", what, g, w)
	}
}
