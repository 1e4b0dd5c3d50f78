package audit

import (
	"crypto/ed25519"
	"fmt"
)

// A Broken is the error for a log that is not as it was written.
type Broken struct {
	// Seq is the place in the chain, counted from 1, where it first shows.
	Seq     int64
	Problem string
}

// Error names the record and the problem.
func (b *Broken) Error() string { return fmt.Sprintf("record %d: %s", b.Seq, b.Problem) }

// A Verifier checks a chain record by record, in constant memory. The zero
// value starts before the first record. It is not for use by two goroutines.
type Verifier struct {
	seq      int64
	hash     string // of the record before, "" for none
	expected map[int64]*Checkpoint
	broken   error
}

// Resume starts after a checkpoint in place of the first record, so that a part
// of a log can be checked. The signature must be by one of the keys.
func (v *Verifier) Resume(c *Checkpoint, keys map[string]ed25519.PublicKey) error {
	if v.hash != "" || v.expected != nil {
		return fmt.Errorf("a verifier that is in use cannot resume at record %d: take a new one", c.Seq)
	}
	if err := c.Verify(keys); err != nil {
		return err
	}
	v.seq, v.hash = c.Seq, c.Hash
	return nil
}

// Expect has the log checked against a checkpoint, which must be signed by one
// of the keys. It is for checkpoints of records that are still to come, and
// what they say is checked by [Verifier.Check] and [Verifier.End].
func (v *Verifier) Expect(c *Checkpoint, keys map[string]ed25519.PublicKey) error {
	if err := c.Verify(keys); err != nil {
		return err
	}
	if c.Seq < v.seq {
		return fmt.Errorf("the checkpoint of record %d comes after record %d was checked: give it earlier", c.Seq, v.seq)
	}
	if old := v.expected[c.Seq]; old != nil && old.Hash != c.Hash {
		v.broken = &Broken{c.Seq, "two signed checkpoints give it different hashes: there are two logs"}
		return v.broken
	}
	if v.expected == nil {
		v.expected = map[int64]*Checkpoint{}
	}
	v.expected[c.Seq] = c
	return v.meet()
}

// Check checks the next record. The error is a [*Broken]; every later call
// returns it again.
func (v *Verifier) Check(r *Record) error {
	if v.broken != nil {
		return v.broken
	}
	if problem := v.problem(r); problem != "" {
		v.broken = &Broken{v.seq + 1, problem}
		return v.broken
	}
	v.seq, v.hash = r.Seq, r.Hash
	return v.meet()
}

func (v *Verifier) problem(r *Record) string {
	if r == nil {
		return "it is missing"
	}
	if r.Seq != v.seq+1 {
		return fmt.Sprintf("record %d is in its place: records were lost, moved or added", r.Seq)
	}
	want, err := r.digest()
	if err != nil {
		return "it is damaged: " + err.Error()
	}
	if r.Hash != want {
		return "its hash is not that of its content: it was changed"
	}
	if _, hash := v.Head(); r.Prev != hash {
		return "it does not follow the record before: one of the two was replaced, or two logs were joined"
	}
	return ""
}

// HashHolds reports whether the hash of a record is that of its content. It says
// nothing of the chain: for that there is a [Verifier].
func (r *Record) HashHolds() bool {
	want, err := r.digest()
	return err == nil && r.Hash == want
}

// meet compares with the checkpoint of the record that was checked last.
func (v *Verifier) meet() error {
	c := v.expected[v.seq]
	if c == nil {
		return nil
	}
	if _, hash := v.Head(); hash != c.Hash {
		v.broken = &Broken{v.seq, fmt.Sprintf("its hash is not that of the checkpoint by key %q: the log was rewritten", c.KeyID)}
		return v.broken
	}
	delete(v.expected, v.seq)
	return nil
}

// Head returns the number and the hash of the record that was checked last; 0
// and the Prev of a first record before that.
func (v *Verifier) Head() (seq int64, hash string) {
	if v.hash == "" {
		return 0, genesis()
	}
	return v.seq, v.hash
}

// End is to be called after the last record. It returns what Check found, or a
// [*Broken] if a checkpoint speaks of a record that did not come.
func (v *Verifier) End() error {
	if v.broken != nil {
		return v.broken
	}
	var last *Checkpoint
	for _, c := range v.expected {
		if last == nil || c.Seq > last.Seq {
			last = c
		}
	}
	if last == nil {
		return nil
	}
	v.broken = &Broken{v.seq + 1, fmt.Sprintf("it is missing: the checkpoint by key %q knows %d records, the tail was cut off", last.KeyID, last.Seq)}
	return v.broken
}
