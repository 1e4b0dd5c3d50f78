package sqlite

import (
	"context"
	"database/sql"
	"strings"

	"github.com/policyctl/policyctl/internal/service/sqlstore"
	"github.com/policyctl/policyctl/pkg/approval"
)

// Connect implements sqlstore.Engine: one connection writes as long as the file
// is open.
func (d *file) Connect(context.Context) (*sql.Conn, error) { return d.conn, nil }

// Begin implements sqlstore.Engine.
func (d *file) Begin(t *sqlstore.Tx) error {
	t.Later("BEGIN IMMEDIATE")
	return nil
}

// Broken implements sqlstore.Engine: nothing is between the database and us.
func (d *file) Broken() bool { return false }

// Stored implements sqlstore.Engine.
func (d *file) Stored(events []approval.Event) error {
	if err := d.Check(); err != nil || d.notify == nil {
		return err
	}
	for _, e := range events {
		d.notify(e)
	}
	return nil
}

// Shared implements sqlstore.Engine: a file is for one service.
func (d *file) Shared() bool { return false }

// Lead implements sqlstore.Engine: one service works on a file.
func (d *file) Lead(ctx context.Context, _ string, run func(context.Context)) { run(ctx) }

// dialect returns how SQLite spells what has no common spelling.
func dialect() *sqlstore.Dialect {
	return &sqlstore.Dialect{
		AuditSecond: "substr(json_extract(a.record, '$.time'), 1, 19)",
		Search: sqlstore.Search{
			Key: "rowid", Join: "CROSS JOIN", Match: "%s MATCH ?", // the planner keeps the order of a cross join
			Put: "INSERT OR REPLACE INTO %s (rowid, words, marks) VALUES (?, ?, ?)",
			Entry: func(words string, marks []string) []any {
				return []any{words, strings.Join(marks, " ")}
			},
			Query: query,
		},
	}
}

// query returns the query of FTS5 for marks and terms.
func query(marks []string, terms []sqlstore.Term) string {
	var out []string
	if len(marks) > 0 {
		out = append(out, "marks : ("+strings.Join(marks, " AND ")+")")
	}
	for _, t := range terms {
		phrase := `words : "` + strings.ReplaceAll(t.Text, `"`, `""`) + `"`
		if t.Open {
			phrase += " *"
		}
		out = append(out, phrase)
	}
	return strings.Join(out, " AND ")
}
