package desk

import (
	"maps"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/approval"
)

// The sizes of what the list shows of one request, in bytes: a command and a part of it
// that stands for all, and a text beside it, such as the directory.
const (
	maxCommand = 4000
	maxPart    = 600
	maxText    = 1000
)

// shorten bounds what the list shows of a request.
func (w *waiting) shorten() {
	if command := commandOf(w.Request); len(command) > maxCommand {
		w.Command, w.Cut = excerpt(command, span(w.Request, command)), true
	}
	short := *w.Request // which others may have
	for _, text := range []*string{&short.Tool, &short.Agent, &short.Dir, &short.Asked.Why} {
		if len(*text) > maxText {
			*text, w.Cut = strings.Clone(clip.Text(*text, maxText)), true
		}
	}
	w.Request = &short
}

// excerpt is the beginning of a command and, where that is further on, what decided.
func excerpt(command string, span *[2]int) []piece {
	out := pieces(strings.Clone(clip.Text(command, maxPart)), span)
	if span == nil || span[0] < maxPart {
		return out
	}
	part := strings.Clone(clip.Text(command[span[0]:span[1]], maxPart))
	return append(append(out, piece{Text: " "}), pieces(part, &[2]int{0, len(part)})...)
}

// large are the rows of large requests that were shown: to read the requests again for
// each page would cost as much as all that they hold. The zero value is empty.
type large struct {
	mu       sync.Mutex
	revision string // of the policy
	rows     rows
}

// rows are rows of the list by the id of their request. They have all that the list shows
// and no more of the request.
type rows map[string]*waiting

// From how many bytes a request is large, and how many rows are kept.
const (
	largeFrom = 16 << 10
	maxKept   = 2 * maxRead
)

// under returns the rows that were made under a policy.
func (l *large) under(revision string) rows {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.revision != revision {
		l.revision, l.rows = revision, nil
	}
	return maps.Clone(l.rows)
}

// isLarge reports whether a request is large, or was when its row was made.
func isLarge(r *approval.Request) bool {
	return r.Bare() || len(r.Call)+len(r.Contract)+len(r.Said)+len(r.Asked.Message) >= largeFrom
}

// row returns the row of a request: the one that is known where the store has left out
// the rest.
func (l *large) row(known rows, r *approval.Request, revision string) *waiting {
	if r.Bare() {
		w := *known[r.ID]
		w.IDs = []string{r.ID}
		return &w
	}
	w := waitingOf(r, revision).besides()
	if isLarge(r) {
		l.keep(*w)
	}
	return w
}

// keep keeps a row without what the list does not show.
func (l *large) keep(w waiting) {
	short := *w.Request
	short.Call, short.Contract, short.Said, short.Asked.Message, short.Asked.Files = nil, nil, "", "", nil
	w.Request, w.Dangers = &short, nil
	l.mu.Lock()
	defer l.mu.Unlock()
	if w.Policy != l.revision {
		return
	}
	if l.rows == nil || len(l.rows) >= maxKept {
		l.rows = rows{}
	}
	l.rows[w.ID] = &w
}

// versions are those of the rows.
func (r rows) versions() map[string]int64 {
	out := make(map[string]int64, len(r))
	for id, w := range r {
		out[id] = w.Version
	}
	return out
}
