// Package compat answers the clients of other approval services in their own
// words: those of clauz3, of supervised tools, and of approval rules with
// their queue.
//
//	router := route.NewRouter(b, compat.New(hub, schemas.Dir(dir)).Families()...)
//
// [Handler.Families] is the one table of what there is and who may use it. Each route is
// a thin translation; the service behind it is that of the native API. The
// package decides nothing, keeps nothing, and leaves hosts, origins, sizes and
// rates to the server's chain.
package compat

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/policyctl/policyctl/internal/service/schemas"
	"github.com/policyctl/policyctl/internal/service/stream"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// A Handler serves the routes. It is safe for concurrent use.
type Handler struct {
	hub   *stream.Hub
	wait  time.Duration // how long POST /requests is held back
	waits *webguard.Waits
	// schemas are what plugins say of their records.
	schemas schemas.Dir
	// seen has the program that an approver saw last under a name.
	seen *lru.Cache[string, string]
}

// programWait is how long a client of clauz3 waits for a decision where nobody
// tells it otherwise.
const programWait = 300 * time.Second

// maxWaits bounds the answers that one identity has held back at a time.
const maxWaits = 256

// maxSeen bounds how many programs are remembered that approvers saw. Whoever
// saw one that is forgotten looks at it again.
const maxSeen = 10_000

// New returns the handler of a service. The hub gets the events of its store;
// the directory keeps the schemas of plugins, "" none.
func New(hub *stream.Hub, plugins schemas.Dir) *Handler {
	seen, err := lru.New[string, string](maxSeen)
	if err != nil { // the size is right
		panic(err)
	}
	return &Handler{hub: hub, wait: programWait, waits: webguard.NewWaits(maxWaits), seen: seen, schemas: plugins}
}
