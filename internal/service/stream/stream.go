// Package stream tells clients what happens, as server-sent events (HTML
// Standard, section 9.2).
//
//	hub := stream.NewHub(log, stream.Options{})
//	hub.Publish(event)             // once it is in the log
//	err := hub.Serve(w, r, filter) // in a handler
//
// A client sees each event of the log once and in order, from where it left
// off. If that cannot be, it is told "resync", and has to read the state anew.
// The package keeps no event, and does not know who may see what.
package stream

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// An Event is one entry of the log.
type Event struct {
	ID      int64  // from 1, rising; numbers may be left out
	Type    string // letters, digits and . _ -
	Data    []byte // one line of JSON; not changed once it is published
	Session string // for filters; it is not sent
}

// A Log keeps events for clients that come back. It must be safe for
// concurrent use, and show events in the order of their numbers: once one is
// seen, none with a lower number appears.
type Log interface {
	// After returns at most limit events with a number above id, lowest first.
	After(ctx context.Context, id int64, limit int) ([]Event, error)
	// Bounds returns the number of the first event that is kept and of the
	// last that was ever written. Where none is kept, first is last+1.
	Bounds(ctx context.Context) (first, last int64, err error)
}

// Options bound a hub. Zero values stand for the defaults.
type Options struct {
	Heartbeat     time.Duration              // between comments that keep a connection; 15 s
	WriteDeadline time.Duration              // for each flush; 10 s
	Queue         int                        // publications that a client may be behind; 64
	MaxClients    int                        // 512
	MaxPerKey     int                        // clients with one key; 32
	Key           func(*http.Request) string // such as who asks; nil counts nobody by key
	// Guest says that a client has not proved who it is. All guests together
	// read the log in a tenth of the time of one processor; nil takes nobody
	// for one.
	Guest func(*http.Request) bool
}

// How many clients read the log at a time, and how long guests rest.
const (
	memberTurns = 2
	guestTurns  = 1
	guestRest   = 9
)

func (o *Options) complete() {
	orElse(&o.Heartbeat, 15*time.Second)
	orElse(&o.WriteDeadline, 10*time.Second)
	orElse(&o.Queue, 64)
	orElse(&o.MaxClients, 512)
	orElse(&o.MaxPerKey, 32)
}

func orElse[T int | time.Duration](v *T, otherwise T) {
	if *v <= 0 {
		*v = otherwise
	}
}

// Errors of [Hub.Serve]. The client has been answered.
var (
	ErrFull    = errors.New("too many clients follow the events")
	ErrClosed  = errors.New("the hub of events is closed")
	ErrBadID   = errors.New("the id of the last event is not a number")
	ErrBehind  = errors.New("the client did not keep up")
	ErrNoFlush = errors.New("the response cannot be streamed")
)

// resync is the type of the event that says to read the state anew.
const resync = "resync"

// encode writes an event as the standard has it. A type that is no word is
// left out, and each line of data gets a line: neither can forge a field.
func encode(e Event) []byte {
	b := make([]byte, 0, len(e.Data)+len(e.Type)+48)
	b = append(b, "id: "...)
	b = strconv.AppendInt(b, e.ID, 10)
	if word(e.Type) {
		b = append(append(b, "\nevent: "...), e.Type...)
	}
	rest := e.Data
	for {
		i := bytes.IndexAny(rest, "\r\n")
		if i < 0 {
			break
		}
		b = append(append(b, "\ndata: "...), rest[:i]...)
		rest = rest[i+1:]
	}
	b = append(append(b, "\ndata: "...), rest...)
	return append(b, "\n\n"...)
}

func word(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return s != ""
}
