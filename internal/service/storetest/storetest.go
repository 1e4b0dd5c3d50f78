// Package storetest is what every store of the approval service must do, as
// tests: a store is right if Run passes.
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) storetest.Place { … })
//	}
//
// The package knows no database: what happens to a file, to a connection or to
// a killed process is tested where the store is.
package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// A Store is all that the service and its commands ask of a database.
type Store interface {
	backend.Data

	TouchToken(ctx context.Context, id string, at time.Time) error
	MayCut(ctx context.Context) error
	Cut(ctx context.Context, was, at *audit.Checkpoint, log ...audit.Entry) error
	Sweep(ctx context.Context) (int64, error)
	Close() error
}

// Options are those of a store that a test sets; the zero value is that of the
// store.
type Options struct {
	Notify                func(approval.Event)
	KeepEvents, KeepCalls int
}

// A Place opens a store: empty at first, and later with what is in it, also while
// others have it open, as other instances would.
type Place func(o Options) Store

// Run tests the stores that place makes room for, a new one at each call.
func Run(t *testing.T, place func(t *testing.T) Place) {
	for name, test := range map[string]func(*testing.T, Place){
		"create": create, "join": join, "join race": joinRace, "mismatch race": mismatchRace, "update": update,
		"update fails": updateFails, "update panics": updatePanics, "update race": updateRace, "update ends its goroutine": goexit, "documents": documents, "bad text": badText,
		"one decision": oneDecision, "one consumption": oneConsumption, "list": list, "known": listKnown, "pages": pages, "search": search, "search what changes": searchChanged, "search audit": searchAudit, "due": due, "pending": pending, "session denials": sessionDenials,
		"events": events, "voted events": votedEvents, "kept events": keptEvents, "event race": eventRace, "audit": auditLog, "audit race": auditRace, "bad entry": badEntry, "record of a token": tokenRecord,
		"keys": keys, "reduce": reduce, "reduce a page": reducePage, "tokens": tokens, "bad tokens": badTokens, "rules": rules, "searches for rules": searches, "changes of rules": changes, "tombstones": tombstones, "seals": seals, "calls": calls, "notes of grants": grantNotes,
		"passkeys": passkeys, "bad passkeys": badPasskeys, "subscriptions": subscriptions,
		"deliveries": deliveries, "deliveries that end": endedDeliveries, "bad deliveries": badDeliveries, "tokens of deliveries": deliveryTokens,
		"collect": collect, "collect race": collectRace,
		"shelves": shelves, "shelf race": shelfRace, "uses race": usesRace, "lead": lead,
		"two instances race": instancesRace, "two instances deny": instancesDeny, "two instances expire": instancesExpire, "two instances deliver": instancesDeliver, "clock": clock, "ended context": endedContext, "reopen": reopen, "closed": closed,
	} {
		t.Run(name, func(t *testing.T) { test(t, place(t)) })
	}
}

// open opens a store and closes it at the end of the test.
func open(t *testing.T, place Place, o Options) Store {
	t.Helper()
	s := place(o)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}
