package policy

import (
	"encoding/binary"
	"hash/fnv"
	"sync"
	"time"
)

// A Tally asks how often calls of one kind were made.
type Tally struct {
	// Key says what is counted.
	Key string
	// At is the time of the call, and Per how long before it calls count.
	At  time.Time
	Per time.Duration
	// N is how many the call itself stands for, as the commands of a line. Add has them
	// counted from now on.
	N   int
	Add bool
	// Most is how many need to be told apart from more.
	Most int
	// ID is the same for the same call that is decided again, 0 where that is unknown.
	// Alike is the same for calls that do the same.
	ID, Alike uint64
}

// Windows count calls. The zero value is empty. What it has counted is its JSON, which
// another process can read; its method is safe for concurrent use, reading Keys is not.
type Windows struct {
	mu sync.Mutex
	// Keys are the calls that were counted, by what is counted, oldest first.
	Keys map[string][]happening `json:"keys"`
}

// A happening is a call that was counted.
type happening struct {
	At    int64  `json:"at"` // in nanoseconds
	Per   int64  `json:"per"`
	N     int    `json:"n"`
	ID    uint64 `json:"id,omitempty"`
	Alike uint64 `json:"alike,omitempty"`
}

// The bounds of windows: keys beyond are forgotten, the one used least recently first.
const (
	maxKeys       = 64
	maxHappenings = 4096
)

// Count returns how many calls were made before, and notes those of a tally if it says so.
// The last call that is the same one does not count as one before; where it is noted
// again, it counts once.
func (w *Windows) Count(t *Tally) (before int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := t.At.UnixNano()
	list := w.Keys[t.Key]
	self := -1
	for i := range list {
		if h := &list[i]; h.ID == t.ID && t.ID != 0 || t.ID == 0 && !t.Add && h.Alike == t.Alike {
			self = i
		}
	}
	for i := range list {
		if age := at - list[i].At; i != self && -int64(t.Per) < age && age < int64(t.Per) {
			before += list[i].N
		}
	}
	if t.Add {
		w.add(t, self)
	}
	return before
}

func (w *Windows) add(t *Tally, self int) {
	list := w.Keys[t.Key]
	switch {
	case t.N <= 0:
		return
	case self >= 0:
		list[self].N = max(list[self].N, t.N)
	default:
		list = append(list, happening{t.At.UnixNano(), int64(t.Per), t.N, t.ID, t.Alike})
	}
	for n, i := 0, len(list)-1; i >= 0; i-- { // those beyond tell nothing more
		if n > t.Most || list[len(list)-1].At-list[i].At >= int64(t.Per) {
			list = list[i+1:]
			break
		}
		n += list[i].N
	}
	if w.Keys == nil {
		w.Keys = make(map[string][]happening)
	}
	w.Keys[t.Key] = list
	w.trim(t.At.UnixNano())
}

// trim forgets what is over, and the keys that were used least recently where there are too
// many.
func (w *Windows) trim(now int64) {
	for key, list := range w.Keys {
		if len(list) == 0 || now-list[len(list)-1].At >= list[len(list)-1].Per {
			delete(w.Keys, key)
		}
	}
	for {
		total, oldest := 0, ""
		for key, list := range w.Keys {
			total += len(list)
			if oldest == "" || list[len(list)-1].At < w.Keys[oldest][len(w.Keys[oldest])-1].At {
				oldest = key
			}
		}
		if len(w.Keys) <= maxKeys && total <= maxHappenings || len(w.Keys) <= 1 {
			return
		}
		delete(w.Keys, oldest)
	}
}

// names keeps windows by name in memory: those of an engine to which nobody gave others.
type names struct {
	mu   sync.Mutex
	list map[string]*Windows
	made []string // the names, oldest first
}

// maxNames bounds how many names are kept: the oldest is forgotten.
const maxNames = 1024

// of returns the windows of a name.
func (n *names) of(name string) *Windows {
	n.mu.Lock()
	defer n.mu.Unlock()
	w := n.list[name]
	if w != nil {
		return w
	}
	if n.list == nil {
		n.list = make(map[string]*Windows)
	}
	if n.made = append(n.made, name); len(n.made) > maxNames {
		delete(n.list, n.made[0])
		n.made = n.made[1:]
	}
	w = new(Windows)
	n.list[name] = w
	return w
}

// Count returns how many calls like this one were made before it: by "session" in the same
// session, by "agent" of the same agent, with "all" of anybody. A call without a session
// has none before it in its session, and a question without one, which counts nothing,
// none at all. ok is false where it cannot be known: the time is missing, or what keeps the
// counts failed. It notes n for the call only where the engine decides it for the first
// time; more than most need not be told apart.
func (in *Input) Count(key, by string, per time.Duration, n, most int) (before int, ok bool) {
	if in.facts == nil || in.facts.counting == nil {
		return 0, true
	}
	r := in.facts.counting
	asks := r.explained || r.review
	if r.replies.session == nil && (asks || by == "session") {
		return 0, true
	}
	if r.unread != nil || r.call.Time.IsZero() {
		return 0, false
	}
	alike := loopKey(&r.facts)
	t := &Tally{Key: key, At: r.call.Time, Per: per, N: n, Most: most, Add: !asks, Alike: hashOf(alike[:])}
	t.ID = r.tallied(t)
	switch {
	case r.e.options.Count != nil:
		var err error
		before, err = r.e.options.Count(r.replies.ctx, r.countedBy(by), t)
		return before, err == nil
	case by == "session":
		return r.replies.session.Rates.Count(t), true
	}
	return r.e.shared.of(r.countedBy(by)).Count(t), true
}

// countedBy names those whose calls count together.
func (r *run) countedBy(by string) string {
	switch by {
	case "session":
		return by + "\x00" + r.call.Agent + "\x00" + r.replies.session.ID
	case "agent":
		return by + "\x00" + r.call.Agent
	}
	return by
}

// tallied identifies the call: another call with the same id is another one. One without
// an id that is decided is a call of its own each time.
func (r *run) tallied(t *Tally) uint64 {
	id := binary.BigEndian.AppendUint64(nil, t.Alike)
	switch {
	case r.call.ID != "":
		return hashOf(append(id, r.call.ID...))
	case !t.Add:
		return 0
	}
	return hashOf(binary.BigEndian.AppendUint64(id, uint64(t.At.UnixNano())))
}

func hashOf(data []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(data) // a hash takes everything
	return max(h.Sum64(), 1)
}
