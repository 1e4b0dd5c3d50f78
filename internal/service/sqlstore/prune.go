package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/policyctl/policyctl/pkg/audit"
)

// cut is the number of the last record of the audit log that was cut off, 0 for none.
const cut = "coalesce((SELECT seq FROM audit_base), 0)"

// sweepPart is how many records are deleted at once: all writers wait for it.
const sweepPart = 1000

// AuditBase returns the checkpoint behind which the audit log begins, nil for a log that
// begins with its first record. It does not check the signature. One that is damaged is an
// [*audit.Broken].
func (d *DB) AuditBase(ctx context.Context) (*audit.Checkpoint, error) {
	c, err := one(ctx, d, ScanBase, "SELECT seq, hash, checkpoint FROM audit_base")
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return c, err
}

// ScanBase reads the checkpoint behind which the audit log begins from a row of its seq,
// its hash and its text.
func ScanBase(from row) (*audit.Checkpoint, error) {
	var seq int64
	var hash string
	var text []byte
	if err := from.Scan(&seq, &hash, &text); err != nil {
		return nil, err
	}
	c, err := audit.ReadCheckpoint(text)
	if err == nil && (c.Seq != seq || c.Hash != hash) {
		err = fmt.Errorf("it is one of record %d", c.Seq)
	}
	if err != nil {
		return nil, &audit.Broken{Seq: seq, Problem: "the log was cut off behind it, and its checkpoint is damaged: " + err.Error()}
	}
	return c, nil
}

// MayCut returns why this user of the database may not cut the audit log, nil if it may.
func (d *DB) MayCut(ctx context.Context) error {
	return d.write(ctx, func(t *Tx) error {
		t.Later("UPDATE audit_base SET seq = seq WHERE FALSE")
		_, err := t.Exec("DELETE FROM audit WHERE FALSE")
		return err
	})
}

// Cut has the audit log begin behind the record of a checkpoint, which must not be the last
// one, and records that. Those up to there are not read any more, and [DB.Sweep] deletes
// them. was is the checkpoint behind which the log began, nil for none.
func (d *DB) Cut(ctx context.Context, was, at *audit.Checkpoint, log ...audit.Entry) error {
	text, err := encode(at)
	if err != nil {
		return err
	}
	return d.write(ctx, func(t *Tx) error {
		var base, last int64
		var hash string
		if err := t.Get([]any{&base, &last, &hash}, "SELECT "+cut+", coalesce((SELECT max(seq) FROM audit), 0), coalesce((SELECT hash FROM audit WHERE seq = ?), '')", at.Seq); err != nil {
			return err
		}
		switch {
		case was == nil && base != 0 || was != nil && base != was.Seq:
			return errors.New("somebody else has cut the audit log meanwhile: look how far, and try again")
		case at.Seq <= base || at.Seq >= last:
			return fmt.Errorf("the audit log has the records %d to %d, and is not cut behind record %d: the last one stays", base+1, last, at.Seq)
		case hash != at.Hash:
			return &audit.Broken{Seq: at.Seq, Problem: "its hash is not that of the checkpoint"}
		}
		if _, err := t.Exec(upsert("audit_base", "one, seq, hash, checkpoint"), 1, at.Seq, at.Hash, text); err != nil {
			return err
		}
		return t.Record(log)
	})
}

// Sweep deletes the records that were cut off, some at a time so that writers need not
// wait for all, and what the search has of them. It returns how many.
func (d *DB) Sweep(ctx context.Context) (n int64, err error) {
	for {
		part, err := d.sweepPart(ctx)
		if n += part; err != nil || part < sweepPart {
			return n, err
		}
	}
}

func (d *DB) sweepPart(ctx context.Context) (n int64, err error) {
	err = d.write(ctx, func(t *Tx) error {
		var err error
		if n, err = t.Exec("DELETE FROM audit WHERE seq IN (SELECT seq FROM audit WHERE seq >= 1 AND seq <= "+cut+" ORDER BY seq LIMIT ?)", sweepPart); err != nil {
			return err
		}
		// There may be entries of the search that came late: those of all that is gone go.
		_, err = t.Exec("DELETE FROM audit_search WHERE " + t.d.dialect.Search.Key + " < (SELECT min(seq) FROM audit WHERE seq >= 1)")
		return err
	})
	return n, err
}
