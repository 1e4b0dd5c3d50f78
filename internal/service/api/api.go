// Package api is the native HTTP API of the approval service: what lies below
// /v1, and /health, /metrics and /login.
//
//	router := route.NewRouter(b, api.New(hub, b.Now, api.Options{}).Family())
//
// [API.Family] is the one table of what there is and who may use it; openapi.yaml
// describes each route. The package listens nowhere and decides nothing, and it
// leaves hosts, origins, sizes and rates of identities to the server's chain.
package api

import (
	"context"
	"time"

	"github.com/policyctl/policyctl/internal/service/stream"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// An API serves the routes. It is safe for concurrent use.
type API struct {
	hub *stream.Hub
	o   Options

	logins, sessions *webguard.Meter
	waits            *webguard.Waits

	closing context.Context // ends with Close
	close   context.CancelFunc
}

// Options are what an API can be told. The zero value is sound.
type Options struct {
	// Version is what /health says of the program.
	Version string
	// Logins and Sessions bound how often somebody logs in, and how often one
	// identity asks in one session; a burst of 0 stands for the default.
	Logins, Sessions webguard.Bucket
	// MaxWaits bounds the answers that one identity has held back at a time; 0
	// stands for DefaultMaxWaits.
	MaxWaits int
	// Full says of an error of the store that it has no space left; nil takes
	// none for that.
	Full func(error) bool
}

// DefaultMaxWaits is what the zero value of MaxWaits stands for.
const DefaultMaxWaits = 256

// The default rates: in a second, and at once.
var (
	defaultLogins   = webguard.Bucket{PerSecond: 1, Burst: 5}
	defaultSessions = webguard.Bucket{PerSecond: 50, Burst: 200}
)

// New returns the API of a service, whose hub gets the events of the store and
// whose clock is that of the rates.
func New(hub *stream.Hub, now func() time.Time, o Options) *API {
	if o.MaxWaits == 0 {
		o.MaxWaits = DefaultMaxWaits
	}
	a := &API{hub: hub, o: o, waits: webguard.NewWaits(o.MaxWaits)}
	a.logins, a.sessions = webguard.NewMeter(o.Logins.Or(defaultLogins), now), webguard.NewMeter(o.Sessions.Or(defaultSessions), now)
	a.closing, a.close = context.WithCancel(context.Background())
	return a
}

// Close has answers that wait for a decision sent as the requests stand.
func (a *API) Close() { a.close() }
