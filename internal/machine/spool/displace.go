package spool

import (
	"bytes"
	"os"
)

// displace removes the oldest segment of a full spool, and counts its events. The error
// says that a collector is at work, which makes room itself, or what is in the way.
func (s *Spool) displace() error {
	t, err := s.Ship()
	if err != nil {
		return err
	}
	defer t.Close()
	unlock, err := s.lockAlone()
	if err != nil {
		return err
	}
	defer unlock()
	all, err := s.segments()
	if err != nil || len(all) == 0 {
		return err
	}
	if _, total, err := s.current(); err != nil || total+s.size < s.limit {
		return err // another process was first
	}
	name := s.segment(all[0])
	offset := int64(0)
	if t.at.segment == all[0] {
		offset = t.at.offset
	}
	data, err := tail(name, offset)
	if err != nil {
		return err
	}
	if err := s.count(Displaced, countLines(data)); err != nil {
		return err
	}
	return os.Remove(name)
}

// countLines counts the lines that are not empty.
func countLines(data []byte) (n int) {
	for line := range bytes.Lines(data) {
		if len(line) > 1 {
			n++
		}
	}
	return n
}
