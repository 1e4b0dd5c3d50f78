package postgres

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// changing is the advisory lock of who changes the tables.
const changing = "1885566061"

// errOthers says whose tables are there.
var errOthers = errors.New("its schema has tables of another program: give a database or a search_path of its own")

// migrate brings the tables up to date. Several instances may do so at once.
func (s *server) migrate(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	db := s.pool(2, "SET lock_timeout = '60s'") // one has the lock, the other works
	defer db.Close()
	p, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return fmt.Errorf("the migrations of the database: %w", err)
	}
	sources := p.ListSources()
	newest := sources[len(sources)-1].Version
	first, stop := context.WithTimeout(ctx, patience)
	defer stop()
	if old, err := s.outdated(first, db, newest); err != nil || !old {
		return err
	}
	return s.up(ctx, db, p, newest)
}

// Made reports whether the tables are there at a URL, of whatever version. It makes none.
func Made(ctx context.Context, url string) (bool, error) {
	s, err := newServer(url)
	if err != nil {
		return false, err
	}
	defer s.writer.Close()
	defer s.readers.Close()
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	version, err := s.version(ctx, s.readers)
	return version > 0, err
}

// up changes the tables, alone.
func (s *server) up(ctx context.Context, db *sql.DB, p *goose.Provider, newest int64) error {
	lock, err := db.Conn(ctx)
	if err != nil {
		return s.Explain(err)
	}
	defer lock.Close() // and with the pool the session, and the lock
	if _, err := lock.ExecContext(ctx, "SELECT pg_advisory_lock("+changing+")"); err != nil {
		return s.Explain(err)
	}
	if old, err := s.outdated(ctx, db, newest); err != nil || !old {
		return err // another instance was first
	}
	_, err = p.Up(ctx)
	return s.Explain(err)
}

// outdated reports whether the tables are older than the newest ones. It writes nothing.
func (s *server) outdated(ctx context.Context, db *sql.DB, newest int64) (bool, error) {
	version, err := s.version(ctx, db)
	if err != nil {
		return false, err
	}
	if version > newest {
		return false, fmt.Errorf("database %s: its schema has version %d and this program knows %d: use a newer program, or another database", s.name, version, newest)
	}
	return version < newest, nil
}

// version returns the version of the tables, 0 for none.
func (s *server) version(ctx context.Context, db *sql.DB) (version int64, err error) {
	var schema sql.NullString
	var marked, versions, others int
	if err := s.shadowed(ctx, db); err != nil {
		return 0, err
	}
	err = db.QueryRowContext(ctx, `SELECT current_schema(), count(*) FILTER (WHERE relname = 'policyctl_store'), count(*) FILTER (WHERE relname = 'goose_db_version'),
		count(*) FILTER (WHERE relname NOT IN ('policyctl_store', 'goose_db_version'))
		FROM pg_class AS c WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND relkind IN ('r', 'p', 'v', 'm', 'f')
		AND NOT EXISTS (SELECT 1 FROM pg_depend AS d WHERE d.objid = c.oid AND d.deptype = 'e')`).Scan(&schema, &marked, &versions, &others)
	switch {
	case err != nil:
		return 0, s.Explain(err)
	case !schema.Valid:
		return 0, fmt.Errorf("database %s: the schema of its search_path is not there: make it with CREATE SCHEMA, or name another one", s.name)
	case marked == 0 && others > 0:
		return 0, fmt.Errorf("database %s: %w", s.name, errOthers)
	case versions == 0:
		return 0, nil
	}
	err = db.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied").Scan(&version)
	return version, s.Explain(err)
}

// shadowed refuses a schema in which others may make, or have made, functions that
// PostgreSQL could take for its own: the service would run them with its rights
// (CVE-2018-1058).
func (s *server) shadowed(ctx context.Context, db *sql.DB) error {
	var schema, function sql.NullString
	var open sql.NullBool
	err := db.QueryRowContext(ctx, `SELECT current_schema(), has_schema_privilege('public', current_schema(), 'CREATE'), (SELECT min(p.proname::text) FROM pg_proc AS p
		WHERE p.pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
		AND EXISTS (SELECT 1 FROM pg_proc AS q WHERE q.pronamespace = 'pg_catalog'::regnamespace AND q.proname = p.proname)
		AND NOT EXISTS (SELECT 1 FROM pg_depend AS d WHERE d.objid = p.oid AND d.deptype = 'e'))`).Scan(&schema, &open, &function)
	switch {
	case err != nil:
		return s.Explain(err)
	case open.Bool:
		return fmt.Errorf("database %s: every role may make functions in the schema %[2]s, which the service would run: REVOKE CREATE ON SCHEMA %[2]s FROM PUBLIC", s.name, schema.String)
	case function.Valid:
		return fmt.Errorf("database %s: the schema %s has a function %q, as PostgreSQL has: drop it, and see who made it", s.name, schema.String, function.String)
	}
	return nil
}
