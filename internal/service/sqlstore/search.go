package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/trail"
)

// searchTime bounds a search: one for words that are everywhere, but never together,
// looks at all.
const searchTime = 2 * time.Second

// A mark is a word of an index that stands for the value of a field.
type mark struct{ field, value string }

func (m mark) String() string {
	sum := sha256.Sum256([]byte(m.field + "\x00" + m.value))
	return "m" + hex.EncodeToString(sum[:8])
}

func marksOf(all []mark) (out []string) {
	for _, m := range all {
		if m.value != "" {
			out = append(out, m.String())
		}
	}
	return out
}

func requestMarks(r *approval.Request) []mark {
	by, word := "", ""
	if r.Decision != nil {
		by, word = r.Decision.By, string(r.Decision.Word)
	}
	return []mark{{"state", string(r.State)}, {"session", r.Session}, {"agent", r.Agent}, {"rule", r.Asked.Rule}, {"by", by}, {"word", word}}
}

func filterMarks(f *approval.Filter) []mark {
	out := []mark{{"session", f.Session}, {"agent", f.Agent}, {"rule", f.Rule}, {"by", f.By}, {"word", string(f.Word)}}
	if len(f.States) == 1 {
		out = append(out, mark{"state", string(f.States[0])})
	}
	return out
}

func recordMarks(r *audit.Record) []mark {
	return []mark{
		{"kind", r.Kind}, {"actor", r.Actor}, {"request", r.RequestID}, {"session", r.Session}, {"agent", r.Agent}, {"rule", r.Rule},
		{"decision", r.Decision}, {"by", r.DecidedBy}, {"stage", r.Stage}, {"id", r.Detail[trail.ID]},
	}
}

// match returns the query of an index for marks and words, "" where there are none.
func (d *DB) match(marks []mark, text string) (string, error) {
	var terms []Term
	for term := range strings.FieldsSeq(text) {
		stem, open := strings.CutSuffix(term, "*")
		if strings.IndexFunc(stem, isWord) < 0 {
			continue // such as a && alone
		}
		terms = append(terms, Term{stem, open})
	}
	if len(terms) == 0 && strings.TrimSpace(text) != "" {
		return "", &approval.Invalid{Text: fmt.Sprintf("text: %.64q has no word: give letters or digits", text)}
	}
	known := marksOf(marks)
	if len(known) == 0 && len(terms) == 0 {
		return "", nil
	}
	return d.dialect.Search.Query(known, terms), nil
}

// isWord reports whether words of an index are made of a character.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// A span is of the rows from first on and before end.
type span struct{ first, end int64 }

// soon bounds how long a search takes.
func soon[T any](ctx context.Context, search func(context.Context) (T, error)) (T, error) {
	bounded, stop := context.WithTimeout(ctx, searchTime)
	defer stop()
	found, err := search(bounded)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		var none T
		return none, &approval.Invalid{Text: fmt.Sprintf("text: the search takes more than %s: add a word, a date or another filter", searchTime)}
	}
	return found, err
}

// paged asks for a page of what a search finds in a span of a table. Where the index gives
// rows in no order, the rows nearest to where the page begins are looked through first: what
// is frequent fills the page from them, and what is rare is soon sorted.
func paged[T any](ctx context.Context, d *DB, table string, of span, oldestFirst bool, limit int, ask func(of span, limit int, order string) ([]T, error)) ([]T, error) {
	s, down := &d.dialect.Search, " DESC"
	if oldestFirst {
		down = ""
	}
	if s.Near == 0 {
		return ask(of, limit, "s."+s.Key+down)
	}
	near, far, err := d.parted(ctx, table, of, oldestFirst)
	if err != nil {
		return nil, err
	}
	all, err := ask(near, limit, "s."+s.Key+down)
	if err != nil || len(all) >= limit || far.first >= far.end {
		return all, err
	}
	rest, err := ask(far, limit-len(all), "s."+s.Key+" + 0"+down) // no index has that in order
	return append(all, rest...), err
}

// parted returns the rows of a span that are looked through first, and the others.
func (d *DB) parted(ctx context.Context, table string, of span, oldestFirst bool) (near, far span, err error) {
	there, err := one(ctx, d, func(from row) (s span, err error) {
		return s, from.Scan(&s.first, &s.end)
	}, "SELECT coalesce(min(seq), 0), coalesce(max(seq), 0) + 1 FROM "+table+"_search")
	if err != nil {
		return near, far, err
	}
	of = span{max(of.first, there.first), min(of.end, there.end)}
	if oldestFirst {
		middle := min(of.first+d.dialect.Search.Near, of.end)
		return span{of.first, middle}, span{middle, of.end}, nil
	}
	middle := max(of.end-d.dialect.Search.Near, of.first)
	return span{middle, of.end}, span{of.first, middle}, nil
}

