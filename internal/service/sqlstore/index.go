package sqlstore

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

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
	all, err := list(ctx, d, func(from row) (u unread, err error) {
		u.found = &found{}
		return u, from.Scan(&u.seq, &u.id, &u.version)
	}, "SELECT r.seq, r.id, r.version FROM requests_unread AS u JOIN requests AS r ON r.seq = u.seq ORDER BY u.seq DESC LIMIT ?", indexPart)
	if err != nil || len(all) == 0 {
		return 0, err
	}
	slices.Reverse(all) // an index takes rows by ascending number, and begins anew for others
	if err := d.findIn(ctx, all); err != nil {
		return 0, err
	}
	var entries []Statement
	for i := range all {
		entries = append(entries, d.entriesOf(&all[i])...)
	}
	return len(all), d.write(ctx, func(t *Tx) error {
		for _, e := range entries {
			t.Later(e.Query, e.Args...)
		}
		return nil
	})
}

// An unread is a request that the index lacks, and what is found of it.
type unread struct {
	seq int64
	*found
}

// findIn sets what is found of requests. Only those are read that this process has not
// stored lately. Of one that is damaged there is nothing to find.
func (d *DB) findIn(ctx context.Context, all []unread) error {
	at := make(map[int64]*unread)
	var lacking []any
	for i := range all {
		u := &all[i]
		if known, ok := d.fresh.requests.Get(u.id); ok && known.version == u.version {
			u.found = known
			continue
		}
		at[u.seq], lacking = u, append(lacking, u.seq)
	}
	if len(lacking) == 0 {
		return nil
	}
	_, err := list(ctx, d, func(from row) (none struct{}, err error) {
		var seq int64
		var r requestRow
		if err := from.Scan(append([]any{&seq}, r.targets()...)...); err != nil {
			return none, err
		}
		if whole, err := r.request(); err == nil {
			at[seq].found = foundOf(whole)
		}
		return none, nil
	}, "SELECT seq, "+requestColumns+" FROM requests WHERE seq IN (?"+strings.Repeat(", ?", len(lacking)-1)+")", lacking...)
	return err
}

// entriesOf returns what stores what is found of a request as it was. One that has changed
// since stays unread.
func (d *DB) entriesOf(u *unread) []Statement {
	return []Statement{
		d.entry("requests_search", u.seq, u.words, u.marks),
		fact(u.seq, u.fact),
		{"DELETE FROM requests_unread WHERE seq = ?1 AND EXISTS (SELECT 1 FROM requests WHERE seq = ?1 AND version = ?2)", []any{u.seq, u.version}},
	}
}

func (d *DB) indexRecords(ctx context.Context) (int, error) {
	all, err := d.unreadRecords(ctx)
	if err != nil || len(all) == 0 {
		return 0, err
	}
	entries := make([]Statement, len(all))
	for i, r := range all {
		entries[i] = d.entry("audit_search", r.Seq, r.Words(), recordMarks(r))
	}
	return len(all), d.write(ctx, func(t *Tx) error {
		var gone int64
		if err := t.Get([]any{&gone}, "SELECT "+cut); err != nil {
			return err
		}
		for i, e := range entries {
			if all[i].Seq > gone { // since it was read
				t.Later(e.Query, e.Args...)
			}
		}
		return nil
	})
}

// unreadRecords returns the next records that the index lacks. They are read, unless this
// process has stored all of them lately.
func (d *DB) unreadRecords(ctx context.Context) ([]*audit.Record, error) {
	bounds, err := one(ctx, d, func(from row) (s span, err error) {
		return s, from.Scan(&s.first, &s.end)
	}, "SELECT "+d.lastIndexed()+" + 1, coalesce((SELECT max(seq) FROM audit), 0) + 1")
	if err != nil {
		return nil, err
	}
	var all []*audit.Record
	for seq := bounds.first; seq < bounds.end && len(all) < indexPart; seq++ {
		r, ok := d.fresh.records.Get(seq)
		if !ok {
			return list(ctx, d, scanUnread, "SELECT seq, record FROM audit WHERE seq >= ? ORDER BY seq LIMIT ?", bounds.first, indexPart)
		}
		all = append(all, r)
	}
	return all, nil
}

// scanUnread reads a record for the index, without its contents where it is damaged: who
// verifies the log is told.
func scanUnread(from row) (*audit.Record, error) {
	var seq int64
	var text []byte
	if err := from.Scan(&seq, &text); err != nil {
		return nil, err
	}
	var r audit.Record
	if json.Unmarshal(text, &r) != nil {
		r = audit.Record{}
	}
	r.Seq = seq
	return &r, nil
}

// entry returns what stores what is found of a row. It is made before all writers wait for
// it to be stored.
func (d *DB) entry(table string, seq int64, words string, marks []mark) Statement {
	s := &d.dialect.Search
	return Statement{strings.ReplaceAll(s.Put, "%s", table), append([]any{seq}, s.Entry(words, marksOf(marks))...)}
}
