package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/policyctl/policyctl/internal/service/sqlstore"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// imported are the tables that are copied, the ones that others refer to first. What
// searches and statistics need is made anew of them.
func imported() []string {
	return []string{
		"requests", "events", "audit", "audit_base", "signing_keys", "tokens", "approval_rules", "rule_seals", "rule_changes", "calls", "clock", "session_denials",
		"grant_notes", "passkeys", "push_subscriptions", "channel_cursor", "channel_deliveries", "channel_tokens", "channel_presses",
		"shelves", "collected",
	}
}

// ErrNotEmpty says that there is something where a copy was to go.
var ErrNotEmpty = errors.New("something is stored there: give a database in which nothing is")

// Import copies all that a transaction of another database reads, whose tables are those
// of package sqlite, with all ids and numbers: all of it or nothing. The database must be
// empty. It returns the last record of the audit log, nil for none, once the whole log has
// verified in its new place. Other writers wait.
func (d *DB) Import(ctx context.Context, from *sql.Tx) (head *audit.Record, err error) {
	c, err := pgx.ConnectConfig(ctx, d.server.config)
	if err != nil {
		return nil, d.server.Explain(err)
	}
	defer c.Close(context.WithoutCancel(ctx))
	err = pgx.BeginFunc(ctx, c, func(to pgx.Tx) error {
		if _, err := to.Exec(ctx, "SELECT set_config('synchronous_commit', 'on', true), pg_advisory_xact_lock("+turn+")"); err != nil {
			return err
		}
		for _, table := range imported() {
			if err := copyTable(ctx, to, from, table); err != nil {
				return fmt.Errorf("table %s: %w", table, err)
			}
		}
		head, err = verified(ctx, to)
		return err
	})
	if err != nil {
		return nil, d.server.Explain(err)
	}
	return head, nil
}

// A column is one of a table, with its type.
type column struct{ name, kind string }

func columnsOf(ctx context.Context, to pgx.Tx, table string) ([]column, error) {
	rows, err := to.Query(ctx, `SELECT column_name, data_type FROM information_schema.columns
		WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`, table)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(r pgx.CollectableRow) (c column, err error) { return c, r.Scan(&c.name, &c.kind) })
}

func copyTable(ctx context.Context, to pgx.Tx, from *sql.Tx, table string) error {
	var full bool
	if err := to.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM "+table+")").Scan(&full); err != nil || full {
		return errors.Join(err, only(full, ErrNotEmpty))
	}
	columns, err := columnsOf(ctx, to, table)
	if err != nil {
		return err
	}
	var names, chosen []string
	for _, c := range columns {
		names = append(names, c.name)
		if c.kind == "text" {
			c.name = "CAST(" + c.name + " AS BLOB)" // the driver makes a time of a text that looks like one
		}
		chosen = append(chosen, c.name)
	}
	rows, err := from.QueryContext(ctx, "SELECT "+strings.Join(chosen, ", ")+" FROM "+table)
	if err != nil {
		return err
	}
	defer rows.Close()
	if _, err := to.CopyFrom(ctx, pgx.Identifier{table}, names, &source{rows: rows, columns: columns}); err != nil {
		return err
	}
	return goOn(ctx, to, table, columns[0].name)
}

// only is an error if something holds.
func only(holds bool, err error) error {
	if holds {
		return err
	}
	return nil
}

// goOn has new rows numbered behind those that were copied, where the database numbers.
func goOn(ctx context.Context, to pgx.Tx, table, key string) error {
	var sequence *string
	if err := to.QueryRow(ctx, "SELECT pg_get_serial_sequence($1, $2)", table, key).Scan(&sequence); err != nil || sequence == nil {
		return err
	}
	_, err := to.Exec(ctx, "SELECT setval($1, max("+key+")) FROM "+table+" HAVING count(*) > 0", *sequence)
	return err
}

// A source is rows of another database.
type source struct {
	rows    *sql.Rows
	columns []column
	err     error
}

// Next implements pgx.CopyFromSource.
func (s *source) Next() bool { return s.err == nil && s.rows.Next() }

// Values implements pgx.CopyFromSource.
func (s *source) Values() ([]any, error) {
	values, into := make([]any, len(s.columns)), make([]any, len(s.columns))
	for i := range values {
		into[i] = &values[i]
	}
	if s.err = s.rows.Scan(into...); s.err != nil {
		return nil, s.err
	}
	for i, c := range s.columns {
		if text, isText := values[i].([]byte); isText && c.kind == "text" {
			values[i] = string(text)
		}
	}
	return values, nil
}

// Err implements pgx.CopyFromSource.
func (s *source) Err() error { return errors.Join(s.err, s.rows.Err()) }

// verified checks the whole audit log as it is in a transaction, and returns its end.
func verified(ctx context.Context, to pgx.Tx) (head *audit.Record, err error) {
	var v approval.Verifier
	last, err := begins(ctx, to, &v)
	if err != nil {
		return nil, err
	}
	rows, err := to.Query(ctx, "SELECT seq, hash, record FROM audit WHERE seq NOT BETWEEN 1 AND $1 ORDER BY seq", last)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		if head, err = sqlstore.ScanRecord(rows); err == nil {
			err = v.Check(head)
		}
		if err != nil {
			return nil, err
		}
	}
	return head, errors.Join(rows.Err(), v.End())
}

// begins has a verifier start where the audit log begins, and returns the last record that
// was cut off, 0 for none.
func begins(ctx context.Context, to pgx.Tx, v *approval.Verifier) (last int64, err error) {
	rows, err := to.Query(ctx, "SELECT id, public, created, ended FROM signing_keys")
	if err != nil {
		return 0, err
	}
	keys, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (approval.Key, error) { return sqlstore.ScanKey(r) })
	if err != nil {
		return 0, err
	}
	base, err := sqlstore.ScanBase(to.QueryRow(ctx, "SELECT seq, hash, checkpoint FROM audit_base"))
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return base.Seq, v.Begin(base, approval.KeysOf(keys...))
}
