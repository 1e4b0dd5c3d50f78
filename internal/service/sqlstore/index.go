package sqlstore

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// indexPart is how many rows are read into an index at once: all writers wait for it.
const indexPart = 50

// maxBehind bounds the rows that a search reads into its index before it answers.
const maxBehind = 2000

// Index reads some of what was stored into the indexes of the search, and reports
// whether there is more. Who searches does so by itself; who calls it now and then
// has searches wait for less.
func (d *DB) Index(ctx context.Context) (more bool, err error) {
	requests, err := d.indexRequests(ctx)
	if err != nil {
		return false, err
	}
	records, err := d.indexRecords(ctx)
	return requests == indexPart || records == indexPart, err
}

// Behind returns how many requests and records the indexes lack.
func (d *DB) Behind(ctx context.Context) (int64, error) {
	return one(ctx, d, scanInt, "SELECT (SELECT count(*) FROM requests_unread) + coalesce((SELECT max(seq) FROM audit), 0) - "+d.lastIndexed())
}

// lastIndexed is the last record of the audit log in its index, the last one that was cut
// off for an empty one.
func (d *DB) lastIndexed() string {
	key := d.dialect.Search.Key
	return "coalesce((SELECT " + key + " FROM audit_search ORDER BY " + key + " DESC LIMIT 1), " + cut + ")"
}

// catchUp reads into an index what it lacks, up to a bound.
func catchUp(ctx context.Context, part func(context.Context) (int, error)) error {
	for range maxBehind / indexPart {
		if n, err := part(ctx); err != nil || n < indexPart {
			return err
		}
	}
	return nil
}

func (d *DB) indexRequests(ctx context.Context) (int, error) {
	type unread struct {
		seq int64
		requestRow
	}
	all, err := list(ctx, d, func(from row) (u unread, err error) {
		return u, from.Scan(append([]any{&u.seq}, u.targets()...)...)
	}, "SELECT r.seq, "+requestColumns+" FROM requests_unread AS u JOIN requests AS r ON r.seq = u.seq ORDER BY u.seq DESC LIMIT ?", indexPart)
	if err != nil || len(all) == 0 {
		return 0, err
	}
	slices.Reverse(all) // an index takes rows by ascending number, and begins anew for others
	var entries []Statement
	for i := range all {
		entries = append(entries, d.entriesOf(all[i].seq, &all[i].requestRow)...)
	}
	return len(all), d.write(ctx, func(t *Tx) error {
		for _, e := range entries {
			t.Later(e.Query, e.Args...)
		}
		return nil
	})
}

// entriesOf returns what stores what is found of a request as it was. One that has changed
// since stays unread. Of one that is damaged there is nothing to find.
func (d *DB) entriesOf(seq int64, row *requestRow) []Statement {
	r, err := row.request()
	if err != nil {
		r = &approval.Request{}
	}
	return []Statement{
		d.entry("requests_search", seq, r.Words(), requestMarks(r)),
		fact(seq, r.Fact()),
		{"DELETE FROM requests_unread WHERE seq = ?1 AND EXISTS (SELECT 1 FROM requests WHERE seq = ?1 AND version = ?2)", []any{seq, row.version}},
	}
}

func (d *DB) indexRecords(ctx context.Context) (int, error) {
	type unread struct {
		seq   int64
		entry Statement
	}
	all, err := list(ctx, d, func(from row) (u unread, err error) {
		var text []byte
		if err := from.Scan(&u.seq, &text); err != nil {
			return u, err
		}
		var r audit.Record
		if json.Unmarshal(text, &r) != nil {
			r = audit.Record{} // who verifies the log is told
		}
		u.entry = d.entry("audit_search", u.seq, r.Words(), recordMarks(&r))
		return u, nil
	}, "SELECT seq, record FROM audit WHERE seq > "+d.lastIndexed()+" ORDER BY seq LIMIT ?", indexPart)
	if err != nil || len(all) == 0 {
		return 0, err
	}
	return len(all), d.write(ctx, func(t *Tx) error {
		var gone int64
		if err := t.Get([]any{&gone}, "SELECT "+cut); err != nil {
			return err
		}
		for _, u := range all {
			if u.seq > gone { // since it was read
				t.Later(u.entry.Query, u.entry.Args...)
			}
		}
		return nil
	})
}

// entry returns what stores what is found of a row. It is made before all writers wait for
// it to be stored.
func (d *DB) entry(table string, seq int64, words string, marks []mark) Statement {
	s := &d.dialect.Search
	return Statement{strings.ReplaceAll(s.Put, "%s", table), append([]any{seq}, s.Entry(words, marksOf(marks))...)}
}