// slack is by how much rows may be older than those before them.
const slack = time.Minute

// SearchAudit returns records of the audit log, the newest first unless the filter
// says otherwise. One that is damaged is an [*audit.Broken].
func (d *DB) SearchAudit(ctx context.Context, f audit.Filter) ([]*audit.Record, error) {
	query, err := d.match(recordMarks(&audit.Record{Entry: audit.Entry{
		Kind: f.Kind, Actor: f.Actor, RequestID: f.RequestID, Session: f.Session, Agent: f.Agent, Rule: f.Rule, Stage: f.Stage, Decision: f.Decision, DecidedBy: f.By,
		Detail: map[string]string{trail.ID: f.ID},
	}}), f.Text)
	if err != nil {
		return nil, err
	}
	of, err := d.auditSpan(ctx, &f)
	if err != nil {
		return nil, err
	}
	var args []any
	where := ""
	add := func(condition string, value any) { where, args = where+condition+" AND ", append(args, value) }
	if !f.From.IsZero() {
		add(d.dialect.AuditSecond+" >= ?", f.From.UTC().Format(SecondForm))
	}
	if !f.To.IsZero() {
		add(d.dialect.AuditSecond+" < ?", f.To.UTC().Format(SecondForm))
	}
	down := " DESC"
	if f.OldestFirst {
		down = ""
	}
	if query == "" {
		return list(ctx, d, ScanRecord, "SELECT a.seq, a.hash, a.record FROM audit AS a WHERE "+where+"a.seq >= ? AND a.seq < ? ORDER BY a.seq"+down+" LIMIT ?",
			append(args, of.first, of.end, limited(f.Limit))...)
	}
	if err := catchUp(ctx, d.indexRecords); err != nil {
		return nil, err
	}
	search := &d.dialect.Search
	from, key := search.entries("audit"), "s."+search.Key
	if where != "" {
		from += search.rows("audit", "a")
	}
	add(search.met("audit"), query)
	return soon(ctx, func(ctx context.Context) ([]*audit.Record, error) {
		return paged(ctx, d, "audit", of, f.OldestFirst, limited(f.Limit), func(of span, limit int, order string) ([]*audit.Record, error) {
			chosen := "SELECT " + key + " FROM " + from + " WHERE " + where + key + " >= ? AND " + key + " < ? ORDER BY " + order + " LIMIT ?"
			return list(ctx, d, ScanRecord, "SELECT "+recordColumns+" FROM audit WHERE seq IN ("+chosen+") ORDER BY seq"+down, append(slices.Clone(args), of.first, of.end, limit)...)
		})
	})
}

// auditSpan returns among which records those of a filter lie.
func (d *DB) auditSpan(ctx context.Context, f *audit.Filter) (of span, err error) {
	gone, err := one(ctx, d, scanInt, "SELECT "+cut)
	if err != nil {
		return of, err
	}
	of = span{max(gone, f.After) + 1, math.MaxInt64}
	if f.Before > 0 {
		of.end = f.Before
	}
	if !f.From.IsZero() {
		at, err := d.auditAt(ctx, f.From.Add(-slack))
		if err != nil {
			return of, err
		}
		of.first = max(of.first, at)
	}
	if !f.To.IsZero() {
		at, err := d.auditAt(ctx, f.To.Add(slack))
		if err != nil {
			return of, err
		}
		of.end = min(of.end, at)
	}
	return of, nil
}

// auditAt returns the number of the first record that is no older than a time, the
// one behind the last if all are. Records are ordered by time, but for the slack.
func (d *DB) auditAt(ctx context.Context, at time.Time) (int64, error) {
	last, err := one(ctx, d, scanInt, "SELECT coalesce(max(seq), 0) FROM audit")
	if err != nil {
		return 0, err
	}
	low, high := int64(1), last+1
	for want := at.UTC().Format(SecondForm); low < high; {
		middle := low + (high-low)/2
		older, err := one(ctx, d, scanInt, "SELECT coalesce((SELECT CASE WHEN "+d.dialect.AuditSecond+" < ?2 THEN 1 ELSE 0 END FROM audit AS a WHERE a.seq >= ?1 ORDER BY a.seq LIMIT 1), 0)", middle, want)
		if err != nil {
			return 0, err
		}
		if older == 1 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, nil
}

// AuditRecord returns the record with a number, and whether there is one that was not cut
// off.
func (d *DB) AuditRecord(ctx context.Context, seq int64) (*audit.Record, bool, error) {
	r, err := one(ctx, d, ScanRecord, "SELECT "+recordColumns+" FROM audit WHERE seq = ? AND seq > "+cut, seq)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	return r, err == nil, err
}
