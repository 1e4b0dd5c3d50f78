package postgres_test

import (
	"os"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/postgres"
	"github.com/policyctl/policyctl/internal/service/postgres/pgtest"
	"github.com/policyctl/policyctl/internal/service/storetest"
	"github.com/policyctl/policyctl/internal/trial/seed"
)

// The suite runs with the rights that the guide gives, and no others.
func TestStore(t *testing.T) {
	seed.Slow(t)
	made := served(t, pgtest.URL(t))
	storetest.Run(t, func(t *testing.T) storetest.Place {
		url := pgtest.Clone(t, made)
		return func(o storetest.Options) storetest.Store {
			return open(t, url, options(o))
		}
	})
}

// The owner of the tables cuts the log, while a role with the rights of the guide serves.
func TestPrune(t *testing.T) {
	seed.Slow(t)
	storetest.Prune(t, func(t *testing.T) (owner, serving storetest.Place) {
		tables := pgtest.URL(t)
		url := served(t, tables)
		return func(o storetest.Options) storetest.Store { return open(t, tables, options(o)) },
			func(o storetest.Options) storetest.Store { return open(t, url, options(o)) }
	})
}

func TestTold(t *testing.T) {
	url := pgtest.URL(t)
	storetest.Told(t, func(o storetest.Options) storetest.Store { return open(t, url, options(o)) })
}

// served makes the tables of a database as its owner, and returns the URL of a role that
// has the rights of the guide.
func served(t *testing.T, url string) string {
	t.Helper()
	shut(t, open(t, url, postgres.Options{}))
	grants, err := os.ReadFile("../../../docs/postgresql.sql")
	if err != nil {
		t.Fatal(err)
	}
	pgtest.SQL(t, url, `SELECT 'CREATE ROLE policyctl LOGIN' WHERE NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'policyctl') \gexec
		REVOKE CREATE ON SCHEMA public FROM PUBLIC;
		`+string(grants))
	return strings.Replace(url, "user=postgres", "user=policyctl", 1)
}

// The role that serves cannot change the audit log, nor the tables.
func TestRights(t *testing.T) {
	seed.Slow(t)
	owner := pgtest.URL(t)
	url := served(t, owner)
	d := open(t, url, postgres.Options{})
	defer shut(t, d)
	storetest.Fill(t, "", d)
	for statement, want := range map[string]string{
		"UPDATE audit SET record = ''": "permission denied", "DELETE FROM audit": "permission denied", "TRUNCATE audit": "permission denied",
		"ALTER TABLE audit DISABLE TRIGGER ALL": "must be owner", "DROP TABLE audit": "must be owner", "CREATE TABLE mine (id bigint)": "permission denied",
		"INSERT INTO audit_base VALUES (1, 1, '', '')": "permission denied", "UPDATE audit_base SET seq = 1": "permission denied", "DELETE FROM audit_base": "permission denied",
		"DELETE FROM audit_search":            "permission denied",
		"UPDATE signing_keys SET public = ''": "permission denied", "DELETE FROM rule_changes": "permission denied",
	} {
		pgtest.Refused(t, url, statement, want)
	}
	for _, statement := range []string{"UPDATE audit SET record = ''", "DELETE FROM audit", "TRUNCATE audit"} {
		pgtest.Refused(t, owner, statement, "the audit log only grows")
	}
	if err := d.MayCut(t.Context()); !postgres.IsDenied(err) {
		t.Errorf("the role that serves may cut the log: %v", err)
	}
	verify(t, d)
	onlyForward(t, owner)
}

// onlyForward fails if the owner can move the beginning of the log back, or delete what
// was not cut off.
func onlyForward(t *testing.T, owner string) {
	t.Helper()
	pgtest.SQL(t, owner, "INSERT INTO audit_base VALUES (1, 2, '', ''); DELETE FROM audit WHERE seq <= 2")
	pgtest.Refused(t, owner, "DELETE FROM audit WHERE seq = 3", "the audit log only grows")
	for _, statement := range []string{
		"UPDATE audit_base SET seq = 1", "UPDATE audit_base SET hash = 'x'", "DELETE FROM audit_base", "TRUNCATE audit_base",
		"INSERT INTO audit_base VALUES (1, 1, '', '') ON CONFLICT (one) DO UPDATE SET seq = excluded.seq",
	} {
		pgtest.Refused(t, owner, statement, "only moves forward")
	}
	pgtest.SQL(t, owner, "UPDATE audit_base SET seq = 3; DELETE FROM audit WHERE seq = 3")
}

func options(o storetest.Options) postgres.Options {
	return postgres.Options{Notify: o.Notify, KeepEvents: o.KeepEvents, KeepCalls: o.KeepCalls}
}

// open opens a database.
func open(t testing.TB, url string, o postgres.Options) *postgres.DB {
	t.Helper()
	d, err := postgres.Open(t.Context(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A program that knows the table of rules by its other columns adds one while the service
// has the database open.
func TestRuleOfAnother(t *testing.T) {
	url := pgtest.URL(t)
	d, err := postgres.Open(t.Context(), url, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	pgtest.SQL(t, url, `INSERT INTO approval_rules (id, priority, source, decision, created_at, updated_at) VALUES ('x', 5, '{}', 'deny', '2026-01-01', '2026-01-01')`)
	rules, err := d.Rules(t.Context())
	if err != nil || len(rules) != 1 || rules[0].Enabled != 1 || rules[0].Dialect != "pattern" {
		t.Errorf("%+v, %v", rules, err)
	}
}
