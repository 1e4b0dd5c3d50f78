package doom

// A history holds the last calls of a session.
type history struct {
	ring []entry // at most depth; most sessions of one question have a single call
	next int     // where the next call goes
	turn int     // the latest of them, made since the last reset; only these are judged
}

// An entry is one recorded call with the finding it was answered with.
type entry struct {
	key      Key
	result   Key
	id       uint64 // hash of the call id, 0 for none
	period   uint8  // 0 if the call was no loop
	count    uint8
	known    bool // a result was reported
	forgiven bool // a human approved it
}

func (e *entry) finding() Finding {
	return Finding{Loop: e.period > 0, Period: int(e.period), Count: int(e.count)}
}

// push records a call; the oldest one falls out of a full ring.
func (h *history) push(c Call, f Finding) {
	e := entry{key: c.Key, id: hashID(c.ID), period: uint8(f.Period), count: uint8(f.Count)}
	if len(h.ring) < depth {
		h.ring = append(h.ring, e)
	} else {
		h.ring[h.next] = e
	}
	h.next = (h.next + 1) % depth
	h.turn = min(h.turn+1, depth)
}

// back returns the nth latest call; back(1) is the latest.
func (h *history) back(n int) *entry {
	return &h.ring[(h.next-n+depth)%depth]
}

// byID returns the call of that id, nil if there is none.
func (h *history) byID(id string) *entry {
	if id == "" {
		return nil
	}
	hash := hashID(id)
	for n := 1; n <= len(h.ring); n++ {
		if e := h.back(n); e.id == hash {
			return e
		}
	}
	return nil
}

// byKey returns the latest of the calls with that key, nil if there is none.
func (h *history) byKey(k Key) *entry {
	for n := 1; n <= len(h.ring); n++ {
		if e := h.back(n); e.key == k {
			return e
		}
	}
	return nil
}

// hashID returns the FNV-1a hash of a call id, never 0 unless the id is empty.
// Ids are chosen by the one who is watched: a collision that it could craft
// gives it no more than using an id twice would.
func hashID(id string) uint64 {
	if id == "" {
		return 0
	}
	hash := uint64(14695981039346656037)
	for i := range len(id) {
		hash = (hash ^ uint64(id[i])) * 1099511628211
	}
	return max(hash, 1)
}
