package grant

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// A record is the file of a store. One that has an entry with an end, or one that
// denies, is of a version of its own: programs that know of no end and of no denial
// refuse it, and approve nothing, instead of taking it for a plain approval.
type record struct {
	Version int `json:"version"`
	// Clock is the latest time that the file has seen; zero where no entry has
	// an end.
	Clock   time.Time `json:"clock,omitzero"`
	Entries []Entry   `json:"entries"`
}

const (
	lasting = 2 // no entry has an end
	ending  = 3 // some have
	ruled   = 4 // some deny, are counted or have limits, and some may have an end
)

// isRuled reports whether an entry says what version 3 cannot.
func (e *Entry) isRuled() bool { return e.Effect != "" || e.Uses > 0 || e.Limits != nil }

// hasEnd reports whether some entry ends.
func hasEnd(entries []Entry) bool {
	return slices.ContainsFunc(entries, func(e Entry) bool { return !e.Until.IsZero() })
}

// newRecord returns the file of entries at a time.
func newRecord(entries []Entry, now time.Time) record {
	r := record{Version: lasting, Entries: append([]Entry{}, entries...)}
	if hasEnd(entries) {
		r.Version, r.Clock = ending, now
	}
	if slices.ContainsFunc(entries, func(e Entry) bool { return e.isRuled() }) {
		r.Version = ruled
	}
	return r
}

// living returns the entries that count at a time. Where the clock was set back
// behind what the file has seen, no approval with an end does, and every denial does.
func (r *record) living(now time.Time) []Entry {
	back := r.isBack(now)
	var out []Entry
	for i := range r.Entries {
		e := &r.Entries[i]
		if (!back || e.Effect == Denies || e.Until.IsZero()) && !e.ended(r.latest(now)) && !e.isOver(now) {
			out = append(out, *e)
		}
	}
	return out
}

// edited returns the record with what edit makes of the entries that count at a time.
func (r *record) edited(now time.Time, edit func([]Entry) ([]Entry, error)) (record, error) {
	list, err := edit(r.living(now))
	if err != nil {
		return record{}, err
	}
	return newRecord(list, r.latest(now)), nil
}

// isBack reports whether the clock was set back.
func (r *record) isBack(now time.Time) bool { return now.Before(r.Clock.Add(-jitter)) }

// latest returns the later of a time and what the file has seen, unless the
// clock was set back: the file then begins anew.
func (r *record) latest(now time.Time) time.Time {
	if now.Before(r.Clock) && !r.isBack(now) {
		return r.Clock
	}
	return now
}

// isDue reports whether the file should be written anew, because an entry has
// ended or so that it sees the time.
func (r *record) isDue(now time.Time) bool {
	return len(r.living(now)) < len(r.Entries) || !r.Clock.IsZero() && now.Sub(r.Clock) > noted
}

func decode(data []byte) (r record, err error) {
	var v struct {
		Version int `json:"version"`
	}
	if err := strictjson.DecodeOpen(data, &v); err == nil && v.Version == 1 {
		return r, errOld
	}
	if err := strictjson.Decode(data, &r); err != nil {
		return record{}, err
	}
	if err := r.validate(); err != nil {
		return record{}, err
	}
	return r, nil
}

func (r *record) validate() error {
	switch {
	case r.Version < lasting || r.Version > ruled:
		return fmt.Errorf("version %d: only the versions %d to %d are known", r.Version, lasting, ruled)
	case r.Version != ruled && (r.Version == ending) == r.Clock.IsZero():
		return fmt.Errorf("only version %d has a clock", ending)
	case r.Version == ruled && hasEnd(r.Entries) == r.Clock.IsZero():
		return errors.New("it has a clock if an entry has an end, and only then")
	}
	for i := range r.Entries {
		e := &r.Entries[i]
		if err := e.Validate(); err != nil {
			return fmt.Errorf("entry %d: %w", i+1, err)
		}
		if r.Version == lasting && !e.Until.IsZero() {
			return fmt.Errorf("entry %d: version %d does not support an end", i+1, r.Version)
		}
		if r.Version != ruled && e.isRuled() {
			return fmt.Errorf("entry %d: version %d has plain approvals alone", i+1, r.Version)
		}
	}
	return nil
}
