package approval

import (
	"context"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
)

// A Store keeps requests, and with each change the records of the audit log
// and the event that tells of it: all or nothing. What it has acknowledged
// survives a crash. It is safe for concurrent use. Its errors are those of
// the storage, and the ones named here.
type Store interface {
	// Create stores a new request. If one of the same submitter has its key,
	// or any has its id, that one is returned instead, with created false. The
	// caller must not use the new one any more, but for what is returned.
	// undenied says that no session at all was denied when it was stored.
	Create(ctx context.Context, r *Request, log ...audit.Entry) (stored *Request, created, undenied bool, err error)
	// Get returns a request, or ErrNotFound.
	Get(ctx context.Context, id string) (*Request, error)
	// ByKey returns the request of a submitter with a key, or ErrNotFound.
	ByKey(ctx context.Context, submitter, key string) (*Request, error)
	// List returns requests, the newest first unless the filter says otherwise.
	List(ctx context.Context, f Filter) ([]*Request, error)
	// Update gives a request as it stands to change, and stores what change
	// made of it, with the next version. No other change comes between; change
	// may be called again. An error of change is returned as it is, and nothing
	// is stored.
	Update(ctx context.Context, id string, change func(*Request) ([]audit.Entry, error)) (*Request, error)
	// Reduce gives requests to change that are not pending and owe nothing, whose
	// time to decide was over before a time, and of which more is kept; the ones
	// that were over first, at most limit. It returns how many are reduced now,
	// and records what log says of that number if there are any. No event tells of
	// it.
	Reduce(ctx context.Context, to Kept, before time.Time, limit int, change func(*Request), log func(n int) []audit.Entry) (n int, err error)
	// Pending counts the pending requests that a submitter made in a session,
	// and those that it made in all, and returns the denial of the session, nil
	// for none: as they are at one moment.
	Pending(ctx context.Context, submitter, session string) (there, all int, d *SessionDenial, err error)
	// Due returns the ids of pending requests that expire at or before a time,
	// at most limit, and when the next one after them does; the zero time if
	// there is none.
	Due(ctx context.Context, now time.Time, limit int) (ids []string, next time.Time, err error)
	// Observe remembers a time, if it is later than those before. Latest returns
	// the latest time that the store knows of, the zero time for none.
	Observe(ctx context.Context, at time.Time) error
	Latest(ctx context.Context) (time.Time, error)
	// PutSessionDenial stores a denial, in place of the one of its session.
	// DropSessionDenial removes that of a session, if there is one.
	// SessionDenial returns that of a session, nil for none, and SessionDenials all, the
	// newest first.
	PutSessionDenial(ctx context.Context, d SessionDenial, log ...audit.Entry) error
	DropSessionDenial(ctx context.Context, session string, log ...audit.Entry) error
	SessionDenial(ctx context.Context, session string) (*SessionDenial, error)
	SessionDenials(ctx context.Context) ([]SessionDenial, error)
	// Keys returns all public keys, the newest first. AddKey stores one; those
	// that have no end yet end when it was created.
	Keys(ctx context.Context) ([]Key, error)
	AddKey(ctx context.Context, k Key, log ...audit.Entry) error
}

// A Filter chooses requests. The zero value chooses all.
type Filter struct {
	States    []State
	Session   string
	Submitter string
	Kind      string
	// Owing chooses those of which Owed is set.
	Owing bool
	Name  string
	// Alike chooses those of the same call: see [Request].
	Alike string
	// Agent, Rule, By and Word choose by the agent, by the rule that asks, by who
	// decided and by what was decided; From and To by when it was asked, the latter
	// without its own moment.
	Agent, Rule, By string
	Word            Word
	From, To        time.Time
	// Text chooses those that have all its words: see [Request.Words]. A word that
	// ends with * stands for all that begin like it.
	Text string
	// Fair chooses evenly among sessions, the oldest first: the first request of
	// each, then the second one of each, up to the limit. The list then begins with
	// the oldest.
	Fair bool
	// Before is the id of a request: what is older follows.
	Before string
	// Limit bounds the list; 0 stands for DefaultLimit.
	Limit int
	// Known are versions of requests, by their ids, that the caller has. A list may have
	// no more of these than ID, Version and State: see [Request.Bare].
	Known map[string]int64
}

// Bare reports whether a list left out all but the ID, the Version and the State of a
// request, which the caller has: every other request says when it was made.
func (r *Request) Bare() bool { return r.Created.IsZero() && r.Hash == "" }

// DefaultLimit and MaxLimit bound lists of requests.
const (
	DefaultLimit = 100
	MaxLimit     = 1000
)

// An Event tells that a request was made or changed.
type Event struct {
	// ID is the place in the sequence of events, from 1.
	ID   int64     `json:"id"`
	Time time.Time `json:"time"`
	// RequestID names the request; what follows is as the change left it.
	RequestID string `json:"request_id"`
	State     State  `json:"state"`
	Version   int64  `json:"version"`
	Session   string `json:"session"`
	Tool      string `json:"tool"`
	Title     string `json:"title"`
	// Quorum is how many people must approve, and Approved how many have voted for it;
	// both are 0 where one person decides. Who can no longer decide is counted here.
	Quorum   int `json:"quorum,omitempty"`
	Approved int `json:"approved,omitempty"`
}
