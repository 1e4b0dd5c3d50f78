package sqlstore

import "github.com/policyctl/policyctl/pkg/audit"

// An end is the last record of the audit log, nil for none, and the id of the last event,
// with whether any session was denied when both were read. lost says that nothing can be
// added to the log, nil for that it can.
type end struct {
	record  *audit.Record
	event   int64
	denials bool
	lost    error
}

// is reports whether two ends are the same one.
func (e *end) is(o *end) bool {
	return e.record != nil && o.record != nil && e.record.Seq == o.record.Seq && e.record.Hash == o.record.Hash && e.event == o.event && e.denials == o.denials
}

// A known is where the last transaction of this process ended. alone says that no other one
// had written since the one before.
type known struct {
	end
	alone bool
}

const readEnd = `SELECT coalesce(a.seq, 0) AS seq, coalesce(a.hash, '') AS hash, b.seq AS base, coalesce((SELECT max(id) FROM events), 0) AS event,
	EXISTS (SELECT 1 FROM session_denials) AS denials
	FROM (SELECT ` + cut + ` AS seq) AS b LEFT JOIN (SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1) AS a ON a.seq > b.seq`

// holdEnd fails where the end is another one.
const holdEnd = `SELECT 1 / CASE WHEN e.seq = ? AND e.hash = ? AND e.event = ? AND e.denials = ? THEN 1 ELSE 0 END FROM (` + readEnd + `) AS e`

// findEnd finds where the audit log and the events end. While no other process writes, a
// database that is sent messages is not asked: the transaction fails where the end is not
// the one that this process left, and is repeated.
func (t *Tx) findEnd() error {
	last := &t.d.last
	if t.presumed = t.presume() && last.alone && t.d.dialect.Send != nil; !t.presumed {
		return t.ReadEnd()
	}
	t.end, t.begun = last.end, last.end
	t.Later(holdEnd, t.end.record.Seq, t.end.record.Hash, t.end.event, t.end.denials)
	return nil
}

// moves reports whether the transaction leaves another end than it found.
func (t *Tx) moves() bool { return !t.end.is(&t.begun) }

// leaveEnd remembers where a transaction has ended, if it is stored.
func (t *Tx) leaveEnd(stored bool) {
	if !stored {
		t.d.last = known{}
		return
	}
	t.d.last = known{t.end, t.end.record != nil && (t.presumed || t.begun.is(&t.d.last.end))}
}

// ReadEnd reads where the audit log and the events end, and whether a session is denied. A
// transaction begins with it; an engine that records something before that reads it itself.
func (t *Tx) ReadEnd() error {
	var last audit.Record
	var base int64
	t.end = end{}
	if err := t.Get([]any{&last.Seq, &last.Hash, &base, &t.end.event, &t.end.denials}, readEnd); err != nil {
		return err
	}
	if last.Hash != "" {
		t.end.record = &last
	} else {
		t.end.lost = lost(base)
	}
	t.begun = t.end
	return nil
}
