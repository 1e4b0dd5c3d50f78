package doom

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

const (
	snapshotVersion = 1
	maxSnapshot     = 64 << 10 // bytes; a full window takes a quarter
)

// A snapshot is a history in JSON. Calls are the oldest first; Turn is how
// many of the last ones were made since the last reset.
type snapshot struct {
	Version int         `json:"version"`
	Turn    int         `json:"turn"`
	Calls   []savedCall `json:"calls"`
}

// A savedCall is an entry: key and result in base64, the result null where it
// is unknown.
type savedCall struct {
	Key      []byte `json:"key"`
	Result   []byte `json:"result,omitempty"`
	ID       uint64 `json:"id,omitempty,string"`
	Period   uint8  `json:"period,omitempty"`
	Count    uint8  `json:"count,omitempty"`
	Forgiven bool   `json:"forgiven,omitempty"`
}

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
	s := snapshot{Version: snapshotVersion, Turn: h.turn, Calls: make([]savedCall, 0, len(h.ring))}
	for n := len(h.ring); n > 0; n-- {
		e := h.back(n)
		c := savedCall{Key: e.key[:], ID: e.id, Period: e.period, Count: e.count, Forgiven: e.forgiven}
		if e.known {
			c.Result = e.result[:]
		}
		s.Calls = append(s.Calls, c)
	}
	return s
}

func load(data []byte) (history, error) {
	s, err := decode(data)
	if err != nil {
		return history{}, err
	}
	if len(s.Calls) > depth || s.Turn < 0 || s.Turn > len(s.Calls) {
		return history{}, fmt.Errorf("%d calls, %d in the turn: out of range", len(s.Calls), s.Turn)
	}
	h := history{ring: make([]entry, len(s.Calls), min(len(s.Calls)+1, depth)), next: len(s.Calls) % depth, turn: s.Turn}
	for i, c := range s.Calls {
		if h.ring[i], err = c.entry(); err != nil {
			return history{}, fmt.Errorf("call %d: %w", i, err)
		}
	}
	return h, nil
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

func (c savedCall) entry() (entry, error) {
	e := entry{id: c.ID, period: c.Period, count: c.Count, known: c.Result != nil, forgiven: c.Forgiven}
	if copy(e.key[:], c.Key) != len(c.Key) || len(c.Key) != len(e.key) {
		return e, fmt.Errorf("key of %d bytes", len(c.Key))
	}
	if e.known && len(c.Result) != len(e.result) {
		return e, fmt.Errorf("result of %d bytes", len(c.Result))
	}
	copy(e.result[:], c.Result)
	if c.Period > maxPeriod || c.Count > depth || (c.Period == 0) != (c.Count == 0) {
		return e, fmt.Errorf("period %d, count %d: out of range", c.Period, c.Count)
	}
	return e, nil
}
