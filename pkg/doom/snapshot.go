package doom

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

const (
	snapshotVersion = 2
	maxSnapshot     = 64 << 10 // bytes; a full window takes an eighth
)

// A snapshot is a history in JSON. Calls are the oldest first, one behind the
// other in base64: a hook reads and writes them for every call. Turn is how many
// of the last ones were made since the last reset.
type snapshot struct {
	Version int    `json:"version"`
	Turn    int    `json:"turn"`
	Calls   []byte `json:"calls"`
}

// A saved call is its marks, its period, its count, its id, its key and, where
// it is known, its result.
const (
	shortCall = 11 + len(Key{}) // three bytes, and eight of the id
	longCall  = shortCall + len(Key{})
)

// The marks of a saved call.
const (
	markKnown = 1 << iota
	markForgiven
	noMark
)

// Snapshot returns what is remembered of a session as JSON of at most 64 KB,
// to be given to [Detector.Restore], in another process too. A session that
// is unknown has an empty snapshot.
func (d *Detector) Snapshot(session string) ([]byte, error) {
	w, ok := d.windows.Peek(session)
	if !ok {
		w = new(window)
	}
	w.mu.Lock()
	h := w.history
	h.ring = slices.Clone(h.ring)
	w.mu.Unlock()
	return json.Marshal(h.save())
}

// Restore replaces what is remembered of a session by a snapshot. One that is
// damaged, larger than 64 KB or of another version is an error, and then the
// session stays as it was.
func (d *Detector) Restore(session string, data []byte) error {
	h, err := load(data)
	if err != nil {
		return fmt.Errorf("doom snapshot: %w", err)
	}
	w := d.open(session)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.history = h
	return nil
}

func (h *history) save() snapshot {
	s := snapshot{Version: snapshotVersion, Turn: h.turn, Calls: make([]byte, 0, len(h.ring)*longCall)}
	for n := len(h.ring); n > 0; n-- {
		s.Calls = h.back(n).save(s.Calls)
	}
	return s
}

// save writes a call behind others.
func (e *entry) save(b []byte) []byte {
	var marks byte
	if e.known {
		marks |= markKnown
	}
	if e.forgiven {
		marks |= markForgiven
	}
	b = binary.BigEndian.AppendUint64(append(b, marks, e.period, e.count), e.id)
	b = append(b, e.key[:]...)
	if e.known {
		b = append(b, e.result[:]...)
	}
	return b
}

// load reads the first of saved calls, and returns the others.
func (e *entry) load(b []byte) (rest []byte, err error) {
	if len(b) < shortCall || b[0]&markKnown != 0 && len(b) < longCall {
		return nil, errors.New("it is cut short")
	}
	if b[0] >= noMark {
		return nil, fmt.Errorf("marks %#x: unknown", b[0])
	}
	*e = entry{known: b[0]&markKnown != 0, forgiven: b[0]&markForgiven != 0, period: b[1], count: b[2], id: binary.BigEndian.Uint64(b[3:])}
	if e.period > maxPeriod || e.count > depth || (e.period == 0) != (e.count == 0) {
		return nil, fmt.Errorf("period %d, count %d: out of range", e.period, e.count)
	}
	copy(e.key[:], b[shortCall-len(e.key):])
	rest = b[shortCall:]
	if e.known {
		rest = rest[copy(e.result[:], rest):]
	}
	return rest, nil
}

func load(data []byte) (history, error) {
	s, err := decode(data)
	if err != nil {
		return history{}, err
	}
	calls := make([]entry, 0, depth)
	for rest := s.Calls; len(rest) > 0; {
		var e entry
		if rest, err = e.load(rest); err != nil {
			return history{}, fmt.Errorf("call %d: %w", len(calls), err)
		}
		if calls = append(calls, e); len(calls) > depth {
			return history{}, fmt.Errorf("more than %d calls", depth)
		}
	}
	if s.Turn < 0 || s.Turn > len(calls) {
		return history{}, fmt.Errorf("%d calls, %d in the turn: out of range", len(calls), s.Turn)
	}
	return history{ring: calls, next: len(calls) % depth, turn: s.Turn}, nil
}

// decode looks at the version alone where it is not the one that is known: a
// later one may have other fields.
func decode(data []byte) (s snapshot, err error) {
	if len(data) > maxSnapshot {
		return s, fmt.Errorf("%d bytes: at most %d are read", len(data), maxSnapshot)
	}
	if err := strictjson.Decode(data, &s); err != nil || s.Version != snapshotVersion {
		var head struct{ Version int }
		if strictjson.DecodeOpen(data, &head) == nil && head.Version != snapshotVersion {
			return s, fmt.Errorf("version %d: only version %d is known", head.Version, snapshotVersion)
		}
		return s, err
	}
	if s.Calls == nil {
		return s, errors.New("calls are missing")
	}
	return s, nil
}
