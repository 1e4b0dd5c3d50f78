package doom

import (
	"errors"
	"sync"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"
)

// ErrReused means that a call id was used before for another call.
var ErrReused = errors.New("used before for another call")

const defaultSessions = 10_000

// Call is one call as the detector sees it.
type Call struct {
	// ID names the call: within the last 64 calls of a session an id counts
	// once, however often it is asked about. A call without an id always
	// counts.
	ID string
	// Key identifies what is called; see [KeyOf].
	Key Key
	// Polling declares that repeating the call is how to wait for something.
	// It is a loop only where the results of the calls before it are known and
	// the same.
	Polling bool
}

// Detector remembers what every session called. It is safe for concurrent
// use; sessions do not wait for each other's calls to be judged. A full
// session takes about 5 KB. The zero value is not usable, see [New].
type Detector struct {
	windows *lru.Cache[string, *window]
	evicted atomic.Uint64
}

type window struct {
	mu sync.Mutex
	history
}

// New returns a detector that remembers that many sessions, or 10,000 for
// zero and less. Beyond them it forgets the one used least recently; every
// method but [Detector.Peek] and [Detector.Snapshot] is a use.
func New(sessions int) *Detector {
	if sessions <= 0 {
		sessions = defaultSessions
	}
	// It refuses only sizes below one.
	windows, _ := lru.New[string, *window](sessions)
	return &Detector{windows: windows}
}

// Observe judges a call and records it, in one step, loop or not. An id seen
// before with the same key gets the finding of the first time, and nothing is
// recorded. The error is [ErrReused] for an id seen with another key; the
// finding beside it is a loop.
func (d *Detector) Observe(session string, c Call, l Limits) (Finding, error) {
	w := d.open(session)
	w.mu.Lock()
	defer w.mu.Unlock()
	f, seen, err := w.answer(c, l)
	if !seen {
		w.push(c, f)
	}
	return f, err
}

// Peek returns what [Detector.Observe] would, and changes nothing, not even
// which session is forgotten next.
func (d *Detector) Peek(session string, c Call, l Limits) (Finding, error) {
	w, ok := d.windows.Peek(session)
	if !ok {
		return Finding{}, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	f, _, err := w.answer(c, l)
	return f, err
}

// Recall returns what the latest call with a key was answered, and changes
// nothing. ok is false where none is remembered. It serves hosts that ask
// about a call again without the id that they gave it first.
func (d *Detector) Recall(session string, k Key) (f Finding, ok bool) {
	w, ok := d.windows.Peek(session)
	if !ok {
		return f, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	e := w.byKey(k)
	if e == nil {
		return f, false
	}
	return e.finding(), true
}

// Report tells the result of the call with that id, as a hash; a later report
// replaces an earlier one. An id that is empty, unknown or older than 64 calls
// is ignored.
func (d *Detector) Report(session, id string, result Key) {
	d.change(session, func(h *history) {
		if e := h.byID(id); e != nil {
			e.result, e.known = result, true
		}
	})
}

// ResetTurn starts the counting anew, because a user spoke. Ids stay known: a
// call asked about once more still gets its first finding.
func (d *Detector) ResetTurn(session string) {
	d.change(session, func(h *history) { h.turn = 0 })
}

// Forgive takes note that a human approved this exact call. The last one made
// is no loop any more when its id is asked about again, and the next one does
// not count the earlier ones, nor does it continue a cycle. After it the
// counting goes on as usual.
func (d *Detector) Forgive(session string, k Key) {
	d.change(session, func(h *history) {
		if e := h.byKey(k); e != nil {
			e.forgiven, e.period, e.count = true, 0, 0
		}
	})
}

// Evicted returns how many sessions were forgotten to make room for others.
func (d *Detector) Evicted() uint64 { return d.evicted.Load() }

// change applies f to the history of a session, if there is one.
func (d *Detector) change(session string, f func(*history)) {
	w, ok := d.windows.Get(session)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	f(&w.history)
}

// open returns the window of a session, a new one for a new session.
func (d *Detector) open(session string) *window {
	if w, ok := d.windows.Get(session); ok {
		return w
	}
	w := new(window)
	first, ok, evicted := d.windows.PeekOrAdd(session, w)
	if evicted {
		d.evicted.Add(1)
	}
	if ok {
		return first
	}
	return w
}
