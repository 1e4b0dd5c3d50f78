package spool

import "os"

// Depth returns how many bytes wait to be sent. It reads no event, so that it can be
// asked often.
func (s *Spool) Depth() (bytes int64, err error) {
	all, err := s.segments()
	at := s.position()
	for _, n := range all {
		info, err := os.Stat(s.segment(n))
		if err != nil {
			continue // it was sent
		}
		bytes += info.Size()
		if n == at.segment {
			bytes -= min(at.offset, info.Size())
		}
	}
	return bytes, err
}

// Losses returns how many events were ever lost, by why.
func (s *Spool) Losses() map[Loss]int64 {
	out := make(map[Loss]int64)
	for _, l := range []Loss{Dropped, Displaced, Damaged, Rejected} {
		out[l] = s.Lost(l)
	}
	return out
}
