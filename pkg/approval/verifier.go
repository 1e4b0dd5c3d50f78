package approval

import (
	"fmt"

	"github.com/policyctl/policyctl/pkg/audit"
)

// A Verifier checks the audit log of a service: that no record was changed, as an
// [audit.Verifier] does, and that what they tell can have happened, as a [Course] does.
// The zero value starts before the first record.
type Verifier struct {
	audit.Verifier
	course Course
	from   int64
	// base is the checkpoint behind which the log begins, nil for its first record, and
	// cut the record that tells of it.
	base *audit.Checkpoint
	cut  *audit.Record
}

// Begin starts where a log begins whose beginning was cut off: behind a checkpoint, which
// must be signed by one of the service's keys; nil is the first record. [Verifier.End]
// wants a record that tells of the cut. The error is an [*audit.Broken].
func (v *Verifier) Begin(base *audit.Checkpoint, keys Keys) error {
	if base == nil {
		return nil
	}
	v.base = base
	if err := v.Resume(base, keys); err != nil {
		return &audit.Broken{Seq: base.Seq, Problem: "the log was cut off behind it, and nothing vouches for that: " + err.Error()}
	}
	return nil
}

// Base returns the checkpoint behind which the log begins, nil for its first record.
func (v *Verifier) Base() *audit.Checkpoint { return v.base }

// Resume starts behind a checkpoint, so that a part of a log can be checked.
func (v *Verifier) Resume(c *audit.Checkpoint, keys Keys) error {
	trusted, err := keys.ForCheckpoint(c)
	if err != nil {
		return err
	}
	if err := v.Verifier.Resume(c, trusted); err != nil {
		return err
	}
	if v.from = c.Seq; v.from > 0 {
		v.course.Known = keys
	}
	return nil
}

// From returns the number of the record behind which the verifier has started, 0 for none.
func (v *Verifier) From() int64 { return v.from }

// Check checks the next record. The error is an [*audit.Broken].
func (v *Verifier) Check(r *audit.Record) error {
	if err := v.Verifier.Check(r); err != nil {
		return err
	}
	if v.base != nil && r.Kind == audit.KindCut && r.Detail[CutThrough] == fmt.Sprint(v.base.Seq) && r.Detail[CutHash] == v.base.Hash {
		v.cut = r
	}
	return v.course.Check(r)
}

// Cut returns the record that tells of the cut behind which the log begins, nil before it
// was checked and for a log that begins with its first record.
func (v *Verifier) Cut() *audit.Record { return v.cut }

// End is to be called after the last record. The error is an [*audit.Broken].
func (v *Verifier) End() error {
	if err := v.Verifier.End(); err != nil {
		return err
	}
	if seq, _ := v.Head(); v.base != nil && v.cut == nil {
		return &audit.Broken{Seq: seq + 1, Problem: fmt.Sprintf("it is missing: the log was cut off behind record %d, and no record tells of it", v.base.Seq)}
	}
	return nil
}

// The details of a record of the kind [audit.KindCut]: the last record that was cut off
// with its hash, the time before which records were, and how many.
const (
	CutThrough = "through"
	CutHash    = "hash"
	CutBefore  = "before"
	CutRecords = "records"
)
