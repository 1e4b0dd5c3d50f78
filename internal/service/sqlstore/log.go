package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"

	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// Record adds entries to the audit log that belong to no other change.
func (d *DB) Record(ctx context.Context, log ...audit.Entry) error {
	return d.write(ctx, func(t *Tx) error { return t.Record(log) })
}

// recordColumns are those of a record of the audit log.
const recordColumns = "seq, hash, record"

// Audit returns records of the audit log after a place in it, the oldest
// first, none that was cut off; a limit of 0 stands for approval.DefaultLimit.
// Where a record is not as it was written, or one was added before the first, the
// error is an [*audit.Broken], and what stands before it is returned too.
func (d *DB) Audit(ctx context.Context, after int64, limit int) ([]*audit.Record, error) {
	if after == 0 {
		seq, err := one(ctx, d, scanInt, "SELECT seq FROM audit WHERE seq < 1 ORDER BY seq LIMIT 1")
		if err == nil {
			err = &audit.Broken{Seq: seq, Problem: "it comes before the first record: it was added"}
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return nil, err
		}
	}
	return list(ctx, d, ScanRecord, "SELECT "+recordColumns+" FROM audit WHERE seq > ? AND seq > "+cut+" ORDER BY seq LIMIT ?", after, limited(limit))
}

// AuditHead returns the last record of the audit log, nil if there is none. Where all
// behind a cut are gone, the error is an [*audit.Broken]: a cut leaves the last one.
func (d *DB) AuditHead(ctx context.Context) (*audit.Record, error) {
	r, err := one(ctx, d, ScanRecord, "SELECT "+recordColumns+" FROM audit WHERE seq > "+cut+" ORDER BY seq DESC LIMIT 1")
	if !errors.Is(err, sql.ErrNoRows) {
		return r, err
	}
	seq, err := one(ctx, d, scanInt, "SELECT "+cut)
	if err == nil {
		err = lost(seq)
	}
	return nil, err
}

// lost is the error of a log that has no record behind the last one that was cut off, nil
// if none was.
func lost(seq int64) error {
	if seq == 0 {
		return nil
	}
	return &audit.Broken{Seq: seq + 1, Problem: fmt.Sprintf("it is missing: the log was cut off behind record %d, and all that followed is lost", seq)}
}

// ScanRecord reads a record from a row of its seq, its hash and its text. It must be
// stored as it was written: other readers of the database might understand another
// spelling of it in another way.
func ScanRecord(from row) (*audit.Record, error) {
	var seq int64
	var hash string
	var text []byte
	if err := from.Scan(&seq, &hash, &text); err != nil {
		return nil, err
	}
	if r, ok := audit.Spelled(text); ok && r.Seq == seq && r.Hash == hash {
		return r, nil
	}
	var r audit.Record
	if err := strictjson.Decode(text, &r); err != nil {
		return nil, fmt.Errorf("audit log: %w", &audit.Broken{Seq: seq, Problem: "it is damaged: " + err.Error()})
	}
	if r.Seq < 1 || r.Seq != seq {
		return nil, &audit.Broken{Seq: seq, Problem: fmt.Sprintf("record %d is in its place", r.Seq)}
	}
	if written, err := encode(&r); err != nil || written != string(text) || hash != r.Hash {
		return nil, &audit.Broken{Seq: seq, Problem: "it is not as it was written: it was changed"}
	}
	return &r, nil
}

// record adds entries to the audit log.
func (t *Tx) Record(log []audit.Entry) error {
	if len(log) == 0 {
		return nil
	}
	if t.end.lost != nil {
		return t.end.lost
	}
	last := t.end.record
	for _, e := range log {
		e.Detail = t.part.withToken(&e)
		next, err := audit.Next(last, e)
		if err != nil {
			return err
		}
		text, err := encode(next)
		if err != nil {
			return err
		}
		t.Later("INSERT INTO audit (seq, hash, record) VALUES (?, ?, ?)", next.Seq, next.Hash, text)
		t.part.records = append(t.part.records, next)
		last = next
	}
	t.end.record = last
	return nil
}

// withToken returns the detail of an entry with the id of the token whose
// bearer acts: two tokens may have one name.
func (p *part) withToken(e *audit.Entry) map[string]string {
	if p.who.TokenID == "" || p.who.Name != e.Actor {
		return e.Detail
	}
	detail := map[string]string{"token_id": p.who.TokenID}
	maps.Copy(detail, e.Detail)
	return detail
}
