package audit

import (
	"errors"
	"fmt"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// maxSeq is the largest integer that every reader of JSON knows exactly.
const maxSeq int64 = 1<<53 - 1

// plain returns a copy of the record in the one spelling that is hashed and
// written. It refuses what JSON would not carry unchanged.
func (r *Record) plain() (*Record, error) {
	if err := r.checkForm(); err != nil {
		return nil, err
	}
	p := *r
	p.Time = p.Time.UTC()
	if p.DecidedAt != nil {
		at := p.DecidedAt.UTC()
		p.DecidedAt = &at
	}
	if len(p.Arguments) == 0 || isSpelled(p.Arguments) {
		return &p, nil
	}
	v, err := decode(p.Arguments)
	if err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	p.Arguments, err = strictjson.Marshal(v)
	return &p, err
}

func (r *Record) checkForm() error {
	if r.Seq < 1 || r.Seq > maxSeq {
		return fmt.Errorf("seq is %d: it counts from 1 to %d", r.Seq, maxSeq)
	}
	if !isYear(r.Time.UTC().Year()) || r.DecidedAt != nil && !isYear(r.DecidedAt.UTC().Year()) {
		return errors.New("time or decided_at is not in the years 1 to 9999")
	}
	for _, t := range r.texts() {
		if !isText(*t.value) {
			return fmt.Errorf("%s is not UTF-8 text", t.at)
		}
	}
	for key, s := range r.Detail {
		if !isText(key) || !isText(s) {
			return fmt.Errorf("%s: %q is not UTF-8 text", atDetail, key)
		}
	}
	for _, note := range r.Redacted {
		if !isText(note) {
			return errors.New("/redacted is not UTF-8 text")
		}
	}
	return nil
}

// isYear reports whether RFC 3339 can write a year.
func isYear(year int) bool { return year >= 1 && year <= 9999 }

// line returns the record as it stands in a file of JSON Lines, without the
// end of the line.
func (r *Record) line() ([]byte, error) {
	p, err := r.plain()
	if err != nil {
		return nil, err
	}
	return strictjson.Marshal(p)
}
