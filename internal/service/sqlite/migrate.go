package sqlite

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/policyctl/policyctl/internal/support/plainfile"
)

//go:embed migrations/*.sql
var migrations embed.FS

// applicationID marks a file as ours. The first migration writes it.
const applicationID = 1885566060 // "pctl"

// migrate brings the schema up to date. Only that needs the lock: a database
// that is up to date opens without it.
func (d *file) migrate(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, d.writer, files,
		goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return fmt.Errorf("the migrations of the database: %w", err)
	}
	sources := p.ListSources()
	newest := sources[len(sources)-1].Version
	if old, err := d.outdated(ctx, newest); err != nil || !old {
		return err
	}
	lock := plainfile.Lock(d.path + lockSuffix)
	if _, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil {
		return fmt.Errorf("database %s: the lock for the change of its schema: %w", d.path, err)
	}
	defer lock.Close()
	if old, err := d.outdated(ctx, newest); err != nil || !old {
		return err // another process was first
	}
	return d.up(ctx, p)
}

func (d *file) up(ctx context.Context, p *goose.Provider) error {
	if _, err := d.writer.ExecContext(ctx, "PRAGMA journal_mode = WAL"); err != nil {
		return d.Explain(err)
	}
	_, err := p.Up(ctx)
	return d.Explain(err)
}

// outdated reports whether the schema is older than the newest one. It writes
// nothing, so that a file that is not ours stays as it is.
func (d *file) outdated(ctx context.Context, newest int64) (bool, error) {
	version, err := d.version(ctx)
	if err != nil {
		return false, err
	}
	if version > newest {
		return false, fmt.Errorf("database %s: its schema has version %d and this program knows %d: use a newer program, or another file",
			d.path, version, newest)
	}
	return version < newest, nil
}

// version returns the version of the schema, 0 for an empty file.
func (d *file) version(ctx context.Context) (version int64, err error) {
	var id, versions, others int64
	err = d.writer.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
		count(*) FILTER (WHERE name = 'goose_db_version'),
		count(*) FILTER (WHERE name <> 'goose_db_version' AND name NOT LIKE 'sqlite\_%' ESCAPE '\')
		FROM sqlite_schema`).Scan(&id, &versions, &others)
	switch {
	case err != nil:
		return 0, d.Explain(err)
	case id != applicationID && (id != 0 || others > 0):
		return 0, fmt.Errorf("database %s: %w", d.path, errOthers)
	case versions == 0:
		return 0, nil
	}
	err = d.writer.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied").Scan(&version)
	return version, d.Explain(err)
}
